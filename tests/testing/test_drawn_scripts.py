"""Drawn scripts load, whatever is left out of them; what is left out is not in them; hostile lines can be kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from seatrial.engine import Engine
from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.fuzzing.words import THEMES
from seatrial.testing import Failed, check, configs, hostile_text, scenario_settings, scripts, versions
from seatrial.testing.checking import read

DESK: dict[str, Any] = {
    "agent": "desk",
    "harness": {"memory": {"enabled": True, "tools": ["add_memory", "read_memory"], "pinned": {"max_tokens": 200}}},
}
RATES: dict[str, Any] = {
    "agent": "rates",
    "sessions": False,
    "harness": {"memory": {"enabled": True, "scope": {"read": ["agent"], "write": ["agent"]}, "tools": ["add_memory"]}},
}
KNOBS = ("previews", "rollbacks", "interleaved", "deploys", "derived", "operators", "restarts", "helpers", "reviews",
         "hostile")  # fmt: skip
# What a script without it never holds.
WITHOUT: dict[str, Callable[[str], bool]] = {
    "previews": lambda text: '"mode": "preview"' in text,
    "rollbacks": lambda text: '"rollback"' in text or '"crash"' in text or '"fail"' in text,
    "interleaved": lambda text: '"continue"' in text,
    "deploys": lambda text: '"deploy"' in text,
    "operators": lambda text: '"review"' in text,
    "restarts": lambda text: '"restart"' in text,
    "helpers": lambda text: '"subagent"' in text or '"program"' in text,
    "reviews": lambda text: '"extract"' in text,
    "hostile": lambda text: "</memory>" in text,
}


@given(st.data(), st.fixed_dictionaries({knob: st.booleans() for knob in KNOBS}))
@settings(max_examples=80, phases=[Phase.generate])
def test_a_script_loads_without_a_finding(data: st.DataObject, knobs: dict[str, Any]) -> None:
    document = data.draw(scripts([DESK, RATES], **knobs))
    assert read(document).warnings == ()


@given(scripts(versions(configs(sessions=None)), max_parts=4))
@settings(max_examples=40, phases=[Phase.generate])
def test_a_script_over_drawn_configs_passes(document: dict[str, Any]) -> None:
    check(document)


@pytest.mark.parametrize("knob", WITHOUT)
def test_what_is_left_out_is_not_there(knob: str) -> None:
    """And is there otherwise."""
    leaves_out: dict[str, Any] = {knob: False}
    held = WITHOUT[knob]

    @given(scripts([DESK, RATES], **leaves_out))
    @settings(max_examples=40, phases=[Phase.generate])
    def holds_none(document: dict[str, Any]) -> None:
        assert not held(json.dumps(document))

    holds_none()
    quick = settings(max_examples=2000, phases=[Phase.generate])
    find(scripts([DESK, DESK, RATES]), lambda document: held(json.dumps(document)), settings=quick)


@given(scripts(DESK, sessions=["north"], subjects=["order 17"], max_parts=3))
@settings(max_examples=30, phases=[Phase.generate])
def test_sessions_and_subjects_are_the_projects_own(document: dict[str, Any]) -> None:
    turns = [step["turn"] for step in document["steps"] if "turn" in step]
    assert {turn if isinstance(turn, str) else turn["session"] for turn in turns} <= {"north"}
    assert not any(theme in json.dumps(document) for theme in THEMES)


def test_the_simplest_script_is_short() -> None:
    document = find(scripts(DESK), lambda document: True, settings=scenario_settings(max_examples=100))
    assert sum("turn" in step for step in document["steps"]) <= 2
    assert len(document["steps"]) <= 3


def test_configs_may_be_files(tmp_path: Path) -> None:
    """They stand in the script, under the agent's name and in the order of their versions."""
    for version in (2, 1):
        config = {"harness": {**DESK["harness"], "context": {"keep_messages": version}}}
        (tmp_path / f"desk.v{version}.json").write_text(json.dumps(config), encoding="utf-8")
    drawn = scripts([tmp_path / "desk.v2.json", str(tmp_path / "desk.v1.json")])
    quick = settings(max_examples=2000, phases=[Phase.generate])
    document = find(drawn, lambda document: any("deploy" in step for step in document["steps"]), settings=quick)
    (deploy,) = (step["deploy"] for step in document["steps"] if "deploy" in step)
    assert [config["harness"]["context"]["keep_messages"] for config in (document["config"], deploy["config"])] == [
        1,
        2,
    ]
    assert document["config"]["agent"] == "desk"
    assert read(document).warnings == ()


def test_a_config_with_an_error_is_told(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text('{"harness": {"memry": {}}}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"<config>:1:14: ST101 .*memory"):
        scripts({"harness": {"memry": {}}})
    with pytest.raises(ValueError, match=r"wrong\.json:1:14: ST101"):
        scripts(path)
    with pytest.raises(OSError, match="gone"):
        scripts(tmp_path / "gone.json")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"sessions": []}, "`sessions` needs a name"),
        ({"sessions": "north"}, r"`sessions` takes several names.* write \['north'\]"),
        ({"sessions": [3]}, r"among them is 3 \(int\)"),
        ({"sessions": [" a"]}, '`sessions`: " a": a name .* white space'),
        ({"sessions": ["a\n"]}, "`sessions`: "),
        ({"sessions": ["a", "b", "c", "d"]}, "`sessions` names up to 3 sessions; these are 4"),
        ({"subjects": "order 17"}, r"write \['order 17'\]"),
        ({"subjects": ["a\nb"]}, "each of `subjects` is one line of at most 399"),
        ({"subjects": [" "]}, "each of `subjects` is one line"),
        ({"previews": "no"}, r"`previews` is True or False; this is 'no' \(str\)"),
        ({"derived": 1}, "`derived` is True or False"),
        ({"max_parts": 0}, "`max_parts` is a whole number from 1"),
        ({"name": ""}, '`name`: "": at least 1 character'),
        ({"name": 3}, "`name`: expected a text"),
    ],
)
def test_what_cannot_be_asked_for_is_told_by_its_argument(asked: Any, told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=told):
        scripts(DESK, **asked)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (3, "configs are mappings, or paths of files; this is 3"),
        ([3], r"among them is 3 \(int\)"),
        ([configs()], r"a strategy is given alone, as in scripts\(configs\(\)\)"),
        (configs, "this is <function configs"),
    ],
)
def test_what_is_no_config_is_told(given: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        scripts(given)


def test_a_folder_is_told_with_what_to_write_and_a_missing_file_with_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match=r"is a folder: .*sorted\(Path\(.*glob"):
        scripts([tmp_path])
    with pytest.raises(FileNotFoundError, match=r"gone\.yaml: No such file or directory; the test runs in /"):
        scripts("gone.yaml")


def test_no_config_is_told() -> None:
    with pytest.raises(ValueError, match="no config"):
        scripts([])


@given(hostile_text(line=True))
def test_a_hostile_line_is_kept_as_it_is(text: str) -> None:
    """REC-1, RCL-2"""
    engine = Engine.open()
    engine.deploy("desk", DESK, at=0)
    turn = engine.begin("desk", session="a", execution="e", at=1, user="")
    answer: Any = turn.call("add_memory", {"summary": text, "kind": "fact"}).to_json()
    assert answer["answer"]["record"]["summary"] == text
    engine.close()


@pytest.mark.parametrize(
    ("fault", "wrong", "turns"),
    [
        ("foreign-session-in-view", "session-isolation is violated (VIEW-2)", 2),
        ("conversation-lost", "a context that holds", 2),
    ],
)
def test_a_property_finds_a_fault_and_shows_it_in_a_short_script(fault: str, wrong: str, turns: int) -> None:
    @given(scripts(DESK))
    @scenario_settings(max_examples=200)
    def holds(document: dict[str, Any]) -> None:
        check(document)

    with altered(FAULTS[fault]):
        with pytest.raises(Failed) as failed:
            holds()
        assert wrong in str(failed.value)
        assert failed.value.result.judgement.turns == turns
        with pytest.raises(Failed) as again:
            check(failed.value.result.text)
    assert str(again.value) == str(failed.value)
    check(failed.value.result.text)  # it is the fault that fails


def test_settings_take_what_is_stated() -> None:
    assert Phase.shrink in scenario_settings().phases
    assert Phase.shrink not in scenario_settings(shrink=False).phases
    assert scenario_settings(max_examples=7).max_examples == 7
    assert scenario_settings(deadline=5).deadline is not None
