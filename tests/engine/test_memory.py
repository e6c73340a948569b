"""TXN-4, TXN-1: a store in memory keeps what was committed while its place is there; nothing of it reaches another."""

from __future__ import annotations

from typing import Any

import pytest
from world import MINUTE, add, config, found

from seatrial.engine import Engine, Memory, StoreError, Turn


def begun(engine: Engine, execution: str, minute: int) -> Turn:
    return engine.begin("ann", session="s", execution=execution, at=minute * MINUTE, user="hello")


def told(engine: Engine) -> list[Any]:
    ledger: Any = engine.ledger().to_json()
    return [[entry["outcome"] for entry in ledger["executions"]], [entry["summary"] for entry in ledger["records"]]]


def test_txn_4_what_was_committed_is_there_for_the_next_engine() -> None:
    memory = Memory()
    with Engine.open(memory) as engine:
        engine.deploy("ann", config(), at=0)
        turn = begun(engine, "e1", 1)
        record = add(turn, "Limit 20")
        turn.commit()
        add(begun(engine, "e2", 2), "Never committed")
    with Engine.open(memory) as engine:
        assert told(engine) == [["committed", "crashed"], ["Limit 20"]]
        transcript: Any = engine.transcript("ann", "e2")
        assert [entry["type"] for entry in transcript] == ["user", "call", "end"]
        assert found(begun(engine, "e3", 3), query="limit") == [record]
    memory.close()


def test_txn_1_a_commit_in_memory_that_fails_leaves_nothing() -> None:
    with Engine.open() as engine:
        engine.deploy("ann", config(), at=0)
        first = begun(engine, "e1", 1)
        record = add(first, "Limit 20")
        first.commit()
        turn = begun(engine, "e2", 2)
        add(turn, "Limit 25", replaces=record)
        engine.console.delete("ann", record, at=2 * MINUTE, operator="olga")
        assert turn.commit().outcome == "conflict"
        assert told(engine) == [["committed", "conflict"], ["Limit 20"]]


def test_two_engines_do_not_share_a_place() -> None:
    memory = Memory()
    engine = Engine.open(memory)
    with pytest.raises(StoreError) as refused:
        Engine.open(memory)
    assert refused.value.code == "store_locked"
    engine.close()
    Engine.open(memory).close()
    memory.close()


def test_nothing_of_a_closed_store_is_in_the_next_one() -> None:
    for _ in range(3):
        with Engine.open() as engine, Engine.open() as beside:
            assert told(engine) == told(beside) == [[], []]
            for each in (engine, beside):
                each.deploy("ann", config(), at=0)
                turn = begun(each, "e1", 1)
                add(turn, "Limit 20")
                turn.commit()
                assert told(each) == [["committed"], ["Limit 20"]]


def test_a_place_that_an_engine_has_is_not_let_go_of_for_another() -> None:
    """VIEW-1: the next store would be that engine's, too."""
    memory = Memory()
    one = Engine.open(memory)
    one.deploy("ann", config(), at=0)
    with pytest.raises(StoreError) as refused:
        memory.close()
    assert refused.value.code == "store_locked"
    with Engine.open() as two:
        two.deploy("ann", config(), at=0)
        turn = begun(two, "e1", 1)
        add(turn, "Of the second only")
        turn.commit()
        assert told(one) == [[], []]
    one.close()
    memory.close()


def test_a_place_without_room_says_so_and_takes_nothing_more() -> None:
    """SQLite rolls back by itself then, and with it all that was ever written there."""
    memory = Memory()
    with Engine.open(memory) as engine:
        engine.deploy("ann", config(), at=0)
        sql = engine._store.sql
        (pages,) = sql.execute("PRAGMA page_count").fetchone()
        sql.execute(f"PRAGMA max_page_count = {pages + 3}")
        turn = begun(engine, "e1", 1)
        add(turn, "Long", content="y" * 100_000)
        with pytest.raises(StoreError, match="full") as failed:
            turn.commit()
        with pytest.raises(StoreError, match="lost") as after:
            engine.deploy("bob", config(), at=2 * MINUTE)
        assert (failed.value.code, after.value.code) == ("store_failed", "store_failed")
        sql.execute("PRAGMA max_page_count = 1000000")
    memory.close()
