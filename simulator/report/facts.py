"""What every format tells alike of a judgement: what is wrong in words, where, and how much of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..invariants import Verdict, Violation
from ..invariants.grouping import others
from ..spec import CLAUSES
from ..suite import Judgement

LOST = "what ran it died, twice: it has no verdict"
SHOWN = 5  # violations of one invariant; one is enough to fail, and the others often are the same fault


def facts(group: Sequence[Violation]) -> dict[str, str]:
    """What there is to say of one observation, by a word for each: `why` is a sentence of its own."""
    violation = group[0]
    told = {"observed": violation.observation}
    if violation.record is not None:
        told["record"] = violation.record + ("" if violation.summary is None else f' "{violation.summary}"')
    told |= {"why": violation.because, "expected": CLAUSES[violation.clause].holds}
    if violation.witness:
        told["path"] = " -> ".join(violation.witness)
    if also := others(group):
        told["also"] = ", ".join(also)
    return told


def place(judgement: Judgement, step: str, line: int | None = None) -> str:
    """Where it is: in the script, else the line of the trace."""
    span = judgement.place(step)
    if span is not None:
        return f"{judgement.path}:{span.line}:{span.column}"
    return f"{judgement.path}:{line}" if judgement.of_trace and line is not None else str(judgement.path)


def by_invariant(judgements: Iterable[Judgement]) -> dict[str, list[Verdict]]:
    """The verdicts of each invariant, by its name."""
    found: dict[str, list[Verdict]] = {}
    for judgement in judgements:
        for verdict in judgement.verdicts:
            found.setdefault(verdict.name, []).append(verdict)
    return found
