"""The conversations of sessions, as rows: messages, each whole, and the summaries that take the place of older ones.

Knows the schema. Must not know what a turn shows of a message, or when it makes a summary.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .plain import decoded
from .values import Plane


class Message(NamedTuple):
    """A message as it is kept: one line of JSON, and the reference of an outside tool's result (CTX-4)."""

    body: str
    ref: str | None = None


class Mark(NamedTuple):
    """A message of a plane: its turn's key in this store (None: the turn that is open), and its place in the turn."""

    plane: Plane
    turn: int | None
    place: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands for the messages of each plane up to the mark in it, that one included.

    One made live has a live mark only: in a preview the messages of other previews stand beside it (VIEW-4).
    """

    text: str
    marks: tuple[Mark, ...]


def add(sql: sqlite3.Connection, turn: int, messages: Iterable[Message], summary: Summary | None) -> None:
    """Write down the messages of a turn that commits, and the summary that it made."""
    sql.executemany(
        "INSERT INTO message (turn, place, body, ref) VALUES (?, ?, ?, ?)",
        [(turn, place, message.body, message.ref) for place, message in enumerate(messages)],
    )
    if summary is not None:
        sql.execute("INSERT INTO summary (turn, text) VALUES (?, ?)", (turn, summary.text))
        sql.executemany(
            "INSERT INTO summary_mark (summary, plane, turn, place) VALUES (?, ?, ?, ?)",
            [(turn, mark.plane, turn if mark.turn is None else mark.turn, mark.place) for mark in summary.marks],
        )


def latest_summary(sql: sqlite3.Connection, agent: str, session: str, planes: tuple[Plane, ...]) -> Summary | None:
    """The summary committed last by a turn of the session in `planes`."""
    found = []
    for plane in planes:
        found += sql.execute(
            "SELECT s.turn, s.text FROM turn t CROSS JOIN summary s ON s.turn = t.key"
            " WHERE t.agent = ? AND t.session = ? AND t.plane = ? ORDER BY t.number DESC LIMIT 1",
            (agent, session, plane),
        ).fetchall()
    if not found:
        return None
    turn, text = max(found)
    marks = sql.execute("SELECT plane, turn, place FROM summary_mark WHERE summary = ? ORDER BY plane", (turn,))
    return Summary(text, tuple(Mark(*mark) for mark in marks))


def since(
    sql: sqlite3.Connection, agent: str, session: str, planes: tuple[Plane, ...], marks: Mapping[Plane, Mark]
) -> list[tuple[Mark, Message]]:
    """The messages of the session's committed turns of `planes`, in commit order (VIEW-4), each with where it is kept:
    in each plane those after its mark, all where it has none."""
    found: list[tuple[Mark, Message]] = []
    for plane in planes:
        mark = marks.get(plane)
        after = (0, 0) if mark is None else (mark.turn, mark.place + 1)
        rows = sql.execute(
            "SELECT t.key, m.place, m.body, m.ref FROM turn t CROSS JOIN message m ON m.turn = t.key"
            " WHERE t.agent = ? AND t.session = ? AND t.plane = ? AND t.key >= ?"
            " AND (t.key > ? OR m.place >= ?) ORDER BY t.number, m.place",
            (agent, session, plane, after[0], *after),
        )
        found += [(Mark(plane, turn, place), Message(body, ref)) for turn, place, body, ref in rows.fetchall()]
    return sorted(found, key=_committed) if len(planes) > 1 else found


def result(sql: sqlite3.Connection, agent: str, session: str, planes: tuple[Plane, ...], ref: str) -> str | None:
    """The outside tool's result that `ref` names among the session's committed turns of `planes`, whole (CTX-5)."""
    found = sql.execute(
        "SELECT m.body FROM message m JOIN turn t ON t.key = m.turn"
        " WHERE m.ref = ? AND t.agent = ? AND t.session = ? AND t.plane IN (?, ?)",
        (ref, agent, session, planes[0], planes[-1]),
    ).fetchone()
    return None if found is None else decoded(found[0])["text"]


def _committed(kept: tuple[Mark, Message]) -> tuple[int, int]:
    mark, _ = kept
    assert mark.turn is not None  # what was read was committed
    return mark.turn, mark.place


def unreviewed(sql: sqlite3.Connection, agent: str, session: str, plane: Plane) -> list[Message]:
    """The messages of the session's committed turns of `plane` that no review has covered, oldest first (EXT-1)."""
    of = (agent, session, plane)
    last = sql.execute(
        "SELECT number, reviewed FROM turn WHERE agent = ? AND session = ? AND plane = ? AND reviewed > 0"
        " ORDER BY number DESC LIMIT 1",
        of,
    ).fetchone()
    number, covered = (0, 0) if last is None else last
    rows = sql.execute(
        "SELECT m.body, m.ref FROM turn t JOIN message m ON m.turn = t.key"
        " WHERE t.agent = ? AND t.session = ? AND t.plane = ? AND t.number >= ? AND (t.number > ? OR m.place >= ?)"
        " ORDER BY t.number, m.place",
        (*of, number, number, covered),
    )
    return [Message(body, ref) for body, ref in rows.fetchall()]
