"""The conversation of one turn: what it carries on, what it says itself, the summary of what is older (CTX-3, CTX-4).

Each message is one whole, a tool's call and its result among them, so that a summary never parts them. Must not know
the store or who makes a summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .messages import Mark, Message, Summary
from .references import Result
from .render import line
from .tokens import TokenCounter
from .values import Json, Plane


class Entry(NamedTuple):
    """One message: the line of JSON that contexts show, and the one that a summary is made of.

    `mark` is where it is kept; None for what is not.
    """

    shown: str
    told: str
    mark: Mark | None


class Conversation:
    """Grows at its end; a summary takes the place of its beginning, in one step."""

    def __init__(
        self, plane: Plane, *, carried: Iterable[Entry], summary: Summary | None, count_tokens: TokenCounter
    ) -> None:
        self._plane = plane
        self._entries = list(carried)
        self._lines = [entry.shown for entry in self._entries]
        self._count_tokens = count_tokens
        self._kept: list[Message] = []
        self.summary: str | None = None if summary is None else summary.text
        self._marks: dict[Plane, Mark] = {} if summary is None else {mark.plane: mark for mark in summary.marks}
        self._made = False

    @property
    def kept(self) -> tuple[Message, ...]:
        """What later turns carry on: the user's message, replies, outside results, each whole.

        Exchanges with the harness's tools are not: they would hand on what was deleted since (ADM-2).
        """
        return tuple(self._kept)

    @property
    def made(self) -> Summary | None:
        """The summary that this turn has made and commits, None where it made none."""
        if not self._made or self.summary is None:
            return None
        return Summary(self.summary, tuple(self._marks.values()))

    @property
    def lines(self) -> tuple[str, ...]:
        """The messages as contexts show them, after the summary."""
        return tuple(self._lines)

    @property
    def tokens(self) -> int:
        """Its size: the summary and the messages as contexts show them, a line each."""
        summary = () if self.summary is None else (line(self.summary),)
        return self._count_tokens("\n".join((*summary, *self._lines)))

    def say(self, message: dict[str, Json]) -> None:
        """The user's message or a reply."""
        told = line(message)
        self._keep(told, Message(told))

    def hear(self, result: Result) -> None:
        """An outside tool's result."""
        whole = line(result.whole)
        self._keep(whole if result.shown is result.whole else line(result.shown), Message(whole, result.ref))

    def exchange(self, exchange: Mapping[str, Json]) -> None:
        """A call of one of the harness's tools, with its answer. A summary, which outlives a deletion, has neither."""
        self._show(Entry(line({"role": "tool", **exchange}), _called(str(exchange["name"])), None))

    def older(self, summarize_at: int, keep: int) -> tuple[Entry, ...]:
        """What a summary has to take the place of now: all but the latest `keep`, if there are too many tokens.

        Empty where nothing has to be, or nothing can be.
        """
        if len(self._entries) <= keep or self.tokens <= summarize_at:
            return ()
        return tuple(self._entries[: len(self._entries) - keep])

    def summarize(self, older: tuple[Entry, ...], text: str) -> None:
        """`text` takes the place of the summary so far and of `older`, with which the messages begin."""
        for entry in older:
            if entry.mark is not None:
                self._marks[entry.mark.plane] = entry.mark
        self.summary = text
        self._made = True
        del self._entries[: len(older)]
        del self._lines[: len(older)]

    def _keep(self, shown: str, message: Message) -> None:
        mark = Mark(self._plane, None, len(self._kept))
        self._kept.append(message)
        self._show(Entry(shown, shown, mark))

    def _show(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._lines.append(entry.shown)


@lru_cache(maxsize=64)
def _called(name: str) -> str:
    """What a summary is told of a call."""
    return line({"role": "tool", "name": name, "note": "It was called, and answered."})
