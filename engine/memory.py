"""Stores in memory. Must not know what is in them.

Such a store is one transaction that is never committed, and each transaction of its own is a savepoint within it. To
roll it back empties the store: what SQLite has made of the schema and of the statements stays for the next one, and to
make that takes longer than a few turns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from threading import local
from typing import Any

from .migrations import schema
from .trouble import Connection, StoreError, connect

_MOST_PAGES = 4096  # of a store whose memory is kept for the next one: 16 MiB


class _Idle(local):
    """The empty store of a thread that none of its engines has: a connection belongs to the thread that made it."""

    sql: Connection | None = None


_IDLE = _Idle()


class Memory:
    """A place in memory for a store, for one engine at a time. What one commits there, the next one finds (TXN-4).

    It goes with its process, or when it is closed. `waiting` is what its engines have yet to write.
    """

    def __init__(self) -> None:
        self.waiting: list[Any] = []
        self._sql: Connection | None = None
        self._taken = False

    def take(self) -> Connection:
        """The store's connection. Raises StoreError while an engine has it."""
        if self._taken:
            raise StoreError("store_locked", "this memory is open in another engine", "Close it there first.")
        if self._sql is None:
            self._sql, _IDLE.sql = _IDLE.sql or _made(), None
            self._sql.execute("BEGIN IMMEDIATE")
        self._taken = True
        return self._sql

    def give_back(self) -> None:
        """The engine is closed."""
        self._taken = False

    def end(self) -> None:
        """Let go of what is kept, whatever has become of the engine: nobody uses it any more."""
        self.give_back()
        self.close()

    def close(self) -> None:
        """Let go of what is kept. Raises StoreError while an engine has it: the next store would be that one's, too."""
        if self._taken:
            raise StoreError("store_locked", "this memory is open in an engine", "Close the engine first.")
        self.waiting.clear()
        sql, self._sql = self._sql, None
        if sql is None:
            return
        (pages,) = sql.execute("PRAGMA page_count").fetchone()
        if sql.in_transaction:
            sql.execute("ROLLBACK")
            if pages <= _MOST_PAGES and _IDLE.sql is None:
                _IDLE.sql = sql
                return
        sql.close()


def check_kept(sql: sqlite3.Connection) -> None:
    """Raises StoreError for a store that is lost.

    Where memory runs out SQLite rolls back by itself, and what the store held is gone: nothing more is read or written.
    """
    if not sql.in_transaction:
        raise StoreError(
            "store_failed", "the store in memory is lost: it ran out of room", "Keep large stores in files."
        )


@contextmanager
def savepoint(sql: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A transaction within the one that the store is: all of it, or nothing."""
    sql.execute("SAVEPOINT one")
    try:
        yield sql
    except BaseException:
        if sql.in_transaction:
            sql.execute("ROLLBACK TO one")
            sql.execute("RELEASE one")
        raise
    sql.execute("RELEASE one")


def _made() -> Connection:
    sql = connect(":memory:")
    sql.deserialize(_empty())
    sql.execute("PRAGMA synchronous = OFF")
    sql.execute("PRAGMA foreign_keys = ON")
    sql.told = True
    return sql


@cache
def _empty() -> bytes:
    """An empty store, as a database: to copy it takes less time than to make its tables anew."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as sql:
        sql.executescript(schema())
        return sql.serialize()
