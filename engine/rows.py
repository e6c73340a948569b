"""Records as rows: reading them and writing them within a transaction that is already open.

Knows the schema. Must not know views or turns: reading is by partition for turns, and by agent for operators and the
ledger.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from sys import intern
from typing import Any

from .features import Features
from .plain import canonical, decoded
from .values import Json, PartitionKey, Record, Status

_FEATURES, _MADE_BY = 22, 23  # columns of `whole_record`


@dataclass(frozen=True, slots=True)
class Version:
    """One change of a record's status: when, and by which execution or which operator (REC-3)."""

    status: Status
    at: int
    execution: str | None
    operator: str | None


def read_record(row: tuple[Any, ...]) -> Record:
    """The record in a row of `whole_record`."""
    labels = () if row[8] == "[]" else tuple((number, value) for number, value in decoded(row[8]))
    # SQLite makes a string anew for each row: names that many records share are kept once, a fifth of the memory.
    names: tuple[Any, ...] = tuple(map(intern, (*row[1:5], row[7], row[10], row[13], row[16])))
    agent, plane, scope, session, kind, status, execution, source = names
    return Record(
        id=row[0],
        agent=agent,
        plane=plane,
        scope=scope,
        session=session or None,
        summary=row[5],
        content=row[6],
        kind=kind,
        labels=labels,
        pinned=bool(row[9]),
        status=status,
        at=row[11],
        ordinal=row[12],
        execution=execution,
        version=row[14],
        turn=row[15],
        source=source,
        replaces=() if row[17] == "[]" else tuple(decoded(row[17])),
        would_replace=() if row[18] == "[]" else tuple(decoded(row[18])),
        would_delete=row[19],
        successor=row[20],
    )


def partition_number(sql: sqlite3.Connection, key: PartitionKey) -> int | None:
    """The number of a partition in this store, None if nothing was ever written to it."""
    found = sql.execute(
        "SELECT key FROM partition WHERE agent = ? AND plane = ? AND scope = ? AND session = ?",
        (key.agent, key.plane, key.scope, key.session or ""),
    ).fetchone()
    return None if found is None else int(found[0])


def partition_records(
    sql: sqlite3.Connection, key: PartitionKey, made_by: str
) -> tuple[list[Record], list[Features] | None]:
    """What a turn may find in one partition: neither deleted records nor `would_delete` markers (WRT-4, PRE-2).

    With their features, None where some were not made as `made_by` says: they have to be read from the texts again.
    """
    number = partition_number(sql, key)
    if number is None:
        return [], []
    rows = sql.execute(
        "SELECT * FROM whole_record WHERE partition = ? AND status <> 'DELETED' AND would_delete IS NULL"
        " ORDER BY at, ordinal, id",
        (number,),
    ).fetchall()
    features = None
    if all(row[_MADE_BY] == made_by for row in rows):
        features = [Features.unpack(row[_FEATURES]) for row in rows]
    return [read_record(row) for row in rows], features


def partition_would_end(sql: sqlite3.Connection, key: PartitionKey) -> dict[str, str | None]:
    """Live records that this preview partition hides, with the preview successor; None: would be deleted (PRE-2)."""
    number = partition_number(sql, key)
    if number is None:
        return {}
    rows = sql.execute(
        "SELECT w.record, CASE WHEN m.would_delete IS NULL THEN m.id END"
        " FROM would_end w JOIN record m ON m.id = w.marker WHERE w.partition = ? ORDER BY w.record",
        (number,),
    )
    return dict(rows.fetchall())


def agent_records(sql: sqlite3.Connection, agent: str) -> list[Record]:
    """Every record of `agent`, whatever its plane and status: for operators and the ledger."""
    return [read_record(row) for row in sql.execute("SELECT * FROM whole_record WHERE agent = ?", (agent,)).fetchall()]


def agent_record(sql: sqlite3.Connection, agent: str, record: str) -> Record | None:
    """One record of `agent`, whatever its plane and status: for operators."""
    row = sql.execute("SELECT * FROM whole_record WHERE id = ? AND agent = ?", (record, agent)).fetchone()
    return None if row is None else read_record(row)


def operator_deleted(sql: sqlite3.Connection, key: PartitionKey) -> list[Record]:
    """The records of one partition that an operator deleted (EXT-5), in the order they were written."""
    number = partition_number(sql, key)
    rows = sql.execute(
        "SELECT w.* FROM whole_record w WHERE w.partition = ? AND w.status = 'DELETED' AND w.would_delete IS NULL"
        " AND EXISTS (SELECT 1 FROM record_version v WHERE v.record = w.id AND v.operator IS NOT NULL)"
        " ORDER BY w.at, w.ordinal, w.id",
        (number,),
    )
    return [read_record(row) for row in rows.fetchall()]


def session_written(sql: sqlite3.Connection, key: PartitionKey, session: str | None) -> list[Record]:
    """The ACTIVE records of one partition that turns of `session` wrote (VIEW-5, EXT-5), in the order written."""
    number = partition_number(sql, key)
    rows = sql.execute(
        "SELECT * FROM whole_record WHERE partition = ? AND session = ? AND status = 'ACTIVE' AND would_delete IS NULL"
        " ORDER BY at, ordinal, id",
        (number, session or ""),
    )
    return [read_record(row) for row in rows.fetchall()]


def versions(sql: sqlite3.Connection, record: str) -> list[Version]:
    """The history of a record's status, oldest first (REC-3)."""
    rows = sql.execute(
        "SELECT v.status, v.at, e.id, v.operator FROM record_version v LEFT JOIN execution e ON e.key = v.execution"
        " WHERE v.record = ? ORDER BY v.place",
        (record,),
    )
    return [Version(*row) for row in rows.fetchall()]


def all_versions(sql: sqlite3.Connection) -> dict[str, list[Version]]:
    """The history of every record's status, by id."""
    found: dict[str, list[Version]] = {}
    rows = sql.execute(
        "SELECT v.record, v.status, v.at, e.id, v.operator FROM record_version v"
        " LEFT JOIN execution e ON e.key = v.execution ORDER BY v.record, v.place"
    )
    for record, *version in rows.fetchall():
        found.setdefault(record, []).append(Version(*version))
    return found


def status_of(sql: sqlite3.Connection, record: str) -> Status | None:
    """What is committed of a record's status; None if there is no such record."""
    row = sql.execute("SELECT status FROM record WHERE id = ?", (record,)).fetchone()
    return None if row is None else row[0]


def would_end(sql: sqlite3.Connection, record: str) -> bool:
    """Whether a committed preview has named this live record already (PRE-2)."""
    return sql.execute("SELECT 1 FROM would_end WHERE record = ?", (record,)).fetchone() is not None


def insert_records(
    sql: sqlite3.Connection,
    turn: int,
    execution: int,
    records: Iterable[tuple[Record, Features | None]],
    made_by: str,
) -> None:
    """Write new records, ACTIVE as they began; `end_records` then ends those that their own turn ended."""
    numbers: dict[PartitionKey, int] = {}
    for record, features in records:
        key = record.partition
        if key not in numbers:
            numbers[key] = _made_partition(sql, key)
        sql.execute(
            "INSERT INTO record (id, partition, turn, at, ordinal, summary, content, kind, labels, pinned, source,"
            " replaces, would_replace, would_delete, features, made_by, status)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'ACTIVE')",
            (
                record.id,
                numbers[key],
                turn,
                record.at,
                record.ordinal,
                record.summary,
                record.content,
                record.kind,
                canonical([[number, value] for number, value in record.labels]) if record.labels else "[]",
                record.pinned,
                record.source,
                canonical(list[Json](record.replaces)) if record.replaces else "[]",
                canonical(list[Json](record.would_replace)) if record.would_replace else "[]",
                record.would_delete,
                None if features is None else features.pack(),
                None if features is None else made_by,
            ),
        )
        _add_version(sql, record.id, "ACTIVE", record.at, execution=execution)
        for target in (*record.would_replace, *((record.would_delete,) if record.would_delete else ())):
            sql.execute(
                "INSERT INTO would_end (record, marker, partition) VALUES (?, ?, ?)", (target, record.id, numbers[key])
            )


def end_records(sql: sqlite3.Connection, ended: Iterable[Record], at: int, execution: int) -> None:
    """End records on behalf of an execution: each as it is from then on."""
    for record in ended:
        sql.execute(
            "UPDATE record SET status = ?, successor = ? WHERE id = ?", (record.status, record.successor, record.id)
        )
        _add_version(sql, record.id, record.status, at, execution=execution)


def delete_record(sql: sqlite3.Connection, record: str, at: int, operator: str) -> None:
    """Delete a record on behalf of an operator (ADM-2). A superseded one keeps the name of its successor."""
    sql.execute("UPDATE record SET status = 'DELETED' WHERE id = ?", (record,))
    _add_version(sql, record, "DELETED", at, operator=operator)


def _made_partition(sql: sqlite3.Connection, key: PartitionKey) -> int:
    number = partition_number(sql, key)
    if number is not None:
        return number
    made = sql.execute(
        "INSERT INTO partition (agent, plane, scope, session) VALUES (?, ?, ?, ?)",
        (key.agent, key.plane, key.scope, key.session or ""),
    )
    assert made.lastrowid is not None
    return made.lastrowid


def _add_version(
    sql: sqlite3.Connection,
    record: str,
    status: Status,
    at: int,
    *,
    execution: int | None = None,
    operator: str | None = None,
) -> None:
    sql.execute(
        "INSERT INTO record_version (record, place, status, at, execution, operator)"
        " VALUES (?1, (SELECT count(*) FROM record_version WHERE record = ?1), ?2, ?3, ?4, ?5)",
        (record, status, at, execution, operator),
    )
