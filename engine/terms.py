"""The terms of a partition's rows: who has which, how often, and in how many ACTIVE rows each one is.

Rows are appended. A `Mark` says how far they went at one moment; with it one reads only what was there then. Sums are
canonical: the terms of a row are added in the order of their code points, whatever numbers the vocabulary gave them
and whatever else is resident, and a row that has none of them adds nothing. It knows nothing of records.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .features import Features
from .ranking import Floats, Ints

_Scalar = TypeVar("_Scalar", bound=np.generic)
Numbers = NDArray[np.int32]

_SHARED = tuple(range(1 << 12))  # numbers of terms, the same objects in all partitions
_LEAST = 4  # values that a column has room for once it has any
_UNSORTED = 1 << 14  # entries that are read whole for a query; beyond, and beyond a quarter, they are sorted by term


class Column(Generic[_Scalar]):
    """An array that grows at its end in amortised constant time."""

    __slots__ = ("_array", "size", "values")

    def __init__(self, dtype: type[_Scalar]) -> None:
        self._array: NDArray[_Scalar] = np.empty(0, dtype)
        self.size = 0
        self.values = self._array  # what it holds so far

    def extend(self, values: NDArray[_Scalar] | Sequence[int]) -> None:
        """Appends values; the views handed out before keep what they show."""
        size = self.size + len(values)
        if size > len(self._array):
            self._grow(size)
        self._array[self.size : size] = values
        self.size = size
        self.values = self._array[:size]

    def append(self, value: float) -> None:
        """Appends one value."""
        if self.size == len(self._array):
            self._grow(self.size + 1)
        self._array[self.size] = value
        self.size += 1
        self.values = self._array[: self.size]

    @property
    def nbytes(self) -> int:
        return self._array.nbytes

    def _grow(self, size: int) -> None:
        grown = np.empty(max(size, 2 * self.size, _LEAST), self._array.dtype)
        grown[: self.size] = self.values
        self._array = grown


class Mark(NamedTuple):
    """How many rows, entries and terms there were."""

    rows: int
    entries: int
    terms: int


class Terms:
    """An entry is one term of one row; the entries of a row stand together, the rows in order."""

    __slots__ = ("_by_term", "_counts", "_ends", "_frequencies", "_numbers", "_rows", "_vocabulary")

    def __init__(self) -> None:
        self._vocabulary: dict[str, int] = {}
        self._frequencies = Column(np.int32)  # by term number: the ACTIVE rows that have it
        self._ends = Column(np.int64)  # by row: where its entries end
        self._rows = Column(np.int32)  # by entry, as the next two
        self._numbers = Column(np.int32)
        self._counts = Column(np.int32)
        self._by_term: _ByTerm | None = None

    @property
    def nbytes(self) -> int:
        """About what it takes in memory."""
        columns = (self._frequencies, self._ends, self._rows, self._numbers, self._counts)
        sorted_too = 16 * self._numbers.size if self._numbers.size > _UNSORTED else 0
        return sum(column.nbytes for column in columns) + 100 * len(self._vocabulary) + sorted_too

    def mark(self) -> Mark:
        return Mark(self._ends.size, self._numbers.size, len(self._vocabulary))

    def add(self, features: Sequence[Features]) -> None:
        """Appends a row for each, ACTIVE."""
        vocabulary = self._vocabulary
        numbers: list[int] = []
        for each in features:
            for term in each.terms:
                if term not in vocabulary:
                    number = len(vocabulary)
                    # Words are one string for all partitions; numbers and ids are seldom met twice.
                    vocabulary[sys.intern(term) if term.isalpha() else term] = (
                        _SHARED[number] if number < len(_SHARED) else number
                    )
            numbers += map(vocabulary.__getitem__, each.terms)
        first = self._ends.size
        entries = np.array(numbers, dtype=np.int32)
        new = len(vocabulary) - self._frequencies.size
        if new:
            self._frequencies.extend(np.zeros(new, dtype=np.int32))
        if len(features) == 1:
            self._ends.append(self._numbers.size + len(numbers))
            self._rows.extend(np.full(len(numbers), first, dtype=np.int32))
            self._counts.extend(features[0].counts)
            self._frequencies.values[entries] += 1  # the terms of a row are each there once
        else:
            lengths = np.array([len(each.terms) for each in features], dtype=np.int64)
            self._ends.extend(np.cumsum(lengths) + self._numbers.size)
            self._rows.extend(np.repeat(np.arange(first, first + len(features), dtype=np.int32), lengths))
            self._counts.extend([count for each in features for count in each.counts])
            np.add.at(self._frequencies.values, entries, 1)
        self._numbers.extend(entries)

    def end(self, row: int) -> None:
        """The row is no longer ACTIVE."""
        self._frequencies.values[self.of_row(row)] -= 1

    def of_row(self, row: int) -> Numbers:
        """The numbers of a row's terms, each once."""
        ends = self._ends.values
        return self._numbers.values[(ends[row - 1] if row else 0) : ends[row]]

    def frequencies(self, terms: int) -> Numbers:
        """By term number: in how many rows each of the first terms is that are ACTIVE now. A copy."""
        return self._frequencies.values[:terms].copy()

    def numbers(self, terms: Iterable[str], mark: Mark) -> list[int]:
        """The number of each term; `mark.terms` for a term that was not there."""
        known, most = self._vocabulary.get, mark.terms
        numbers = [known(term, most) for term in terms]
        return numbers if most == len(self._vocabulary) else [min(number, most) for number in numbers]

    def common(self, mark: Mark, other: Terms, its_mark: Mark) -> tuple[list[int], list[int]]:
        """The numbers here and there of the terms that both had. The time is that of this vocabulary's size."""
        theirs = other.numbers(islice(self._vocabulary, mark.terms), its_mark)
        pairs = [(ours, number) for ours, number in enumerate(theirs) if number < its_mark.terms]
        return [ours for ours, _ in pairs], [number for _, number in pairs]

    def squares(self, mark: Mark, weights: Floats) -> Floats:
        """By row: the sum of (count x weight)² over its terms; weights are by term number."""
        values = weights[self._numbers.values[: mark.entries]] * self._counts.values[: mark.entries]
        return _sums(self._rows.values[: mark.entries], values * values, mark.rows)

    def products(self, mark: Mark, numbers: Ints, values: Floats) -> Floats:
        """By row: the sum of count x value over those of its terms that are named, in the order of code points.

        `numbers` are in the order of the terms' code points; a number of `mark.terms` or more names none.
        """
        if not self._sorted(mark):
            return self._unsorted(mark, 0, numbers, values)
        assert self._by_term is not None
        sums = self._by_term.products(numbers.tolist(), values, mark.rows)
        start = self._by_term.entries
        return sums + self._unsorted(mark, start, numbers, values) if start < mark.entries else sums

    def _unsorted(self, mark: Mark, start: int, numbers: Ints, values: Floats) -> Floats:
        """As `products`, from the entry `start` on."""
        dense = np.zeros(mark.terms + 1)
        dense[numbers] = values
        entries = slice(start, mark.entries)
        found = dense[self._numbers.values[entries]] * self._counts.values[entries]
        return _sums(self._rows.values[entries], found, mark.rows)

    def _sorted(self, mark: Mark) -> bool:
        """Sorts the entries by term when many are not: seldom enough that adding a row stays cheap."""
        done = 0 if self._by_term is None else self._by_term.entries
        if mark.entries - done > max(_UNSORTED, done // 4):
            self._by_term = _ByTerm(self._rows.values, self._numbers.values, self._counts.values)
        return self._by_term is not None


def _sums(rows: NDArray[np.signedinteger], values: Floats, least: int) -> Floats:
    """By row: the sum of its values, added one after the other; for at least so many rows."""
    return np.bincount(rows, values, minlength=least).astype(np.float64, copy=False)


class _ByTerm:
    """The first entries once more, term by term: a query reads those of its own terms only."""

    __slots__ = ("_counts", "_rows", "_starts", "entries")

    def __init__(self, rows: Numbers, numbers: Numbers, counts: Numbers) -> None:
        order = np.argsort(numbers, kind="stable")
        self.entries = len(numbers)
        self._rows = rows[order].astype(np.int64)
        self._counts = counts[order].astype(np.float64)
        self._starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(numbers))))

    def products(self, numbers: Sequence[int], values: Floats, rows: int) -> Floats:
        last = len(self._starts) - 1
        named = [(number, value) for number, value in zip(numbers, values.tolist(), strict=True) if number < last]
        spans = [slice(self._starts[number], self._starts[number + 1]) for number, _ in named]
        if not spans:
            return np.zeros(rows)
        owners = np.concatenate([self._rows[span] for span in spans])
        found = np.concatenate([self._counts[span] * value for span, (_, value) in zip(spans, named, strict=True)])
        return _sums(owners, found, rows)[:rows]
