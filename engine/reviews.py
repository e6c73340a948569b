"""What lies behind a turn's review: the messages that no review has covered, and what its view does not hold (EXT).

The one place that reads it from the store. Must not know what a review does with it.
"""

from __future__ import annotations

from . import messages, rows
from .journal import Start
from .messages import Message
from .store import Store
from .values import PartitionKey, Record, Scope
from .views import planes_seen


class Reviews:
    """For one turn. While it is open no other of its session commits, so its messages are its snapshot's (VIEW-5)."""

    def __init__(self, store: Store, begun: Start, reads: tuple[Scope, ...]) -> None:
        self._store = store
        self._begun = begun
        self._reads = reads

    def messages(self) -> list[Message]:
        """The messages of the session's earlier turns of this plane that no review has covered, oldest first.

        Each plane reviews its own: what live turns said is for a live review to find (EXT-2, PRE-4).
        """
        begun = self._begun
        if begun.session is None:  # VIEW-7: nothing is carried
            return []
        return messages.unreviewed(self._store.sql, begun.agent, begun.session, begun.plane)

    def deleted(self, scope: Scope) -> list[Record]:
        """What an operator deleted in `scope`, as it is now (ADM-2, EXT-5).

        Of a scope that the version does not read, only what this session wrote: else a skip would tell it of others.
        """
        found = [record for key in self._keys(scope) for record in rows.operator_deleted(self._store.sql, key)]
        return [record for record in found if scope in self._reads or record.session == self._begun.session]

    def unread(self, scope: Scope) -> list[Record]:
        """The ACTIVE records that this session wrote to `scope`."""
        session = self._begun.session
        return [record for key in self._keys(scope) for record in rows.session_written(self._store.sql, key, session)]

    def _keys(self, scope: Scope) -> list[PartitionKey]:
        begun = self._begun
        session = begun.session if scope == "session" else None
        return [PartitionKey(begun.agent, plane, scope, session) for plane in planes_seen(begun.plane)]
