"""Whatever a scenario file holds, it is either run or refused with a place: never a fault of ours."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.schemas.wording import printable
from seatrial.simulator.load import InvalidScript, Loader
from seatrial.simulator.runner import run_script
from seatrial.simulator.suite import read
from seatrial.simulator.trace import pointer_text

DOCUMENT: dict[str, Any] = {
    "scenario": "x",
    "config": {"harness": {"memory": {"enabled": True, "tools": ["add_memory", "read_memory", "delete_memory"]}}},
    "tags": ["session-isolation"],
    "steps": [
        {
            "turn": {"session": "a", "mode": "live", "at": "2026-01-01T00:00:00Z"},
            "user": "Hello.",
            "id": "slow",
            "outcome": "open",
            "do": [
                {"add_memory": {"summary": "One", "kind": "fact", "as": "one"}, "gets": {"record": {"kind": "fact"}}},
                {"subagent": {"do": [{"search_memory": {"ids": ["one"], "limit": 1}}]}},
                {"tool": {"name": "fetch", "tokens": 3}, "sees": {"recalled": {"has": ["one"]}, "tokens": {"min": 1}}},
                {"set_state": {"open": 1}},
            ],
        },
        {"continue": "slow", "do": [{"delete_memory": {"id": "one"}}], "gets": {"error": "conflict"}},
        {"deploy": {"config": {"harness": {}}, "mode": "preview"}},
        {"review": {"read": "one", "grants": []}, "gets": {"error": "missing_grant"}},
    ],
}


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(place for key, item in inner for place in places(item, (*at, key)))]


PLACES = [place for place in places(DOCUMENT) if place]
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([None, True, 0, -1, 1.5, 10**400, "", "one", "a\x00\n", " ", "2026-02-30", [], {}, [[]], {"": 1}]),
    st.sampled_from([DOCUMENT["steps"][0]["do"][0], DOCUMENT["steps"][0], DOCUMENT["config"], DOCUMENT["steps"]]),
    st.text(st.characters(codec="utf-8"), max_size=3),
)
CHANGES = st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(["put", "drop", "rename"]), VALUES), max_size=3)


def changed(changes: list[tuple[tuple[Any, ...], str, Any]]) -> Any:
    document = deepcopy(DOCUMENT)
    for place, how, value in changes:
        parent: Any = document
        try:
            for key in place[:-1]:
                parent = parent[key]
            if how == "put":
                parent[place[-1]] = deepcopy(value)
            elif how == "drop":
                del parent[place[-1]]
            else:
                parent[str(value)] = parent.pop(place[-1])
        except (KeyError, IndexError, TypeError, AttributeError):
            continue  # an earlier change took the place away
    return document


@settings(max_examples=200)
@given(CHANGES)
def test_a_changed_scenario_is_run_or_refused_with_a_place(
    tmp_path_factory: Any, changes: list[tuple[tuple[Any, ...], str, Any]]
) -> None:
    path = Path(tmp_path_factory.getbasetemp()) / "hostile.scenario.json"
    path.write_text(json.dumps(changed(changes)), encoding="utf-8")
    scenario = read(path, Loader())
    if isinstance(scenario, InvalidScript):
        assert any(each.severity == "error" for each in scenario.diagnostics)
        assert all(each.span.line >= 1 and each.span.column >= 1 for each in scenario.diagnostics)
        assert all(printable(each.message) == each.message for each in scenario.diagnostics)
    else:
        told = run_script(scenario.script)
        assert told.trace.text.startswith('{"format":1,')
        assert all(scenario.place(pointer_text(failure.pointer[:2])).line >= 1 for failure in told.failures)
