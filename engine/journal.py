"""Executions, transcripts, output uses, committed turns and deployed versions, as rows.

Knows the schema. Must not know how a turn works: it is told what happened, and writes it down.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from .messages import Message
from .plain import canonical, decoded
from .values import Json, Plane

Outcome: TypeAlias = Literal["committed", "rolled_back", "crashed", "failed", "conflict"]
Actor: TypeAlias = Literal["agent", "subagent", "program"]
UseSource: TypeAlias = Literal["recall", "search_memory", "read_memory", "pin"]


class Use(NamedTuple):
    """Records that reached the model (RCL-3): in which model call, by which way, at whose request."""

    call: int
    source: UseSource
    actor: Actor
    records: tuple[str, ...]


class Act(NamedTuple):
    """A line of a transcript, as JSON: of which execution, where in it, and the output uses made, one of a source."""

    execution: int
    place: int
    entry: str
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """How an execution begins."""

    agent: str
    id: str
    session: str | None
    plane: Plane
    version: int
    at: int


@dataclass(frozen=True, slots=True)
class Carried:
    """What a session hands to its next turn: the state of its latest committed turn, and the latest time so far."""

    state: str
    at: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A message that history can search: of which turn, where in it, and its features as `made_by` packed them."""

    begun: Start
    place: int
    message: Message
    features: bytes
    made_by: str


def deploys(sql: sqlite3.Connection, agent: str) -> list[tuple[int, Plane, str]]:
    """Number, plane and config (JSON) of every deploy of `agent`, in order."""
    return sql.execute(
        "SELECT d.number, d.plane, v.config FROM deploy d JOIN version v ON v.agent = d.agent AND v.number = d.number"
        " WHERE d.agent = ? ORDER BY d.key",
        (agent,),
    ).fetchall()


def add_deploy(sql: sqlite3.Connection, agent: str, number: int, *, plane: Plane, at: int, config: str) -> None:
    """Write down a deploy, and the version if it is new."""
    sql.execute("INSERT OR IGNORE INTO version (agent, number, config) VALUES (?, ?, ?)", (agent, number, config))
    sql.execute("INSERT INTO deploy (agent, number, plane, at) VALUES (?, ?, ?, ?)", (agent, number, plane, at))


def execution_known(sql: sqlite3.Connection, agent: str, execution: str) -> bool:
    found = sql.execute("SELECT 1 FROM execution WHERE agent = ? AND id = ?", (agent, execution)).fetchone()
    return found is not None


def start(sql: sqlite3.Connection, execution: Start) -> int:
    """Write down that an execution begins. Returns its number in this store."""
    made = sql.execute(
        "INSERT INTO execution (agent, id, session, plane, version, at) VALUES (?, ?, ?, ?, ?, ?)",
        (
            execution.agent,
            execution.id,
            execution.session or "",
            execution.plane,
            execution.version,
            execution.at,
        ),
    )
    return _key(made)


def append(sql: sqlite3.Connection, acts: Sequence[Act]) -> None:
    """Append acts to the transcripts of their executions, with the output uses they made."""
    sql.executemany(
        "INSERT INTO transcript (execution, place, entry) VALUES (?, ?, ?)",
        [(act.execution, act.place, act.entry) for act in acts],
    )
    uses = [
        (act.execution, act.place, use.call, use.source, use.actor, canonical(list[Json](use.records)))
        for act in acts
        for use in act.uses
    ]
    if uses:
        sql.executemany(
            "INSERT INTO use (execution, place, call, source, actor, records) VALUES (?, ?, ?, ?, ?, ?)", uses
        )


def end(sql: sqlite3.Connection, execution: int, outcome: Outcome, reason: str | None) -> None:
    sql.execute("UPDATE execution SET outcome = ?, reason = ? WHERE key = ?", (outcome, reason, execution))


def transcript(sql: sqlite3.Connection, agent: str, execution: str) -> list[Json] | None:
    """What an execution did, in order, and how it ended if it has. None if there is no such execution."""
    found = sql.execute(
        "SELECT key, outcome, reason FROM execution WHERE agent = ? AND id = ?", (agent, execution)
    ).fetchone()
    if found is None:
        return None
    key, outcome, reason = found
    rows = sql.execute("SELECT entry FROM transcript WHERE execution = ? ORDER BY place", (key,))
    entries: list[Json] = [decoded(entry) for (entry,) in rows]
    return entries if outcome == "open" else [*entries, {"type": "end", "outcome": outcome, "reason": reason}]


def agents(sql: sqlite3.Connection) -> list[str]:
    """The agents that have a version, sorted."""
    return [agent for (agent,) in sql.execute("SELECT DISTINCT agent FROM version ORDER BY agent")]


def executions(sql: sqlite3.Connection) -> list[tuple[int, Start, str]]:
    """Every execution by its number, with how it ended, `open` if it has not: in order of agent, time and id."""
    rows = sql.execute(
        "SELECT key, agent, id, session, plane, version, at, outcome FROM execution ORDER BY agent, at, id"
    )
    return [
        (key, Start(agent, id_, session or None, plane, version, at), outcome)
        for key, agent, id_, session, plane, version, at, outcome in rows.fetchall()
    ]


def uses(sql: sqlite3.Connection) -> dict[int, list[Use]]:
    """Every output use by the number of its execution: as they happened, those of one act by source."""
    found: dict[int, list[Use]] = {}
    rows = sql.execute("SELECT execution, call, source, actor, records FROM use ORDER BY execution, place, source")
    for execution, call, source, actor, records in rows.fetchall():
        found.setdefault(execution, []).append(Use(call, source, actor, tuple(decoded(records))))
    return found


def add_turn(sql: sqlite3.Connection, execution: int, begun: Start, state: str, reviewed: int) -> tuple[int, int]:
    """Write down a committed turn with its state. Returns its key in this store, and its number.

    `reviewed` says how many of the messages its review covered (EXT-2).

    Its number within its agent, session and plane counts committed turns only, so that no other plane and no turn
    that rolled back moves it (PRE-4, TXN-2).
    """
    session = begun.session or ""
    (last,) = sql.execute(
        "SELECT max(number) FROM turn WHERE agent = ? AND session = ? AND plane = ?",
        (begun.agent, session, begun.plane),
    ).fetchone()
    number = 1 if last is None else last + 1
    made = sql.execute(
        "INSERT INTO turn (execution, agent, session, plane, number, at, state, reviewed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (execution, begun.agent, session, begun.plane, number, begun.at, state, reviewed),
    )
    return _key(made), number


def carried(sql: sqlite3.Connection, agent: str, session: str, planes: tuple[Plane, ...]) -> Carried | None:
    """What the session's latest committed turn of `planes` leaves, None before the first (VIEW-4, CTX-6)."""
    found = []
    for plane in planes:
        found += sql.execute(
            "SELECT key, state, at FROM turn WHERE agent = ? AND session = ? AND plane = ?"
            " ORDER BY number DESC LIMIT 1",
            (agent, session, plane),
        ).fetchall()
    return Carried(state=max(found)[1], at=max(at for _, _, at in found)) if found else None


def add_events(sql: sqlite3.Connection, turn: int, events: Iterable[tuple[int, bytes]], made_by: str) -> None:
    """Keep messages of a turn for history: their places and features (HIS-5)."""
    sql.executemany(
        "INSERT INTO event (turn, place, features, made_by) VALUES (?, ?, ?, ?)",
        [(turn, place, features, made_by) for place, features in events],
    )


def kept_events(sql: sqlite3.Connection, agent: str, session: str, plane: Plane) -> list[Kept]:
    """What history can search of the session's committed turns of `plane`, in the order it happened (HIS-4)."""
    rows = sql.execute(
        "SELECT e.id, e.version, t.at, v.place, m.body, m.ref, v.features, v.made_by"
        " FROM turn t JOIN execution e ON e.key = t.execution JOIN event v ON v.turn = t.key"
        " JOIN message m ON m.turn = v.turn AND m.place = v.place"
        " WHERE t.agent = ? AND t.session = ? AND t.plane = ? ORDER BY t.number, v.place",
        (agent, session, plane),
    )
    return [
        Kept(Start(agent, id_, session, plane, version, at), place, Message(body, ref), features, made_by)
        for id_, version, at, place, body, ref, features, made_by in rows.fetchall()
    ]


def _key(made: sqlite3.Cursor) -> int:
    assert made.lastrowid is not None
    return made.lastrowid
