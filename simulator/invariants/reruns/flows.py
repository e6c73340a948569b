"""Which sessions may inform which, on purpose: the allowed flows of a script's first run (VIEW-3, SCO-2).

Session T has a flow to session S when a turn of T wrote, replaced or deleted a record whose scope was stated as, or can
only be, `agent`, and a turn of S reads agent scope in a plane that sees it. Both are of one agent. The relation is its
own closure: whoever can be reached through a third session reads agent scope, and so is reached directly.
"""

from __future__ import annotations

from ..events import Call, Decision
from ..history import History
from ..model import ENDS, Model, Unit, read
from ..plain import ids

_REACHED = ("committed", "conflict")


def flows(history: History) -> frozenset[tuple[Unit, Unit]]:
    """Every (from, to) of the first run, of different sessions."""
    model = read(history)
    shared = _shared(model)
    return frozenset(
        (unit, turn.unit)
        for unit, plane in shared
        for turn in model.turns.values()
        if turn.unit != unit and turn.agent == unit[0] and "agent" in turn.reads and plane in ("live", turn.plane)
    )


def _shared(model: Model) -> frozenset[tuple[Unit, str]]:
    """The sessions that changed AGENT records, and the plane they did it in."""
    found = set()
    for event in model.history.events:
        if isinstance(event, Decision) or (isinstance(event, Call) and event.answer is not None):
            turn = model.turns[event.turn]
            if turn.outcome in _REACHED and any(_is_shared(model, record) for record in _changed(event)):
                found.add((turn.unit, turn.plane))
    return frozenset(found)


def _changed(event: Call | Decision) -> tuple[str, ...]:
    """The records that a call or a review wrote or deleted. What it replaced has the scope of what it wrote (WRT-3)."""
    if isinstance(event, Decision):
        gone = ids(event.target) if event.outcome in ENDS else ()
        return (*gone, *ids(None if event.record is None else event.record.get("id")))
    assert event.answer is not None
    record = event.answer.get("record")
    wrote = ids(record.get("id")) if event.tool == "add_memory" and isinstance(record, dict) else ()
    gone = (*ids(event.answer.get("deleted")), *ids(event.answer.get("would_delete")))
    return (*wrote, *gone)


def _is_shared(model: Model, record: str) -> bool:
    return any(write.origin.scope == "agent" for write in model.writes.get(record, ()))
