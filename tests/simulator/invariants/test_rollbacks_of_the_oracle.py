"""rollback-atomicity on literal traces: what a turn that did not commit may not leave."""

from __future__ import annotations

from typing import Any

import pytest

from seatrial.simulator.invariants import History, Verdict
from seatrial.simulator.invariants.examples import (
    HEADER,
    add,
    begin,
    call,
    context,
    deploy,
    end,
    execution,
    record,
    said,
    say,
    search,
    stored,
)
from seatrial.simulator.invariants.rollback_atomicity import ROLLBACK_ATOMICITY
from seatrial.simulator.invariants.session_isolation import SESSION_ISOLATION

Line = dict[str, Any]
UNDONE = ["rolled_back", "failed", "crashed", "conflict"]


def judged(*lines: Line) -> Verdict:
    return ROLLBACK_ATOMICITY.check(History.parse([HEADER, deploy(), *lines]))


def told(*lines: Line) -> list[tuple[str, str | None]]:
    return [(violation.observation, violation.record) for violation in judged(*lines).violations]


def undone(outcome: str = "rolled_back") -> list[Line]:
    return [begin("s0", "a", "Porto?"), add("s0", "mem_porto"), say("s0", "Corrected."), end("s0", outcome)]


def kept(*doing: Line) -> list[Line]:
    """A committed turn that wrote mem_lisbon, then the turn s1 in which something is done to it."""
    return [begin("s0", "a"), add("s0", "mem_lisbon"), end("s0"), begin("s1", "a"), *doing]


@pytest.mark.parametrize("outcome", UNDONE)
def test_txn_2_nothing_of_it_is_observed_later(outcome: str) -> None:
    after = [begin("s1", "a"), search("s1", "mem_porto"), end("s1")]
    assert told(*undone(outcome), *after) == [("answer of search_memory in a turn s1 call 1", "mem_porto")]
    for message in ("Porto?", "Corrected."):
        spoken = [begin("s1", "a"), context("s1", messages=said(message)), end("s1")]
        assert told(*undone(outcome), *spoken) == [(f'message "{message}" in a turn s1 call 1', None)]


def test_txn_2_a_turn_that_never_ended_leaves_nothing() -> None:
    lines = [begin("s0", "a"), add("s0", "mem_porto"), begin("s1", "a"), search("s1", "mem_porto"), end("s1")]
    assert [violation.because for violation in judged(*lines).violations] == [
        "because turn s0 never ended, and leaves nothing"
    ]


def test_txn_2_a_retry_may_say_the_same() -> None:
    """openai-agents-python#3852: the retry is complete, and the user's message is its own."""
    retry = [begin("s1", "a", "Porto?"), context("s1", messages=said("Porto?")), say("s1", "Corrected."), end("s1")]
    verdict = judged(*undone(), *retry)
    assert (verdict.status, verdict.checked["rollback_probes"]) == ("holds", 1)


def test_txn_2_the_ledger_keeps_nothing_of_it_but_its_execution() -> None:
    """datarobot-genai#270, orch#2911: an orphan row of a failed turn."""
    after = [begin("s1", "a"), context("s1"), end("s1"), execution("s0", "rolled_back")]
    assert told(*undone(), *after) == []
    assert told(*undone(), *after, stored("mem_porto", "s0", "a")) == [("ledger: the record", "mem_porto")]
    assert told(*undone(), *after, stored("mem_other", "s0", "a")) == [("ledger: the record", "mem_other")]
    silent = {**stored("mem_porto", "s0", "a", versions=[]), "execution": None}
    assert told(*undone(), *after, silent) == [("ledger: the record", "mem_porto")]


def test_txn_2_a_use_belongs_to_the_execution() -> None:
    use = {"type": "use", "turn": "s0", "call": 1, "source": "search_memory", "records": ["mem_porto"]}
    assert told(*undone(), use) == []


def test_txn_2_no_status_by_it_and_no_successor_of_it() -> None:
    """LaPis#281: the record stayed superseded although its replacement was gone."""
    lines = kept(add("s1", "mem_porto", replaces="mem_lisbon"), end("s1", "crashed"))
    gone = {"status": "SUPERSEDED", "by": "execution", "execution": "s1"}
    entry = stored("mem_lisbon", "s0", "a", status="SUPERSEDED", versions=[gone])
    assert told(*lines, entry) == [("ledger: its status SUPERSEDED", "mem_lisbon")]
    named = stored("mem_lisbon", "s0", "a", successor="mem_porto")
    assert told(*lines, named) == [("ledger: its successor mem_porto", "mem_lisbon")]
    assert told(*lines, stored("mem_lisbon", "s0", "a")) == []


def test_txn_2_a_record_that_only_it_deleted_is_still_there() -> None:
    deleting = call("s1", "delete_memory", {"id": "mem_lisbon"}, {"deleted": "mem_lisbon"})
    reading = [begin("s2", "a"), call("s2", "read_memory", {"id": "mem_lisbon"}, None), end("s2")]
    found = judged(*kept(deleting, end("s1", "rolled_back")), *reading).violations
    assert [(each.clause, each.observation) for each in found] == [
        ("TXN-2", "refusal of read_memory in a turn s2 call 1")
    ]
    assert found[0].because == "because only turn s1 ended it, and turn s1 ended as rolled_back"
    assert told(*kept(deleting, end("s1")), *reading) == []


def test_txn_2_a_record_that_only_it_replaced_is_still_active() -> None:
    replacing = add("s1", "mem_porto", replaces="mem_lisbon")
    refusal = call("s2", "add_memory", {"summary": "Faro", "replaces": "mem_lisbon"}, None)
    refusal["error"]["code"] = "not_active"
    again = [begin("s2", "a"), refusal, end("s2")]
    assert told(*kept(replacing, end("s1", "failed")), *again) == [
        ("refusal of add_memory in a turn s2 call 1", "mem_lisbon")
    ]
    assert told(*kept(replacing, end("s1")), *again) == []


def test_a_refusal_that_names_several_does_not_say_which_it_is_about() -> None:
    """WRT-2, TXN-2: mem_never is what is not found, not mem_lisbon, which a turn that failed had deleted."""
    deleting = call("s1", "delete_memory", {"id": "mem_lisbon"}, {"deleted": "mem_lisbon"})
    both = {"summary": "Faro", "replaces": ["mem_never", "mem_lisbon"]}
    again = [begin("s2", "a"), call("s2", "add_memory", both, None), end("s2")]
    assert told(*kept(deleting, end("s1", "failed")), *again) == []


def test_txn_2_a_preview_that_rolled_back_hides_nothing_from_previews() -> None:
    lines = [begin("s0", "a"), add("s0", "mem_lisbon"), end("s0"), begin("s1", "a", plane="preview")]
    hiding = call("s1", "delete_memory", {"id": "mem_lisbon"}, {"would_delete": "mem_lisbon"})
    reading = [begin("s2", "a", plane="preview"), call("s2", "read_memory", {"id": "mem_lisbon"}, None)]
    assert told(*lines, hiding, end("s1"), *reading) == []
    assert told(*lines, hiding, end("s1", "rolled_back"), *reading) == [
        ("refusal of read_memory in a turn s2 call 1", "mem_lisbon")
    ]


def test_a_record_out_of_view_is_refused_whoever_deleted_it() -> None:
    deleting = call("s1", "delete_memory", {"id": "mem_lisbon"}, {"deleted": "mem_lisbon"})
    reading = [begin("s2", "b"), call("s2", "read_memory", {"id": "mem_lisbon"}, None), end("s2")]
    assert told(*kept(deleting, end("s1", "rolled_back")), *reading) == []


def test_a_turn_that_was_refused_is_none_that_was_undone() -> None:
    busy = {**begin("s1", "a", "Porto?"), "error": {"code": "busy", "message": "", "remedy": ""}}
    assert judged(begin("s0", "a"), busy, context("s0"), end("s0")).checked["turns_undone"] == 0


def test_adm_2_a_record_that_an_operator_deleted_may_be_refused() -> None:
    deleting = call("s1", "delete_memory", {"id": "mem_lisbon"}, {"deleted": "mem_lisbon"})
    review = {"type": "review", "agent": "clerk", "action": "delete", "id": "mem_lisbon", "answer": {}}
    reading = [begin("s2", "a"), call("s2", "read_memory", {"id": "mem_lisbon"}, None), end("s2")]
    lines = kept(deleting, end("s1", "rolled_back"))
    assert told(*lines, review, *reading) == []
    refused = {**{key: value for key, value in review.items() if key != "answer"}, "error": {"code": "missing_grant"}}
    assert len(told(*lines, refused, *reading)) == 1


def test_txn_2_the_turn_itself_sees_what_it_ended() -> None:
    deleting = call("s1", "delete_memory", {"id": "mem_lisbon"}, {"deleted": "mem_lisbon"})
    own = call("s1", "read_memory", {"id": "mem_lisbon"}, None)
    assert told(*kept(deleting, own, end("s1", "rolled_back"))) == []


def test_txn_1_a_turn_commits_as_a_whole() -> None:
    lines = [begin("s0", "a"), add("s0", "mem_1"), add("s0", "mem_2"), end("s0"), execution("s0")]
    assert told(*lines, stored("mem_1", "s0", "a")) == [("ledger: no such record", "mem_2")]
    assert told(*lines[:-1]) == [], "a trace without a ledger says nothing of what is kept"


def test_txn_2_the_ledger_says_how_a_turn_ended() -> None:
    found = judged(*undone(), execution("s0", "committed")).violations
    assert [(each.observation, each.because) for each in found] == [
        ("ledger: execution s0: committed", "because turn s0 ended as rolled_back")
    ]


@pytest.mark.parametrize("seen", [{"n": 2}, {}, None])
def test_txn_2_the_state_after_it_is_exactly_the_prior_one(seen: Any) -> None:
    """adk-python#4839: rewinding set the initial state to null."""
    first = [begin("s0", "a"), say("s0", {"n": 1}, "state"), end("s0", state={"n": 1})]
    second = [begin("s1", "a"), say("s1", {"n": 2}, "state"), end("s1", "rolled_back")]
    lines = [*first, *second, begin("s2", "a")]
    assert told(*lines, context("s2", state=seen)) == [("state in a turn s2 call 1", None)]
    assert told(*lines, context("s2", state={"n": 1})) == []
    history = History.parse([HEADER, deploy(), *lines, context("s2", state=seen)])
    assert SESSION_ISOLATION.check(history).violations == (), "it is the rollback's, told once"


@pytest.mark.parametrize(("told_state", "wrong"), [({"n": 1}, 0), (None, 0), ({"n": 2}, 1)])
def test_ctx_6_the_end_of_a_turn_that_did_not_commit_reports_the_state_of_before(told_state: Any, wrong: int) -> None:
    first = [begin("s0", "a"), say("s0", {"n": 1}, "state"), end("s0", state={"n": 1})]
    second = [begin("s1", "a"), say("s1", {"n": 2}, "state"), {**end("s1", "rolled_back"), "state": told_state}]
    history = History.parse([HEADER, deploy(), *first, *second])
    assert len(SESSION_ISOLATION.check(history).violations) == wrong


def test_a_dirty_read_is_told_of_the_turn_that_rolled_back_afterwards() -> None:
    shared = deploy(read=("session", "agent"), write=("session", "agent"))
    reading = [begin("s1", "b"), search("s1", "mem_1"), end("s1")]
    lines = [HEADER, shared, begin("s0", "a"), add("s0", "mem_1", scope="agent"), *reading, end("s0", "rolled_back")]
    history = History.parse(lines)
    assert [each.clause for each in ROLLBACK_ATOMICITY.check(history).violations] == ["TXN-2"]
    assert [each.clause for each in SESSION_ISOLATION.check(history).violations] == ["VIEW-5"]


def test_an_undone_turn_of_another_session_is_no_probe() -> None:
    after = [begin("s1", "b"), context("s1"), search("s1"), end("s1")]
    assert judged(*undone(), *after).status == "unknown"


def test_the_record_is_named_with_its_summary() -> None:
    after = [begin("s1", "a"), context("s1", recalled=[record("mem_porto")]), end("s1")]
    lines = [begin("s0", "a"), add("s0", "mem_porto", "The bank is in Porto"), end("s0", "failed"), *after]
    (violation,) = judged(*lines).violations
    assert (violation.record, violation.summary, violation.step) == ("mem_porto", "The bank is in Porto", "/steps/s1")
    assert violation.witness == ("a turn s0", "add_memory mem_porto (session)", "recall in a turn s1 call 1")
