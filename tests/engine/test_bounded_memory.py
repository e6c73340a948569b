"""What an engine holds in memory does not grow with its use: the store has it, and what is dropped is read again."""

from __future__ import annotations

import tracemalloc
from contextlib import closing

from world import World, add

from seatrial.engine.trouble import connect
from seatrial.engine.views import Partitions


def test_records_that_wait_to_be_indexed_count_for_what_stays_loaded() -> None:
    """A session that is written and never read again has all of its records waiting."""
    world = World()
    made = world.engine._partitions
    held = world.engine._partitions = Partitions(made._store, made._embedder, limit=200_000)
    for session in range(10):
        turn = world.begin(f"s{session}")
        for number in range(30):
            add(turn, f"Invoice {number} of session {session} is paid")
        assert turn.commit().outcome == "committed"
    world.begin("another")
    assert 1 < len(held._loaded) < 8


def test_a_statement_that_is_done_leaves_nothing_behind() -> None:
    with closing(connect(":memory:")) as sql:
        sql.told = True
        sql.execute("SELECT 1").fetchone()
        tracemalloc.start()
        try:
            for _ in range(4000):
                sql.execute("SELECT 1").fetchone()
            left, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert left < 50_000  # a pointer to each of 4,000 would take more


def test_long_records_are_not_kept_as_lines_beside_the_store() -> None:
    world = World()
    for number in range(20):
        world.keep(f"Invoice {number} is paid", f"s{number}", content=f"{number}" * 50_000)
    small = Partitions(world.engine._store, world.engine._partitions._embedder, limit=0)
    world.engine._partitions = small
    tracemalloc.start()
    try:
        for number in range(20):
            turn = world.begin(f"s{number}", user="Which invoice is paid?")
            assert len(turn.model_call().recalled) == 1
            turn.crash()
        del turn
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < 500_000
