"""The store: one SQLite database, its lock and its transactions. Rows are read and written elsewhere.

One process has a store open at a time: SQLite's exclusive locking mode holds the file's lock until the store is
closed or the process is gone, however it goes (docs/decisions/durability.md).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from .memory import Memory, check_kept, savepoint
from .migrations import MIGRATIONS, VERSION, check, migrate, run, schema
from .trouble import NAME_ANOTHER, RESTORE, Connection, StoreError, connect, opening
from .values import EngineError

APPLICATION_ID = 0x53545231
NEEDED_SQLITE = (3, 37, 0)  # STRICT tables
DIED = "its process ended before the turn did"


class Store:
    """An open store. `sql` is its connection, in autocommit mode but within `transaction`.

    `outlives`: it is a file, which outlives its process; there a durable transaction waits for the disk. `waiting` is
    what a store in memory has yet to write: it is there for whoever opens that memory next.
    """

    def __init__(
        self, sql: sqlite3.Connection, *, outlives: bool, release: Callable[[], None], waiting: list[Any]
    ) -> None:
        self._sql: sqlite3.Connection | None = sql
        self._release = release
        self.outlives = outlives
        self.waiting = waiting

    @property
    def sql(self) -> sqlite3.Connection:
        """Raises EngineError once it is closed, and StoreError where a store in memory is lost: it is empty then."""
        if self._sql is None:
            raise EngineError("invalid_value", "the engine is closed", "Open it again.")
        if not self.outlives:
            check_kept(self._sql)
        return self._sql

    @classmethod
    def open(
        cls,
        place: str | Path | Memory | None,
        *,
        version: int = VERSION,
        migrations: Mapping[int, str] = MIGRATIONS,
    ) -> Store:
        """Open or create the store in a file, in `Memory`, or in memory of its own. Raises StoreError.

        A file of an older version is migrated first, as `migrations` say. A file that is not a store, or one of a
        version that cannot be read, is left as it is. Turns of a file that were open when a process died are marked as
        crashed (TXN-2).
        """
        if sqlite3.sqlite_version_info < NEEDED_SQLITE:
            raise StoreError(
                "store_unreadable",
                f"SQLite {sqlite3.sqlite_version} is too old",
                "Run a Python that has SQLite 3.37 or newer.",
            )
        if place is None:
            own = Memory()
            return cls(own.take(), outlives=False, release=own.end, waiting=own.waiting)
        if isinstance(place, Memory):
            return cls(place.take(), outlives=False, release=place.give_back, waiting=place.waiting)
        sql = _open_file(place, version, migrations)
        return cls(sql, outlives=True, release=sql.close, waiting=[])

    def transaction(self, *, durable: bool) -> AbstractContextManager[sqlite3.Connection]:
        """One transaction: all of it, or nothing. `durable` waits until the disk has it (TXN-1)."""
        return _transaction(self.sql, durable=durable) if self.outlives else savepoint(self.sql)

    def close(self) -> None:
        """Close it and let go of the lock. Closing again does nothing."""
        if self._sql is not None:
            self._sql = None
            self._release()


@contextmanager
def _transaction(sql: sqlite3.Connection, *, durable: bool) -> Iterator[sqlite3.Connection]:
    if durable:
        sql.execute("PRAGMA synchronous = FULL")
    try:
        sql.execute("BEGIN IMMEDIATE")
        yield sql
        sql.execute("COMMIT")
    except BaseException:
        if sql.in_transaction:  # some failures have rolled back already
            sql.execute("ROLLBACK")
        raise
    finally:
        if durable:
            sql.execute("PRAGMA synchronous = NORMAL")


def _open_file(path: str | Path, version: int, migrations: Mapping[int, str]) -> Connection:
    name = str(path)
    # An absolute path is a file whatever its name: SQLite has meanings of its own for "" and ":memory:".
    place = Path(path).absolute()
    try:
        left = _look(place, name, version, migrations)
        sql = connect(str(place))
    except sqlite3.Error as error:
        raise opening(name, error) from error
    except (OSError, ValueError) as error:  # a folder that is closed to us; a name that no file can have
        raise StoreError("store_unreadable", f"{name} cannot be opened: {error}", NAME_ANOTHER) from error
    try:
        sql.execute("PRAGMA locking_mode = EXCLUSIVE")
        found = _check(sql, name, version, migrations)
        if not left:
            _measure(sql, place, name, found)
        sql.execute("PRAGMA synchronous = FULL")
        _prepare(sql, name, found, version, migrations)
        sql.execute("PRAGMA synchronous = NORMAL")
        if left:  # the lock is ours: nobody else uses what the look has made
            _beside(place, "shm").unlink(missing_ok=True)
    except sqlite3.Error as error:
        sql.close()
        raise opening(name, error) from error
    except BaseException:
        sql.close()
        raise
    sql.told = True
    return sql


def _look(place: Path, name: str, version: int, migrations: Mapping[int, str]) -> bool:
    """Look at what a process that was killed left, before anything may change it. Returns whether there is some.

    Closing a connection that may write folds the log into the file: a store that is refused must not come to that.
    """
    if place.exists() and not place.is_file():
        raise StoreError("store_unreadable", f"{name} is not a file", NAME_ANOTHER)
    log = _beside(place, "wal")
    if not log.exists() or not log.stat().st_size:
        return False
    if not place.exists() or not place.stat().st_size:  # SQLite would begin anew, and drop the log
        raise StoreError(
            "store_damaged",
            f"{name} is not there or empty, but the log that belongs to it is: {log.name}",
            "Bring back the file that was there, or name another.",
        )
    with closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=0.0)) as sql:
        _check(sql, name, version, migrations)
    return True


def _beside(place: Path, what: str) -> Path:
    return place.with_name(f"{place.name}-{what}")


def _check(sql: sqlite3.Connection, name: str, version: int, migrations: Mapping[int, str]) -> int | None:
    """The version of the store, None where there is nothing yet. Raises StoreError for what is not to be touched:
    another program's database, or a version that cannot be read (beads#4985).
    """
    (application,) = sql.execute("PRAGMA application_id").fetchone()
    (found,) = sql.execute("PRAGMA user_version").fetchone()
    (tables,) = sql.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if not (application or found or tables):
        return None
    if application != APPLICATION_ID:
        raise StoreError("not_a_store", f"{name} is another program's database", NAME_ANOTHER)
    if not tables:
        raise StoreError("store_damaged", f"{name} is damaged: it has lost its tables", RESTORE)
    check(name, found, version, migrations)
    return int(found)


def _measure(sql: sqlite3.Connection, place: Path, name: str, found: int | None) -> None:
    """A file that ends within a page was cut off. SQLite would take the rest for zeros.

    Only where no log is left: a process may be killed while it folds one in.
    """
    (page,) = sql.execute("PRAGMA page_size").fetchone()
    if place.stat().st_size % page:
        if found is None:
            raise StoreError("not_a_store", f"{name} is too short for a store", NAME_ANOTHER)
        raise StoreError("store_damaged", f"{name} is damaged: its end is missing", RESTORE)


def _prepare(
    sql: sqlite3.Connection, name: str, found: int | None, version: int, migrations: Mapping[int, str]
) -> None:
    """Make or migrate the store, in one transaction: it is whole, or as it was."""
    sql.execute("PRAGMA journal_mode = WAL")
    sql.execute("PRAGMA foreign_keys = OFF")
    sql.execute("BEGIN IMMEDIATE")
    if found is None:
        run(sql, schema())
    else:
        migrate(sql, name, found, version, migrations)
    sql.execute("UPDATE execution SET outcome = 'crashed', reason = ? WHERE outcome = 'open'", (DIED,))
    sql.execute("COMMIT")
    sql.execute("PRAGMA foreign_keys = ON")
