"""The records of one (agent, plane, session) or of one (agent, plane) AGENT scope, indexed for search.

Nothing that happens later shows in a snapshot (VIEW-5), and taking one costs nothing: the index only grows, and a
snapshot says how far it went. Terms, frequencies and vectors belong to the partition: nothing of another one can
reach a score (mem0#5439). It knows nothing of turns, of storage on disk, or of who may read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .embed import Embedder
from .features import Features, read_features
from .index import Index
from .terms import Mark, Numbers
from .values import PartitionKey, Record

Mask = NDArray[np.bool_]

_BATCH = 64  # records that are analyzed and embedded together


class Partition:
    """Takes records in; read it through `snapshot()`. `key` is None for the writes of a turn, of whatever scope."""

    def __init__(self, key: PartitionKey | None, embedder: Embedder) -> None:
        self.key = key
        self._index = Index(embedder)
        self._latest: Snapshot | None = None

    def __len__(self) -> int:
        """How many rows it holds in memory, ended ones too."""
        return len(self._index.records)

    @property
    def nbytes(self) -> int:
        """About what it takes in memory, in bytes: for whoever decides how many partitions stay loaded."""
        return self._index.nbytes

    def add(self, records: Iterable[Record], features: Iterable[Features] | None = None) -> None:
        """Takes in new records: those of a commit, or all of the partition when it is loaded, in any order.

        ACTIVE ones are indexed, by their `features` if those are at hand; the others can only be read. Raises
        ValueError for a record of another partition or for an id that is there already.
        """
        arriving = list(records)
        if not arriving:
            return
        self._check(arriving)
        index = self._index
        index.change += 1
        for record in arriving:
            if record.status != "ACTIVE":
                index.end(record)
        if features is not None:
            kept = [pair for pair in zip(arriving, features, strict=True) if pair[0].status == "ACTIVE"]
            index.add([record for record, _ in kept], [known for _, known in kept])
            return
        active = (record for record in arriving if record.status == "ACTIVE")
        while batch := list(islice(active, _BATCH)):
            index.add(batch, read_features([record.text for record in batch], index.embedder))

    def replace(self, record: Record) -> None:
        """Gives a record its new value: same id, no longer ACTIVE. Raises ValueError for any other change."""
        known = self._index.known(record.id)
        if known is None or record.status == "ACTIVE" or known.partition != record.partition:
            raise ValueError(f"not an ending of a record of this partition: {record.id!r}")
        self._index.change += 1
        self._index.end(record)

    def snapshot(self) -> Snapshot:
        """The partition as it is now, at no cost."""
        if self._latest is None or self._latest.change != self._index.change:
            self._latest = Snapshot(self._index)
        return self._latest

    def _check(self, records: list[Record]) -> None:
        ids = set()
        for record in records:
            if self.key is not None and record.partition != self.key:
                raise ValueError(f"record {record.id!r} belongs to {record.partition}, not to {self.key}")
            if record.id in ids or self._index.known(record.id) is not None:
                raise ValueError(f"record {record.id!r} is here already")
            ids.add(record.id)


class Snapshot:
    """A partition as it was at one moment: what is added or ended later is not in it (VIEW-5).

    Arrays that it hands out are by row or by term number and must not be changed.
    """

    __slots__ = ("_active", "_frequencies", "alone", "change", "index", "mark")

    def __init__(self, index: Index) -> None:
        self.index = index
        self.change = index.change
        self.mark: Mark = index.terms.mark()
        self._active: Mask | None = None
        self._frequencies: Numbers | None = None
        self.alone: Any = None  # what scoring has worked out for views of this snapshot alone

    def active(self) -> Mask:
        """By row: whether it is ACTIVE."""
        if self._active is None:
            self._active = self.index.ended_at.values[: self.mark.rows] > self.change
        return self._active

    def frequencies(self) -> Numbers:
        """By term number: in how many ACTIVE rows it is."""
        if self._frequencies is None:
            self._frequencies = self.index.frequencies(self.mark.rows, self.mark.terms, self.change)
        return self._frequencies

    def row(self, record_id: str) -> int | None:
        """The row of a record that is ACTIVE here."""
        row = self.index.rows.get(record_id)
        if row is None or row >= self.mark.rows or self.index.ended_at.values[row] <= self.change:
            return None
        return row

    def get(self, record_id: str) -> Record | None:
        """The record with its status at that moment; None if it was not there or is DELETED."""
        row = self.row(record_id)
        if row is not None:
            return self.index.records[row]
        endings = [record for change, record in self.index.ended.get(record_id, ()) if change <= self.change]
        return endings[-1] if endings and endings[-1].status != "DELETED" else None

    def records(self) -> Iterator[Record]:
        """The ACTIVE records, in order of rows."""
        for row in np.flatnonzero(self.active()).tolist():
            yield self.index.records[row]

    def saying(self, summary: str) -> Iterator[Record]:
        """The ACTIVE records whose summary says what `summary` says (EXT-4), in order of rows."""
        ended_at = self.index.ended_at.values
        for row in self.index.saying(summary):
            if row < self.mark.rows and ended_at[row] > self.change:
                yield self.index.records[row]

    def pinned(self) -> Iterator[Record]:
        """The pinned ACTIVE records, in order of rows."""
        ended_at = self.index.ended_at.values
        for row in self.index.pinned:
            if row < self.mark.rows and ended_at[row] > self.change:
                yield self.index.records[row]
