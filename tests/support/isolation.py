"""The invariants that say who may see what, and that tests of the oracle's model judge by."""

from __future__ import annotations

from seatrial.simulator.invariants import INVARIANTS

ISOLATION = tuple(
    each
    for each in INVARIANTS
    if each.name in ("session-isolation", "agent-isolation", "plane-isolation", "rollback-atomicity")
)
