"""The transcripts of a store's executions and the output uses they made, appended as they happen (TXN-2).

A file has each act at once, so that a process that is killed leaves what its turns had done. A store in memory goes
with its process and nobody looks into it but through the engine: there acts wait as long as nobody reads a transcript,
and what is never read is never written.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from typing import NamedTuple

from . import journal
from .journal import Act, Start, Use
from .plain import canonical, decoded
from .store import Store
from .values import Json

_MOST_WAITING = 1 << 14  # acts, of about a kilobyte each


class _Waiting(NamedTuple):
    """An act that is not written yet. `packed` is a copy that nobody can change, quicker to make than JSON."""

    execution: int
    place: int
    packed: bytes
    uses: tuple[Use, ...]

    @property
    def entry(self) -> Json:
        entry: Json = marshal.loads(self.packed)  # noqa: S302 - bytes that this module has made
        return entry

    def act(self) -> Act:
        return Act(self.execution, self.place, canonical(self.entry), self.uses)


class Transcripts:
    """Where all turns of one store append."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[_Waiting] = store.waiting

    def begin(self, begun: Start, entry: Json) -> int:
        """Write down that an execution begins, and its first act. Returns its number in this store."""
        if not self._store.outlives:
            key = journal.start(self._store.sql, begun)  # a statement alone is a transaction of its own
            self.append(key, 0, entry)
            return key
        act = canonical(entry)
        with self._store.transaction(durable=False) as sql:
            key = journal.start(sql, begun)
            journal.append(sql, [Act(key, 0, act)])
        return key

    def append(self, execution: int, place: int, entry: Json, uses: Iterable[Use] = ()) -> None:
        """Append an act to the transcript of an execution, with the uses it made: at most one of a source."""
        if self._store.outlives:
            self._write([Act(execution, place, canonical(entry), tuple(uses))])
            return
        if len(self._waiting) >= _MOST_WAITING:
            self.settle()
        self._waiting.append(_Waiting(execution, place, _packed(entry), tuple(uses)))

    def settle(self) -> None:
        """Write what waits, before transcripts are read. Where that fails all of it waits on."""
        if self._waiting:
            self._write([waiting.act() for waiting in self._waiting])
            self._waiting.clear()

    def uses(self) -> dict[int, list[Use]]:
        """Every output use by its execution, in the order in which they happened."""
        found = journal.uses(self._store.sql)
        for waiting in self._waiting:
            if waiting.uses:
                found.setdefault(waiting.execution, []).extend(sorted(waiting.uses, key=_source))
        return found

    def _write(self, acts: list[Act]) -> None:
        with self._store.transaction(durable=False) as sql:
            journal.append(sql, acts)


def _packed(entry: Json) -> bytes:
    try:
        return marshal.dumps(entry)
    except ValueError:  # a text of a class of the caller's own, which JSON takes for the text that it is
        return marshal.dumps(decoded(canonical(entry)))


def _source(use: Use) -> str:
    return use.source
