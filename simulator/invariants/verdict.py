"""What an invariant is and what it answers. Knows no trace: the values only.

A verdict is a gate, never an average: one violation makes it `violated`, and an invariant that checked nothing that
matters says `unknown`, never `holds`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from .history import History

Status: TypeAlias = Literal["holds", "violated", "unknown"]
Line: TypeAlias = Mapping[str, Any]


class Place(Protocol):
    """Where something was observed: its line of the trace, from 1, and the script's step that it is about."""

    @property
    def line(self) -> int: ...
    @property
    def step(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Spot:
    """A place put together: a line of the ledger has no step of its own, but somebody wrote what it tells of."""

    line: int
    step: str


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing observed that must not have been.

    `step` is the JSON Pointer of the script's step or action, empty where the trace names none; `line` is the line of
    the trace, None for what only the comparison of two runs shows. `observation` says what was observed, in which turn
    and model call. `record` and `summary` name the record where it is about one.
    `because` is a sentence that begins with "because". `witness` is the shortest path from who wrote it to who
    observed it, one hop an item.
    """

    invariant: str
    clause: str
    step: str
    line: int | None
    observation: str
    record: str | None
    summary: str | None
    because: str
    witness: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`checked` maps the name of a count to what was counted, in the order the invariant names its counts.

    `probes` is how often something could have shown a violation: with none the invariant says `unknown`. What showed
    one could: there are at least as many as places with a violation.
    """

    name: str
    status: Status
    checked: Mapping[str, int]
    probes: int
    violations: tuple[Violation, ...]

    @classmethod
    def of(cls, name: str, checked: Mapping[str, int], violations: Sequence[Violation], probes: int) -> Verdict:
        """`violated` with any violation; else `holds` when `probes`, the count that matters, is above 0."""
        status: Status = "violated" if violations else "holds" if probes else "unknown"
        shown = len({(each.step, each.line) for each in violations})
        return cls(name, status, checked, max(probes, shown), tuple(violations))


@dataclass(frozen=True, slots=True)
class Invariant:
    """A named statement about one trace and its ledger.

    `counts` says what each count of its verdicts means. `good` is a trace on which it holds, `bad` one that
    violates it; both are run by the tests.
    """

    name: str
    clauses: tuple[str, ...]
    holds_when: str
    counts: Mapping[str, str]
    check: Callable[[History], Verdict]
    good: tuple[Line, ...]
    bad: tuple[Line, ...]


def broken(
    name: str,
    clause: str,
    at: Place,
    observation: str,
    because: str,
    *,
    record: str | None = None,
    summary: str | None = None,
    path: Sequence[str] = (),
) -> Violation:
    """A violation whose witness is `path`, which leads to the observation."""
    return Violation(name, clause, at.step, at.line, observation, record, summary, because, (*path, observation))
