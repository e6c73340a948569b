"""TXN-4: a store of an older version is taken to this one when it is opened, whole or not at all."""

from __future__ import annotations

import sqlite3
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from steps import STEPS
from world import World, add

from seatrial.engine import Engine, StoreError
from seatrial.engine.migrations import MIGRATIONS, VERSION
from seatrial.engine.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of this version with a record, and a turn that its process left open."""
    world = World(tmp_path / "store.sqlite")
    world.keep("Limit 20")
    add(world.begin(), "Never committed")
    world.engine._store.close()
    return tmp_path / "store.sqlite"


def looked_up(path: Path, query: str) -> Any:
    sql = sqlite3.connect(path)
    (found,) = sql.execute(query).fetchone()
    sql.close()
    return found


def test_the_schema_is_of_this_version_and_there_is_a_way_to_it() -> None:
    schema = resources.files("seatrial.engine").joinpath("schema.sql").read_text(encoding="utf-8")
    assert f"PRAGMA user_version = {VERSION};" in schema
    assert list(MIGRATIONS) == list(range(1, VERSION))


def test_an_older_store_is_migrated_step_by_step(store: Path) -> None:
    opened = Store.open(store, version=VERSION + 2, migrations=STEPS)
    assert opened.sql.execute("SELECT note FROM deploy").fetchall() == [(None,)]
    assert opened.sql.execute("SELECT text FROM word").fetchall() == [("a;b",)]
    assert opened.sql.execute("SELECT summary FROM record").fetchall() == [("Limit 20",)]
    assert opened.sql.execute("SELECT outcome FROM execution").fetchall() == [("committed",), ("crashed",)]
    assert opened.sql.execute("PRAGMA foreign_keys").fetchone() == (1,)
    opened.close()
    assert looked_up(store, "PRAGMA user_version") == VERSION + 2
    Store.open(store, version=VERSION + 2, migrations=STEPS).close()  # no step is run twice
    assert looked_up(store, "SELECT count(*) FROM word") == 1
    with pytest.raises(StoreError) as error:
        Engine.open(store)
    assert error.value.code == "store_newer"


def test_the_last_step_alone_is_run_where_the_first_was(store: Path) -> None:
    Store.open(store, version=VERSION + 1, migrations=STEPS).close()
    Store.open(store, version=VERSION + 2, migrations={VERSION + 1: STEPS[VERSION + 1]}).close()
    assert looked_up(store, "SELECT text FROM word") == "a;b"


@pytest.mark.parametrize("steps", [{}, {VERSION: STEPS[VERSION]}, {VERSION + 1: STEPS[VERSION + 1]}])
def test_a_version_without_a_way_is_refused_and_left_as_it_is(store: Path, steps: dict[int, str]) -> None:
    before = store.read_bytes()
    with pytest.raises(StoreError) as error:
        Store.open(store, version=VERSION + 2, migrations=steps)
    assert error.value.code == "store_older"
    assert f"version {VERSION}" in error.value.message
    assert error.value.remedy
    assert store.read_bytes() == before
    assert [each.name for each in store.parent.iterdir()] == [store.name]


def test_a_version_before_the_first_is_refused(store: Path) -> None:
    sql = sqlite3.connect(store)
    sql.execute("PRAGMA user_version = 0")
    sql.close()
    with pytest.raises(StoreError) as error:
        Engine.open(store)
    assert error.value.code == "store_older"


@pytest.mark.parametrize(
    "second",
    [
        "CREATE TABLE word (text TEXT);\nINSERT INTO nowhere VALUES (1);\n",
        "CREATE TABLE word (text TEXT);\nUPDATE turn SET execution = 99;\n",  # a row that names none
    ],
)
def test_a_migration_that_fails_changes_nothing(store: Path, second: str) -> None:
    with pytest.raises(StoreError) as error:
        Store.open(store, version=VERSION + 2, migrations={**STEPS, VERSION + 1: second})
    assert error.value.code == "store_damaged"
    assert looked_up(store, "PRAGMA user_version") == VERSION
    assert looked_up(store, "SELECT count(*) FROM pragma_table_info('deploy') WHERE name = 'note'") == 0
    assert looked_up(store, "SELECT count(*) FROM sqlite_schema WHERE name = 'word'") == 0
    Engine.open(store).close()


def test_a_step_may_rebuild_a_table_that_others_name(store: Path) -> None:
    rebuild = """
CREATE TABLE other (key INTEGER PRIMARY KEY, agent TEXT NOT NULL, plane TEXT, scope TEXT, session TEXT) STRICT;
INSERT INTO other SELECT * FROM partition;
DROP TABLE partition;
ALTER TABLE other RENAME TO partition;
"""
    views = "SELECT sql FROM sqlite_schema WHERE name = 'whole_record'"
    view = looked_up(store, views)
    script = f"DROP VIEW whole_record;{rebuild}{view};\n"
    opened = Store.open(store, version=VERSION + 1, migrations={VERSION: script})
    assert opened.sql.execute("SELECT summary FROM whole_record").fetchall() == [("Limit 20",)]
    opened.close()
