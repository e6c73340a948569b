"""HIS in scenarios: how a script states which events a search of the history finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seatrial.simulator.expect import Names, Reply, check_gets
from seatrial.simulator.load import InvalidScript, Loader

AT = ("steps", 0, "gets")
NAMES = Names()
NAMES.learn("statement", "ref_1")
ASKED = {"kind": "message", "text": "Is it approved?", "turn": "s0"}
FETCHED = {"kind": "tool_result", "text": "row 1", "turn": "s0", "name": "fetch", "ref": "ref_1"}


def gets(expected: dict[str, Any], *events: dict[str, Any]) -> list[str]:
    answer = {"events": [{**event, "score": 0.5} for event in events]}
    return [f"{failure.expected} / {failure.seen}" for failure in check_gets(expected, Reply(answer), NAMES, AT)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Is it approved?", {"ref": "statement"}],
        [{"kind": "message"}, {"name": "fetch", "text": "row 1"}],
        {"only": [{"ref": "statement"}, "Is it approved?"]},
        {"has": [{"kind": "tool_result"}]},
        {"has": ["row 1"], "lacks": ["row 2", {"ref": "other"}, {"kind": "reply"}]},
    ],
)
def test_events_are_stated_by_text_or_by_fields(expected: Any) -> None:
    assert gets({"events": expected}, ASKED, FETCHED) == []


@pytest.mark.parametrize(
    "expected",
    [
        [],
        ["Is it approved?"],
        [{"ref": "statement"}, "Is it approved?"],
        ["Is it approved?", "row"],
        ["Is it approved?", {"kind": "tool_result", "name": "other"}],
        {"only": ["Is it approved?"]},
        {"only": ["Is it approved?", "Is it approved?"]},
        {"only": ["Is it approved?", "row 1", "row 1"]},
        {"has": ["row 2"]},
        {"lacks": [{"ref": "statement"}]},
    ],
)
def test_events_that_are_others_do_not_hold(expected: Any) -> None:
    assert len(gets({"events": expected}, ASKED, FETCHED)) == 1


def test_a_failure_shows_the_events() -> None:
    assert gets({"events": []}, ASKED) == ['[] / [message "Is it approved?"]']
    assert gets({"score": {"max": 0.1}}, ASKED) == ['score of at most 0.1 / 0.5 for [message "Is it approved?"]']
    assert gets({"score": {"max": 0.1}}) == ["score of at most 0.1 / no hit, so no score"]
    assert gets({"error": "blank_query"}, ASKED) == ['the error blank_query / the events [message "Is it approved?"]']


def test_events_of_an_answer_without_events_do_not_hold() -> None:
    (failure,) = check_gets({"events": []}, Reply({"records": []}), NAMES, AT)
    assert (failure.pointer, failure.expected) == ((*AT, "events"), "events")


SEARCH = "  - turn: a\n    do:\n      - search_history: {query: x}\n        gets: {%s}\n"


@pytest.mark.parametrize(
    ("config", "gets_text", "places"),
    [
        ("{harness: {history: {index: messages}}}", "events: [x]", []),
        ("{harness: {}}", "events: [x]", ["6:9 SC205"]),
        ("{harness: {history: {}}}", "error: no_such_tool", []),
        ("{harness: {history: {index: messages}}}", "records: []", ["7:16 SC004"]),
        ("{harness: {history: {index: messages}}}", "events: [], error: busy", ["7:16 SC004"]),
        ("{harness: {history: {index: messages}}}", "events: [{ref: lost}]", ["7:31 SC101"]),
        ("{harness: {history: {index: messages}}}", "events: {has: [x, {ref: lost}]}", ["7:40 SC101"]),
        ("{harness: {history: {index: messages}}}", "events: [{kind: answer}]", ["7:32 ST103"]),
        ("{harness: {history: {index: messages}}}", "events: [{}]", ["7:25 ST103"]),
        ("{harness: {history: {index: messages}}}", "events: {has: []}", ["7:30 ST103"]),
        ("{harness: {history: {index: messages}}}", "events: {lacks: []}", ["7:32 ST103"]),
    ],
)
def test_what_makes_no_sense_of_events_is_told_at_its_place(
    tmp_path: Path, config: str, gets_text: str, places: list[str]
) -> None:
    path = tmp_path / "a.scenario.yaml"
    path.write_text(f"scenario: x\nconfig: {config}\nsteps:\n{SEARCH % gets_text}", encoding="utf-8")
    try:
        diagnostics = Loader().load(path).warnings
    except InvalidScript as invalid:
        diagnostics = invalid.diagnostics
    assert [f"{each.span.line}:{each.span.column} {each.code}" for each in diagnostics] == places
