"""Random scenarios are valid by construction, read back the same from a file, and come to what matters."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import Phase, given, settings

from seatrial.linter import lint, read_text
from seatrial.simulator.as_yaml import dumped
from seatrial.simulator.fuzzing import Document, hostile_text, roles, scenarios
from seatrial.simulator.fuzzing.cast import CHANGES, changed
from seatrial.simulator.fuzzing.intents import Add, Deploy, Do, GoOn, Pick, Read, Restart, Result, Search, Step, Turn
from seatrial.simulator.fuzzing.trial import judged, script_of
from seatrial.simulator.fuzzing.words import HOSTILE
from seatrial.simulator.fuzzing.writer import write
from seatrial.simulator.load import load_script
from seatrial.simulator.runner import run_script

BOTH = ["session", "agent"]
TOOLS = ["add_memory", "read_memory", "delete_memory"]
DESK: dict[str, Any] = {
    "agent": "desk",
    "limits": {"model_calls": 12},
    "harness": {
        "history": {"index": "messages"},
        "memory": {
            "enabled": True,
            "scope": {"read": BOTH, "write": BOTH},
            "tools": TOOLS,
            "pinned": {"max_tokens": 150},
            "labels": {"customer": {"number": 5, "description": "Whom it is about."}},
        },
    },
}
RATES: dict[str, Any] = {
    "agent": "rates",
    "sessions": False,
    "harness": {
        "memory": {"enabled": True, "scope": {"read": ["agent"], "write": ["agent"]}, "tools": ["add_memory"]},
    },
}
BARE: dict[str, Any] = {"agent": "bare", "harness": {}}
ROLES = roles([DESK, RATES, BARE])


@settings(max_examples=80, phases=[Phase.generate])  # shrinking costs minutes, and the document tells enough
@given(document=scenarios(ROLES))
def test_a_random_scenario_loads_from_its_file_without_a_finding(tmp_path_factory: Any, document: Document) -> None:
    path = Path(tmp_path_factory.getbasetemp()) / "random.scenario.yaml"
    path.write_text(dumped(document), encoding="utf-8")
    assert yaml.safe_load(dumped(document)) == document
    script = script_of(document, {})
    assert script is not None
    assert load_script(path).steps == script.steps


@settings(max_examples=30, phases=[Phase.generate])
@given(scenarios(ROLES))
def test_nothing_is_wrong_with_a_random_scenario(document: Document) -> None:
    script = script_of(document, {})
    assert script is not None
    assert judged(script).problems == ()


@settings(max_examples=80, phases=[Phase.generate])
@given(scenarios(ROLES, derived=False))
def test_as_given_no_other_version_is_deployed(document: Document) -> None:
    """VER-1: a pattern that needs a version of its own does without it."""
    deployed = [step["deploy"]["config"] for step in document["steps"] if "deploy" in step]
    assert all(config in (DESK, RATES, BARE) for config in deployed)


@given(hostile_text())
def test_hostile_text_is_text_that_utf_8_holds(text: str) -> None:
    assert text.encode().decode() == text


IDLE = {"agent": "idle", "harness": {"memory": {"enabled": True, "tools": ["add_memory", "delete_memory"]}}}


@pytest.mark.parametrize("config", [DESK, RATES, BARE, IDLE])
def test_a_derived_version_is_a_config_without_an_error(config: Document) -> None:
    """Whatever was changed before, and also what was: `seatrial run` refuses a scenario that deploys another."""
    for changes in product(CHANGES, repeat=2):
        told = lint([read_text(json.dumps(changed(config, changes)), path="<config>")])
        assert [each for each in told if each.severity == "error"] == [], changes


def test_intents_that_cannot_be_meant_are_left_out() -> None:
    """There is nothing to go on with, to read, or to replace: whatever is left is a scenario."""
    steps: list[Step] = [GoOn(), Turn(do=Do((Read(), Result(), Add(replaces=(Pick("foreign"),)))))]
    (step,) = write(ROLES[:1], steps)["steps"]
    (act,) = step["do"]
    assert list(act) == ["add_memory"]
    assert "replaces" not in act["add_memory"]


def test_no_turn_is_left_open() -> None:
    document = write(ROLES[:1], [Turn(do=Do(ending="open")), Turn(session=1, do=Do(ending="open"))])
    assert [step["continue"] for step in document["steps"][2:]] == ["turn2", "turn1"]


def test_a_turn_of_a_busy_session_says_that_it_will_be_refused() -> None:
    """TXN-3: no invariant can see it."""
    document = write(ROLES[:1], [Turn(do=Do(ending="open")), Turn(do=Do((Read(),)))])
    assert document["steps"][1]["gets"] == {"error": "busy"}


def test_after_a_restart_no_turn_is_busy() -> None:
    document = write(ROLES[:1], [Turn(do=Do(ending="open")), Restart(), Turn()])
    assert "gets" not in document["steps"][2]


def test_what_a_later_turn_must_show_is_stated() -> None:
    """CTX-4: no invariant can see it."""
    document = write(ROLES[:1], [Turn(), Turn(do=Do((Search(),)))])
    said = document["steps"][1]["do"][0]["sees"]["text"]
    assert said in document["steps"][0]["user"]


def test_nothing_is_stated_once_another_version_may_run() -> None:
    steps: list[Step] = [Turn(), Deploy(changes=("few calls",)), Turn(do=Do((Search(),)))]
    assert "sees" not in write(ROLES[:1], steps)["steps"][2]["do"][0]


def test_an_agent_goes_back_to_what_it_began_with() -> None:
    """VER-3: it lacks the label that was declared since, so the deploy is refused, and later turns run the second."""
    steps: list[Step] = [Deploy(changes=("a label more",)), Deploy(again=True), Turn()]
    document = write(ROLES[:1], steps)
    assert document["steps"][1]["deploy"]["config"] == DESK
    script = script_of(document, {})
    assert script is not None
    deploys = [line for line in run_script(script).trace.lines if line["type"] == "deploy"]
    assert ["error" in line for line in deploys] == [False, False, True]


def test_a_kind_that_is_never_written_is_never_found() -> None:
    """SCH-1: no invariant can see it."""
    document = write(ROLES[:1], [Turn(do=Do((Add(), Search(by="nothing"))))])
    assert document["steps"][0]["do"][1]["gets"] == {"records": []}


def test_every_hostile_text_reads_back_from_a_file(tmp_path: Path) -> None:
    steps = [{"turn": "account-17", "user": text} for text in HOSTILE]
    path = tmp_path / "hostile.scenario.yaml"
    path.write_text(dumped({"scenario": "x", "config": DESK, "steps": steps}), encoding="utf-8")
    begun = [line for line in run_script(load_script(path)).trace.lines if line["type"] == "begin"]
    assert [line["user"] for line in begun] == list(HOSTILE)
