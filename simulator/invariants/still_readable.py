"""still-readable: operators can read what was deleted, with its whole history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .events import Review, Stored
from .examples import HEADER, add, begin, deploy, end, review, stored
from .history import History
from .model import read
from .plain import OBJECT
from .verdict import Invariant, Spot, Verdict, Violation, broken

NAME = "still-readable"
_DELETED = [
    {"status": "ACTIVE", "by": "execution", "execution": "s0"},
    {"status": "DELETED", "by": "operator", "operator": "operator"},
]


def check(history: History) -> Verdict:
    """After an operator's delete: what the ledger keeps of the record, and what operators are shown of it."""
    deleted = {
        event.id: event
        for event in history.events
        if isinstance(event, Review) and event.action == "delete" and event.error is None and event.id is not None
    }
    ledger = {entry.id: entry for entry in history.records}
    kept = [deletion for record, deletion in deleted.items() if ledger]
    shown = [event for event in history.events if isinstance(event, Review) and _looks_after(event, deleted)]
    found = [
        *(each for deletion in kept for each in _in_ledger(history, deletion, ledger.get(str(deletion.id)))),
        *(each for event in shown for each in _to_operators(event, deleted)),
    ]
    checked = {"deletions": len(deleted), "ledger_records": len(kept), "listings_and_reads": len(shown)}
    return Verdict.of(NAME, checked, found, len(kept) + len(shown))


def _looks_after(event: Review, deleted: Mapping[str, Review]) -> bool:
    """Whether an operator who may look does, at something deleted before."""
    gone = [record for record, deletion in deleted.items() if deletion.line < event.line]
    refused = event.error is not None and event.error.get("code") in ("missing_grant", "invalid_value")
    untold = event.error is None and event.answer is None
    if refused or untold or event.action not in ("list", "read"):
        return False
    own = [record for record in gone if deleted[record].agent == event.agent]  # of another agent's nothing is told
    return bool(own) if event.action == "list" else event.id in own


def _in_ledger(history: History, deletion: Review, entry: Stored | None) -> Iterator[Violation]:
    record = str(deletion.id)
    writes = read(history).writes.get(record, ())
    at = deletion if entry is None else Spot(entry.line, deletion.step)
    path = [*(f"{write.origin.turn.label} wrote {record}" for write in writes[:1]), f"an operator deleted {record}"]
    wrong: list[tuple[str, str]] = []
    if entry is None:
        wrong.append(("ledger: no such record", "because the record and its versions stay readable"))
    else:
        if entry.status not in (None, "DELETED"):
            wrong.append((f"ledger: status {entry.status}", "because an operator deleted it"))
        if entry.versions and not _ends_with_deletion(entry.versions):
            wrong.append(("ledger: versions", "because its last version does not say that an operator deleted it"))
        if len(entry.versions) == 1:
            wrong.append(("ledger: versions", "because its history says nothing of how it was before"))
        if writes and entry.summary is not None and entry.summary != writes[0].summary:
            wrong.append(("ledger: summary", "because a deletion changes nothing that was written"))
    for observation, because in wrong:
        summary = writes[0].summary if writes else None
        yield broken(NAME, "ADM-2", at, observation, because, record=record, summary=summary, path=path)


def _ends_with_deletion(versions: tuple[Any, ...]) -> bool:
    last = versions[-1]
    return isinstance(last, OBJECT) and last.get("status") == "DELETED" and last.get("by") != "execution"


def _to_operators(event: Review, deleted: Mapping[str, Review]) -> Iterator[Violation]:
    shown = {str(each.get("id")): each for each in _records(event.answer)}
    if event.action == "read":
        wanted = [str(event.id)]
    else:
        wanted = [record for record, each in deleted.items() if each.line < event.line and each.agent == event.agent]
    for record in wanted:
        where = f"{event.action} by an operator"
        if record not in shown:
            why = "because operators read what was deleted, and it is not there"
            yield broken(NAME, "ADM-2", event, where, why, record=record, path=(f"an operator deleted {record}",))
        elif shown[record].get("status", "DELETED") != "DELETED":
            why = f"because it was deleted, and is shown as {shown[record]['status']}"
            yield broken(NAME, "ADM-2", event, where, why, record=record, path=(f"an operator deleted {record}",))


def _records(answer: Any) -> Iterator[Mapping[str, Any]]:
    """The records in an answer to an operator, whatever they are wrapped in."""
    if isinstance(answer, OBJECT):
        if isinstance(answer.get("id"), str):
            yield answer
        else:
            for value in answer.values():
                yield from _records(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from _records(value)


STILL_READABLE = Invariant(
    name=NAME,
    clauses=("ADM-2", "REC-3"),
    holds_when=(
        "A record that an operator deleted stays in the ledger as DELETED, with the text it was written with and with "
        "versions that end with the operator's deletion; and operators who may look find it."
    ),
    counts={
        "deletions": "records that operators deleted",
        "ledger_records": "those of them that were looked for in the ledger",
        "listings_and_reads": "operators' looks at them afterwards; without either of the two the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        review("delete", "mem_wire4471"),
        review("list", answer=[{"id": "mem_wire4471", "status": "DELETED"}]),
        stored("mem_wire4471", "s0", "account-17", status="DELETED", versions=_DELETED),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        review("delete", "mem_wire4471"),
        review("read", "mem_wire4471", error={"code": "not_found", "message": "there is no such record"}),
        stored("mem_other", "s0", "account-17"),
    ),
)
