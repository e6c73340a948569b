"""What one turn may see: some snapshots, and the turn's own writes (VIEW-1 to VIEW-7, WRT-5).

A view holds exactly the partitions that the turn may read and no way to another one, so there is no filter to forget.
It knows nothing of scopes, planes, turns or storage: whoever makes it picks the snapshots.

All statistics are those of the view (SCH-4): document frequencies are sums over its snapshots and its own writes, and
the norms of its records are made with them, once for each state of the view.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import numpy as np

from .analyze import blank
from .features import Features
from .partition import Partition, Snapshot
from .ranking import ONE, Floats, Ints, best, least, recency, score
from .scoring import Part, admitted, keywords, make_parts, meaning, nothing
from .values import EngineError, Filters, Hit, Record, newest_first

Mode: TypeAlias = Literal["hybrid", "lexical", "vector"]
_FEW = 8  # hits beyond the limit that are quicker to sort with the others than to take out
_Columns: TypeAlias = tuple[Floats, ...]  # score, meaning, keywords, recency, in billionths
_Found: TypeAlias = tuple[float, int, int, str, tuple[float, ...], Record]  # what orders it (SCH-7); fractions; itself


class View:
    """A fixed set of snapshots with the turn's own uncommitted writes and endings over it."""

    def __init__(self, snapshots: Iterable[Snapshot]) -> None:
        self._snapshots = tuple(snapshots)
        self._own: Partition | None = None
        self._endings: dict[str, Record | None] = {}  # what became of a record in this view; None: it is gone
        self._state: list[Part] | None = None
        self._answers: dict[tuple[str, Mode, int, float, int], list[Hit]] = {}  # of unfiltered searches of this state

    def write(self, record: Record, features: Features | None = None) -> None:
        """Adds a record that the turn has written in a scope that it may read (WRT-5), by its features if at hand."""
        if self._own is None:
            self._own = Partition(None, self._snapshots[0].index.embedder)
        if self._find(record.id) is not None:
            raise ValueError(f"record {record.id!r} is here already")
        self._own.add([record], None if features is None else [features])
        self._changed()

    def replace(self, record: Record) -> None:
        """Gives a record of the view its new value: the same id, SUPERSEDED or DELETED by this turn."""
        if record.id not in self or record.status == "ACTIVE":
            raise ValueError(f"not an ending of a record of this view: {record.id!r}")
        self._end(record.id, record if record.status == "SUPERSEDED" else None)

    def hide(self, record_id: str, successor: str | None = None) -> None:
        """Takes a live record that a preview record names out of search, listings and statistics (PRE-2).

        With a successor, the preview record that would replace it, `get` answers as for a superseded record, or with
        the live successor if there is one; without, as for a deleted record. An unknown id changes nothing.
        """
        record = self.get(record_id)
        if record is None or successor is None:
            self.forget(record_id)
        elif record.status == "ACTIVE":
            self._end(record_id, dataclasses.replace(record, status="SUPERSEDED", successor=successor))

    def forget(self, record_id: str) -> None:
        """Takes a record out for good: an operator's delete reaches open views (ADM-2). Unknown ids change nothing."""
        if self.get(record_id) is not None:
            self._end(record_id, None)

    def get(self, record_id: object) -> Record | None:
        """The record, ACTIVE or SUPERSEDED; None for a deleted, hidden, malformed or foreign id (VIEW-6)."""
        if not isinstance(record_id, str):
            return None
        return self._endings[record_id] if record_id in self._endings else self._find(record_id)

    def __contains__(self, record_id: object) -> bool:
        return self.get(record_id) is not None

    def active(self) -> Iterator[Record]:
        """The ACTIVE records, newest first (SCH-7)."""
        records = [record for snapshot in self._all() for record in snapshot.records()]
        return iter(sorted((record for record in records if record.id not in self._endings), key=newest_first))

    def pinned(self) -> list[Record]:
        """The pinned ACTIVE records (PIN-3), in no order that means anything."""
        records = [record for snapshot in self._all() for record in snapshot.pinned()]
        return [record for record in records if record.id not in self._endings]

    def saying(self, summary: str) -> list[Record]:
        """The ACTIVE records whose summary says what `summary` says, newest first (EXT-4)."""
        records = [record for snapshot in self._all() for record in snapshot.saying(summary)]
        return sorted((record for record in records if record.id not in self._endings), key=newest_first)

    def search(
        self,
        query: str,
        filters: Filters | None = None,
        *,
        mode: Mode = "hybrid",
        limit: int = 8,
        min_score: float = 0.0,
        now: int,
    ) -> list[Hit]:
        """The best hits, best first (SCH-1 to SCH-7); `now` in milliseconds.

        With a blank query the filters alone decide, newest first; nothing is scored then, so score and parts are 0.
        Raises `blank_query` if there is neither a query nor a filter, `invalid_value` for a limit below 1.
        """
        if limit < 1:
            raise EngineError("invalid_value", f"the limit is {limit}", "ask for at least 1 record")
        if filters is not None and not filters.empty:
            return self._search(query, filters, mode=mode, limit=limit, min_score=min_score, now=now)
        asked = query, mode, limit, min_score, now
        answer = self._answers.get(asked)
        if answer is None:  # a turn recalls the same again until something is said or written
            if blank(query):
                raise EngineError("blank_query", "the query is blank", "give a query, a filter, or both")
            answer = self._search(query, None, mode=mode, limit=limit, min_score=min_score, now=now)
            self._answers[asked] = answer
        return answer.copy()

    def _search(
        self, query: str, filters: Filters | None, *, mode: Mode, limit: int, min_score: float, now: int
    ) -> list[Hit]:
        parts = self._parts()
        if not parts:
            return []
        candidates = [admitted(part, filters) for part in parts]
        found: list[_Found] = []
        if blank(query):
            for part, rows in zip(parts, candidates, strict=True):
                found += _best(limit, part, rows, (np.zeros(len(rows)),) * 4)
        else:
            by_meaning = meaning(parts, query, candidates) if mode != "lexical" else nothing(candidates)
            by_keywords = keywords(parts, query, candidates) if mode != "vector" else nothing(candidates)
            enough = least(min_score)
            for part, rows, m, k in zip(parts, candidates, by_meaning, by_keywords, strict=True):
                hits = ((k > 0.0) | (m >= enough)).nonzero()[0]  # SCH-2: recency alone never makes one
                if len(hits):
                    found += _best(limit, part, rows[hits], _columns(part, rows[hits], m[hits], k[hits], now))
        found.sort()
        return [Hit(record, *fractions) for *_, fractions, record in found[:limit]]

    def _find(self, record_id: str) -> Record | None:
        found = (snapshot.get(record_id) for snapshot in self._all())
        return next((record for record in found if record is not None), None)

    def _end(self, record_id: str, ending: Record | None) -> None:
        self._endings[record_id] = ending
        self._changed()

    def _changed(self) -> None:
        self._state = None
        self._answers.clear()

    def _all(self) -> Sequence[Snapshot]:
        return self._snapshots if self._own is None else (*self._snapshots, self._own.snapshot())

    def _parts(self) -> list[Part]:
        if self._state is None:
            self._state = make_parts(self._all(), self._endings)
        return self._state


def _columns(part: Part, rows: Ints, meaning: Floats, keywords: Floats, now: int) -> _Columns:
    index = part.snapshot.index
    recent = recency(index.half_lives.values[rows], index.decays.values[rows], now)
    return score(meaning, keywords, recent), meaning, keywords, recent


def _best(limit: int, part: Part, rows: Ints, columns: _Columns) -> list[_Found]:
    """Those of the rows that can be among the first `limit` of the view."""
    index = part.snapshot.index
    if len(rows) > limit + _FEW:
        places = best(limit, columns[0], index.at.values[rows], index.ordinals.values[rows])
        rows, columns = rows[places], tuple(column[places] for column in columns)
    fractions = zip(*[(column / ONE).tolist() for column in columns], strict=True)
    found = []
    for row, parts_of_score in zip(rows.tolist(), fractions, strict=True):
        record = index.records[row]
        found.append((-parts_of_score[0], *newest_first(record), parts_of_score, record))
    return found
