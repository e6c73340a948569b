"""A crew gives the same results in the same order whoever is in it, and loses none when a worker dies."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import chores
import pytest

from seatrial.simulator.crew import Crew, Lost
from seatrial.simulator.processes import cores, processes

CREWS = [1, 2]


@pytest.fixture
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    with processes(request.param, ["chores"]) if request.param > 1 else Crew() as hired:
        yield hired
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("crew", CREWS, indirect=True)
def test_results_come_in_the_order_of_the_items(crew: Crew) -> None:
    counted: list[None] = []
    assert list(crew.results(chores.late_first, range(9), lambda: counted.append(None))) == list(range(9))
    assert len(counted) == 9
    assert list(crew.results(chores.doubled, [])) == []


@pytest.mark.parametrize("crew", CREWS, indirect=True)
def test_what_a_task_raises_is_raised_in_its_place(crew: Crew) -> None:
    seen: list[object] = []
    with pytest.raises(ValueError, match="three"):
        seen.extend(crew.results(chores.refused, [0, 1, 2, 3, 4]))
    results = crew.results(chores.refused, [0, 1, 2, 3, 4])
    assert [next(results), next(results), next(results)] == [0, 1, 2]
    assert list(crew.results(chores.doubled, [1, 2])) == [2, 4]


def test_one_process_takes_no_item_before_the_result_of_the_last_is_taken() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(5):
            taken.append(item)
            yield item

    with Crew() as crew:
        results = crew.results(chores.doubled, items())
        assert next(results) == 0
        assert taken == [0]


@pytest.mark.parametrize("crew", [2], indirect=True)
def test_items_are_taken_as_they_are_needed(crew: Crew) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    assert next(crew.results(chores.doubled, items())) == 0
    assert len(taken) < 20


@pytest.mark.parametrize("crew", [2], indirect=True)
def test_each_worker_has_a_process_of_its_own(crew: Crew) -> None:
    found = set(crew.results(chores.pid, range(20)))
    assert len(found) == 2


@pytest.mark.parametrize("crew", [2], indirect=True)
def test_a_killed_worker_loses_no_result(crew: Crew, tmp_path: Path) -> None:
    task = partial(chores.dies, of=2, once=tmp_path / "died")
    assert list(crew.results(task, range(8))) == list(range(8))
    assert (tmp_path / "died").exists()


@pytest.mark.parametrize("crew", [2], indirect=True)
def test_only_what_kills_its_worker_each_time_is_lost(crew: Crew) -> None:
    counted: list[None] = []
    found = list(crew.results(partial(chores.dies, of=2), range(8), lambda: counted.append(None)))
    assert found == [0, 1, Lost(2), 3, 4, 5, 6, 7]
    assert len(counted) == 8


@pytest.mark.parametrize("crew", [2], indirect=True)
def test_a_worker_killed_in_the_middle_of_its_result_loses_none(crew: Crew, tmp_path: Path) -> None:
    task = partial(chores.dies_telling, of=2, once=tmp_path / "died")
    assert list(crew.results(task, range(8))) == list(range(8))
    assert (tmp_path / "died").exists()


@pytest.mark.parametrize("crew", [2], indirect=True)
def test_a_killed_worker_costs_no_other_its_process(crew: Crew, tmp_path: Path) -> None:
    task = partial(chores.dies_or_pid, of=2, once=tmp_path / "died")
    assert len(set(crew.results(task, range(20)))) <= 3


@pytest.mark.parametrize("crew", [2], indirect=True)
def test_what_was_raised_there_says_where(crew: Crew) -> None:
    with pytest.raises(ValueError, match="three") as raised:
        list(crew.results(chores.refused, [3]))
    assert "chores.py" in str(raised.value.__cause__)


@pytest.mark.parametrize("crew", [2], indirect=True)
def test_what_cannot_be_sent_is_told(crew: Crew) -> None:
    with pytest.raises(Exception, match="pickle"):
        list(crew.results(chores.unpackable, [1]))
    assert list(crew.results(chores.doubled, [1, 2])) == [2, 4]


def test_leaving_ends_what_runs() -> None:
    began = time.monotonic()
    with processes(2, ["chores"]) as crew:
        results = crew.results(chores.waits, [0.0, 60.0, 60.0, 60.0, 60.0])
        next(results)
    assert time.monotonic() - began < 30
    assert multiprocessing.active_children() == []


def test_a_worker_leaves_no_files() -> None:
    with processes(2, ["chores"]) as crew:
        names = list(crew.results(chores.lingers, range(3)))
        assert all(Path(str(name)).exists() for name in names)
    assert not any(Path(str(name)).exists() for name in names)


def test_there_is_a_core() -> None:
    assert cores() >= 1
