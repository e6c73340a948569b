"""What a turn has written and not yet committed: its overlay on the view, and what a commit has to do (WRT-5, TXN-1).

Must not know tools, the store or the config: who may write what is decided before it comes here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .features import Features
from .values import Record, Scope
from .view import View


class Writes:
    """The uncommitted writes of one turn. Each change shows in the view at once, where the turn reads that scope."""

    def __init__(
        self, view: View, reads: tuple[Scope, ...], read: Callable[[Sequence[Record]], dict[str, Features]]
    ) -> None:
        self._view = view
        self._reads = reads
        self._read = read  # what search reads of records: worked out once, for the view, the store and later views
        self.records: dict[str, Record] = {}  # in the order written, as first written
        self.features: dict[str, Features] = {}  # of `records`, but for markers, which nobody searches
        self.ended: dict[str, Record] = {}  # those that it really ended, in order, as they are since
        self.targets: dict[str, None] = {}  # committed records that are named, and must be ACTIVE at the commit (TXN-3)
        self._ordinals: dict[Scope, int] = {}

    def ordinal(self, scope: Scope) -> int:
        """How many records the turn has written to `scope`, which no write to another scope moves (REC-2)."""
        return self._ordinals.get(scope, 0)

    def add(self, record: Record, replaced: tuple[Record, ...]) -> None:
        """Write `record`, which takes the place of `replaced`."""
        self._write(record)
        self.features |= self._read([record])
        if record.scope in self._reads:  # VIEW-5: what a turn cannot read, it does not read from itself either
            self._view.write(record, self.features[record.id])
        for target in replaced:
            if target.id in record.would_replace:
                self._name(target, record.id)
            else:
                gone = replace(target, status="SUPERSEDED", successor=record.id)
                self._end(gone)
                self._view.replace(gone)

    def delete(self, target: Record) -> None:
        """Delete a record of the turn's own plane."""
        self._end(replace(target, status="DELETED"))
        self._view.hide(target.id)

    def mark(self, marker: Record, target: Record) -> None:
        """Hide a live record from previews; `marker`, which names it, is for operators only (PRE-2)."""
        self._write(marker)
        self._name(target, None)

    def withdraw(self, record: str) -> None:
        """Take back a record that nothing of the turn has ended or replaced since (TXN-3)."""
        assert record not in self.ended, "what the turn ended is named by what ended it"
        del self.records[record]
        del self.features[record]
        self._view.forget(record)

    def _name(self, target: Record, successor: str | None) -> None:
        """PRE-2: hidden from this preview at once, and not changed."""
        self.targets[target.id] = None
        self._view.hide(target.id, successor)

    def _write(self, record: Record) -> None:
        assert record.id not in self.records, "REC-2: ids differ by ordinal"
        self.records[record.id] = record
        self._ordinals[record.scope] = record.ordinal + 1

    def _end(self, gone: Record) -> None:
        self.ended[gone.id] = gone
        if gone.id not in self.records:
            self.targets[gone.id] = None
