"""From an older version of the store's schema to the one of schema.sql, a step at a time.

Whoever changes schema.sql after a release raises its `user_version` and VERSION, and adds the step from the version
before. No version older than 1 was ever released: so far there is no step.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from .trouble import RESTORE, StoreError

VERSION = 1
# From this version to the next: SQL. It runs with foreign keys off, and is checked for them afterwards; whatever it
# rebuilds has its triggers and indexes to make again.
MIGRATIONS: Mapping[int, str] = MappingProxyType({})


@cache
def schema() -> str:
    """What makes an empty store."""
    return resources.files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")


def check(name: str, found: int, version: int, steps: Mapping[int, str]) -> None:
    """Raise StoreError where there is no way from version `found` to `version`. Nothing is touched."""
    if found > version:
        raise StoreError(
            "store_newer",
            f"{name} is a store of version {found}; this seatrial knows version {version}",
            "Open it with the seatrial that wrote it, or a newer one.",
        )
    if any(step not in steps for step in range(found, version)):
        raise StoreError(
            "store_older",
            f"{name} is a store of version {found}, and this seatrial has no way from there to version {version}",
            "Open it with the seatrial that wrote it.",
        )


def migrate(sql: sqlite3.Connection, name: str, found: int, version: int, steps: Mapping[int, str]) -> None:
    """Take the store from `found` to `version`, within the transaction that is open: all of the way, or not at all."""
    for step in range(found, version):
        run(sql, steps[step])
        sql.execute(f"PRAGMA user_version = {step + 1}")
    if found < version and sql.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise StoreError("store_damaged", f"{name} names rows that are not there", RESTORE)


def run(sql: sqlite3.Connection, script: str) -> None:
    """Run the statements of a script within the transaction that is open, where `executescript` would commit it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            sql.execute(statement)
            statement = ""
    assert not statement.strip(), "the last statement of a script ends with a semicolon"
