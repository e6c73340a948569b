"""A search is the same whoever works on its shards; none is lost when a worker dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from seatrial.simulator.crew import Crew
from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.fuzzing import roles
from seatrial.simulator.fuzzing import search as module
from seatrial.simulator.fuzzing.hunt import Prey, Shard, try_shard
from seatrial.simulator.fuzzing.search import Budget, Outcome, search
from seatrial.simulator.fuzzing.tally import Tally
from seatrial.simulator.processes import processes

DESK: dict[str, Any] = {
    "agent": "desk",
    "harness": {"memory": {"enabled": True, "tools": ["add_memory", "read_memory"], "pinned": {"max_tokens": 200}}},
}
ROLES = roles([DESK])
FAULT = "foreign-session-in-view"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(module, "SHARD", 4)
    yield
    assert multiprocessing.active_children() == []


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Crew]:
    def crew(unwell: str) -> Crew:
        monkeypatch.setenv("UNWELL", unwell)
        return processes(2, ["unwell"])

    return crew


def look(examples: int, crew: Crew | None = None, **more: Any) -> Outcome:
    ticks = count(0.0, 2.0)  # so shrinking ends soon
    return search(ROLES, more.pop("seed", 1), Budget(examples, None, lambda: next(ticks)), crew=crew, **more)


def test_the_same_scenarios_and_counts_whoever_works() -> None:
    seen: list[int] = []
    with processes(2, []) as crew:
        there = look(14, crew, progress=seen.append)
    assert there == look(14)
    assert (there.examples, there.stopped) == (14, "examples")
    assert seen == [4, 8, 12, 14]


def test_what_is_found_first_is_what_is_first_in_order(two: Callable[[str], Crew], tmp_path: Path) -> None:
    with altered(FAULTS[FAULT]):
        outcomes = ((seed, look(50, seed=seed, shrink=False)) for seed in range(50))
        late, met = next(each for each in outcomes if each[1].examples > 4)  # not in the first shard
        alone = look(50, seed=late, database=tmp_path / "a")
        with two(FAULT) as crew:
            together = look(50, crew, seed=late, database=tmp_path / "b")
        assert together == alone
        assert alone.found is not None
        assert met.found is not None
        assert (alone.examples, alone.tally) == (met.examples, met.tally)
        assert alone.found.steps < met.found.steps
        again = look(50, database=tmp_path / "b")
        assert again.found is not None
        assert again.found.problem.name == alone.found.problem.name
        assert again.examples <= 2


def test_a_worker_that_dies_loses_no_example_and_a_shard_that_kills_each_worker_is_told(
    two: Callable[[str], Crew], tmp_path: Path
) -> None:
    with two(str(tmp_path)) as crew:
        there = look(14, crew)
    assert (tmp_path / "died").exists()
    assert (there.lost, there.examples, there.stopped) == (4, 10, "examples")
    done = Tally()
    for number, examples in ((0, 4), (1, 4), (3, 2)):
        done.add(try_shard(Prey(ROLES, 1, True), Shard(number, examples, None), lambda: 0.0).tally)
    assert there.tally == done


def test_other_shards_have_other_scenarios() -> None:
    tallies = [try_shard(Prey(ROLES, 1, True), Shard(number, 4, None), lambda: 0.0).tally for number in range(3)]
    assert tallies[0] != tallies[1] != tallies[2] != tallies[0]


def test_the_time_is_over_for_shards_that_have_not_begun() -> None:
    now = iter([0.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0])
    outcome = search(ROLES, 1, Budget(100, 10.0, partial(next, now, 99.0)))
    assert outcome.stopped == "time"
    assert 0 < outcome.examples <= 4


def test_an_interrupt_keeps_the_shards_that_are_done() -> None:
    def interrupt(done: int) -> None:
        if done >= 12:
            os.kill(os.getpid(), signal.SIGINT)

    with processes(2, []) as crew:
        outcome = look(100, crew, progress=interrupt)
    assert outcome.stopped == "interrupt"
    assert outcome.examples % 4 == 0
    assert outcome.tally.examples == outcome.examples
