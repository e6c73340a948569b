"""What a rule is: one small unit with its page. Knows no rule in particular."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ..chain import Chain
from ..diagnostic import Diagnostic, Severity
from ..document import Document


class Example(NamedTuple):
    """A file that shows the rule: its name, which decides how it is read, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule and its page.

    `checks` completes the sentence "finds …"; `why` says what goes wrong otherwise. `bad` breaks this rule, `good` does
    not; several files are the versions of one agent. `check` looks at one config, `compare` at the versions of
    an agent; both are None where reading the file, its schema or the successor schema decides.
    """

    code: str
    name: str
    severity: Severity
    checks: str
    why: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    check: Callable[[Document], Iterable[Diagnostic]] | None = None
    compare: Callable[[Chain], Iterable[Diagnostic]] | None = None
