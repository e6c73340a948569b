"""What a trace says happened, and what its ledger holds: one frozen value for each line, with its number.

`line` is the line's number in the trace, from 1: it orders what happened. `has_state` tells a state of null from a
trace that reports none, `told` a context's empty list from one that is not reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Deploy:
    """A version was deployed in `plane`; `version` is None when it was refused with `error`."""

    line: int
    agent: str
    plane: str
    version: int | None
    config: Mapping[str, Any]
    error: Mapping[str, Any] | None
    step: str


@dataclass(frozen=True, slots=True)
class Begin:
    """A turn began; `error` is set when it was refused, and then it never ran."""

    line: int
    turn: str
    agent: str
    session: str | None
    plane: str
    at: str | None
    version: int | None
    user: str | None
    step: str
    error: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Context:
    """What one model call was handed."""

    line: int
    turn: str
    call: int
    purpose: str
    step: str
    instructions: str
    pins: tuple[Any, ...]
    has_state: bool
    state: Any
    summary: str | None
    messages: tuple[Any, ...]
    recalled: tuple[Any, ...]
    memory: str
    told: frozenset[str]  # the keys that the line has


@dataclass(frozen=True, slots=True)
class Say:
    """What the agent replied (`reply`), was told by an outside tool (`tool`), or set as its state (`state`).

    `ref` is the reference that a tool's result got.
    """

    line: int
    turn: str
    kind: str
    value: Any
    ref: str | None


@dataclass(frozen=True, slots=True)
class Call:
    """A harness tool was called; exactly one of `answer` and `error` is set."""

    line: int
    turn: str
    call: int
    by: str
    tool: str
    arguments: Mapping[str, Any]
    answer: Mapping[str, Any] | None
    error: Mapping[str, Any] | None
    step: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a candidate of the review at the end of a turn: `record` was written, `target` is what it met.

    `decision` is the model's: a word, or a word and the id that it names; None where it gave none.
    """

    line: int
    turn: str
    call: int
    candidate: Mapping[str, Any]
    decision: Any
    outcome: str
    target: str | None
    record: Mapping[str, Any] | None
    reason: str
    error: Mapping[str, Any] | None
    step: str


@dataclass(frozen=True, slots=True)
class Postponed:
    """A review that was due was not made."""

    line: int
    turn: str


@dataclass(frozen=True, slots=True)
class End:
    """A turn ended."""

    line: int
    turn: str
    outcome: str
    has_state: bool
    state: Any
    step: str


@dataclass(frozen=True, slots=True)
class Review:
    """An operator's call. `grants` are those it was made with, None where every grant counts."""

    line: int
    agent: str
    action: str
    id: str | None
    grants: tuple[Any, ...] | None
    answer: Any
    error: Mapping[str, Any] | None
    step: str


@dataclass(frozen=True, slots=True)
class Restart:
    line: int


class _OfNoStep:
    """A line of the ledger: no step of the script made it."""

    __slots__ = ()

    @property
    def step(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Stored(_OfNoStep):
    """Ledger: one record with its versions. A value that the ledger does not tell is None.

    `replaces` are the records that it took the place of, `would_replace` and `would_delete` the live ones that a
    preview record names.
    """

    line: int
    id: str
    agent: str | None
    plane: str | None
    scope: str | None
    session: str | None
    execution: str | None
    version: int | None
    source: str | None
    summary: str | None
    content: str | None
    kind: str | None
    labels: Mapping[str, Any] | None
    status: str | None
    successor: str | None
    replaces: tuple[Any, ...]
    would_replace: tuple[Any, ...]
    would_delete: str | None
    versions: tuple[Any, ...]
    told: frozenset[str]  # the keys that the line has


@dataclass(frozen=True, slots=True)
class Execution:
    """Ledger: one turn and how it ended."""

    line: int
    turn: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Use(_OfNoStep):
    """Ledger: one output use."""

    line: int
    turn: str
    call: int
    by: str
    source: str
    records: tuple[Any, ...]


Event: TypeAlias = Deploy | Begin | Context | Say | Call | Decision | Postponed | End | Review | Restart
Entry: TypeAlias = Stored | Execution | Use
