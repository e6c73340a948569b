"""A scenario that is played step by step has the trace that it has when it is run whole, and refuses what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from seatrial.linter import read_text
from seatrial.simulator.fuzzing import Document, roles, scenarios
from seatrial.simulator.fuzzing.trial import script_of
from seatrial.simulator.live import Live, WrongStep
from seatrial.simulator.load import InvalidScript, Loader
from seatrial.simulator.runner import run_script

DESK: dict[str, Any] = {
    "agent": "desk",
    "harness": {
        "history": {"index": "messages"},
        "memory": {"enabled": True, "tools": ["add_memory", "delete_memory"], "pinned": {"max_tokens": 150}},
    },
}
RATES: dict[str, Any] = {
    "agent": "rates",
    "sessions": False,
    "harness": {"memory": {"enabled": True, "scope": {"read": ["agent"], "write": ["agent"]}, "tools": ["add_memory"]}},
}
HEAD = {"scenario": "x", "config": DESK}


@given(document=scenarios(roles([DESK, RATES])))
@settings(max_examples=25, phases=[Phase.generate])
def test_played_step_by_step_it_is_the_same(document: Document) -> None:
    live = Live({key: value for key, value in document.items() if key != "steps"})
    told = [line for step in document["steps"] for line in live.step(step)]
    live.finish()
    script = script_of(document, {})
    assert script is not None
    whole = run_script(script)
    assert tuple(live.lines) == whole.trace.lines
    assert tuple(live.failures) == whole.failures
    assert live.document == document
    assert [line for line in live.lines if line in told] == told


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ({"trun": "a"}, "trun"),
        ({"turn": "a", "review": {"list": True}}, "one of the two"),
        ({"continue": "t"}, "no turn"),
        ({"turn": "a", "do": [{"delete_memory": {"id": "rec1"}}]}, "no `as` gives the name"),
        ({"deploy": {"config": {"harness": {"memry": {}}}}}, "memry"),
        ({"deploy": {"config": "v2.yaml"}}, "stands in the scenario itself"),
    ],
)
def test_a_wrong_step_is_neither_played_nor_added(step: Any, reason: str) -> None:
    live = Live(HEAD)
    before = len(live.lines)
    with pytest.raises(WrongStep, match=reason) as wrong:
        live.step(step)
    assert wrong.value.document["steps"] == [step]
    assert live.document["steps"] == []
    assert len(live.lines) == before
    live.close()


@given(document=scenarios(roles([DESK, RATES])), data=st.data())
@settings(max_examples=25, phases=[Phase.generate])
def test_it_refuses_the_steps_with_which_the_whole_would_not_load(document: Document, data: st.DataObject) -> None:
    """In any order, so that names, turns and versions are missing that others rest on."""
    head = {key: value for key, value in document.items() if key != "steps"}
    live = Live(head)
    taken: list[Any] = []
    for step in data.draw(st.permutations(document["steps"])):
        try:
            Loader().loaded(Path("x"), read_text(json.dumps({**head, "steps": [*taken, step]}), path="x"))
        except InvalidScript:
            with pytest.raises(WrongStep):
                live.step(step)
        else:
            live.step(step)
            taken.append(step)
    assert live.document["steps"] == taken
    live.close()


def test_an_id_of_nothing_is_not_given_as_a_name_later() -> None:
    live = Live(HEAD)
    live.step({"turn": "a", "do": [{"delete_memory": {"id": "rec"}, "gets": {"error": "not_found"}}]})
    adds = {"turn": "a", "do": [{"add_memory": {"summary": "x", "kind": "fact", "as": "rec"}}]}
    for _ in range(2):
        with pytest.raises(WrongStep, match="named only later"):
            live.step(adds)
    live.close()


def test_a_wrong_config_is_told_at_once() -> None:
    with pytest.raises(WrongStep, match="memry"):
        Live({"scenario": "x", "agents": {"a": {"harness": {"memry": {}}}}})


def test_names_are_known_from_the_step_on_that_gives_them() -> None:
    live = Live(HEAD)
    live.step({"turn": "a", "do": [{"add_memory": {"summary": "x", "kind": "fact", "as": "rec"}}]})
    found = live.step({"turn": "a", "do": [{"search_memory": {"ids": ["rec"]}, "gets": {"records": ["rec"]}}]})
    (called,) = (line for line in found if line["type"] == "call")
    assert [hit["id"] for hit in called["answer"]["records"]] == [live.ids["rec"]]
    assert live.failures == []
    live.step({"turn": "b", "do": [{"reply": "x", "sees": {"text": "Bonjour"}}]})
    assert len(live.failures) == 1
    live.close()


def test_a_restart_ends_open_turns() -> None:
    """TXN-4"""
    live = Live(HEAD)
    first = live.engine
    live.step({"turn": "a", "id": "t", "outcome": "open"})
    assert [line["type"] for line in live.step({"restart": True})] == ["end", "restart"]
    assert live.engine is not first
    live.finish()
    assert live.lines[-1]["type"] in ("execution", "record", "use")
