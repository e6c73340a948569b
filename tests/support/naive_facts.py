"""What can happen to a memory system, as plain values: the naive model keeps one flat list of these and nothing else.

Also a config as the model reads it, and texts as a model is shown them. Shares no code with the engine.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

Plain: TypeAlias = dict[str, Any]
KINDS = ("guidance", "fact", "event", "reference")


@dataclass(frozen=True)
class Config:
    """A config document with the defaults of the config page filled in."""

    document: Plain

    def at(self, *path: str, default: Any) -> Any:
        value: Any = self.document
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return default if value is None else value

    def memory(self, *path: str, default: Any) -> Any:
        return self.at("harness", "memory", *path, default=default)

    @property
    def sessions(self) -> bool:
        return bool(self.at("sessions", default=True))

    @property
    def model_calls(self) -> int:
        return int(self.at("limits", "model_calls", default=50))

    @property
    def history(self) -> str | None:
        """What is kept of turns; None: nothing, as without sessions (VIEW-7)."""
        return self.at("harness", "history", "index", default=None) if self.sessions else None

    @property
    def summarize_at(self) -> int:
        return int(self.at("harness", "context", "summarize_at", default=60000))

    @property
    def keep_messages(self) -> int:
        return int(self.at("harness", "context", "keep_messages", default=8))

    @property
    def messages_for_review(self) -> int:
        """EXT-2: how many make a review due; a turn has one at least."""
        every = self.memory("extraction", "every", default="turn")
        return 1 if every == "turn" else int(every["messages"])

    @property
    def reviewing_model(self) -> str | None:
        """EXT-1."""
        named: str | None = self.memory("model", default=self.at("model", "name", default=None))
        return named

    @property
    def offload_threshold(self) -> int:
        return int(self.at("harness", "context", "offload_threshold", default=2000))

    @property
    def enabled(self) -> bool:
        return bool(self.memory("enabled", default=False))

    @property
    def reads(self) -> list[str]:
        return list(self.memory("scope", "read", default=["session"])) if self.enabled else []

    @property
    def writes(self) -> list[str]:
        return list(self.memory("scope", "write", default=["session"])) if self.enabled else []

    @property
    def kinds(self) -> list[str]:
        return list(self.memory("kinds", default=KINDS))

    @property
    def labels(self) -> dict[str, int]:
        return {name: label["number"] for name, label in self.memory("labels", default={}).items()}

    @property
    def budget(self) -> int | None:
        """Of the pins, in tokens; None: no pins."""
        return self.memory("pinned", "max_tokens", default=None) if self.enabled else None

    @property
    def mode(self) -> str:
        return str(self.memory("search", "mode", default="hybrid"))

    @property
    def max_results(self) -> int:
        return int(self.memory("search", "max_results", default=8))

    @property
    def min_score(self) -> float:
        return float(self.memory("search", "min_score", default=0.35))

    @property
    def tools(self) -> list[str]:
        """WRT-1: those it names and `search_memory` with memory, HIS-1 with history, and `read_result` (CTX-2)."""
        memory = [*self.memory("tools", default=[]), "search_memory"] if self.enabled else []
        return [*memory, *(["search_history"] if self.history else []), "read_result"]


@dataclass(frozen=True, eq=False)
class Deployed:
    agent: str
    plane: str
    number: int
    config: Config


@dataclass(frozen=True, eq=False)
class Begun:
    """A turn began: it is the turn. What it may see is what stands before it in the list (VIEW-5)."""

    agent: str
    session: str | None
    plane: str
    execution: str
    at: int
    user: str
    version: Deployed

    @property
    def config(self) -> Config:
        return self.version.config


@dataclass(frozen=True, eq=False)
class Wrote:
    """A turn wrote a record, or in a preview the marker of one that it would delete."""

    turn: Begun
    id: str
    scope: str
    ordinal: int
    summary: str
    content: str | None
    kind: str
    labels: Plain
    pinned: bool
    replaces: tuple[str, ...] = ()
    would_replace: tuple[str, ...] = ()
    would_delete: str | None = None
    source: str = "tool"

    @property
    def newest_first(self) -> tuple[int, int, str]:
        """SCH-7: by time, newest first, then by the write's ordinal, then id."""
        return -self.turn.at, -self.ordinal, self.id

    @property
    def text(self) -> str:
        return self.summary if self.content is None else f"{self.summary}\n{self.content}"


@dataclass(frozen=True, eq=False)
class Deleted:
    """A turn deleted a record of its own plane."""

    turn: Begun
    id: str


@dataclass(frozen=True, eq=False)
class Erased:
    """An operator deleted a record."""

    agent: str
    id: str
    at: int
    operator: str


@dataclass(frozen=True, eq=False)
class Said:
    """A message of a turn's conversation. `carried` ones are what later turns continue."""

    turn: Begun
    message: Plain
    carried: bool

    @property
    def text(self) -> str:
        return str(self.message["text"])


@dataclass(frozen=True, eq=False)
class Event:
    """A carried message of a committed turn, as history searches it."""

    turn: Begun
    place: int
    kind: str
    message: Plain

    @property
    def newest_first(self) -> tuple[int, int, str]:
        return -self.turn.at, -self.place, f"{self.turn.execution}/{self.place}"

    @property
    def text(self) -> str:
        return str(self.message["text"])


@dataclass(frozen=True, eq=False)
class Summarized:
    """A summary took the place of messages, and of the summary before it."""

    turn: Begun
    text: str
    covers: tuple[Said, ...]


@dataclass(frozen=True, eq=False)
class Reviewed:
    """A turn's review read these messages."""

    turn: Begun
    covers: tuple[Said, ...]


@dataclass(frozen=True, eq=False)
class Decided:
    """What became of a candidate of a turn's review; `candidate` is None where it was rejected."""

    turn: Begun
    judged: Any
    candidate: Plain | None = None


@dataclass(frozen=True, eq=False)
class StateSet:
    turn: Begun
    state: Plain


@dataclass(frozen=True, eq=False)
class Called:
    """A model call of a turn."""

    turn: Begun


@dataclass(frozen=True, eq=False)
class Used:
    """Records that reached the model (RCL-3)."""

    turn: Begun
    call: int
    source: str
    by: str
    records: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Noted:
    """One entry of a transcript (TXN-2)."""

    turn: Begun
    type: str


@dataclass(frozen=True, eq=False)
class Ended:
    turn: Begun
    outcome: str


def tokens(text: str) -> int:
    """CTX-7."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)


def beginning(text: str, limit: int) -> str:
    """The longest beginning of at most `limit` tokens, by whole characters."""
    return next(text[:end] for end in range(len(text), -1, -1) if tokens(text[:end]) <= limit)


def blank(text: str) -> bool:
    return all(char.isspace() or unicodedata.category(char) in ("Cc", "Cf") for char in text)


def halves(text: str) -> bool:
    """Whether it holds half a character, which UTF-8 cannot hold (REC-6)."""
    return any(unicodedata.category(char) == "Cs" for char in text)


def whole(text: str) -> str:
    return "".join("\ufffd" if halves(char) else char for char in text)


def one_line(text: str) -> bool:
    """Whether it may be a summary (REC-1)."""
    lines = any(unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") for char in text)
    return 0 < len(text) <= 500 and not text.isspace() and not lines


def a_name(text: str) -> bool:
    """Whether it may name a session (REC-6)."""
    return one_line(text) and text == text.strip()


def encoded(value: Any) -> str:
    """RCL-2: `value` as one line of JSON with every character escaped that could end a line or a block, or hide."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    unsafe = [char in "<>&" or unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs") for char in text]
    return "".join(_escaped(char) if bad else char for char, bad in zip(text, unsafe, strict=True))


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def moment(at: int) -> str:
    """RFC 3339 in UTC, of whole seconds."""
    return f"{datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at):%Y-%m-%dT%H:%M:%SZ}"
