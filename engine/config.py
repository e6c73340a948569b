"""An agent's config as the engine uses it. The schema has decided that a document is valid; this only reads it.

Defaults are the schema's own. Knows no store and no agent but the document's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from seatrial.schemas import load

from .values import Scope
from .view import Mode

HistoryIndex: TypeAlias = Literal["messages", "messages_and_tools"]


@dataclass(frozen=True, slots=True)
class Label:
    name: str
    number: int
    description: str


@dataclass(frozen=True, slots=True)
class Memory:
    """`harness.memory`. While it is not enabled nothing is read, written or searched."""

    enabled: bool
    read: tuple[Scope, ...]
    write: tuple[Scope, ...]
    tools: tuple[str, ...]
    mode: Mode
    max_results: int
    min_score: float
    kinds: tuple[str, ...]
    labels: tuple[Label, ...]  # in order of number
    pinned: int | None  # the budget of the pins in tokens; None: no pins
    every: int | None  # messages that make a review due; None: every turn does (EXT-2)
    prompt: str | None  # what a review keeps, in place of the default instructions
    model: str | None  # of reviews; None: the agent's own, which is not named


@dataclass(frozen=True, slots=True)
class Config:
    sessions: bool
    history: HistoryIndex | None  # what is kept of each turn; None: nothing, and no search_history
    model_calls: int
    offload_threshold: int  # tokens
    summarize_at: int  # tokens
    keep_messages: int
    memory: Memory


def read_config(document: Mapping[str, Any]) -> Config:
    """The config of a valid document. To JSON Schema 8.0 is an integer too; here it is 8."""
    memory = ("harness", "memory")
    enabled = bool(_value(document, *memory, "enabled"))
    declared = _value(document, *memory, "labels") or {}
    budget = _value(document, *memory, "pinned", "max_tokens") if enabled else None
    every = _value(document, *memory, "extraction", "every")
    labels = (
        Label(name, int(label["number"]), label.get("description", ""))
        for name, label in declared.items()
        if isinstance(label, Mapping)  # a `$comment` is text
    )
    return Config(
        sessions=_value(document, "sessions"),
        history=_value(document, "harness", "history", "index") if _value(document, "sessions") else None,  # VIEW-7
        model_calls=int(_value(document, "limits", "model_calls")),
        offload_threshold=int(_value(document, "harness", "context", "offload_threshold")),
        summarize_at=int(_value(document, "harness", "context", "summarize_at")),
        keep_messages=int(_value(document, "harness", "context", "keep_messages")),
        memory=Memory(
            enabled=enabled,
            read=_scopes(document, "read") if enabled else (),
            write=_scopes(document, "write") if enabled else (),
            tools=tuple(_value(document, *memory, "tools")),
            mode=_value(document, *memory, "search", "mode"),
            max_results=int(_value(document, *memory, "search", "max_results")),
            min_score=float(_value(document, *memory, "search", "min_score")),
            kinds=tuple(_value(document, *memory, "kinds")),
            labels=tuple(sorted(labels, key=lambda label: label.number)),
            pinned=None if budget is None else int(budget),
            every=None if every == "turn" else int(every["messages"]),
            prompt=_value(document, *memory, "extraction", "prompt"),
            model=_value(document, *memory, "model") or _value(document, "model", "name"),
        ),
    )


def _scopes(document: Mapping[str, Any], key: str) -> tuple[Scope, ...]:
    return cast("tuple[Scope, ...]", tuple(_value(document, "harness", "memory", "scope", key)))


def _value(document: Mapping[str, Any], *path: str) -> Any:
    """What the document states at `path`, else the schema's default."""
    value: Any = document
    schema: Any = load("agent")
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
        schema = schema["properties"][key]
    return schema.get("default") if value is None else value
