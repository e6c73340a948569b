"""The one transaction in which a turn commits, and an operator's delete (TXN-1, TXN-3, ADM-2).

Must not know views: it takes what a turn has written, looks at the store again, and writes all of it or nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace

from . import journal, messages, rows
from .features import Features
from .history import Event
from .journal import Start
from .messages import Message, Summary
from .store import Store
from .values import EngineError, Plane, Record


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything that one turn commits. `targets` are the committed records that it ends or, in a preview, would end.

    `records` are as first written; `ended` are those that the turn ended, its own among them, as they are since.
    """

    execution: int
    begun: Start
    state: str
    messages: tuple[Message, ...]
    summary: Summary | None
    events: tuple[Event, ...]  # the messages that history keeps
    reviewed: int  # how many of the messages the review covered; 0: there was none
    records: tuple[Record, ...]
    features: Mapping[str, Features]  # of the records and events, by id
    made_by: str
    ended: tuple[Record, ...]
    targets: tuple[str, ...]


def commit(store: Store, batch: Batch) -> tuple[tuple[Record, ...], tuple[Record, ...]]:
    """Commit `batch`; returns its records and what it ended as they are kept, now with the number of their turn.

    Raises EngineError `conflict`, having written nothing.
    """
    with store.transaction(durable=True) as sql:
        for target in batch.targets:
            if not _still_active(sql, target, batch.begun.plane):
                raise EngineError(
                    "conflict",
                    "a record that this turn replaces or deletes was changed since the turn began",
                    "Run the turn again: it will see the change.",
                )
        turn, number = journal.add_turn(sql, batch.execution, batch.begun, batch.state, batch.reviewed)
        messages.add(sql, turn, batch.messages, batch.summary)
        journal.add_events(
            sql, turn, [(event.ordinal, batch.features[event.id].pack()) for event in batch.events], batch.made_by
        )
        own = {record.id for record in batch.records}
        written = tuple(replace(record, turn=number) for record in batch.records)
        ended = tuple(replace(record, turn=number) if record.id in own else record for record in batch.ended)
        rows.insert_records(
            sql, turn, batch.execution, [(record, batch.features.get(record.id)) for record in written], batch.made_by
        )
        rows.end_records(sql, ended, batch.begun.at, batch.execution)
        journal.end(sql, batch.execution, "committed", None)
    return written, ended


def delete(store: Store, record: Record, at: int, operator: str) -> Record:
    """An operator's delete: the record as it is then."""
    with store.transaction(durable=True) as sql:
        rows.delete_record(sql, record.id, at, operator)
    return replace(record, status="DELETED")


def _still_active(sql: sqlite3.Connection, target: str, plane: Plane) -> bool:
    """Whether what the turn found ACTIVE still is. A live turn does not look at what previews did: PRE-4."""
    if rows.status_of(sql, target) != "ACTIVE":
        return False
    return plane == "live" or not rows.would_end(sql, target)
