"""The catalogue of faults: each lands and is caught by the shipped suite, and nothing of it stays behind."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from seatrial.engine import engine
from seatrial.simulator.crew import Crew, Lost
from seatrial.simulator.discover import discover
from seatrial.simulator.faults import FAULTS, Fault, altered
from seatrial.simulator.load import InvalidScript, Loaded, Loader
from seatrial.simulator.mutate import CRASH, Fate, Kill, Sound, UnsoundError, fate_of, fates
from seatrial.simulator.runner import run_script
from seatrial.simulator.suite import read

A = Path("a.scenario.yaml")
SUITE = Path(__file__).parents[2] / "scenarios"


@pytest.fixture(scope="module")
def loaded() -> list[Loaded]:
    loader = Loader()
    found = [read(path, loader) for path in discover([SUITE])]
    return [each for each in found if not isinstance(each, InvalidScript)]


@pytest.fixture(scope="module")
def suite(loaded: list[Loaded]) -> list[Sound]:
    """All of them pass without a fault: else this raises."""
    return [Sound.of(each) for each in loaded]


def test_the_shipped_suite_catches_every_fault(suite: list[Sound]) -> None:
    fates = [fate_of(fault, suite, first_only=True) for fault in FAULTS.values()]
    assert [(fate.fault.name, fate.state) for fate in fates if fate.state != "caught"] == []


@pytest.mark.slow
def test_the_invariants_alone_catch_every_fault_that_they_can_see(suite: list[Sound]) -> None:
    fates = [fate_of(fault, suite, invariants_only=True, first_only=True) for fault in FAULTS.values()]
    assert [(fate.fault.name, fate.state) for fate in fates if fate.state not in ("caught", "excused")] == []


@pytest.mark.parametrize("fault", FAULTS.values(), ids=lambda fault: fault.name)
def test_nothing_of_it_stays(fault: Fault) -> None:
    import seatrial.engine as package

    modules = [value for value in vars(package).values() if type(value).__name__ == "module"]
    owners = [*modules, *(value for module in modules for value in vars(module).values() if isinstance(value, type))]
    before = [dict(vars(owner)) for owner in owners]
    with pytest.raises(RuntimeError), altered(fault):
        raise RuntimeError
    assert [dict(vars(owner)) for owner in owners] == before


def test_a_fault_is_in_force_while_it_lasts(suite: list[Sound]) -> None:
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
        ([A], [], False, None, "survived"),
        ([A], [], True, None, "survived"),
        ([A], [], True, "the script's to say", "excused"),
        ([A], [], False, "the script's to say", "survived"),
        ([A], [Kill(A, ("flow",))], True, "the script's to say", "caught"),
    ],
)
def test_the_fate_of_a_fault(
    landed: list[Path], kills: list[Kill], alone: bool, unseen: str | None, state: str
) -> None:
    fault = Fault("a-fault", "VIEW-2", "something is wrong", lambda alteration: None, unseen)
    assert Fate(fault, alone, landed, kills).state == state


def test_a_fault_that_does_nothing_has_not_landed(suite: list[Sound]) -> None:
    fault = Fault("nothing", "VIEW-2", "nothing is wrong", lambda alteration: None)
    fate = fate_of(fault, suite[:3])
    assert fate.state == "not landed"


def test_an_engine_that_breaks_is_caught(suite: list[Sound]) -> None:
    def broken(*_: object, **__: object) -> object:
        raise ZeroDivisionError

    fault = Fault("broken", "VIEW-2", "nothing works", lambda alteration: alteration.put(engine, "visible", broken))
    fate = fate_of(fault, suite[:1])
    assert fate.by == (CRASH,)


def scenario(path: Path, said: str) -> Path:
    path.write_text(f"""scenario: two files with one title
agents: {{a: {{harness: {{memory: {{enabled: true}}}}}}}}
steps:
  - turn: one
    user: Hello
    do: [{{reply: {said}}}]
  - turn: one
    user: Hello again
    do: [{{reply: Hello, sees: {{text: [Hello]}}}}]
""")
    return path


def loaded_from(path: Path) -> Loaded:
    found = read(path, Loader())
    assert isinstance(found, Loaded)
    return found


def test_scenarios_with_one_title_are_told_apart(tmp_path: Path) -> None:
    paths = [scenario(tmp_path / f"{name}.scenario.yaml", name) for name in ("one", "two")]
    fate = fate_of(FAULTS["conversation-lost"], [Sound.of(loaded_from(path)) for path in paths], invariants_only=True)
    assert fate.landed == paths


def test_a_scenario_that_fails_as_it_is_catches_nothing(tmp_path: Path) -> None:
    path = scenario(tmp_path / "a.scenario.yaml", "Hello")
    path.write_text(path.read_text().replace("[Hello]", "[unheard of]"))
    with pytest.raises(UnsoundError) as failed:
        Sound.of(loaded_from(path))
    assert failed.value.path == path


@pytest.mark.parametrize("name", ["another-clock", "ties-by-chance", "clock-in-instructions"])
def test_what_differs_from_run_to_run_is_the_same_whatever_ran_before(suite: list[Sound], name: str) -> None:
    """Or the fates would depend on how a suite is spread over processes."""
    few = [each for each in suite if each.path.parent.name in ("recall", "interleaving")]
    once, again = (fate_of(FAULTS[name], few, invariants_only=True) for _ in range(2))
    assert (once.landed, once.kills) == (again.landed, again.kills)
    assert once.state == "caught"


def test_a_fault_whose_worker_dies_each_time_is_lost(suite: list[Sound]) -> None:
    class Mortal(Crew):
        def results(self, task: Any, items: Iterable[Any], done: Any = None) -> Generator[Any, None, None]:
            yield from map(Lost, items)

    (fate,) = fates(Mortal(), [FAULTS["foreign-agent-in-view"]], suite)
    assert (fate.fault.name, fate.state, fate.landed) == ("foreign-agent-in-view", "lost", [])
