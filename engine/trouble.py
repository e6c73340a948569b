"""What SQLite's errors mean for whoever runs the store: a code, a message and what to do.

A connection made here raises StoreError, while rows are read too, where the file or the disk is at fault. Breaking a
constraint or wrong SQL stays what it is: our fault.
"""

from __future__ import annotations

import sqlite3
from typing import Any, NoReturn


class StoreError(Exception):
    """The store cannot be opened, read or written: a stable code, a message for people, and what to do.

    Codes: `store_locked`, `not_a_store`, `store_newer`, `store_older`, `store_damaged`, `store_unreadable`,
    `store_failed`. As text it is the message and the remedy.
    """

    def __init__(self, code: str, message: str, remedy: str) -> None:
        super().__init__(f"{message}. {remedy}")
        self.code = code
        self.message = message
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[StoreError], tuple[str, str, str]]:
        return StoreError, (self.code, self.message, self.remedy)  # from a process that works for another


NAME_ANOTHER = "Name another file."
RESTORE = "Leave the file as it is, and go on with a copy made before."
_PERMITTED = "Name a file in a folder that is there, both readable and writable for you."
_ROOM = "See that its disk has room and works, then try again: what is committed is kept."
_READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_CANTOPEN)


def opening(name: str, error: sqlite3.Error) -> StoreError:
    """Why the store `name` could not be opened."""
    primary = _primary(error)
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(
            "store_locked",
            f"{name} is open in another process",
            "Close it there first; only one process writes a store at a time.",
        )
    if primary == sqlite3.SQLITE_NOTADB:
        return StoreError("not_a_store", f"{name} is not a store: {error}", NAME_ANOTHER)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):  # the latter: a table is not there
        return StoreError("store_damaged", f"{name} is damaged: {error}", RESTORE)
    remedy = _PERMITTED if primary in _READ_ONLY else _ROOM
    return StoreError("store_unreadable", f"{name} cannot be opened: {error}", remedy)


def using(error: sqlite3.Error) -> StoreError | None:
    """What went wrong with a store that is open; None where the error is not the store's but ours."""
    if type(error) not in (sqlite3.OperationalError, sqlite3.DatabaseError):
        return None
    primary = _primary(error)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreError("store_damaged", f"the store is damaged: {error}", RESTORE)
    if primary == sqlite3.SQLITE_ERROR:
        return None
    return StoreError("store_failed", f"the store could not be read or written: {error}", _ROOM)


def _primary(error: sqlite3.Error) -> int | None:
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


class Cursor(sqlite3.Cursor):
    """A cursor that raises StoreError while rows are read. `Connection` begins its statements."""

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except sqlite3.Error as error:
            _raise(error)

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except sqlite3.Error as error:
            _raise(error)

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except sqlite3.Error as error:
            _raise(error)


class Connection(sqlite3.Connection):
    """A connection whose statements raise StoreError, once `told` is set: until then whoever opens it has the error."""

    told = False

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        try:
            return self._cursor().execute(sql, parameters)
        except sqlite3.Error as error:
            self._failed(error)

    def executemany(self, sql: str, parameters: Any) -> sqlite3.Cursor:
        try:
            return self._cursor().executemany(sql, parameters)
        except sqlite3.Error as error:
            self._failed(error)

    def _cursor(self) -> sqlite3.Cursor:
        # Only `cursor` lets go of what a connection knows of cursors that are gone: `Cursor(self)` adds to it for good.
        return self.cursor(Cursor if self.told else sqlite3.Cursor)

    def _failed(self, error: sqlite3.Error) -> NoReturn:
        if self.told:
            _raise(error)
        raise error


def _raise(error: sqlite3.Error) -> NoReturn:
    trouble = using(error)
    if trouble is None:
        raise error
    raise trouble from error


def connect(place: str) -> Connection:
    """A connection to a file or to `:memory:`, in autocommit mode."""
    return sqlite3.connect(place, isolation_level=None, timeout=0.0, cached_statements=256, factory=Connection)
