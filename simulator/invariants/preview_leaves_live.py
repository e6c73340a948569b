"""preview-leaves-live: no preview changes a live record, and each says what it would have changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .events import Call, Stored
from .examples import HEADER, add, begin, call, deploy, end, record, stored
from .history import History
from .model import Model, Turn, read
from .named import named_by
from .plain import OBJECT, ids
from .verdict import Invariant, Spot, Verdict, Violation, broken

NAME = "preview-leaves-live"
_WRITES = ("add_memory", "delete_memory")


def check(history: History) -> Verdict:
    """Answers of preview turns that name live records, and what the ledger says changed which live record."""
    model = read(history)
    live = {record for record, writes in model.writes.items() if writes[0].origin.turn.plane == "live"}
    previews = [turn for turn in model.turns.values() if turn.plane == "preview"]
    named = [
        (event, targets)
        for event in history.events
        if isinstance(event, Call) and event.answer is not None and model.turns[event.turn].plane == "preview"
        if event.tool in _WRITES and (targets := [target for target in named_by(event) if target in live])
    ]
    kept = [entry for entry in history.records if entry.id in live]
    found = [
        *(each for event, targets in named for each in _answered(model.turns[event.turn], event, targets)),
        *(each for entry in kept for each in (*_changed(model, entry), *_succeeded(model, entry))),
        *_untold(model, live),
    ]
    checked = {"preview_turns": len(previews), "live_records_named": len(named), "live_records_kept": len(kept)}
    return Verdict.of(NAME, checked, found, len(named))


def _answered(turn: Turn, event: Call, targets: list[str]) -> Iterator[Violation]:
    """The answer says of each live record that it would be replaced or deleted, and not that it was."""
    assert event.answer is not None
    key = "would_replace" if event.tool == "add_memory" else "would_delete"
    told = ids(event.answer.get(key))
    record: Any = event.answer.get("record")
    told = told or ids(record.get(key)) if isinstance(record, OBJECT) else told
    for target in targets:
        where = f"answer of {event.tool} in {turn.label} call {event.call}"
        if target not in told:
            why = f"because {target} is live, and the answer does not say that the preview would change it"
            yield broken(NAME, "PRE-2", event, where, why, record=target, path=(turn.label,))


def _changed(model: Model, entry: Stored) -> Iterator[Violation]:
    """No version of a live record was made by a preview, and no preview record is its successor."""
    for version in entry.versions:
        by = model.turns.get(str(version.get("execution"))) if isinstance(version, OBJECT) else None
        if by is not None and by.plane == "preview":
            status = version.get("status")
            why = f"because {by.label} is a preview, and the record is live"
            yield _ledger(entry, f"ledger: its status {status} by {by.id}", why, by)


def _succeeded(model: Model, entry: Stored) -> Iterator[Violation]:
    """No preview record is the successor of a live one."""
    writes = model.writes.get(entry.successor or "", ())
    if writes and writes[0].origin.turn.plane == "preview":
        by = writes[0].origin.turn
        why = f"because {by.label} is a preview, and the record is live"
        yield _ledger(entry, f"ledger: its successor {entry.successor}", why, by)


def _untold(model: Model, live: set[str]) -> Iterator[Violation]:
    """What a committed preview would have changed is in the ledger's record of it (PRE-3)."""
    ledger = {entry.id: entry for entry in model.history.records}
    naming = {
        (entry.execution, name) for entry in ledger.values() for name in ids([*entry.would_replace, entry.would_delete])
    }
    for ending in model.endings:
        turn = ending.turn
        if not ledger or turn is None or turn.plane != "preview" or not turn.committed or ending.record not in live:
            continue
        if (turn.id, ending.record) not in naming and (None, ending.record) not in naming:
            why = f"because {turn.label} would have replaced or deleted it, and no preview record says so"
            entry = ledger.get(ending.record)
            if entry is not None:
                at = Spot(entry.line, ending.step)
                what = "ledger: no record names it"
                yield broken(NAME, "PRE-3", at, what, why, record=entry.id, summary=entry.summary, path=(turn.label,))


def _ledger(entry: Stored, observation: str, because: str, by: Turn) -> Violation:
    at = Spot(entry.line, by.step)
    return broken(NAME, "PRE-2", at, observation, because, record=entry.id, summary=entry.summary, path=(by.label,))


# A live record, and a preview that would replace it.
_WOULD_REPLACE = (
    HEADER,
    deploy(),
    begin("s0", "account-17"),
    add("s0", "mem_lower"),
    end("s0"),
    begin("s1", "account-17", plane="preview"),
    call(
        "s1",
        "add_memory",
        {"summary": "a fact", "replaces": "mem_lower"},
        {"record": record("mem_higher"), "would_replace": ["mem_lower"]},
    ),
    end("s1"),
)

PREVIEW_LEAVES_LIVE = Invariant(
    name=NAME,
    clauses=("PRE-1", "PRE-2", "PRE-3"),
    holds_when=(
        "No preview turn changes the status of a live record or becomes its successor; where it names a live record to "
        "replace or delete, its answer and the record that it writes say which."
    ),
    counts={
        "preview_turns": "preview turns that ran",
        "live_records_named": "calls of theirs that name live records to replace or delete, and were answered; without "
        "one the verdict is unknown",
        "live_records_kept": "live records of the ledger, each with who changed it",
    },
    check=check,
    good=(
        *_WOULD_REPLACE,
        stored("mem_lower", "s0", "account-17"),
        stored("mem_higher", "s1", "account-17", plane="preview", would_replace=["mem_lower"]),
    ),
    bad=(
        *_WOULD_REPLACE,
        stored("mem_lower", "s0", "account-17", status="SUPERSEDED", successor="mem_higher"),
        stored("mem_higher", "s1", "account-17", plane="preview", would_replace=["mem_lower"]),
    ),
)
