"""The values of the memory system: planes, scopes, records, hits, errors.

Frozen, and free of storage and search: this module must not know where a record is kept or how it is found.
Times are integers, milliseconds since 1970-01-01T00:00:00 UTC; nothing here reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Plane: TypeAlias = Literal["live", "preview"]
Scope: TypeAlias = Literal["session", "agent"]
Status: TypeAlias = Literal["ACTIVE", "SUPERSEDED", "DELETED"]
Source: TypeAlias = Literal["tool", "extraction"]
LabelValue: TypeAlias = str | int | bool
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

ERROR_CODES = (
    "not_found",
    "not_active",
    "scope_not_allowed",
    "undeclared_kind",
    "undeclared_label",
    "invalid_value",
    "over_budget",
    "pins_disabled",
    "no_such_tool",
    "helper_cannot_write",
    "blank_query",
    "busy",
    "conflict",
    "limit_exceeded",
    "missing_grant",
    "deploy_refused",
)


class EngineError(Exception):
    """A refusal: a stable code (see ERROR_CODES), a message for people, and what to do instead; as text all of them."""

    def __init__(self, code: str, message: str, remedy: str = "") -> None:
        if code not in ERROR_CODES:
            raise AssertionError(f"no such error code: {code}")
        super().__init__(code, message, remedy)
        self.code = code
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        stop = "" if self.message.endswith(("?", ".", "!")) else "."
        return f"{self.code}: {self.message}{f'{stop} {self.remedy}' if self.remedy else ''}"

    def to_json(self) -> dict[str, Json]:
        """Plain values with the keys of an `error` in a trace."""
        return {"code": self.code, "message": self.message, "remedy": self.remedy}


class PartitionKey(NamedTuple):
    """Whose records a partition holds: one (agent, plane, session), or one (agent, plane) AGENT scope.

    `session` is None exactly when `scope` is "agent". With "history" it is the events of one (agent, plane, session).
    """

    agent: str
    plane: Plane
    scope: Scope | Literal["history"]
    session: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """One memory (REC-1). A change of status makes a new value; what was written never changes.

    `labels` are (number, value) pairs in order of number (REC-5). `ordinal` counts the writes of its turn in
    its scope, from 0 (REC-2); with `at` and `id` it orders every listing (SCH-7). `successor` is the id of the
    record that replaced it. `would_replace` and `would_delete` name live records, in preview records only
    (PRE-2).
    """

    id: str
    agent: str
    plane: Plane
    scope: Scope
    session: str | None  # the session of the turn that wrote it, also for an AGENT record; None if sessionless
    summary: str
    content: str | None
    kind: str
    labels: tuple[tuple[int, LabelValue], ...]
    pinned: bool
    status: Status
    at: int
    ordinal: int
    execution: str
    version: int
    turn: int  # the number of the turn within its agent and session, from 1
    source: Source
    replaces: tuple[str, ...] = ()
    would_replace: tuple[str, ...] = ()
    would_delete: str | None = None
    successor: str | None = None

    @property
    def partition(self) -> PartitionKey:
        """Where it is kept."""
        return PartitionKey(self.agent, self.plane, self.scope, self.session if self.scope == "session" else None)

    @property
    def text(self) -> str:
        """What keywords and embeddings read: summary and content (SCH-4)."""
        return self.summary if self.content is None else f"{self.summary}\n{self.content}"


def newest_first(record: Record) -> tuple[int, int, str]:
    """The order of listings, and of equal scores: newest first, the later write first, then by id (SCH-7)."""
    return -record.at, -record.ordinal, record.id


class Hit(NamedTuple):
    """A record that a search or recall found, with its score and the three parts, each in [0, 1] (SCH-3)."""

    record: Record
    score: float
    meaning: float
    keywords: float
    recency: float


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search admits before it ranks (SCH-1): alternatives within one filter, all filters at once.

    None means no such filter; an empty tuple admits nothing. `labels` maps a label's number to its alternatives,
    compared exactly: 1, True and "1" differ (REC-5). `scope` is for a review, which looks in one scope (EXT-3).
    """

    kinds: tuple[str, ...] | None = None
    labels: tuple[tuple[int, tuple[LabelValue, ...]], ...] | None = None
    ids: tuple[str, ...] | None = None
    scope: Scope | None = None

    @property
    def empty(self) -> bool:
        return self.kinds is None and self.labels is None and self.ids is None and self.scope is None
