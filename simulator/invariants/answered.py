"""Searches of memory that were answered, and recalls: who asked, for what, and what was returned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .events import Call, Context
from .history import History
from .model import Turn, read
from .plain import setting


class Answered(NamedTuple):
    """One answer. `where` says in which words a violation tells so.

    `asked` are the arguments of a search; a recall has none.
    """

    event: Call | Context
    turn: Turn
    where: str
    asked: Mapping[str, Any]
    hits: Sequence[Any]

    @property
    def query(self) -> str | None:
        """What a search asks for, empty where it has filters alone; None for a recall, which states no query."""
        if isinstance(self.event, Context):
            return None
        query = self.asked.get("query")
        return query if isinstance(query, str) else ""

    def stated(self, name: str) -> Any:
        """What the version that runs states of searches under `name`; None where it says nothing."""
        return setting(self.turn.config, "harness", "memory", "search", name)


@lru_cache(maxsize=1)
def answered(history: History) -> tuple[Answered, ...]:
    """In the order of the trace, where what was returned is told."""
    return tuple(_answered(history))


def _answered(history: History) -> Iterator[Answered]:
    turns = read(history).turns
    for event in history.events:
        if isinstance(event, Context) and "recalled" in event.told:
            turn = turns[event.turn]
            yield Answered(event, turn, f"recall in {turn.label} call {event.call}", {}, event.recalled)
        elif isinstance(event, Call) and event.tool == "search_memory" and event.answer is not None:
            turn, hits = turns[event.turn], event.answer.get("records")
            if isinstance(hits, list):
                where = f"answer of search_memory in {turn.label} call {event.call}"
                yield Answered(event, turn, where, event.arguments, hits)
