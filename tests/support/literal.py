"""What an invariant says of a trace that is written by hand."""

from __future__ import annotations

from typing import Any, TypeAlias

from seatrial.simulator.invariants import INVARIANTS, History, Verdict
from seatrial.simulator.invariants.examples import HEADER

Line: TypeAlias = dict[str, Any]
NAMED = {each.name: each for each in INVARIANTS}


def judge(name: str, *lines: Line) -> Verdict:
    """Of the lines that follow the header."""
    return NAMED[name].check(History.parse([HEADER, *lines]))


def clauses(name: str, *lines: Line) -> list[str]:
    """The clauses that are violated, one a violation, in order."""
    return [violation.clause for violation in judge(name, *lines).violations]


def searching(deployed: Line, **settings: Any) -> Line:
    """The deploy of a version with these settings of search."""
    harness = deployed["config"]["harness"]
    return {**deployed, "config": {"harness": {**harness, "memory": {**harness["memory"], "search": settings}}}}
