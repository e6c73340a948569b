"""What the model is handed before one call (CTX-1). Assembly is pure: the same parts give the same bytes.

Must not know where its parts come from. Parts are kept as text, so that a context that was handed out can be changed by
nobody (REC-6); what it gives as plain values is made anew each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .answers import scores_json
from .plain import decoded
from .render import block, line
from .tokens import TokenCounter
from .values import Hit, Json

Purpose: TypeAlias = Literal["turn", "summary", "memory"]


@dataclass(frozen=True, slots=True)
class Context:
    """One model call's context. `text` is all of it, in the order of CTX-1; `tokens` counts `text` (CTX-7).

    `messages` follow what `summary` stands for (CTX-3). `memory` is the recalled block as the model reads it, empty
    when nothing was recalled. It belongs to this call: it is not among `messages`, of this call or a later one.
    """

    call: int
    purpose: Purpose
    instructions: str
    summary: str | None
    memory: str
    text: str
    tokens: int
    _state: str
    _messages: tuple[str, ...]
    _recalled: tuple[tuple[str, Hit], ...]  # each record as its line of the block, and the hit for its scores
    _pins: tuple[str, ...]
    _tools: str
    model: str | None = None  # the model of a review, where the config names one (EXT-1)

    @property
    def state(self) -> dict[str, Json]:
        """The session's state, whole (CTX-6)."""
        state: dict[str, Json] = decoded(self._state)
        return state

    @property
    def messages(self) -> list[dict[str, Json]]:
        """The conversation so far, oldest first."""
        return _decoded(self._messages)

    @property
    def recalled(self) -> list[dict[str, Json]]:
        """The recalled hits, best first."""
        records = _decoded([record for record, _ in self._recalled])
        return [_hit(record, hit) for record, (_, hit) in zip(records, self._recalled, strict=True)]

    @property
    def pins(self) -> list[dict[str, Json]]:
        """The pinned records that the instructions list, in that order (PIN-3)."""
        return _decoded(self._pins)

    @property
    def tools(self) -> list[dict[str, Json]]:
        """The definitions of the harness's tools that exist for this version (WRT-1, CTX-8)."""
        tools: list[dict[str, Json]] = decoded(self._tools)
        return tools

    def to_json(self, read: Callable[[str], Any] = decoded) -> dict[str, Json]:
        """Plain values with the keys of a `context` line of the trace.

        `read` gives the value of a line of JSON, made anew: one that remembers spares whoever looks at every context,
        and changes none, from reading a conversation again and again.
        """
        shown: dict[str, Json] = {
            "call": self.call,
            "purpose": self.purpose,
            "instructions": self.instructions,
            "pins": [read(pin) for pin in self._pins],
            "state": read(self._state),
            "summary": self.summary,
            "messages": [read(message) for message in self._messages],
            "recalled": [_hit(read(line), hit) for line, hit in self._recalled],
            "memory": self.memory,
            "text": self.text,
            "tokens": self.tokens,
        }
        return {**shown, "model": self.model} if self.purpose == "memory" else shown


def _hit(record: dict[str, Json], hit: Hit) -> dict[str, Json]:
    return {**record, **scores_json(hit)}


def _decoded(lines: Sequence[str]) -> list[dict[str, Json]]:
    """The values of some lines, read at once: a long conversation has many short ones."""
    values: list[dict[str, Json]] = decoded(f"[{','.join(lines)}]") if lines else []
    return values


def assemble(
    *,
    call: int,
    purpose: Purpose = "turn",
    instructions: str,
    pins: Sequence[str] = (),
    tools: str = "[]",
    state: str,
    summary: str | None,
    messages: Sequence[str],
    recalled: Sequence[tuple[str, Hit]] = (),
    count_tokens: TokenCounter,
    model: str | None = None,
) -> Context:
    """The context of one call. `instructions` list the pins already; one for a summary or a review lists none, and
    recalls nothing.

    `state`, `messages` and `pins` are lines made by `render.line`; so is each record of `recalled`, as the agent sees
    it, with its hit.
    """
    memory = block("memory", [record for record, _ in recalled]) if recalled else ""
    parts = [block("instructions", (instructions,)), block("state", (state,))]
    if summary is not None:
        parts.append(block("summary", (line(summary),)))
    parts.append(block("messages", messages))
    if memory:
        parts.append(memory)
    text = "\n".join(parts)
    return Context(
        call=call,
        purpose=purpose,
        instructions=instructions,
        summary=summary,
        memory=memory,
        text=text,
        tokens=count_tokens(text),
        _state=state,
        _messages=tuple(messages),
        _recalled=tuple(recalled),
        _pins=tuple(pins),
        _tools=tools,
        model=model,
    )
