"""deleted-is-gone: what was deleted or replaced comes up in no recall, search or listing of pins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .active import counts, endings
from .events import Call, Context
from .examples import HEADER, add, begin, context, deploy, end, record, review, search
from .history import History
from .model import Ending, read
from .plain import OBJECT, id_of
from .verdict import Invariant, Verdict, Violation, broken

NAME = "deleted-is-gone"


def check(history: History) -> Verdict:
    """Every record shown as one that may be used, against what ended it; and every look while something had ended."""
    model = read(history)
    found: list[Violation] = []
    looks = shown = 0
    for event in history.events:
        if isinstance(event, (Context, Call)):
            turn = model.turns[event.turn]
            looks += _looks(event) and any(counts(ending, turn, event.line) for ending in model.endings)
            for what, name in _usable(event):
                shown += 1
                gone = endings(history, name, turn, event.line)
                if gone:
                    found.append(_violation(history, event, what, gone[0]))
    checked = {"records": shown, "endings": len(model.endings), "probes": looks}
    return Verdict.of(NAME, checked, found, looks)


def _looks(event: Context | Call) -> bool:
    if isinstance(event, Context):
        return event.purpose == "turn"
    return event.tool in ("search_memory", "read_memory") and event.answer is not None


def _usable(event: Context | Call) -> Iterator[tuple[str, str]]:
    """The records that are handed out for use: recalled, pinned, found, or read as ACTIVE."""
    if isinstance(event, Context):
        groups: tuple[tuple[str, tuple[Any, ...]], ...] = (("recall", event.recalled), ("pins", event.pins))
    else:
        answer = event.answer or {}
        records, read_one = answer.get("records"), answer.get("record")
        one = [read_one] if event.tool == "read_memory" and _status(read_one) == "ACTIVE" else []
        many = records if event.tool == "search_memory" and isinstance(records, list) else []
        groups = ((f"answer of {event.tool}", (*many, *one)),)
    for what, hits in groups:
        for hit in hits:
            if (name := id_of(hit)) is not None:
                yield what, name


def _status(record: object) -> object:
    return record.get("status", "ACTIVE") if isinstance(record, OBJECT) else None


def _violation(history: History, event: Context | Call, what: str, ending: Ending) -> Violation:
    model = read(history)
    turn, record = model.turns[event.turn], ending.record
    writes = model.writes.get(record, ())
    by = "an operator" if ending.turn is None else f"turn {ending.turn.id}"
    return broken(
        NAME,
        "ADM-2" if ending.turn is None else "WRT-2",
        event,
        f"{what} in {turn.label} call {event.call}",
        f"because {by} {'deleted' if ending.turn is None else 'replaced or deleted'} it before",
        record=record,
        summary=writes[0].summary if writes else None,
        path=[*(f"{write.origin.turn.label} wrote {record}" for write in writes[:1]), f"{by} ended {record}"],
    )


DELETED_IS_GONE = Invariant(
    name=NAME,
    clauses=("ADM-2", "WRT-2", "WRT-5", "PRE-2"),
    holds_when=(
        "No recall, search or listing of pins shows a record, and no read shows it as ACTIVE, that an operator deleted "
        "before (also in turns already open), that a committed turn of the observer's snapshot replaced or deleted, or "
        "that the turn itself did; in a preview also none that a preview would replace or delete."
    ),
    counts={
        "records": "records handed out for use: recalled, pinned, found, or read as ACTIVE",
        "endings": "replacements and deletions that turns and operators made",
        "probes": "contexts, searches and reads made while a record had ended for the turn; without one the verdict is "
        "unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        review("delete", "mem_wire4471"),
        begin("s1", "account-17"),
        context("s1"),
        search("s1"),
        end("s1"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        begin("s1", "account-17"),
        review("delete", "mem_wire4471"),
        context("s1", recalled=[record("mem_wire4471")]),
        end("s1"),
    ),
)
