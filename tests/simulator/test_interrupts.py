"""No Ctrl-C is lost, wherever Python raises it; and its handler is there only as long as a crew is."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from seatrial.simulator.crew import Crew, Lost, Serial
from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.fuzzing import hunt as module
from seatrial.simulator.fuzzing import roles, trial
from seatrial.simulator.fuzzing.search import Budget, Outcome, search
from seatrial.simulator.interrupts import Ending

ENDING = [signal.SIGTERM, signal.SIGHUP]
ROLES = roles([{"agent": "desk", "harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}])


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    def now() -> list[Any]:
        return [signal.getsignal(each) for each in (signal.SIGINT, *ENDING)] + [sys.unraisablehook]

    before = now()
    yield
    assert now() == before


def lost(number: int = signal.SIGINT) -> None:
    """A Ctrl-C, or another signal, in a callback of the garbage collector."""

    def callback(phase: str, _: Any) -> None:
        if phase == "start":
            signal.raise_signal(number)

    gc.callbacks.append(callback)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(callback)


def look(**more: Any) -> Outcome:
    return search(ROLES, 0, Budget(more.pop("examples", 500), None, lambda: 0.0), **more)


def test_one_that_is_lost_ends_the_search_before_the_next_example(capsys: pytest.CaptureFixture[str]) -> None:
    def progress(examples: int) -> None:
        if examples == 3:
            lost()

    outcome = look(progress=progress)
    assert (outcome.stopped, outcome.examples, outcome.found) == ("interrupt", 3, None)
    assert "KeyboardInterrupt" not in capsys.readouterr().err


def test_one_that_is_lost_while_shrinking_keeps_the_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    real, shrinking = trial.judged, [False]
    seen: list[int] = []

    def judged(*given: Any, **named: Any) -> Any:
        if shrinking[0]:
            seen.append(1)
            if len(seen) == 2:
                lost()
        return real(*given, **named)

    monkeypatch.setattr(module, "judged", judged)
    with altered(FAULTS["foreign-session-in-view"]):
        outcome = look(shrinking=lambda: shrinking.__setitem__(0, True))
    assert outcome.stopped == "interrupt"
    assert outcome.found is not None
    assert not outcome.found.shrunk
    assert len(seen) == 3  # the last tells what was found


def test_one_that_comes_with_the_failing_example_keeps_it() -> None:
    with altered(FAULTS["foreign-session-in-view"]):
        met = look(shrink=False).examples

        def progress(examples: int) -> None:
            if examples == met:
                signal.raise_signal(signal.SIGINT)

        outcome = look(progress=progress)
    assert (outcome.stopped, outcome.examples) == ("interrupt", met)
    assert outcome.found is not None
    assert not outcome.found.shrunk


def test_one_that_is_lost_ends_what_a_crew_works_through() -> None:
    def task(item: int) -> int:
        if item == 2:
            lost()
        return item

    given: list[int | Lost[int]] = []
    with Crew() as crew, pytest.raises(KeyboardInterrupt):
        given.extend(crew.results(task, range(9)))
    assert given == [0, 1, 2]


def test_the_third_is_the_systems_own() -> None:
    with Crew():
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL


def test_what_else_is_lost_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)

    class Broken:
        def __del__(self) -> None:
            raise ZeroDivisionError

    with Crew():
        Broken()
    assert [each.exc_type for each in told] == [ZeroDivisionError]


def test_where_ctrl_c_is_ignored_it_stays_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Crew():
            signal.raise_signal(signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_outside_the_main_thread_nothing_is_changed() -> None:
    seen: list[Any] = []

    def work() -> None:
        with Crew():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


@pytest.mark.parametrize("ctrl_c", [signal.default_int_handler, signal.SIG_IGN], ids=["foreground", "background"])
@pytest.mark.parametrize("number", ENDING)
def test_what_asks_to_end_is_a_ctrl_c_and_is_not_lost(number: signal.Signals, ctrl_c: Any) -> None:
    before = signal.signal(signal.SIGINT, ctrl_c)
    try:
        with Ending() as ending, Crew() as crew:
            lost(number)
            assert ending.by == number
            with pytest.raises(KeyboardInterrupt):
                crew.look()
            signal.raise_signal(number)  # a second one disturbs nothing
    finally:
        signal.signal(signal.SIGINT, before)


def test_nohup_stays_in_force() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Ending() as ending, Crew():
            signal.raise_signal(signal.SIGHUP)
        assert ending.by is None
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_comes_while_a_crew_is_hired_or_dismissed_leaves_none_behind() -> None:
    ended: list[bool] = []

    class Interrupted(Serial):
        def __init__(self) -> None:
            signal.raise_signal(signal.SIGINT)
            super().__init__()

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            signal.raise_signal(signal.SIGINT)
            ended.append(True)

    with Crew(Interrupted) as crew, pytest.raises(KeyboardInterrupt):
        crew.look()
    assert ended == [True]
