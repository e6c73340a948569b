"""What the linter finds: frozen values that say where, what and how bad. Knows no document and no rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from seatrial.schemas.problem import Fix

Pointer: TypeAlias = tuple[str | int, ...]
Severity: TypeAlias = Literal["error", "warning", "info"]


class Span(NamedTuple):
    """A stretch of a file: lines and columns from 1, columns in code points, the end just past the last one."""

    line: int
    column: int
    end_line: int
    end_column: int


class Related(NamedTuple):
    """Another place that belongs to the same finding, in the same file or another one."""

    path: str
    span: Span
    pointer: Pointer
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `message` is one line, free of control characters; `path` is as it was named on input.

    `fix` is what to do about it, where one thing was probably meant; `edits.py` says what that is in the file's text.
    `about` tells it from other findings of its rule at its place, where the value there does not: names, never wording.
    `cut` is true of the one that stands for all that was not looked for: nothing holds it back.
    """

    code: str
    severity: Severity
    path: str
    span: Span
    pointer: Pointer
    message: str
    fix: Fix | None = None
    related: tuple[Related, ...] = ()
    about: tuple[str, ...] = ()
    cut: bool = False

    @property
    def order(self) -> tuple[str, Span, str, str]:
        """By file, then place, then code: the order of every report."""
        return (self.path, self.span, self.code, self.message)


def pointer_text(pointer: Pointer) -> str:
    """The pointer as a JSON Pointer (RFC 6901); the whole document is the empty text."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)
