"""Which records are ACTIVE in the view of a turn, at a moment (VIEW-5, WRT-2, WRT-5, PRE-2, ADM-2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from .history import History
from .model import Ending, Model, Turn, Write, objections, read


def active(history: History, turn: Turn, line: int) -> dict[str, Write]:
    """The records that `turn` may find ACTIVE just before `line` of the trace, by id, in order of writing."""
    found: dict[str, Write] = {}
    for write in _visible(history, turn.id):
        if write.line < line and not any(counts(ending, turn, line) for ending in _endings(history, write.id)):
            found.setdefault(write.id, write)
    return found


def endings(history: History, record: str, turn: Turn, line: int) -> list[Ending]:
    """The endings of `record` that count for `turn` just before `line`."""
    return [ending for ending in _endings(history, record) if counts(ending, turn, line)]


def counts(ending: Ending, turn: Turn, line: int) -> bool:
    """Whether `ending` holds for `turn` just before `line`: its own, an operator's, or one its snapshot has."""
    if ending.line >= line:
        return False
    by = ending.turn
    if by is None or by.id == turn.id:  # ADM-2: at once; WRT-5: the turn's own
        return True
    before = by.committed and by.ended is not None and by.ended < turn.began
    return before and (ending.plane == "live" or turn.plane == "preview")


def _endings(history: History, record: str) -> list[Ending]:
    return _by_record(history).get(record, [])


@lru_cache(maxsize=1)
def _by_record(history: History) -> dict[str, list[Ending]]:
    found: dict[str, list[Ending]] = {}
    for ending in read(history).endings:
        found.setdefault(ending.record, []).append(ending)
    return found


@lru_cache(maxsize=64)
def _visible(history: History, turn: str) -> tuple[Write, ...]:
    """The writes that no clause keeps from the turn of that id, its own later ones among them."""
    model = read(history)
    return tuple(_allowed(model, model.turns[turn]))


def _allowed(model: Model, turn: Turn) -> Iterator[Write]:
    for writes in model.writes.values():
        for write in writes:
            if not objections(turn, write.origin):
                yield write
                break
