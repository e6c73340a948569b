"""Which partitions a turn sees. This is the isolation: VIEW-1 to VIEW-4 and VIEW-7 stand in `visible` alone.

A turn reads through the View that `open_view` makes and through nothing else, so what `visible` does not list does
not exist for it: no record, no count, no score. Must not know tools, or what a turn does with its view.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from .embed import Embedder
from .features import Features, features_made_by, read_features
from .history import partition_events
from .partition import Partition
from .rows import partition_records, partition_would_end
from .store import Store
from .values import PartitionKey, Plane, Record, Scope
from .view import View

_NO_FEATURES: Mapping[str, Features] = MappingProxyType({})
_MOST_ARRIVING = 64  # records that wait to be indexed
LOADED_BYTES = 192 * 1024 * 1024  # kept indexed in memory: 100,000 records of a sentence, in 0.25 GB for the process


def planes_seen(plane: Plane) -> tuple[Plane, ...]:
    """A live turn sees the live plane; a preview turn sees live and preview (VIEW-4)."""
    return ("live",) if plane == "live" else ("live", "preview")


def visible(agent: str, session: str | None, plane: Plane, reads: tuple[Scope, ...]) -> tuple[PartitionKey, ...]:
    """The partitions that a turn may read, and no other.

    They are all of `agent` (VIEW-1). Of sessions it is `session` alone, by its whole name (VIEW-2); a sessionless
    turn has none (VIEW-7). A scope is there only if the turn's version reads it (VIEW-3), a plane only as
    `planes_seen` says (VIEW-4).
    """
    keys = []
    for seen in planes_seen(plane):
        if "agent" in reads:
            keys.append(PartitionKey(agent, seen, "agent", None))
        if "session" in reads and session is not None:
            keys.append(PartitionKey(agent, seen, "session", session))
    return tuple(keys)


def visible_history(agent: str, session: str, plane: Plane) -> tuple[PartitionKey, ...]:
    """The partitions of history that a turn may search: of its own session, in the planes it sees (VIEW-2, VIEW-4).

    No version's scopes bear on it: it is the session's own past.
    """
    return tuple(PartitionKey(agent, seen, "history", session) for seen in planes_seen(plane))


@dataclass(slots=True)
class _Loaded:
    partition: Partition
    would_end: dict[str, str | None]  # live records that this preview partition hides, with their preview successor
    size: int = 0  # bytes, about, when last looked at
    arriving: list[tuple[Record, Features]] = field(default_factory=list)  # indexed when it is read next
    waiting: int = 0  # bytes, about, of what is arriving

    def arrive(self, record: Record, features: Features) -> None:
        """Keep a new record until it is indexed. Until then each of its terms is a text of its own."""
        self.arriving.append((record, features))
        self.waiting += 600 + len(record.text) + len(features.vector) + 75 * len(features.terms)

    def take_in(self) -> None:
        """Index what has arrived, together: a history has an arrival with each turn, and is seldom searched."""
        if self.arriving:
            records, features = zip(*self.arriving, strict=True)
            self.partition.add(records, features)
            self.arriving.clear()
            self.waiting = 0


class Partitions:
    """The partitions in memory: loaded from the store when first needed, the least recently used dropped when there are
    too many. Dropping and loading again changes nothing that can be observed."""

    def __init__(self, store: Store, embedder: Embedder, *, limit: int = LOADED_BYTES) -> None:
        self._store = store
        self._embedder = embedder
        self.made_by = features_made_by(embedder)
        self._limit = limit
        self._loaded: OrderedDict[PartitionKey, _Loaded] = OrderedDict()
        self._size = 0

    def open_view(self, keys: tuple[PartitionKey, ...]) -> View:
        """A view of the partitions as they are now (VIEW-5).

        What previews would have replaced or deleted is hidden where their partition is in view, for good (PRE-2). A
        live view has no such partition.
        """
        loaded = [self._get(key) for key in keys]
        view = View(each.partition.snapshot() for each in loaded)
        for each in loaded:
            for record, successor in each.would_end.items():
                view.hide(record, successor)
        while self._size > self._limit and len(self._loaded) > len(keys):
            _, dropped = self._loaded.popitem(last=False)
            self._size -= dropped.size
        return view

    def features(self, records: Sequence[Record]) -> dict[str, Features]:
        """What search reads of each record, by id."""
        read = read_features([record.text for record in records], self._embedder) if records else []
        return {record.id: features for record, features in zip(records, read, strict=True)}

    def apply(
        self, written: Iterable[Record], ended: Iterable[Record], features: Mapping[str, Features] = _NO_FEATURES
    ) -> None:
        """Take in what a commit or an operator changed, where it is loaded: what was written, then what ended.

        `features` are those of what was written, by id; markers have none.
        """
        changed: dict[PartitionKey, _Loaded] = {}
        for record in written:
            key = record.partition
            loaded = self._loaded.get(key)
            if loaded is None:
                continue
            changed[key] = loaded
            for live in record.would_replace:
                loaded.would_end[live] = record.id
            if record.would_delete is None:
                loaded.arrive(record, features[record.id])
            else:
                loaded.would_end[record.would_delete] = None
        for record in ended:
            loaded = self._loaded.get(record.partition)
            if loaded is not None and record.would_delete is None:
                loaded.take_in()
                loaded.partition.replace(record)
                changed[record.partition] = loaded
        for loaded in changed.values():
            if len(loaded.arriving) >= _MOST_ARRIVING:
                loaded.take_in()
            self._measure(loaded)

    def _get(self, key: PartitionKey) -> _Loaded:
        loaded = self._loaded.get(key)
        if loaded is None:
            partition = Partition(key, self._embedder)
            stored = partition_events if key.scope == "history" else partition_records
            partition.add(*stored(self._store.sql, key, self.made_by))
            would_end = partition_would_end(self._store.sql, key) if key.plane == "preview" else {}
            loaded = self._loaded[key] = _Loaded(partition, would_end)
            self._measure(loaded)
        else:
            self._loaded.move_to_end(key)
            if loaded.arriving:
                loaded.take_in()
                self._measure(loaded)
        return loaded

    def _measure(self, loaded: _Loaded) -> None:
        size = loaded.partition.nbytes + loaded.waiting
        self._size += size - loaded.size
        loaded.size = size
