"""The transcripts of a store's executions and the output uses they made, appended as they happen (TXN-2).

A file has each act at once, so that a process that is killed leaves what its turns had done. A store in memory goes
with its process and nobody looks into it but through the engine: there acts wait, and are written together before
anything reads them.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import journal
from .journal import Act, Start, Use
from .plain import canonical
from .store import Store
from .values import Json

_MOST_WAITING = 1024  # acts that are kept in memory twice for a moment


class Transcripts:
    """Where all turns of one store append."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[Act] = []

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
        act = Act(execution, place, canonical(entry), tuple(uses))
        if self._store.outlives:
            self._write([act])
            return
        self._waiting.append(act)
        if len(self._waiting) >= _MOST_WAITING:
            self.settle()

    def settle(self) -> None:
        """Write what waits: before transcripts or uses are read, and before the store is let go of."""
        if self._waiting:
            self._write(self._waiting)
            self._waiting = []

    def _write(self, acts: list[Act]) -> None:
        with self._store.transaction(durable=False) as sql:
            journal.append(sql, acts)
