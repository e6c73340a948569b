"""What is wrong with a value, said once and in plain words. Knows no file: places are pointers into the value."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from .wording import printable

Pointer: TypeAlias = tuple[str | int, ...]


class Elsewhere(NamedTuple):
    """Another place that belongs to a problem. `version` None: in the same config, else in that earlier version."""

    version: int | str | None
    pointer: Pointer
    at: Literal["key", "value"]
    message: str


class Fix(NamedTuple):
    """What to do about a problem: write `text`, as JSON, for the value, or rename the key to it, or remove the item.

    `safe`: one thing is plainly meant, and nothing that is stored changes its meaning. All else is a suggestion.
    """

    does: Literal["write", "rename", "remove"]
    text: str = ""
    safe: bool = False


class Problem(NamedTuple):
    """One problem.

    `at` says whether the key or the value at `pointer` is meant: the key for one that is unknown or misplaced, and for
    the parent of a missing one, else the value. `rule` is the lint rule's code, `keyword` the JSON Schema keyword that
    decided, or the name of the check. `fix` is what to do about it, where one thing was probably meant.
    `about` tells it from other problems of its rule at its place, where the value there does not.
    `meant` are the keys that are missing, or that a misspelt or misplaced key probably was. `conditional` marks what
    holds only because of other settings. `elsewhere` are further places that belong to the problem.
    """

    pointer: Pointer
    at: Literal["key", "value"]
    rule: str
    message: str
    keyword: str
    fix: Fix | None = None
    meant: tuple[Pointer, ...] = ()
    conditional: bool = False
    elsewhere: tuple[Elsewhere, ...] = ()
    about: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The pointer as a JSON Pointer (RFC 6901)."""
        return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in self.pointer)

    def __str__(self) -> str:
        return f"{printable(self.where) or 'the config'}: {self.message}"
