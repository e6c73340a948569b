"""The catalogue of faults: each lands and is caught by the shipped suite, and nothing of it stays behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.engine import engine
from seatrial.simulator.faults import FAULTS, Fault, altered
from seatrial.simulator.invariants import INVARIANTS, RERUNS
from seatrial.simulator.load import InvalidScript, Loaded, Loader
from seatrial.simulator.mutate import CRASH, Fate, Kill, mutate, unsound
from seatrial.simulator.runner import run_script
from seatrial.simulator.suite import discover, read

SUITE = Path(__file__).parents[2] / "scenarios"


@pytest.fixture(scope="module")
def suite() -> list[Loaded]:
    loader = Loader()
    found = [read(path, loader) for path in discover([SUITE])]
    return [each for each in found if not isinstance(each, InvalidScript)]


def test_the_shipped_suite_catches_every_fault(suite: list[Loaded]) -> None:
    fates = mutate(suite, list(FAULTS.values()), first_only=True)
    assert [(fate.fault.name, fate.state) for fate in fates if fate.state != "caught"] == []


@pytest.mark.slow
def test_the_invariants_alone_catch_every_fault_that_they_can_see(suite: list[Loaded]) -> None:
    fates = mutate(suite, list(FAULTS.values()), invariants_only=True, first_only=True)
    assert [(fate.fault.name, fate.state) for fate in fates if fate.state not in ("caught", "excused")] == []


def test_every_clause_that_an_invariant_covers_has_a_fault() -> None:
    """Single-run and second-run invariants alike: nothing that they claim to check goes untested."""
    lists = [*(each.clauses for each in INVARIANTS), *(each.clauses for each in RERUNS)]
    covered = {clause for clauses in lists for clause in clauses}
    assert sorted(covered - {fault.clause for fault in FAULTS.values()}) == []


def test_the_suite_passes_without_faults(suite: list[Loaded]) -> None:
    assert unsound(suite) == []


@pytest.mark.parametrize("fault", FAULTS.values(), ids=lambda fault: fault.name)
def test_nothing_of_it_stays(fault: Fault) -> None:
    import seatrial.engine as package

    modules = [value for value in vars(package).values() if type(value).__name__ == "module"]
    owners = [*modules, *(value for module in modules for value in vars(module).values() if isinstance(value, type))]
    before = [dict(vars(owner)) for owner in owners]
    with pytest.raises(RuntimeError), altered(fault):
        raise RuntimeError
    assert [dict(vars(owner)) for owner in owners] == before


def test_a_fault_is_in_force_while_it_lasts(suite: list[Loaded]) -> None:
    script = suite[0].script
    sound = run_script(script).trace.text
    with altered(FAULTS["reviews-not-counted"]):
        assert run_script(script).trace.text != sound
    assert run_script(script).trace.text == sound


def test_names_and_deviations_are_told_once() -> None:
    assert len({fault.deviation for fault in FAULTS.values()}) == len(FAULTS)
    assert len(FAULTS) >= 40


@pytest.mark.parametrize(
    ("landed", "kills", "alone", "unseen", "state"),
    [
        ([], [], False, None, "not landed"),
        (["a"], [], False, None, "survived"),
        (["a"], [], True, None, "survived"),
        (["a"], [], True, "the script's to say", "excused"),
        (["a"], [], False, "the script's to say", "survived"),
        (["a"], [Kill("a", ("flow",))], True, "the script's to say", "caught"),
    ],
)
def test_the_fate_of_a_fault(landed: list[str], kills: list[Kill], alone: bool, unseen: str | None, state: str) -> None:
    fault = Fault("a-fault", "VIEW-2", "something is wrong", lambda alteration: None, unseen)
    assert Fate(fault, alone, landed, kills).state == state


def test_a_fault_that_does_nothing_has_not_landed(suite: list[Loaded]) -> None:
    fault = Fault("nothing", "VIEW-2", "nothing is wrong", lambda alteration: None)
    (fate,) = mutate(suite[:3], [fault])
    assert fate.state == "not landed"


def test_an_engine_that_breaks_is_caught(suite: list[Loaded]) -> None:
    def broken(*_: object, **__: object) -> object:
        raise ZeroDivisionError

    fault = Fault("broken", "VIEW-2", "nothing works", lambda alteration: alteration.put(engine, "visible", broken))
    (fate,) = mutate(suite[:1], [fault])
    assert fate.by == (CRASH,)
