"""What was said in each turn, in order: by the user, by the agent, by outside tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .events import Begin, Say
from .history import History


class Spoken(NamedTuple):
    """One of these texts, by its line of the trace. `kind` is `user`, `reply` or `tool`, `ref` a result's reference."""

    line: int
    kind: str
    text: str
    ref: str | None = None


@lru_cache(maxsize=1)
def spoken(history: History) -> Mapping[str, Sequence[Spoken]]:
    """By turn, of each that began. Answers of the harness's own tools are not among them, and no events (HIS-3)."""
    found: dict[str, list[Spoken]] = {}
    for event in history.events:
        if isinstance(event, Begin) and event.error is None:
            found[event.turn] = [] if event.user is None else [Spoken(event.line, "user", event.user)]
        elif isinstance(event, Say) and event.kind in ("reply", "tool") and isinstance(event.value, str):
            found[event.turn].append(Spoken(event.line, event.kind, event.value, event.ref))
    return found
