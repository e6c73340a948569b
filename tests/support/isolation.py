"""The invariants that say who may see what, and what they say of a trace that is written by hand."""

from __future__ import annotations

from typing import Any

from literal import Line

from seatrial.simulator.invariants import INVARIANTS, History, Verdict
from seatrial.simulator.invariants.examples import HEADER, add, begin, end

ISOLATION = tuple(
    each
    for each in INVARIANTS
    if each.name in ("session-isolation", "agent-isolation", "plane-isolation", "rollback-atomicity")
)
BOTH = ("session", "agent")


def judged(*lines: Line) -> dict[str, Verdict]:
    history = History.parse([HEADER, *lines])
    return {invariant.name: invariant.check(history) for invariant in ISOLATION}


def violated(*lines: Line) -> dict[str, str]:
    """The violated invariants, each with the clause of its only violation."""
    found = {name: verdict.violations for name, verdict in judged(*lines).items() if verdict.violations}
    assert all(len(violations) == 1 for violations in found.values()), found
    return {name: violations[0].clause for name, violations in found.items()}


def wrote(turn: str, session: str | None, *, outcome: str = "committed", **how: Any) -> list[Line]:
    """A turn that wrote one record, `mem_of_<turn>`."""
    scope = {"scope": how.pop("scope")} if "scope" in how else {}
    written = add(turn, f"mem_of_{turn}", f"what {turn} knows", **scope)
    return [begin(turn, session, f"user of {turn}", **how), written, end(turn, outcome)]


def looked(turn: str, session: str | None, *shown: Line, **how: Any) -> list[Line]:
    return [begin(turn, session, f"user of {turn}", **how), *shown, end(turn)]
