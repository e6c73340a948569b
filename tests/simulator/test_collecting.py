"""While scenarios are run and judged Python looks for cycles seldom, and afterwards as before."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from threading import Barrier, Thread

import pytest

from seatrial.simulator.collecting import few_collections
from seatrial.simulator.fuzzing import trial
from seatrial.simulator.invariants import History
from seatrial.simulator.script import Script


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 11, 12)
    yield
    gc.set_threshold(*before)


def test_what_was_set_comes_back() -> None:
    with few_collections():
        few = gc.get_threshold()
        with few_collections():
            assert gc.get_threshold() == few
        assert gc.get_threshold() == few
    assert few[0] > 10_000
    assert gc.get_threshold() == (700, 11, 12)


def test_whoever_collects_by_hand_goes_on_doing_so() -> None:
    gc.set_threshold(0)
    with few_collections():
        assert gc.get_threshold()[0] == 0
    assert gc.get_threshold()[0] == 0


def test_what_was_set_comes_back_after_the_last_of_several_threads() -> None:
    """The first to begin ends first: what it found must not come back while the other runs, nor stay lost after it."""
    both_in, one_out = Barrier(2, timeout=10), Barrier(2, timeout=10)
    seen = []

    def first() -> None:
        with few_collections():
            both_in.wait()
        one_out.wait()

    def second() -> None:
        with few_collections():
            both_in.wait()
            one_out.wait()
            seen.append(gc.get_threshold()[0])

    threads = [Thread(target=first), Thread(target=second)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert seen[0] > 10_000
    assert gc.get_threshold() == (700, 11, 12)


def test_a_trial_is_judged_with_few_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    real = History.parse

    def parse(lines: object) -> object:
        seen.append(gc.get_threshold()[0])
        return real(lines)  # type: ignore[arg-type] # as it was called

    monkeypatch.setattr(History, "parse", parse)
    assert trial.judged(Script("nothing happens", None, (), (), ())).problems == ()
    assert seen[0] > 10_000
