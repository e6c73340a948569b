"""Right traces of memory systems that do otherwise what the clauses leave open; beside each, one that is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from seatrial.simulator.invariants import INVARIANTS, History
from seatrial.simulator.invariants.examples import HEADER, add, begin, call, context, deploy, end, review, say, stored

Line = dict[str, Any]
NAMED = {each.name: each for each in INVARIANTS}


def clauses(name: str, *lines: Line) -> list[str]:
    return [violation.clause for violation in NAMED[name].check(History.parse([HEADER, *lines])).violations]


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
