"""TXN-4, TXN-1: a store in memory keeps what was committed while its place is there; nothing of it reaches another."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import pytest
from world import MINUTE, add, config, found

from seatrial.engine import Engine, Memory, StoreError, Turn, journal, transcripts


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
        assert failed.value.code == "store_failed"
        ways: list[Callable[[], object]] = [
            lambda: engine.deploy("bob", config(), at=2 * MINUTE),
            lambda: engine.begin("ann", session="other", execution="e2", at=2 * MINUTE, user="hello"),
            engine.ledger,
            lambda: engine.transcript("ann", "e1"),
            lambda: engine.console.memories("ann"),
        ]
        for way in ways:
            with pytest.raises(StoreError, match="lost") as after:  # and not an empty store
                way()
            assert after.value.code == "store_failed"
        sql.execute("PRAGMA max_page_count = 1000000")
    with Engine.open(memory) as engine, pytest.raises(StoreError, match="lost"):
        engine.ledger()
    memory.close()


class Word(StrEnum):
    TEXT = "noted"


def test_txn_2_what_waits_is_a_copy_and_is_told_when_it_is_asked_for() -> None:
    """REC-6: changing what was handed in or out changes no transcript, and a text is one whatever its class."""
    with Engine.open() as engine:
        engine.deploy("ann", config(), at=0)
        turn = begun(engine, "e1", 1)
        state = {"seen": ["a"]}
        turn.set_state(state)
        state["seen"].append("b")
        answer = turn.call("search_memory", {"query": "limit"}).answer
        assert answer is not None
        answer["records"] = "changed"
        turn.reply(Word.TEXT)
        told: Any = engine.transcript("ann", "e1")
        assert [entry["type"] for entry in told] == ["user", "state", "call", "reply"]
        assert (told[1]["state"], told[2]["answer"], told[3]["text"]) == ({"seen": ["a"]}, {"records": []}, "noted")
        turn.reply("once more")
        assert engine.transcript("ann", "e1")[:-1] == told


def test_txn_2_what_cannot_be_written_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "_MOST_WAITING", 3)
    real = journal.append
    with Engine.open() as engine:
        engine.deploy("ann", config(), at=0)
        turn = begun(engine, "e1", 1)
        turn.reply("one")
        turn.reply("two")

        def broken(*_: object) -> None:
            raise StoreError("store_failed", "no room", "Make some.")

        monkeypatch.setattr(journal, "append", broken)
        with pytest.raises(StoreError):
            turn.reply("refused")
        monkeypatch.setattr(journal, "append", real)
        turn.reply("four")
        told: Any = engine.transcript("ann", "e1")
        assert [entry["text"] for entry in told] == ["hello", "one", "two", "four"]
