"""The records of one (agent, plane, session) or of one (agent, plane) AGENT scope, indexed for search.

A partition only grows: rows are appended, and a row that is no longer ACTIVE is marked with the change that ended it.
So a snapshot is a few numbers, adding a record costs the same however many there are, and nothing that happens later
shows in a snapshot (VIEW-5). Terms, frequencies and vectors belong to the partition: nothing of another one can reach
a score (mem0#5439). It knows nothing of turns, of storage on disk, or of who may read it.

Canonical sums: the terms of a row are kept in sorted order, so that no score depends on the numbers that the
vocabulary gives to terms, on the order of loading, or on ended rows that are still resident.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

import faiss
import numpy as np
from numpy.typing import NDArray

from .analyze import analyze
from .embed import SQUARED_NORM_LIMIT, Embedder, Vectors
from .ranking import Floats, Ints, halves
from .values import LabelValue, PartitionKey, Record

_ACTIVE = np.iinfo(np.int64).max  # the change that ended an ACTIVE row: none yet
_BATCH = 64  # records that are analyzed and embedded together

_Scalar = TypeVar("_Scalar", bound=np.generic)
Mask = NDArray[np.bool_]
Facet = str | tuple[int, str, LabelValue]  # a kind, or a label's number, type and value


class _Column(Generic[_Scalar]):
    """An array that grows at its end in amortised constant time."""

    __slots__ = ("_array", "size")

    def __init__(self, dtype: type[_Scalar]) -> None:
        self._array: NDArray[_Scalar] = np.empty(0, dtype)
        self.size = 0

    def extend(self, values: NDArray[_Scalar] | list[int]) -> None:
        size = self.size + len(values)
        if size > len(self._array):
            grown = np.empty(max(size, 2 * self.size), self._array.dtype)
            grown[: self.size] = self.values
            self._array = grown
        self._array[self.size : size] = values
        self.size = size

    @property
    def values(self) -> NDArray[_Scalar]:
        return self._array[: self.size]

    @property
    def nbytes(self) -> int:
        return self._array.nbytes


class Partition:
    """An index that grows; read it through `snapshot()`.

    `key` is None for the writes of a turn, which may be of several scopes.
    """

    def __init__(self, key: PartitionKey | None, embedder: Embedder) -> None:
        self.key = key
        self.embedder = embedder
        self.change = 0  # how often it changed
        self.records: list[Record] = []  # by row, as they were while ACTIVE
        self.rows: dict[str, int] = {}
        self.ended: dict[str, list[tuple[int, Record]]] = {}  # by id: (change, the record since then)
        self.vocabulary: dict[str, int] = {}
        self.frequencies = _Column(np.int32)  # by term: the ACTIVE rows that hold it
        self.ended_at = _Column(np.int64)  # by row: the change that ended it
        self.at = _Column(np.int64)
        self.ordinals = _Column(np.int64)
        self.half_lives = _Column(np.int64)
        self.decays = _Column(np.float64)
        self.squares = _Column(np.float64)  # by row: the squared norm of its vector
        self.entry_ends = _Column(np.int64)  # by row: where its terms end in the three columns below
        self.entry_rows = _Column(np.int32)
        self.entry_terms = _Column(np.int32)
        self.entry_counts = _Column(np.int32)
        self.vectors: Any = faiss.IndexFlatIP(embedder.dimensions)
        self._facets: dict[Facet, list[int]] = {}
        self._faceted = 0  # rows that are in _facets
        self._text_bytes = 0
        self._latest: Snapshot | None = None

    def __len__(self) -> int:
        """How many rows it holds, ended ones too."""
        return len(self.records)

    @property
    def nbytes(self) -> int:
        """About what it takes in memory, in bytes: for whoever decides how many partitions stay loaded."""
        columns = (self.entry_rows, self.entry_terms, self.entry_counts, self.frequencies)
        rows = len(self.records) + len(self.ended)
        arrays = sum(column.nbytes for column in columns) + 4 * self.embedder.dimensions * len(self.records)
        return 4096 + 1000 * rows + 100 * len(self.vocabulary) + arrays + self._text_bytes

    def add(self, records: Iterable[Record]) -> None:
        """Takes in new records: those of a commit, or all of the partition when it is loaded, in any order.

        ACTIVE ones are indexed; the others can only be read. Raises ValueError for a record of another partition or
        for an id that is there already.
        """
        arriving = list(records)
        self._check(arriving)
        self.change += 1
        self.ended.update((record.id, [(self.change, record)]) for record in arriving if record.status != "ACTIVE")
        active = (record for record in arriving if record.status == "ACTIVE")
        while batch := list(islice(active, _BATCH)):
            self._index(batch)

    def replace(self, record: Record) -> None:
        """Gives a record its new value: same id, no longer ACTIVE. Raises ValueError for any other change."""
        known = self._known(record.id)
        if known is None or record.status == "ACTIVE" or known.partition != record.partition:
            raise ValueError(f"not an ending of a record of this partition: {record.id!r}")
        self.change += 1
        self.ended.setdefault(record.id, []).append((self.change, record))
        row = self.rows.get(record.id)
        if row is not None and self.ended_at.values[row] == _ACTIVE:
            self.ended_at.values[row] = self.change
            self.frequencies.values[self.terms_of(row)] -= 1

    def snapshot(self) -> Snapshot:
        """The partition as it is now, at no cost."""
        if self._latest is None or self._latest.change != self.change:
            self._latest = Snapshot(self)
        return self._latest

    def terms_of(self, row: int) -> NDArray[np.int32]:
        """The numbers of a row's terms, each once."""
        ends = self.entry_ends.values
        return self.entry_terms.values[(ends[row - 1] if row else 0) : ends[row]]

    def facet(self, facet: Facet) -> list[int]:
        """The rows of a kind or of a label's value, in order."""
        for row in range(self._faceted, len(self.records)):
            record = self.records[row]
            self._facets.setdefault(record.kind, []).append(row)
            for number, value in record.labels:
                self._facets.setdefault((number, type(value).__name__, value), []).append(row)
        self._faceted = len(self.records)
        return self._facets.get(facet, [])

    def _known(self, record_id: str) -> Record | None:
        if record_id in self.ended:
            return self.ended[record_id][-1][1]
        return self.records[self.rows[record_id]] if record_id in self.rows else None

    def _check(self, records: list[Record]) -> None:
        ids = set()
        for record in records:
            if self.key is not None and record.partition != self.key:
                raise ValueError(f"record {record.id!r} belongs to {record.partition}, not to {self.key}")
            if record.id in ids or self._known(record.id) is not None:
                raise ValueError(f"record {record.id!r} is here already")
            ids.add(record.id)

    def _index(self, records: list[Record]) -> None:
        first = len(self.records)
        vectors, squares = self._vectors(records)
        self.vectors.add(vectors)
        self.squares.extend(squares)
        self.rows.update((record.id, first + i) for i, record in enumerate(records))
        self.records.extend(records)
        vocabulary = self.vocabulary
        terms: list[int] = []
        counts: list[int] = []
        lengths: list[int] = []
        for record in records:
            counted = Counter(analyze(record.text))
            for term in sorted(counted):
                terms.append(vocabulary.setdefault(sys.intern(term), len(vocabulary)))
                counts.append(counted[term])
            lengths.append(len(counted))
            self._text_bytes += len(record.text)
        ends = np.cumsum(lengths) + self.entry_terms.size
        self.entry_ends.extend(ends)
        self.entry_rows.extend(np.repeat(np.arange(first, first + len(records), dtype=np.int32), lengths))
        self.entry_terms.extend(terms)
        self.entry_counts.extend(counts)
        self.frequencies.extend([0] * (len(vocabulary) - self.frequencies.size))
        np.add.at(self.frequencies.values, terms, 1)
        at = np.array([record.at for record in records], dtype=np.int64)
        half_lives, decays = halves(at)
        self.at.extend(at)
        self.half_lives.extend(half_lives)
        self.decays.extend(decays)
        self.ordinals.extend([record.ordinal for record in records])
        self.ended_at.extend([_ACTIVE] * len(records))

    def _vectors(self, records: list[Record]) -> tuple[Vectors, Floats]:
        vectors = self.embedder.embed([record.text for record in records])
        exact = vectors.astype(np.float64)
        squares = np.einsum("ij,ij->i", exact, exact)
        if not (np.all(exact == np.rint(exact)) and np.all(squares < SQUARED_NORM_LIMIT)):
            raise ValueError(f"embedder {self.embedder.name!r} gave a vector that is not of small whole numbers")
        return vectors, squares


class Snapshot:
    """A partition as it was at one moment: what is added or ended later is not in it (VIEW-5).

    Arrays that it hands out are by row or by term number and must not be changed.
    """

    __slots__ = ("_active", "_entries", "_frequencies", "alone", "change", "partition", "rows", "terms")

    def __init__(self, partition: Partition) -> None:
        self.partition = partition
        self.change = partition.change
        self.rows = len(partition.records)
        self.terms = len(partition.vocabulary)
        self._entries = partition.entry_terms.size
        self._active: Mask | None = None
        self._frequencies: Ints | None = None
        self.alone: Any = None  # what scoring has worked out for views of this snapshot alone

    def number(self, term: str) -> int | None:
        """The number of a term that occurred in the partition by then."""
        number = self.partition.vocabulary.get(term)
        return number if number is not None and number < self.terms else None

    def entries(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Row, term number and count, for each term of each row: rows in order, terms sorted as text."""
        partition, end = self.partition, self._entries
        return (
            partition.entry_rows.values[:end],
            partition.entry_terms.values[:end],
            partition.entry_counts.values[:end],
        )

    def active(self) -> Mask:
        """By row: whether it is ACTIVE."""
        if self._active is None:
            self._active = self.partition.ended_at.values[: self.rows] > self.change
        return self._active

    def frequencies(self) -> Ints:
        """By term: in how many ACTIVE rows it occurs."""
        if self._frequencies is None:
            partition = self.partition
            counts = partition.frequencies.values[: self.terms].astype(np.int64)
            if partition.change != self.change:
                ended_at = partition.ended_at.values
                later = np.flatnonzero(ended_at[self.rows :] == _ACTIVE) + self.rows
                for row in later.tolist():
                    terms = partition.terms_of(row)
                    counts[terms[terms < self.terms]] -= 1
                ended = ended_at[: self.rows]
                for row in np.flatnonzero((ended > self.change) & (ended != _ACTIVE)).tolist():
                    counts[partition.terms_of(row)] += 1
            self._frequencies = counts
        return self._frequencies

    def row(self, record_id: str) -> int | None:
        """The row of a record that is ACTIVE here."""
        row = self.partition.rows.get(record_id)
        if row is None or row >= self.rows or self.partition.ended_at.values[row] <= self.change:
            return None
        return row

    def get(self, record_id: str) -> Record | None:
        """The record with its status at that moment; None if it was not there or is DELETED."""
        row = self.row(record_id)
        if row is not None:
            return self.partition.records[row]
        endings = [record for change, record in self.partition.ended.get(record_id, ()) if change <= self.change]
        return endings[-1] if endings and endings[-1].status != "DELETED" else None

    def records(self) -> Iterator[Record]:
        """The ACTIVE records, in order of rows."""
        for row in np.flatnonzero(self.active()).tolist():
            yield self.partition.records[row]
