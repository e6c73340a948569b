"""The parts of a score, for the candidates of one state of a view (SCH-2 to SCH-6), in billionths (see ranking.py).

A `Part` is a snapshot with the statistics of the whole view. Everything here is arithmetic over rows; it knows
nothing of how a view comes about or of what happens to the hits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import fsum, sqrt

import numpy as np

from .analyze import count_terms
from .features import read_query
from .index import Facet
from .partition import Mask, Snapshot
from .ranking import ONE, Floats, Ints, Logarithms
from .terms import Numbers
from .values import Filters

_LOGARITHMS = Logarithms()


@dataclass(frozen=True, slots=True)
class Part:
    """One snapshot within one state of a view.

    `rows` are those ACTIVE in the view, in order. `weights` are the idf within the view by term number, 0 for a term
    of no ACTIVE record, and one more 0 for an unknown term. `norms` of the TF-IDF vectors are by row.
    """

    snapshot: Snapshot
    rows: Ints
    weights: Floats
    norms: Floats


def make_parts(snapshots: Sequence[Snapshot], endings: Collection[str]) -> list[Part]:
    """The parts of a view that hold anything, without the records whose ids are in `endings`.

    Views of one snapshot and no endings share its statistics: they depend on nothing else.
    """
    held = [snapshot for snapshot in snapshots if snapshot.mark.rows]
    if len(held) != 1 or endings:
        return _weighed([_without(snapshot, endings) for snapshot in held])
    snapshot = held[0]
    if snapshot.alone is None:
        part = _weighed([_Counted(snapshot, snapshot.active(), snapshot.frequencies())])[0]
        snapshot.alone = part.rows, part.weights, part.norms
    return [Part(snapshot, *snapshot.alone)]


@dataclass(slots=True)
class _Counted:
    """A snapshot without what ended in the view; `frequencies` are its own, by term number."""

    snapshot: Snapshot
    active: Mask
    frequencies: Numbers


def _without(snapshot: Snapshot, endings: Collection[str]) -> _Counted:
    rows = [row for row in map(snapshot.row, endings) if row is not None]
    counted = _Counted(snapshot, snapshot.active(), snapshot.frequencies())
    if rows:
        counted.active = counted.active.copy()
        counted.active[rows] = False
        counted.frequencies = counted.frequencies.copy()
        for row in rows:
            counted.frequencies[snapshot.index.terms.of_row(row)] -= 1
    return counted


def _weighed(held: list[_Counted]) -> list[Part]:
    """The view's document frequencies are sums over its snapshots (SCH-4): smoothed idf and norms from them."""
    totals = [counted.frequencies.copy() for counted in held]
    by_size = sorted(range(len(held)), key=lambda i: held[i].snapshot.mark.terms)
    for small, large in combinations(by_size, 2):
        of_small, of_large = held[small].snapshot, held[large].snapshot
        ours, theirs = of_small.index.terms.common(of_small.mark, of_large.index.terms, of_large.mark)
        totals[small][ours] += held[large].frequencies[theirs]
        totals[large][theirs] += held[small].frequencies[ours]
    documents = sum(int(np.count_nonzero(counted.active)) for counted in held)
    logarithms = _LOGARITHMS.upto(documents + 1)
    parts = []
    for counted, total in zip(held, totals, strict=True):
        weights = np.zeros(len(total) + 1)
        np.subtract(1.0 + logarithms[documents + 1], logarithms[total + 1], out=weights[:-1], where=total > 0)
        snapshot = counted.snapshot
        norms = np.sqrt(snapshot.index.terms.squares(snapshot.mark, weights))
        norms[norms == 0.0] = 1.0  # no terms: its products are 0 whatever divides them
        parts.append(Part(snapshot, counted.active.nonzero()[0], weights, norms))
    return parts


def admitted(part: Part, filters: Filters | None) -> Ints:
    """The ACTIVE rows that pass the filters, in order (SCH-1): alternatives within one filter, all filters at once."""
    if filters is None or filters.empty:
        return part.rows
    snapshot = part.snapshot
    passed = _mask(snapshot, part.rows)
    if filters.kinds is not None:
        passed &= _with_any(snapshot, filters.kinds)
    for number, values in filters.labels or ():
        passed &= _with_any(snapshot, [(number, type(value).__name__, value) for value in values])
    if filters.ids is not None:
        passed &= _mask(snapshot, [row for row in map(snapshot.row, filters.ids) if row is not None])
    rows = passed.nonzero()[0]
    if filters.scope is None:
        return rows
    records = snapshot.index.records
    return rows[np.array([records[row].scope == filters.scope for row in rows.tolist()], dtype=np.bool_)]


def _with_any(snapshot: Snapshot, facets: Sequence[Facet]) -> Mask:
    rows = [row for facet in facets for row in snapshot.index.facet(facet)]
    return _mask(snapshot, [row for row in rows if row < snapshot.mark.rows])


def _mask(snapshot: Snapshot, rows: Ints | list[int]) -> Mask:
    mask = np.zeros(snapshot.mark.rows, dtype=np.bool_)
    mask[rows] = True
    return mask


def nothing(candidates: Sequence[Ints]) -> list[Floats]:
    """For each part, by candidate: 0."""
    return [np.zeros(len(rows)) for rows in candidates]


def keywords(parts: Sequence[Part], query: str, candidates: Sequence[Ints]) -> list[Floats]:
    """For each part, by candidate: TF-IDF cosine with the query (SCH-4).

    As TfidfVectorizer does it: terms that no ACTIVE record of the view has are no part of the query's norm.
    """
    terms, counts = _asked(query)
    numbers: list[Ints] = []
    weights = np.zeros(len(terms))
    for part in parts:
        numbers_here = np.array(part.snapshot.index.terms.numbers(terms, part.snapshot.mark), dtype=np.int64)
        np.maximum(weights, part.weights[numbers_here], out=weights)
        numbers.append(numbers_here)
    values = weights * counts
    norm = sqrt(fsum((values * values).tolist()))
    if norm == 0.0:
        return nothing(candidates)
    values *= weights
    found = []
    for part, numbers_here, rows in zip(parts, numbers, candidates, strict=True):
        products = part.snapshot.index.terms.products(part.snapshot.mark, numbers_here, values)
        found.append(np.rint(products[rows] / (part.norms[rows] * norm) * ONE))
    return found


@lru_cache(maxsize=1024)
def _asked(query: str) -> tuple[tuple[str, ...], Floats]:
    """The terms of a query, and how often each occurs: not to be changed."""
    counted = count_terms(query)
    return tuple(term for term, _ in counted), np.array([count for _, count in counted], dtype=np.float64)


def meaning(parts: Sequence[Part], query: str, candidates: Sequence[Ints]) -> list[Floats]:
    """For each part, by candidate: max(0, cosine) of the embeddings (SCH-2, SCH-5).

    The index gives inner products, whole numbers without a rounding; the norms divide here.
    """
    if not parts:
        return []
    vector, square = read_query(query, parts[0].snapshot.index.embedder)
    if square == 0.0:
        return nothing(candidates)
    found = []
    for part, rows in zip(parts, candidates, strict=True):
        index = part.snapshot.index
        products = index.vectors.products(vector, part.snapshot.mark.rows)[rows]
        squares = np.maximum(index.squares.values[rows], 1.0)  # no meaning: its products are 0 whatever divides them
        found.append(np.rint(np.maximum(products, 0.0) / np.sqrt(squares * square) * ONE))
    return found
