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
from .partition import Partition, Snapshot
from .ranking import ONE, Floats, Ints, best, least, recency, score
from .scoring import Part, admitted, keywords, make_parts, meaning
from .values import EngineError, Filters, Hit, Record

Mode: TypeAlias = Literal["hybrid", "lexical", "vector"]

# Columns of a table of candidates: one row of the array each; times and ordinals are whole numbers below 2**53.
_SCORE, _MEANING, _KEYWORDS, _RECENCY, _AT, _ORDINAL, _ROW = range(7)


class View:
    """A fixed set of snapshots with the turn's own uncommitted writes and endings over it."""

    def __init__(self, snapshots: Iterable[Snapshot]) -> None:
        self._snapshots = tuple(snapshots)
        self._own: Partition | None = None
        self._endings: dict[str, Record | None] = {}  # what became of a record in this view; None: it is gone
        self._state: list[Part] | None = None

    def write(self, record: Record) -> None:
        """Adds a record that the turn has written in a scope that it may read (WRT-5)."""
        if self._own is None:
            self._own = Partition(None, self._snapshots[0].partition.embedder)
        if self._find(record.id) is not None:
            raise ValueError(f"record {record.id!r} is here already")
        self._own.add([record])
        self._state = None

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
        return iter(sorted((record for record in records if record.id not in self._endings), key=_newest_first))

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
        nothing_asked = blank(query)
        if nothing_asked and (filters is None or filters.empty):
            raise EngineError("blank_query", "the query is blank", "give a query, a filter, or both")
        parts = self._parts()
        rows = [admitted(part, filters) for part in parts]
        if nothing_asked:
            tables = [_table(part, candidates) for part, candidates in zip(parts, rows, strict=True)]
        else:
            nothing = [np.zeros(len(candidates)) for candidates in rows]
            found = zip(
                parts,
                rows,
                meaning(parts, query, rows) if mode != "lexical" else nothing,
                keywords(parts, query, rows) if mode != "vector" else nothing,
                strict=True,
            )
            enough = least(min_score)
            tables = [_ranked(*each, enough=enough, now=now) for each in found]
        return _hits(parts, tables, limit)

    def _find(self, record_id: str) -> Record | None:
        found = (snapshot.get(record_id) for snapshot in self._all())
        return next((record for record in found if record is not None), None)

    def _end(self, record_id: str, ending: Record | None) -> None:
        self._endings[record_id] = ending
        self._state = None

    def _all(self) -> Sequence[Snapshot]:
        return self._snapshots if self._own is None else (*self._snapshots, self._own.snapshot())

    def _parts(self) -> list[Part]:
        if self._state is None:
            self._state = make_parts(self._all(), self._endings)
        return self._state


def _ranked(part: Part, rows: Ints, meaning: Floats, keywords: Floats, *, enough: int, now: int) -> Floats:
    """The hits among the candidates (SCH-2): recency alone never makes one."""
    hits = (keywords > 0.0) | (meaning >= enough)
    rows, meaning, keywords = rows[hits], meaning[hits], keywords[hits]
    partition = part.snapshot.partition
    recent = recency(partition.half_lives.values[rows], partition.decays.values[rows], now)
    table = _table(part, rows)
    table[_SCORE : _RECENCY + 1] = score(meaning, keywords, recent), meaning, keywords, recent
    return table


def _table(part: Part, rows: Ints) -> Floats:
    """Candidates that are not scored."""
    partition = part.snapshot.partition
    table = np.zeros((7, len(rows)))
    table[_AT] = partition.at.values[rows]
    table[_ORDINAL] = partition.ordinals.values[rows]
    table[_ROW] = rows
    return table


def _hits(parts: list[Part], tables: list[Floats], limit: int) -> list[Hit]:
    """The first `limit` of all, in the order of SCH-7."""
    if not tables:
        return []
    table = np.concatenate(tables, axis=1)
    owners = np.repeat(np.arange(len(parts)), [one.shape[1] for one in tables])
    places = best(limit, table[_SCORE], table[_AT], table[_ORDINAL])
    columns = (table[: _RECENCY + 1, places] / ONE).T.tolist()
    found = []
    for place, row, fractions in zip(places, table[_ROW, places].astype(int).tolist(), columns, strict=True):
        record = parts[owners[place]].snapshot.partition.records[row]
        found.append(Hit(record, *fractions))
    found.sort(key=lambda hit: (-hit.score, *_newest_first(hit.record)))
    return found[:limit]


def _newest_first(record: Record) -> tuple[int, int, str]:
    return -record.at, -record.ordinal, record.id
