"""Reading a trace: lenient where the form does not matter, and never silent about a line that would go unchecked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from seatrial.simulator.invariants import History, TraceError
from seatrial.simulator.invariants.examples import HEADER, add, begin, context, deploy, end, execution, say, stored

WHOLE = [
    HEADER,
    deploy(),
    begin("s0", "account-17", "Hello"),
    context("s0"),
    say("s0", "Noted."),
    add("s0", "mem_1"),
    end("s0"),
    {"type": "review", "agent": "clerk", "action": "list", "id": None, "grants": None, "answer": {"records": []}},
    {"type": "restart", "step": "/steps/2"},
    stored("mem_1", "s0", "account-17"),
    execution("s0"),
    {"type": "use", "turn": "s0", "call": 1, "source": "recall", "records": ["mem_1"]},
]


def refused(*lines: Any) -> TraceError:
    with pytest.raises(TraceError) as caught:
        History.parse(lines)
    return caught.value


def test_texts_and_parsed_values_read_alike() -> None:
    parsed, text = History.parse(WHOLE), History.parse([json.dumps(line) + "\n" for line in WHOLE])
    assert parsed.events == text.events
    assert (parsed.scenario, parsed.records, parsed.uses) == (text.scenario, text.records, text.uses)
    assert (len(parsed.events), len(parsed.records), len(parsed.executions), len(parsed.uses)) == (8, 1, 1, 1)


def test_blank_lines_are_skipped_and_still_counted() -> None:
    assert History.parse(["", json.dumps(HEADER), "  ", json.dumps(deploy())]).events[0].line == 4


def test_unknown_keys_are_ignored() -> None:
    assert History.parse([HEADER, {**begin("s0", "x"), "colour": "blue"}]).events[0].line == 2


def test_a_state_of_null_is_not_a_state_that_is_not_told() -> None:
    told = context("s0", state=None)
    untold = {key: value for key, value in told.items() if key != "state"}
    contexts = History.parse([HEADER, begin("s0", "x"), told, untold]).events[1:]
    assert [getattr(each, "has_state", None) for each in contexts] == [True, False]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"type": "context", "tokens": NaN}', "NaN is no JSON number"),
        ('{"type": "say", "type": "end"}', "the key 'type' twice"),
        ("[" * 100_000, "not JSON"),
        ({"turn": "s0"}, "unknown type None"),
        ({"type": "contxt"}, "unknown type 'contxt'; one of deploy, begin, context"),
        ({"type": ["end"]}, "unknown type"),
        ({"type": "begin", "agent": "clerk"}, "a begin needs 'turn', a string"),
        ({"type": "begin", "turn": 3, "agent": "clerk"}, "'turn' is a string, not 3"),
        ({"type": "deploy", "agent": "clerk", "version": True}, "'version' is an integer, not true"),
        ({"type": "context", "turn": "s9", "call": 1}, "turn 's9' did not begin"),
        ({"type": "say", "turn": "done", "kind": "reply"}, "turn 'done' has ended"),
        (begin("done", "x"), "turn 'done' begins a second time"),
        ({**add("open", "mem_1"), "error": {"code": "busy"}}, "exactly one of them"),
        ({"type": "call", "turn": "open", "call": 1, "tool": "search_memory"}, "exactly one of them"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_line_that_would_go_unchecked_is_refused_with_its_number(line: Any, reason: str) -> None:
    error = refused(HEADER, begin("done", "x"), end("done"), begin("open", "y"), line)
    assert error.line == 5
    assert reason in error.reason
    assert str(error) == f"line 5: {error.reason}"


def test_a_refused_turn_has_no_lines_and_may_be_tried_again() -> None:
    busy = {**begin("s0", "x"), "error": {"code": "busy", "message": "", "remedy": ""}}
    assert refused(HEADER, busy, context("s0")).reason == "turn 's0' did not begin"
    assert len(History.parse([HEADER, busy, begin("s0", "x"), context("s0")]).events) == 3


@pytest.mark.parametrize("lines", [[], ["", " "], [deploy()], [{**HEADER, "format": 2}], [{"type": "trace"}]])
def test_the_header_is_there_and_of_this_format(lines: list[Any]) -> None:
    refused(*lines)


@pytest.mark.parametrize("form", [True, 1.0, "1"])
def test_a_format_is_a_whole_number(form: Any) -> None:
    assert (
        refused({**HEADER, "format": form}).reason == f"format {json.dumps(form)} cannot be read; this reads format 1"
    )


def test_the_name_of_a_scenario_is_a_text() -> None:
    assert refused({**HEADER, "scenario": 3}).reason == "'scenario' is a string, not 3"


def test_an_empty_trace_ends_in_the_line_where_one_was_looked_for() -> None:
    assert [refused().line, refused("").line, refused("", "").line] == [1, 1, 2]
