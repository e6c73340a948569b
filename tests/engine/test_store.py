"""TXN-2, TXN-4: what is on disk survives, one process writes at a time, and foreign files are left alone."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from world import World, add, found, read

from seatrial.engine import Engine, EngineError, StoreError
from seatrial.engine.migrations import VERSION
from seatrial.engine.store import Store

CHILD = """
import os, sys
from pathlib import Path
sys.path[:0] = {path!r}
from world import World, add
world = World(Path({store!r}))
record = world.keep("Committed before the process died")
turn = world.begin(user="canary")
turn.model_call()
add(turn, "Never committed", replaces=record)
turn.reply("canary")
print(record, flush=True)
sys.stdin.read()
"""


def child(store: Path) -> subprocess.Popen[str]:
    """A process that has committed one record, has a turn open, and waits."""
    script = CHILD.format(path=sys.path, store=str(store))
    return subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_txn_2_a_killed_process_leaves_committed_turns_and_a_crashed_execution(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    process = child(store)
    assert process.stdout is not None
    record = process.stdout.readline().strip()
    with pytest.raises(StoreError) as refused:  # it is open there: one process at a time
        Engine.open(store)
    assert refused.value.code == "store_locked"
    process.kill()
    process.communicate()
    with Engine.open(store) as engine:
        ledger: Any = engine.ledger().to_json()
        assert [(shown["id"], shown["status"]) for shown in ledger["records"]] == [(record, "ACTIVE")]
        assert [shown["outcome"] for shown in ledger["executions"]] == ["committed", "crashed"]
        transcript: Any = engine.transcript("ann", "e2")
        assert [entry["type"] for entry in transcript] == ["user", "model_call", "call", "reply", "end"]
        assert transcript[-1]["outcome"] == "crashed"
        turn = engine.begin("ann", session="s", execution="again", at=10**9, user="hello")
        assert "canary" not in turn.model_call().text
        assert found(turn, kinds=["fact"]) == [record]
        assert turn.commit().outcome == "committed"


def test_txn_2_a_store_is_open_once_also_within_one_process(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with World(store).engine:
        with pytest.raises(StoreError) as refused:
            Engine.open(store)
        assert refused.value.code == "store_locked"
        assert refused.value.remedy
    Engine.open(store).close()


def test_txn_4_closing_ends_open_turns_as_crashed(tmp_path: Path) -> None:
    world = World(tmp_path / "store.sqlite")
    turn = world.begin()
    record = add(turn, "Limit 20")
    world.reopen()
    assert turn.result is not None
    assert turn.result.outcome == "crashed"
    executions: Any = world.engine.ledger().to_json()["executions"]
    assert [shown["outcome"] for shown in executions] == ["crashed"]
    assert record not in world.listed()


def test_txn_4_a_reopened_store_has_everything(tmp_path: Path) -> None:
    world = World(tmp_path / "store.sqlite")
    old = world.keep("Limit 20", content="line\nline \x00 \U0001f4b6", kind="event")
    new = world.keep("Limit 25", replaces=old)
    before = world.engine.console.memories("ann"), world.engine.ledger().to_json()
    world.reopen()
    assert (world.engine.console.memories("ann"), world.engine.ledger().to_json()) == before
    turn = world.begin()
    assert found(turn, query="limit") == [new]
    assert read(turn, old)["content"] == "line\nline \x00 \U0001f4b6"


def test_a_closed_engine_says_so(tmp_path: Path) -> None:
    engine = World().engine
    engine.close()
    engine.close()
    with pytest.raises(EngineError, match="the engine is closed"):
        engine.begin("ann", session="s", execution="e", at=0, user="x")
    with pytest.raises(EngineError, match="the engine is closed"):
        engine.console.memories("ann")


def a_text(path: Path) -> None:
    path.write_text("this is a note, longer than the header of a database would be, and it is no database at all\n" * 9)


def another_programs(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE note (text)")
    other.close()


def a_later_versions(path: Path) -> None:
    Store.open(path).close()
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA user_version = {VERSION + 1}")
    other.close()


@pytest.mark.parametrize(
    ("make", "expected"),
    [(a_text, "not_a_store"), (another_programs, "not_a_store"), (a_later_versions, "store_newer")],
)
def test_a_file_that_is_not_a_store_is_refused_and_left_as_it_is(
    tmp_path: Path, make: Callable[[Path], None], expected: str
) -> None:
    """beads#4985: opening migrates nothing of another."""
    path = tmp_path / "file"
    make(path)
    before = path.read_bytes()
    with pytest.raises(StoreError) as refused:
        Engine.open(path)
    assert refused.value.code == expected
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_a_place_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing" / "store.sqlite", ""):
        with pytest.raises(StoreError) as refused:
            Engine.open(path)
        assert refused.value.code == "store_unreadable"


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    Engine.open(path).close()
    assert path.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM record",
        "DELETE FROM record_version",
        "UPDATE record SET summary = 'other'",
        "UPDATE record SET status = 'ACTIVE'",
        "UPDATE record SET status = 'SUPERSEDED'",
        "UPDATE record SET status = 'SUPERSEDED', successor = id",
        "UPDATE record SET status = 'SUPERSEDED', successor = (SELECT id FROM record WHERE plane = 'preview')",
        "INSERT INTO turn SELECT 99, execution, agent, session, plane, 99, at, state FROM turn",
        "UPDATE execution SET outcome = 'open'",
    ],
)
def test_rec_3_the_database_itself_refuses_to_break_an_invariant(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "store.sqlite"
    world = World(path)
    world.keep("Limit 20")
    world.keep("Limit 25", plane="preview")
    world.engine.console.delete("ann", world.keep("Gone"), at=0)
    world.engine.close()
    sql = sqlite3.connect(path)
    sql.execute("PRAGMA foreign_keys = ON")
    with pytest.raises(sqlite3.Error):
        sql.execute(statement.replace("FROM record WHERE plane", "FROM whole_record WHERE plane"))
    sql.close()


def test_txn_1_a_commit_that_the_disk_refuses_writes_nothing_and_can_be_tried_again(tmp_path: Path) -> None:
    world = World(tmp_path / "store.sqlite")
    turn = world.begin()
    record = add(turn, "Limit 20", content="x" * 100_000)
    sql = world.engine._store.sql  # the one way to make a disk full
    (pages,) = sql.execute("PRAGMA page_count").fetchone()
    sql.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError) as refused:
        turn.commit()
    assert refused.value.code == "store_failed"
    assert world.listed() == {}
    sql.execute("PRAGMA max_page_count = 1000000")
    assert turn.commit().outcome == "committed"
    assert list(world.listed()) == [record]


@pytest.mark.parametrize("name", ["a\0b", "\ud800"], ids=ascii)
def test_a_name_that_no_file_can_have_is_told(name: str) -> None:
    with pytest.raises(StoreError) as told:
        Engine.open(name)
    assert told.value.code == "store_unreadable"
