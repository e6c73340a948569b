"""Which records are ACTIVE in the view of a turn, at a moment (VIEW-5, WRT-2, WRT-5, PRE-2, ADM-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from heapq import merge
from operator import itemgetter
from typing import TypeAlias

from .history import History
from .model import Ending, Turn, Unit, Write, objections, read

Reach: TypeAlias = tuple[Unit, bool]  # whose it is, and whether it is of agent scope: then of no session


def active(history: History, turn: Turn, line: int) -> dict[str, Write]:
    """The records that `turn` may find ACTIVE just before `line` of the trace, by id, in order of writing."""
    return _active(history, _visible(history)(turn.id), turn, line)


def at_commit(history: History, turn: Turn) -> dict[str, Write]:
    """What `turn` finds ACTIVE when it looks again at its end: as one that begins there, beside its own writes (TXN-3).

    For a turn that has ended.
    """
    assert turn.ended is not None, "a turn that is open has not looked again"
    now = replace(turn, began=turn.ended)
    return _active(history, _seen_by(history, now), now, turn.ended)


def _active(history: History, visible: Iterable[Write], turn: Turn, line: int) -> dict[str, Write]:
    found: dict[str, Write] = {}
    for write in visible:
        if write.line < line and not any(counts(ending, turn, line) for ending in _endings(history, write.id)):
            found.setdefault(write.id, write)
    return found


def endings(history: History, record: str, turn: Turn, line: int) -> list[Ending]:
    """The endings of `record` that count for `turn` just before `line`."""
    return [ending for ending in _endings(history, record) if counts(ending, turn, line)]


def in_view(history: History, turn: Turn, name: str, line: int) -> bool:
    """Whether the record or reference `name` is in view: also what was replaced is, and what was deleted is not."""
    model = read(history)
    if name in model.results:
        return any(not objections(turn, origin) for origin in model.results[name])
    written = [write for write in model.writes.get(name, ()) if write.line < line]
    if not any(not objections(turn, write.origin) for write in written):
        return False
    return all(ending.replaced for ending in endings(history, name, turn, line))


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


@lru_cache(maxsize=1)
def _visible(history: History) -> Callable[[str], tuple[Write, ...]]:
    """As `_seen_by`, which is asked for one turn again and again: remembered as long as its history is the latest."""
    return lru_cache(maxsize=64)(lambda turn: _seen_by(history, read(history).turns[turn]))


def _seen_by(history: History, observer: Turn) -> tuple[Write, ...]:
    """The writes that no clause keeps from `observer`, its own later ones among them."""
    reach = _by_reach(history)
    shared, own = reach.get(((observer.agent, None), True), ()), reach.get((observer.unit, False), ())
    near = merge(shared, own, key=itemgetter(0))
    return tuple(write for _, write in near if not objections(observer, write.origin))


@lru_cache(maxsize=1)
def _by_reach(history: History) -> dict[Reach, list[tuple[int, Write]]]:
    """The writes by who may see them at all, each with its place: a long trace has many, of which a turn sees few."""
    found: dict[Reach, list[tuple[int, Write]]] = {}
    every = (write for writes in read(history).writes.values() for write in writes)
    for place, write in enumerate(every):
        turn, shared = write.origin.turn, write.origin.scope == "agent"
        unit = (turn.agent, None) if shared else turn.unit
        found.setdefault((unit, shared), []).append((place, write))
    return found
