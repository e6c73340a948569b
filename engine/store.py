"""The store: one SQLite database, its lock and its transactions. Rows are read and written elsewhere.

One process has a store open at a time: SQLite's exclusive locking mode holds the file's lock until the store is
closed or the process is gone, however it goes (docs/decisions/durability.md).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from .values import EngineError

APPLICATION_ID = 0x53545231
VERSION = 1
NEEDED_SQLITE = (3, 37, 0)  # STRICT tables
DIED = "its process ended before the turn did"


class StoreError(Exception):
    """The store cannot be opened or written: a stable code, a message for people, and what to do.

    Codes: `store_locked`, `not_a_store`, `store_newer`, `store_unreadable`, `store_failed`.
    """

    def __init__(self, code: str, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.remedy = remedy


class Store:
    """An open store. `sql` is its connection, in autocommit mode but within `transaction`."""

    def __init__(self, sql: sqlite3.Connection) -> None:
        self._sql: sqlite3.Connection | None = sql

    @property
    def sql(self) -> sqlite3.Connection:
        if self._sql is None:
            raise EngineError("invalid_value", "the engine is closed", "Open it again.")
        return self._sql

    @classmethod
    def open(cls, path: str | Path | None) -> Store:
        """Open or create the store at `path`, or one in memory. Raises StoreError.

        A file that is not a store, or is of a later version, is left as it is. Turns that were open when a process
        died are marked as crashed (TXN-2).
        """
        if sqlite3.sqlite_version_info < NEEDED_SQLITE:
            raise StoreError("store_unreadable", f"SQLite {sqlite3.sqlite_version} is too old; 3.37 or newer is needed")
        name = ":memory:" if path is None else str(path)
        # An absolute path is a file whatever its name: SQLite has meanings of its own for "" and ":memory:".
        place = name if path is None else str(Path(path).absolute())
        try:
            sql = sqlite3.connect(place, isolation_level=None, timeout=0.0, cached_statements=256)
        except (sqlite3.Error, ValueError) as error:  # ValueError: no file can have such a name
            raise StoreError("store_unreadable", f"{name} cannot be opened: {error}") from error
        try:
            _prepare(sql, name)
        except sqlite3.Error as error:
            sql.close()
            raise _opening(name, error) from error
        except StoreError:
            sql.close()
            raise
        return cls(sql)

    @contextmanager
    def transaction(self, *, durable: bool) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it, or nothing. `durable` waits until the disk has it (TXN-1)."""
        sql = self.sql
        if durable:
            sql.execute("PRAGMA synchronous = FULL")
        try:
            sql.execute("BEGIN IMMEDIATE")
            try:
                yield sql
                sql.execute("COMMIT")
            except BaseException:
                if sql.in_transaction:  # some failures have rolled back already
                    sql.execute("ROLLBACK")
                raise
        except sqlite3.OperationalError as error:
            raise StoreError("store_failed", f"the store could not be written: {error}") from error
        finally:
            if durable:
                sql.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        """Close it and let go of the lock. Closing again does nothing."""
        if self._sql is not None:
            self._sql.close()
            self._sql = None


def _prepare(sql: sqlite3.Connection, name: str) -> None:
    """Look before touching: another program's database, or a later version's, is never written to (beads#4985)."""
    sql.execute("PRAGMA locking_mode = EXCLUSIVE")
    (application,) = sql.execute("PRAGMA application_id").fetchone()
    (version,) = sql.execute("PRAGMA user_version").fetchone()
    (tables,) = sql.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION_ID and (application or version or tables):
        raise StoreError("not_a_store", f"{name} is another program's database", "Name another file.")
    if version > VERSION:
        raise StoreError(
            "store_newer",
            f"{name} is a store of version {version}; this seatrial knows version {VERSION}",
            "Open it with the seatrial that wrote it, or a newer one.",
        )
    sql.execute("PRAGMA journal_mode = WAL")
    sql.execute("PRAGMA synchronous = NORMAL")
    sql.execute("PRAGMA foreign_keys = ON")
    sql.execute("BEGIN IMMEDIATE")
    if not tables:
        _create(sql)
    sql.execute("UPDATE execution SET outcome = 'crashed', reason = ? WHERE outcome = 'open'", (DIED,))
    sql.execute("COMMIT")


def _create(sql: sqlite3.Connection) -> None:
    """Run schema.sql within the transaction that is open: a store is whole or not there."""
    statement = ""
    script = resources.files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            sql.execute(statement)
            statement = ""


def _opening(name: str, error: sqlite3.Error) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(
            "store_locked",
            f"{name} is open in another process",
            "Close it there first; only one process writes a store at a time.",
        )
    if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return StoreError("not_a_store", f"{name} is not a store: {error}", "Name another file.")
    return StoreError("store_unreadable", f"{name} cannot be opened: {error}")
