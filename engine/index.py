"""The rows of a partition and what search reads of them: a structure that only grows.

Rows are appended. A row that is no longer ACTIVE stays, with the number of the change that ended it, so what was
there at an earlier change can still be read. It knows nothing of partitions, views or scores.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from .embed import Embedder, Vectors
from .features import Features
from .ranking import Ints, halved, halves
from .reviewer import Statement, statement
from .terms import Column, Numbers, Terms
from .values import LabelValue, Record
from .vectors import VectorIndex

Facet: TypeAlias = str | tuple[int, str, LabelValue]  # a kind, or a label's number, type and value

STILL_ACTIVE = np.iinfo(np.int64).max  # in place of the change that ended a row


class Index:
    """`records` are by row, as they were while ACTIVE; `rows` finds them by id.

    `ended` holds, by id, what became of a record: (change, the record since then). The columns are by row.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.change = 0
        self.records: list[Record] = []
        self.rows: dict[str, int] = {}
        self.pinned: list[int] = []  # rows, ended ones too
        self.ended: dict[str, list[tuple[int, Record]]] = {}
        self.ended_at = Column(np.int64)
        self.at = Column(np.int64)
        self.ordinals = Column(np.int64)
        self.half_lives = Column(np.int64)
        self.decays = Column(np.float64)
        self.squares = Column(np.float64)  # of the vectors' norms
        self.terms = Terms()
        self.vectors = VectorIndex(embedder.dimensions)
        self._facets: dict[Facet, list[int]] = {}
        self._faceted = 0  # rows that are in _facets
        self._sayings: dict[Statement, list[int]] = {}
        self._said = 0  # rows that are in _sayings
        self._text_bytes = 0

    @property
    def nbytes(self) -> int:
        """About what it takes in memory: fitted to what processes with 100,000 records of one sentence took."""
        records = len(self.records) + len(self.ended)
        return 4096 + (350 + self.embedder.dimensions) * records + self._text_bytes + self.terms.nbytes

    def known(self, record_id: str) -> Record | None:
        """The record as it is now, whatever its status."""
        if record_id in self.ended:
            return self.ended[record_id][-1][1]
        return self.records[self.rows[record_id]] if record_id in self.rows else None

    def add(self, records: list[Record], features: list[Features]) -> None:
        """Appends rows for ACTIVE records."""
        first = len(self.records)
        self.rows.update((record.id, first + i) for i, record in enumerate(records))
        self.records.extend(records)
        self.pinned.extend(first + i for i, record in enumerate(records) if record.pinned)
        self._text_bytes += sum(len(record.text) for record in records)
        vectors = np.frombuffer(b"".join([each.vector for each in features]), dtype=np.int8)
        vectors = vectors.reshape(len(records), self.embedder.dimensions)
        self.vectors.add(vectors)
        self.terms.add(features)
        if len(records) == 1:
            self._note(records[0], vectors[0].astype(np.float32))
            return
        wide = vectors.astype(np.int64)
        self.squares.extend((wide * wide).sum(axis=1).astype(np.float64))
        at: Ints = np.array([record.at for record in records], dtype=np.int64)
        half_lives, decays = halves(at)
        self.at.extend(at)
        self.half_lives.extend(half_lives)
        self.decays.extend(decays)
        self.ordinals.extend([record.ordinal for record in records])
        self.ended_at.extend([STILL_ACTIVE] * len(records))

    def _note(self, record: Record, vector: Vectors) -> None:
        """The columns of one record, which most commits are."""
        whole, share = halved(record.at)
        self.squares.append(float(vector @ vector))  # exact, as every product of vectors (see embed.py)
        self.at.append(record.at)
        self.half_lives.append(whole)
        self.decays.append(share)
        self.ordinals.append(record.ordinal)
        self.ended_at.append(STILL_ACTIVE)

    def end(self, record: Record) -> None:
        """Notes what a record is since this change; its row, if it has one, is no longer ACTIVE."""
        self.ended.setdefault(record.id, []).append((self.change, record))
        row = self.rows.get(record.id)
        if row is not None and self.ended_at.values[row] == STILL_ACTIVE:
            self.ended_at.values[row] = self.change
            self.terms.end(row)

    def frequencies(self, rows: int, terms: int, change: int) -> Numbers:
        """By term number: in how many rows each of the first terms was, of the rows ACTIVE at an earlier change."""
        counts = self.terms.frequencies(terms)
        if change != self.change:
            ended_at = self.ended_at.values
            for row in np.flatnonzero(ended_at[rows:] == STILL_ACTIVE).tolist():
                added = self.terms.of_row(rows + row)
                counts[added[added < terms]] -= 1
            for row in np.flatnonzero((ended_at[:rows] > change) & (ended_at[:rows] != STILL_ACTIVE)).tolist():
                counts[self.terms.of_row(row)] += 1
        return counts

    def facet(self, facet: Facet) -> list[int]:
        """The rows of a kind or of a label's value, in order, ended ones too."""
        for row in range(self._faceted, len(self.records)):
            record = self.records[row]
            self._facets.setdefault(record.kind, []).append(row)
            for number, value in record.labels:
                self._facets.setdefault((number, type(value).__name__, value), []).append(row)
        self._faceted = len(self.records)
        return self._facets.get(facet, [])

    def saying(self, summary: str) -> list[int]:
        """The rows whose summary says what `summary` says (EXT-4), in order, ended ones too."""
        for row in range(self._said, len(self.records)):
            self._sayings.setdefault(statement(self.records[row].summary), []).append(row)
        self._said = len(self.records)
        return self._sayings.get(statement(summary), [])
