"""Session history: which messages of a turn are kept as events, and how a found one is shown (HIS).

An event is kept, loaded and ranked as a record is, by the same code, in a partition of its own: nothing here ranks.
Must not know views or turns: what is kept was committed, and who may see it is decided in views.py.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from . import journal
from .config import HistoryIndex
from .features import Features
from .journal import Start
from .messages import Message
from .plain import decoded, rfc3339
from .references import PREVIEW_TOKENS
from .tokens import TokenCounter, cut
from .values import Hit, Json, PartitionKey, Record

RESULTS = 8  # of a search that states no limit
MIN_SCORE = 0.35  # as SCH-2 says of a record

_KINDS = {"user": "message", "assistant": "reply", "tool": "tool_result"}  # by role


@dataclass(frozen=True, slots=True)
class Event(Record):
    """A kept piece of a committed turn, as a row of the index. `summary` is its text, `kind` what it is.

    `ordinal` is its place among the messages of its turn. `name` and `ref` are those of an outside tool's result.
    """

    name: str | None = None
    ref: str | None = None

    @property
    def partition(self) -> PartitionKey:
        return PartitionKey(self.agent, self.plane, "history", self.session)


def events(begun: Start, messages: Iterable[Message], index: HistoryIndex | None) -> tuple[Event, ...]:
    """What a version with this `index` keeps of the messages of a turn (HIS-3, HIS-5)."""
    if index is None:
        return ()
    found = (_event(begun, place, message) for place, message in enumerate(messages))
    return tuple(each for each in found if index == "messages_and_tools" or each.kind != "tool_result")


def partition_events(
    sql: sqlite3.Connection, key: PartitionKey, made_by: str
) -> tuple[list[Event], list[Features] | None]:
    """The kept events of one session and plane, with their features as `rows.partition_records` gives a record's."""
    assert key.session is not None
    kept = journal.kept_events(sql, key.agent, key.session, key.plane)
    features = None
    if all(each.made_by == made_by for each in kept):
        features = [Features.unpack(each.features) for each in kept]
    return [_event(each.begun, each.place, each.message) for each in kept], features


def _event(begun: Start, place: int, message: Message) -> Event:
    """The event that a message of a turn makes."""
    said = decoded(message.body)
    return Event(
        id=f"{begun.id}/{place}",
        agent=begun.agent,
        plane=begun.plane,
        scope="session",
        session=begun.session,
        summary=said["text"],
        content=None,
        kind=_KINDS[said["role"]],
        labels=(),
        pinned=False,
        status="ACTIVE",
        at=begun.at,
        ordinal=place,
        execution=begun.id,
        version=begun.version,
        turn=0,
        source="tool",
        name=said.get("name"),
        ref=message.ref,
    )


def event_json(hit: Hit, threshold: int, count: TokenCounter) -> dict[str, Json]:
    """A found event as the agent sees it (HIS-6).

    A result of more tokens than `threshold` is set aside here too (CTX-2): its text is cut, and `ref` returns it whole.
    """
    found = hit.record
    assert isinstance(found, Event)
    shown: dict[str, Json] = {"turn": found.execution, "kind": found.kind, "at": rfc3339(found.at)}
    if found.name is not None:
        shown["name"] = found.name
    shown["text"] = found.summary
    if found.ref is not None and count(found.summary) > threshold:
        shown |= {"text": cut(found.summary, min(PREVIEW_TOKENS, threshold), count), "ref": found.ref}
    return shown
