"""Right traces of memory systems that do otherwise what the clauses leave open; beside each, one that is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from literal import Line, clauses

from seatrial.simulator.invariants import INVARIANTS
from seatrial.simulator.invariants.cuts import stems
from seatrial.simulator.invariants.examples import (
    add,
    begin,
    call,
    context,
    deploy,
    end,
    indexing,
    pinning,
    review,
    say,
    stored,
    use,
)


@pytest.mark.parametrize(
    ("known", "unknown", "wrong"),
    [
        ("no record mem_a", "no record mem_never", []),
        ("no record 'mem_a' is here", "no record 'mem_never' is here", []),
        ("mem_a is not yours", "no record mem_never", ["VIEW-6"]),
        ("no record mem_a", "no record", ["VIEW-6"]),
    ],
)
def test_view_6_a_refusal_may_repeat_the_name_it_was_asked_for(known: str, unknown: str, wrong: list[str]) -> None:
    asked = [
        call("s1", "read_memory", {"id": name}, None) | {"error": {"code": "not_found", "message": message}}
        for name, message in (("mem_never", unknown), ("mem_a", known))
    ]
    lines = [deploy(), begin("s0", "a"), add("s0", "mem_a"), end("s0"), begin("s1", "b"), *asked, end("s1")]
    assert clauses("uniform-refusal", *lines) == wrong


def numbered(turn: str, session: str, told: str) -> list[Line]:
    """A turn of a system that numbers its references session by session."""
    result = say(turn, f"result of {session}", "tool", name="ledger", ref="ref_1")
    return [begin(turn, session), result, call(turn, "read_result", {"ref": "ref_1"}, {"text": told}), end(turn)]


@pytest.mark.parametrize(("told", "wrong"), [("result of b", []), ("result of a", ["CTX-2"])])
def test_ctx_5_a_reference_belongs_to_the_session_that_was_told_it(told: str, wrong: list[str]) -> None:
    lines = [deploy(), *numbered("s0", "a", "result of a"), *numbered("s1", "b", told)]
    assert clauses("reference-confinement", *lines) == wrong
    for name in ("uniform-refusal", "session-isolation", "flow"):
        assert clauses(name, *lines) == []


@pytest.mark.parametrize(("code", "wrong"), [("invalid_value", []), ("missing_grant", []), ("not_found", ["ADM-2"])])
def test_adm_2_who_states_no_grant_is_not_shown_what_was_deleted(code: str, wrong: list[str]) -> None:
    wrote = [deploy(), begin("s0", "a"), add("s0", "mem_a"), end("s0"), review("delete", "mem_a")]
    asked = review("read", "mem_a", grants=["everything"], error={"code": code, "message": ""})
    assert clauses("still-readable", *wrote, asked) == wrong


@pytest.mark.parametrize(("deleted", "wrong"), [("2026-01-02T00:00:00Z", []), ("2025-12-31T00:00:00Z", ["REC-3"])])
def test_rec_3_times_without_a_zone_are_utc(deleted: str, wrong: list[str]) -> None:
    versions = [
        {"status": "ACTIVE", "execution": "s0", "at": "2026-01-01T00:00:00"},
        {"status": "DELETED", "operator": "o", "at": deleted},
    ]
    kept = stored("mem_a", "s0", "a", status="DELETED", versions=versions)
    assert clauses("provenance", deploy(), begin("s0", "a"), add("s0", "mem_a"), end("s0"), kept) == wrong


@pytest.mark.parametrize(("stated", "wrong"), [('Say "good morning"\nfirst.', []), ("Be brief.", ["RCL-2"])])
def test_rcl_2_a_record_may_say_what_the_config_says(stated: str, wrong: list[str]) -> None:
    deployed = deploy()
    deployed["config"]["instructions"] = stated
    shown = context("s0", instructions='Say "good morning"\nfirst.')
    lines = [deployed, begin("s0", "a"), shown, add("s0", "mem_a", 'Say "good morning"'), end("s0")]
    assert clauses("data-not-instructions", *lines) == wrong


@pytest.mark.parametrize(("told", "wrong"), [("rule 17: ", []), ("record 1: ", ["ADM-3"])])
def test_adm_3_an_id_that_is_part_of_a_word_is_not_told(told: str, wrong: list[str]) -> None:
    asked = review(
        "list",
        grants=[],
        error={"code": "missing_grant", "message": f"{told}SELECT on financial.AgentMemory.document is not granted"},
    )
    assert clauses("grants-hold", deploy(), begin("s0", "a"), add("s0", "1"), end("s0"), asked) == wrong


SAID = "Refunds take a week, and chargebacks take a month."


def found(event: Line, *, index: str | None = "messages") -> list[str]:
    """What a search that returned `event` of turn s0 violates."""
    deployed = deploy() | {"config": {}} if index is None else indexing(deploy(), index)
    answer = call("s1", "search_history", {"query": "refunds"}, {"events": [{"turn": "s0", **event}]})
    lines = [
        deployed,
        begin("s0", "a", "How long?"),
        say("s0", SAID),
        say("s0", "ledger: 4 lines", "tool", ref="ref_1"),
    ]
    return clauses("history-confinement", *lines, end("s0"), begin("s1", "a"), answer, end("s1"))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (SAID, []),
        ("Refunds take a week", []),
        ("Refunds take a week…", []),
        ("Refunds take a week, and ...", []),
        ("…chargebacks take a month.", []),
        ("[…] chargebacks take a month.", []),
        ("Refunds … a month.", []),
        ("take a week, and chargebacks", []),
        ("Refunds take a year…", ["HIS-3"]),
        ("chargebacks … Refunds", ["HIS-3"]),
        ("Refunds take a week… and nobody knows", ["HIS-3"]),
    ],
)
def test_his_3_an_event_may_be_cut(text: str, wrong: list[str]) -> None:
    assert found({"text": text}) == wrong


@pytest.mark.parametrize(
    ("kind", "text", "wrong"),
    [
        ("reply", SAID, []),
        ("message", "How long?", []),
        ("tool_result", "ledger: 4 lines", []),
        ("assistant", SAID, []),
        ("message", SAID, ["HIS-6"]),
        ("reply", "ledger: 4 lines", ["HIS-6"]),
        ("tool_result", "How long?", ["HIS-6"]),
    ],
)
def test_his_6_an_event_is_of_the_kind_it_is_called(kind: str, text: str, wrong: list[str]) -> None:
    assert found({"kind": kind, "text": text}, index="messages_and_tools") == wrong


def test_his_5_without_a_config_nothing_is_known_of_what_is_kept() -> None:
    assert found({"text": "ledger: 4 lines"}, index=None) == []
    assert found({"text": "ledger: 4 lines"}) == ["HIS-5"]


def pinned(**shown: Any) -> list[Line]:
    """A turn with one pin, and what its next context tells."""
    pin = {"id": "mem_sign", "summary": "Two sign", "pinned": True}
    wrote = call("s0", "add_memory", {"summary": "Two sign", "pinned": True}, {"record": pin})
    told = {"type": "context", "turn": "s0", "call": 2, **shown}
    return [pinning(deploy(), 40), begin("s0", "a"), wrote, told, end("s0")]


PINS = [{"id": "mem_sign", "summary": "Two sign"}]


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        ({}, []),
        ({"pins": PINS}, []),
        ({"pins": PINS, "instructions": "Be brief.\n* Two sign (mem_sign)"}, []),
        ({"pins": PINS, "instructions": "<pin id='mem_sign'>Two sign</pin>"}, []),
        ({"pins": PINS, "instructions": 'Be brief.\n{"id":"mem_sign","summary":"Two sign"}'}, []),
        ({"pins": []}, ["PIN-3"]),
        ({"pins": PINS, "instructions": "Be brief."}, ["PIN-3", "RCL-2"]),
        ({"pins": PINS, "instructions": '{"id":"mem_sign","summary":"Two sign"'}, ["RCL-2"]),
    ],
)
def test_pin_3_pins_may_be_listed_in_any_form(shown: Line, wrong: list[str]) -> None:
    lines = pinned(**shown)
    names = ("pins-complete", "data-not-instructions", "pin-budget")
    assert sorted({clause for name in names for clause in clauses(name, *lines)}) == wrong


@pytest.mark.parametrize("config", [None, {}])
def test_pin_1_without_a_config_nothing_is_known_of_pins(config: Line | None) -> None:
    deployed, *rest = pinned(pins=PINS)
    del deployed["config"]
    lines = [deployed if config is None else {**deployed, "config": config}, *rest]
    assert [each.name for each in INVARIANTS if clauses(each.name, *lines)] == []


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        ({}, []),
        ({"memory": "You remember:\n* Two sign (mem_sign)"}, []),
        ({"memory": '<memory>\n{"id":"mem_sign","summary":"Two sign"}\n</memory>'}, []),
        ({"memory": ""}, ["RCL-2"]),
        ({"memory": '<memory>\n{"id":"mem_sign","summary":"Two"}\n</memory>'}, ["RCL-2"]),
    ],
)
def test_rcl_2_recalled_records_may_stand_in_any_form(shown: Line, wrong: list[str]) -> None:
    lines = [deploy(), begin("s0", "a"), add("s0", "mem_sign", "Two sign"), end("s0"), begin("s1", "a")]
    told = {"type": "context", "turn": "s1", "call": 1, "instructions": "Be brief.", "recalled": PINS, **shown}
    assert clauses("data-not-instructions", *lines, told, end("s1")) == wrong


@pytest.mark.parametrize(
    ("contexts", "wrong"),
    [
        ([], []),
        ([{"instructions": "Be brief."}], []),
        ([{"recalled": PINS}], []),
        ([{"recalled": []}], ["RCL-3"]),
        ([{"call": 2, "recalled": PINS}], ["RCL-3", "RCL-3"]),
    ],
)
def test_rcl_3_uses_of_contexts_that_are_not_told(contexts: list[Line], wrong: list[str]) -> None:
    told = [{"type": "context", "turn": "s1", "call": 1, **each} for each in contexts]
    wrote = [deploy(), begin("s0", "a"), add("s0", "mem_sign", "Two sign"), end("s0"), begin("s1", "a")]
    assert clauses("uses-recorded", *wrote, *told, end("s1"), use("s1", 1, "recall", "mem_sign")) == wrong


@pytest.mark.parametrize(("config", "wrong"), [({}, []), ({"harness": {}}, ["VIEW-3"])])
def test_view_3_without_a_config_nothing_is_known_of_scopes(config: Line, wrong: list[str]) -> None:
    wrote = call("s0", "add_memory", {"summary": "Two sign", "scope": "agent"}, {"record": PINS[0]})
    told = {"type": "context", "turn": "s1", "call": 1, "recalled": PINS}
    lines = [deploy() | {"config": config}, begin("s0", "a"), wrote, end("s0"), begin("s1", "b"), told, end("s1")]
    assert clauses("session-isolation", *lines) == wrong


@pytest.mark.parametrize(("numbers", "wrong"), [([1, 3, 8], []), ([2], []), ([1, 1], ["TXN-5"]), ([2, 1], ["TXN-5"])])
def test_txn_5_contexts_may_be_left_out(numbers: list[int], wrong: list[str]) -> None:
    lines = [deploy(), begin("s0", "a"), *(context("s0", number) for number in numbers), end("s0")]
    assert clauses("calls-within-limits", *lines) == wrong


@pytest.mark.parametrize(
    ("said", "text", "from_it"),
    [
        ("wire 4471 is approved", "wire", True),
        ("\n" * 900 + "wire", "\n" * 800, True),
        ("承認済みの送金", "承", True),
        ("wire 4471 is approved", "4471", False),
        ("wire 4471 is approved", "", False),
        ("wire 4471 is approved up to 9,000 USD", "… is approved …", True),
    ],
)
def test_his_3_a_beginning_of_what_was_said_may_be_short(said: str, text: str, from_it: bool) -> None:
    assert stems(said, text) is from_it
