"""What a rule is: one small unit with its page. Knows no rule in particular."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from seatrial.schemas.problem import Fix

from ..chain import Chain
from ..diagnostic import Diagnostic, Pointer, Related, Severity
from ..document import Document
from ..settled import Settled


class Example(NamedTuple):
    """A file that shows the rule: its name, which decides how it is read, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule and its page.

    `checks` completes the sentence "finds …"; `why` says what goes wrong otherwise. `bad` breaks this rule, `good` does
    not; several files are the versions of one agent. `check` looks at one config, `compare` at the versions of
    an agent; both are None where reading the file, its schema or the successor schema decides. A rule that is
    `opt_in` runs only where it was asked for by name. `clauses` are those of the memory system that the rule guards: it
    finds what one of them refuses, or what keeps the agent from getting what one of them promises.
    """

    code: str
    name: str
    severity: Severity
    checks: str
    why: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    check: Callable[[Settled], Iterable[Diagnostic]] | None = None
    compare: Callable[[Chain], Iterable[Diagnostic]] | None = None
    opt_in: bool = False
    clauses: tuple[str, ...] = ()

    def finding(
        self,
        document: Document,
        pointer: Pointer,
        message: str,
        *,
        at: Literal["key", "value"] = "value",
        fix: Fix | None = None,
        related: tuple[Related, ...] = (),
        severity: Severity | None = None,
        about: Iterable[str] = (),
    ) -> Diagnostic:
        """A finding of this rule at the key or value that `pointer` names; `severity` where it is not the rule's.

        `about`: what it speaks of, by name, where the value at its place does not say it.
        """
        return Diagnostic(
            self.code,
            severity or self.severity,
            document.path,
            document.span(pointer, at),
            pointer,
            message,
            fix,
            related,
            tuple(about),
        )
