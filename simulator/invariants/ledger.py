"""The ledger against the model: is each record kept where it was written? The ledger is checked, never believed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .events import Stored
from .history import History
from .model import Model, Write, read
from .verdict import Violation


def kept(history: History) -> Iterator[tuple[Stored, Write]]:
    """Each record of the ledger that a turn of the trace was seen to write, with that write."""
    writes = read(history).writes
    for stored in history.records:
        if stored.id in writes:
            yield stored, writes[stored.id][0]


def misplaced(name: str, history: History, clauses: dict[str, str]) -> list[Violation]:
    """A violation for each record kept otherwise than it was written in one of `clauses` (field -> clause)."""
    found = []
    for stored, write in kept(history):
        turn = write.origin.turn
        told = {"agent": stored.agent, "plane": stored.plane, "scope": stored.scope and stored.scope.lower()}
        written = {"agent": turn.agent, "plane": turn.plane, "scope": write.origin.scope}
        if "session" in stored.told:
            told["session"], written["session"] = stored.session or "none", turn.session or "none"
        for field, clause in clauses.items():
            if told.get(field) is not None and told[field] != written[field]:
                found.append(
                    Violation(
                        invariant=name,
                        clause=clause,
                        step=write.step,
                        line=stored.line,
                        observation=f"ledger: {field} {told[field]}",
                        record=stored.id,
                        summary=write.summary,
                        because=f"because {turn.label} wrote it with {field} {written[field]}",
                        witness=(turn.label, write.origin.source, f"ledger: {field} {told[field]}"),
                    )
                )
    return found


def where_written(model: Model, violations: Iterable[Violation]) -> Iterator[Violation]:
    """What is wrong with a record in the ledger, at the step that wrote the record, where the trace shows it."""
    for violation in violations:
        writes = model.writes.get(violation.record or "")
        yield violation if violation.step or not writes else replace(violation, step=writes[0].step)
