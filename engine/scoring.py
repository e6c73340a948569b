"""The three parts of a score, for the candidates of one state of a view (SCH-2 to SCH-6).

A `Part` is a snapshot with the statistics of the whole view. Everything here is arithmetic over rows; it knows
nothing of how a view comes about or of what happens to the hits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import sqrt

import faiss
import numpy as np

from .analyze import analyze
from .embed import Vectors
from .partition import Facet, Mask, Snapshot
from .ranking import ONE, Floats, Ints, Logarithms
from .values import Filters

_LOGARITHMS = Logarithms()


@dataclass(frozen=True, slots=True)
class Part:
    """One snapshot within one state of a view.

    By row: whether it is `active` in the view, and the `norms` of the TF-IDF vectors. By term number: `weights`, the
    idf within the view, and 0 for a term of no ACTIVE record.
    """

    snapshot: Snapshot
    active: Mask
    weights: Floats
    norms: Floats


@dataclass(slots=True)
class _Counted:
    """A snapshot without what ended in the view; `frequencies` are its own, by term number."""

    snapshot: Snapshot
    active: Mask
    frequencies: Ints


def make_parts(snapshots: Sequence[Snapshot], endings: Collection[str]) -> list[Part]:
    """The parts of a view that hold anything, without the records whose ids are in `endings`.

    A view of one snapshot and no endings shares its part with all such views: it depends on nothing else.
    """
    held = [snapshot for snapshot in snapshots if snapshot.rows]
    if len(held) == 1 and not endings:
        snapshot = held[0]
        if snapshot.alone is None:
            snapshot.alone = _weighed([_Counted(snapshot, snapshot.active(), snapshot.frequencies())])[0]
        part: Part = snapshot.alone
        return [part]
    return _weighed([_without(snapshot, endings) for snapshot in held])


def _without(snapshot: Snapshot, endings: Collection[str]) -> _Counted:
    rows = [row for row in map(snapshot.row, endings) if row is not None]
    counted = _Counted(snapshot, snapshot.active(), snapshot.frequencies())
    if rows:
        counted.active = counted.active.copy()
        counted.active[rows] = False
        counted.frequencies = counted.frequencies.copy()
        for row in rows:
            counted.frequencies[snapshot.partition.terms_of(row)] -= 1
    return counted


def _weighed(all_counted: list[_Counted]) -> list[Part]:
    """The view's document frequencies are sums over its snapshots (SCH-4): smoothed idf and norms from them."""
    totals = [counted.frequencies.copy() for counted in all_counted]
    by_size = sorted(range(len(all_counted)), key=lambda i: all_counted[i].snapshot.terms)
    for small, large in combinations(by_size, 2):
        ours, theirs = _common_terms(all_counted[small].snapshot, all_counted[large].snapshot)
        totals[small][ours] += all_counted[large].frequencies[theirs]
        totals[large][theirs] += all_counted[small].frequencies[ours]
    documents = sum(int(np.count_nonzero(counted.active)) for counted in all_counted)
    logarithms = _LOGARITHMS.upto(documents + 1)
    parts = []
    for counted, total in zip(all_counted, totals, strict=True):
        weights = np.where(total > 0, 1.0 + logarithms[documents + 1] - logarithms[total + 1], 0.0)
        parts.append(Part(counted.snapshot, counted.active, weights, _norms(counted.snapshot, weights)))
    return parts


def _common_terms(small: Snapshot, large: Snapshot) -> tuple[list[int], list[int]]:
    """The numbers in each of the terms that both have."""
    ours, theirs = [], []
    number_in = large.partition.vocabulary.get
    for term, ours_number in islice(small.partition.vocabulary.items(), small.terms):
        number = number_in(term)
        if number is not None and number < large.terms:
            ours.append(ours_number)
            theirs.append(number)
    return ours, theirs


def _norms(snapshot: Snapshot, weights: Floats) -> Floats:
    """By row; 1 for a row without terms, whose product with anything is 0."""
    rows, terms, counts = snapshot.entries()
    values = counts * weights[terms]
    norms = np.sqrt(np.bincount(rows, values * values, minlength=snapshot.rows))
    norms[norms == 0.0] = 1.0
    return norms


def admitted(part: Part, filters: Filters | None) -> Ints:
    """The ACTIVE rows that pass the filters, in order (SCH-1): alternatives within one filter, all filters at once."""
    if filters is None or filters.empty:
        return np.flatnonzero(part.active)
    rows = part.active.copy()
    if filters.kinds is not None:
        rows &= _with_any(part.snapshot, filters.kinds)
    for number, values in filters.labels or ():
        rows &= _with_any(part.snapshot, [(number, type(value).__name__, value) for value in values])
    if filters.ids is not None:
        rows &= _of_rows(part.snapshot, [row for row in map(part.snapshot.row, filters.ids) if row is not None])
    return np.flatnonzero(rows)


def _with_any(snapshot: Snapshot, facets: Sequence[Facet]) -> Mask:
    return _of_rows(snapshot, [row for facet in facets for row in snapshot.partition.facet(facet)])


def _of_rows(snapshot: Snapshot, rows: list[int]) -> Mask:
    mask = np.zeros(snapshot.rows, dtype=np.bool_)
    mask[[row for row in rows if row < snapshot.rows]] = True
    return mask


def keywords(parts: Sequence[Part], query: str, rows: Sequence[Ints]) -> list[Floats]:
    """For each part, by candidate: TF-IDF cosine with the query in billionths (SCH-4).

    As TfidfVectorizer does it: terms that no ACTIVE record of the view has are no part of the query's norm.
    """
    counted = sorted(Counter(analyze(query)).items())
    values = np.zeros(len(counted))
    places = []
    for part in parts:
        here = [
            (i, number)
            for i, (term, _) in enumerate(counted)
            if (number := part.snapshot.number(term)) is not None and part.weights[number] > 0.0
        ]
        places.append(here)
        for i, number in here:
            values[i] = counted[i][1] * part.weights[number]
    norm = sqrt(sum(value * value for value in values.tolist()))
    return [
        _keywords_of(part, {number: values[i] / norm for i, number in here}, candidates)
        for part, here, candidates in zip(parts, places, rows, strict=True)
    ]


def _keywords_of(part: Part, query: dict[int, float], candidates: Ints) -> Floats:
    if not query:
        return np.zeros(len(candidates))
    rows, terms, counts = part.snapshot.entries()
    values = np.zeros(part.snapshot.terms)
    numbers = list(query)
    values[numbers] = list(query.values()) * part.weights[numbers]
    products = np.bincount(rows, values[terms] * counts, minlength=part.snapshot.rows)
    return np.rint(products[candidates] / part.norms[candidates] * ONE)


def meaning(parts: Sequence[Part], query: str, rows: Sequence[Ints]) -> list[Floats]:
    """For each part, by candidate: max(0, cosine) of the embeddings in billionths (SCH-2, SCH-5)."""
    if not parts:
        return []
    vector = parts[0].snapshot.partition.embedder.embed([query])
    exact = vector[0].astype(np.float64)
    square = float(exact @ exact)
    return [_meaning_of(part, vector, square, candidates) for part, candidates in zip(parts, rows, strict=True)]


def _meaning_of(part: Part, vector: Vectors, square: float, candidates: Ints) -> Floats:
    """faiss gives the inner products of all candidates, whole numbers without a rounding; the norms divide here."""
    partition = part.snapshot.partition
    products = np.zeros(len(candidates), dtype=np.float32)
    if square and len(candidates):
        pointer = faiss.swig_ptr
        partition.vectors.compute_distance_subset(
            1, pointer(vector), len(candidates), pointer(products), pointer(candidates)
        )
    squares = np.maximum(partition.squares.values[candidates], 1.0)
    return np.rint(np.maximum(products, 0.0) / np.sqrt(squares * max(square, 1.0)) * ONE)
