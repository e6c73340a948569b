"""What a call is refused for, what must be refused, and when turns are, on literal traces."""

from __future__ import annotations

from typing import Any

import pytest

from seatrial.simulator.invariants import History
from seatrial.simulator.invariants.examples import HEADER, begin, call, decision, deploy, end, record, review
from seatrial.simulator.invariants.refusals_justified import check

Line = dict[str, Any]


def version(number: int = 1, **memory: Any) -> Line:
    """A version of the clerk with every tool, that keeps history and writes both scopes unless `memory` says else."""
    settings = {
        "enabled": True,
        "tools": ["add_memory", "read_memory", "delete_memory"],
        "scope": {"read": ["session", "agent"], "write": ["session", "agent"]},
        **memory,
    }
    return {
        **deploy(),
        "version": number,
        "config": {"harness": {"memory": settings, "history": {"index": "messages"}}},
    }


def refused(tool: str, code: str, by: str = "agent", **arguments: Any) -> Line:
    return {**call("s0", tool, arguments, None), "by": by, "error": {"code": code, "message": "no", "remedy": ""}}


def answered(tool: str, **arguments: Any) -> Line:
    answer: Line = {"record": record("mem_new")} if tool in ("add_memory", "read_memory") else {"records": []}
    return call("s0", tool, arguments, answer)


def clauses(*lines: Line) -> list[str]:
    return [violation.clause for violation in check(History.parse([HEADER, *lines])).violations]


def in_turn(*lines: Line, config: Line | None = None) -> list[str]:
    """The clauses violated in one turn, before which account-17 kept mem_old and account-22 mem_foreign."""
    first = [
        begin("a", "account-17"),
        call("a", "add_memory", {"summary": "a fact", "kind": "fact"}, {"record": record("mem_old")}),
        end("a"),
        begin("b", "account-22"),
        call("b", "add_memory", {"summary": "a fact", "kind": "fact"}, {"record": record("mem_foreign")}),
        end("b"),
    ]
    return clauses(config or version(), *first, begin("s0", "account-17"), *lines, end("s0"))


FACT = {"summary": "a fact", "kind": "fact"}


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        (refused("search_history", "blank_query", query="wire 4471"), "SCH-1"),
        (refused("search_memory", "blank_query", query=" ", kinds=["fact"]), "SCH-1"),
        (refused("search_memory", "undeclared_kind", kinds=["fact"]), "REC-4"),
        (refused("search_memory", "no_such_tool", query="wire"), "WRT-1"),
        (refused("add_memory", "undeclared_label", **FACT), "REC-5"),
        (refused("add_memory", "pins_disabled", **FACT), "PIN-1"),
        (refused("add_memory", "over_budget", **FACT, pinned=True), "PIN-2"),
        (refused("add_memory", "scope_not_allowed", **FACT, scope="agent"), "SCO-2"),
        (refused("delete_memory", "scope_not_allowed", id="mem_old"), "SCO-2"),
        (refused("add_memory", "helper_cannot_write", **FACT), "WRT-6"),
        (refused("search_memory", "helper_cannot_write", by="subagent", query="wire"), "WRT-6"),
        (refused("delete_memory", "not_active", id="mem_old"), "WRT-2"),
        (refused("read_memory", "not_found", id="mem_old"), "WRT-4"),
    ],
)
def test_a_refusal_whose_reason_is_not_there_is_a_violation(line: Line, clause: str) -> None:
    """SCH-1, REC-4, REC-5, WRT-1, WRT-2, WRT-4, WRT-6, SCO-2, PIN-1, PIN-2."""
    assert in_turn(line) == [clause]


@pytest.mark.parametrize(
    "line",
    [
        refused("search_history", "blank_query", query=" \t"),
        refused("search_memory", "blank_query"),
        refused("search_memory", "undeclared_kind", kinds=["rumour"]),
        refused("search_memory", "undeclared_label", labels={"customer": 1}),
        refused("add_memory", "undeclared_kind", summary="a fact", kind="rumour"),
        refused("add_memory", "pins_disabled", **FACT, pinned=True),
        refused("add_memory", "scope_not_allowed", **FACT, scope="everyone"),
        refused("delete_memory", "scope_not_allowed", id="mem_old", scope="agent"),
        refused("add_memory", "helper_cannot_write", by="program", **FACT),
        refused("read_result", "no_such_tool", by="program", ref="ref_1"),
        refused("read_memory", "not_found", id="mem_foreign"),
        refused("read_memory", "not_found", id="mem_never"),
        refused("add_memory", "invalid_value", summary="two\nlines", kind="fact"),
        refused("add_memory", "a_code_of_its_own", **FACT),
    ],
)
def test_a_refusal_whose_reason_is_there_is_none(line: Line) -> None:
    """SCH-1, REC-4, REC-5, WRT-1, WRT-4, WRT-6, SCO-2, PIN-1."""
    assert in_turn(line) == []


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        (answered("search_memory", query="wire", kinds=["rumour"]), "REC-4"),
        (answered("add_memory", summary="a fact", kind="rumour"), "REC-4"),
        (answered("add_memory", **FACT, labels={"customer": 1}), "REC-5"),
        (answered("add_memory", **FACT, pinned=True), "PIN-1"),
        (answered("search_memory"), "SCH-1"),
        (answered("search_history", query=" "), "SCH-1"),
    ],
)
def test_a_call_that_must_be_refused_is_not_answered(line: Line, clause: str) -> None:
    """REC-4, REC-5, PIN-1, SCH-1."""
    assert in_turn(line) == [clause]


def test_a_scope_that_is_not_written_and_a_tool_that_is_not_there_are_refused() -> None:
    """SCO-2, WRT-1."""
    narrow = version(tools=["add_memory"], scope={"read": ["session"], "write": ["session"]})
    assert in_turn(answered("add_memory", **FACT, scope="agent"), config=narrow) == ["SCO-2"]
    assert in_turn(answered("read_memory", id="mem_old"), config=narrow) == ["WRT-1"]
    assert in_turn(refused("read_memory", "no_such_tool", id="mem_old"), config=narrow) == []
    assert in_turn(answered("read_memory", id="mem_old"), config=deploy()) == []  # which tools there are is not told


def test_a_record_that_was_replaced_is_not_replaced_again() -> None:
    """WRT-2: by the turn itself it is ended at once."""
    first = call("s0", "add_memory", {**FACT, "replaces": "mem_old"}, {"record": record("mem_new")})
    again = {**FACT, "replaces": "mem_old"}
    assert in_turn(first, telling("mem_new replaced it", **again)) == []
    assert in_turn(first, call("s0", "add_memory", again, {"record": record("mem_newer")})) == ["WRT-2"]


def telling(message: str, **arguments: Any) -> Line:
    error = {"code": "not_active", "message": message, "remedy": ""}
    return {**refused("add_memory", "not_active", **arguments), "error": error}


def test_wrt_2_a_refusal_names_the_successor_where_it_is_in_view() -> None:
    first = call("s0", "add_memory", {**FACT, "replaces": "mem_old"}, {"record": record("mem_new")})
    again = {**FACT, "replaces": "mem_old"}
    assert in_turn(first, telling("it was replaced", **again)) == ["WRT-2"]
    assert in_turn(first, {**telling("", **again), "error": {"code": "not_active"}}) == []  # nothing else is told
    gone = call("s0", "delete_memory", {"id": "mem_new"}, {"deleted": "mem_new"})
    assert in_turn(first, gone, telling("it was replaced", **again)) == []


def judged(outcome: str, code: str | None = None, decided: Any = None, **candidate: Any) -> Line:
    """What a review made of a candidate."""
    told: Line = {"candidate": {**FACT, **candidate}, "decision": decided}
    if code is not None:
        told["error"] = {"code": code, "message": "no", "remedy": ""}
    return decision("s0", "a fact", outcome, None if outcome == "rejected" else "mem_new", **told)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (judged("rejected", "undeclared_kind", kind="rumour"), []),
        (judged("rejected", "undeclared_kind"), ["REC-4"]),
        (judged("rejected", "not_found", {"replace": "mem_foreign"}), []),
        (judged("rejected", "not_found", {"delete": "mem_old"}), ["WRT-4"]),
        (judged("rejected", "scope_not_allowed", {"replace": "mem_old"}, scope="agent"), []),
        (judged("rejected", "scope_not_allowed", {"replace": "mem_old"}), ["SCO-2"]),
        (judged("rejected", "not_active"), ["WRT-2"]),
        (judged("add", kind="rumour"), ["REC-4"]),
        (judged("add", labels={"customer": 1}), ["REC-5"]),
        (judged("replace", None, {"replace": "mem_old"}), []),
        (judged("skip", kind="rumour"), []),
    ],
)
def test_ext_3_a_candidate_is_rejected_for_what_is_wrong_with_it(line: Line, wrong: list[str]) -> None:
    assert in_turn(line) == wrong


def test_ext_3_a_review_needs_no_tool() -> None:
    """WRT-1: what the agent itself may not add, its review may."""
    assert clauses(version(tools=[]), begin("s0", "account-17"), judged("add"), end("s0")) == []


def test_a_filter_takes_what_any_version_declared() -> None:
    """VER-4: a write takes what its own declares."""
    ruled = version(kinds=["ruling"])
    later = [version(2, kinds=["fact"]), {**begin("s0", "account-17"), "version": 2}]
    search = refused("search_memory", "undeclared_kind", kinds=["ruling"])
    assert clauses(ruled, *later, search, end("s0")) == ["REC-4"]
    assert clauses(ruled, *later, answered("search_memory", kinds=["ruling"]), end("s0")) == []
    assert clauses(ruled, *later, answered("add_memory", summary="a fact", kind="ruling"), end("s0")) == ["REC-4"]


BUSY = {"error": {"code": "busy", "message": "another turn of this session is open", "remedy": ""}}


def test_a_turn_is_busy_where_another_of_its_session_is_open() -> None:
    """TXN-3: there and nowhere else."""
    one, same, other = begin("s0", "account-17"), begin("s1", "account-17"), begin("s1", "account-22")
    assert clauses(version(), one, same | BUSY, end("s0")) == []
    assert clauses(version(), one, other | BUSY, end("s0")) == ["TXN-3"]
    assert clauses(version(), one, same, end("s1"), end("s0")) == ["TXN-3"]
    assert clauses(version(), one, end("s0"), same, end("s1")) == []
    assert clauses(version(), one, {"type": "restart"}, same, end("s1")) == []


def test_a_conflict_needs_something_that_changed() -> None:
    """TXN-3: a commit of its agent, or an operator's delete, while it was open; and it ended or pinned something."""
    pins = version(pinned={"max_tokens": 500})
    first, lost = begin("s0", "account-17"), end("s0", "conflict")
    open_one = [first, answered("add_memory", **FACT, pinned=True)]
    other = [begin("s1", "account-22"), end("s1")]
    undone = [begin("s1", "account-22"), end("s1", "rolled_back")]
    assert clauses(pins, *open_one, *other, lost) == []
    assert clauses(pins, *open_one, review("delete", "mem_old"), lost) == []
    assert clauses(pins, *open_one, *undone, lost) == ["TXN-3"]
    assert clauses(pins, *other, *open_one, lost) == ["TXN-3"]
    assert clauses(pins, first, answered("add_memory", **FACT), *other, lost) == ["TXN-3"]
    replaced = decision("s0", "a fact", "replace", "mem_newer", target="mem_new")
    assert clauses(pins, first, answered("add_memory", **FACT), *other, replaced, lost) == []


def test_a_trace_without_configs_tells_nothing_of_what_may_be_called() -> None:
    unknown = {**begin("s0", "account-17"), "version": None}
    verdict = check(History.parse([HEADER, unknown, refused("search_memory", "blank_query", query="wire"), end("s0")]))
    assert (verdict.violations, verdict.checked["refusals"]) == ((), 0)


def test_a_turn_without_a_session_has_no_history_to_search() -> None:
    """VIEW-7: its version may keep history all the same."""
    alone = begin("s0", None)
    assert clauses(version(), alone, refused("search_history", "no_such_tool", query="wire"), end("s0")) == []
    assert clauses(version(), alone, answered("search_history", query="wire"), end("s0")) == ["WRT-1"]
