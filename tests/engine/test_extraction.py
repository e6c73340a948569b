"""What becomes of a review's candidates (EXT-3, EXT-4, WRT-3, PRE-2, TXN-2)."""

from __future__ import annotations

from typing import Any

import pytest
from reviews import CUSTOMER, HIGHER, LABELLED, LIMIT, extract, labelled, outcomes, reviewed, shared, written
from world import BOTH, World, add, code, config, found, read, recalled, scopes


def test_ext_3_a_candidate_is_added_and_recalled() -> None:
    world = World()
    (decided,) = extract(world, {"summary": "Wire 4471 is approved"})
    assert (decided.outcome, decided.target, decided.error) == ("add", None, None)
    assert decided.reason
    assert recalled(world.begin(user="Is wire 4471 approved?")) == [written(decided)]


def test_ext_3_provenance_says_that_a_review_wrote_it() -> None:
    world = World()
    (decided,) = extract(world, {"summary": "Wire 4471 is approved"})
    record = world.listed()[written(decided)]
    assert (record["source"], record["execution"], record["version"], record["session"]) == ("extraction", "e1", 1, "s")
    assert record["turn"] == 1


def test_ext_3_each_outcome_and_its_reason_is_in_the_transcript() -> None:
    world = World()
    extract(world, {"summary": "Wire 4471 is approved"}, {"summary": "wire 4471 is approved."}, {"summary": ""})
    transcript: Any = world.engine.transcript("ann", "e1")
    told = [entry for entry in transcript if entry["type"] == "decision"]
    assert [entry["outcome"] for entry in told] == ["add", "skip", "rejected"]
    assert all(entry["reason"] for entry in told)
    assert told[0]["candidate"] == {"kind": "fact", "summary": "Wire 4471 is approved"}


def test_ext_3_a_replacement_supersedes_what_it_corrects() -> None:
    world = labelled()
    (first,) = extract(world, LIMIT)
    (second,) = extract(world, HIGHER)
    assert (second.outcome, second.target) == ("replace", written(first))
    assert read(world.begin(), written(first))["successor"] == written(second)


def test_ext_3_a_rejected_candidate_leaves_the_others_alone() -> None:
    world = World()
    decisions = extract(
        world,
        {"summary": "One", "kind": "nonsense"},
        {"summary": "Two", "labels": {"no_such": "label"}},
        {"summary": "Three", "scope": "agent"},
        {"summary": "Four", "pinned": True},
        {"summary": "Five", "decision": {"replace": "mem_0"}},
        {"summary": "Six", "decision": "perhaps"},
        {"summary": "Seven", "replaces": "mem_0"},
        {"summary": "Eight", "decision": {"replace": "mem_0", "delete": "mem_0"}},
        {"summary": "Nine"},
    )
    codes = [None if each.error is None else each.error.code for each in decisions]
    assert codes == [
        "undeclared_kind",
        "undeclared_label",
        "scope_not_allowed",
        "pins_disabled",
        "not_found",
        "invalid_value",
        "invalid_value",
        "invalid_value",
        None,
    ]
    assert outcomes(decisions) == [*["rejected"] * 8, "add"]
    assert [record["summary"] for record in world.listed().values()] == ["Nine"]


def test_ext_3_a_candidate_that_is_no_plain_value_is_rejected_alone() -> None:
    turn = World().begin()
    assert outcomes([*reviewed(turn, {"summary": "One", "content": 1 << 5000}, {"summary": "Two"})]) == [
        "rejected",
        "add",
    ]
    assert outcomes([turn.decide("text")]) == ["rejected"]  # type: ignore[arg-type]  # what is no object


@pytest.mark.parametrize("word", ["replace", "delete"])
def test_wrt_3_view_6_a_decision_on_what_is_not_in_view_answers_like_one_on_nothing(word: str) -> None:
    world = World()
    theirs = world.keep("Wire 4471 is approved", session="other")
    told = extract(world, *({"summary": "No", "decision": {word: name}} for name in (theirs, "mem_0", "\ud800")))
    assert len({str(decided.to_json()) for decided in told}) == 1
    assert told[0].error is not None
    assert told[0].error.code == "not_found"
    assert world.listed()[theirs]["status"] == "ACTIVE"


def test_wrt_3_a_decision_on_a_superseded_record_is_rejected() -> None:
    world = World()
    old = world.keep("The cut-off is 16:00")
    world.keep("The cut-off is 17:00", replaces=old)
    (decided,) = extract(world, {"summary": "The cut-off is 18:00", "decision": {"replace": old}})
    assert decided.error is not None
    assert decided.error.code == "not_active"


def test_wrt_3_a_session_candidate_replaces_no_agent_record() -> None:
    world = shared()
    rule = world.keep("Refunds take a week", scope="agent")
    (decided,) = extract(world, {"summary": "Refunds take a day", "decision": {"replace": rule}})
    assert decided.error is not None
    assert decided.error.code == "scope_not_allowed"
    (decided,) = extract(world, {"summary": "Refunds take a day", "scope": "agent", "decision": {"replace": rule}})
    assert (decided.outcome, decided.target) == ("replace", rule)


def test_ext_3_where_the_target_may_not_be_written_the_reviewer_adds_in_the_candidates_own_scope() -> None:
    world = World(document=config(labels=CUSTOMER, scope=scopes(BOTH, BOTH)))
    rule = world.keep("The limit is 20,000 EUR", scope="agent", **LABELLED)
    (decided,) = extract(world, HIGHER)
    assert decided.outcome == "add"
    assert decided.record is not None
    assert decided.record["scope"] == "session"
    assert world.listed()[rule]["status"] == "ACTIVE"


def test_ext_3_a_session_candidate_is_skipped_for_an_agent_record_that_says_the_same() -> None:
    world = shared()
    rule = world.keep("Refunds take a week", scope="agent")
    (decided,) = extract(world, {"summary": "Refunds take a week."})
    assert (decided.outcome, decided.target) == ("skip", rule)


def test_ext_3_an_agent_candidate_is_not_skipped_for_a_session_record() -> None:
    world = shared()
    world.keep("Refunds take a week")
    assert outcomes(extract(world, {"summary": "Refunds take a week", "scope": "agent"})) == ["add"]


def test_mem0_1674_restating_a_fact_never_deletes_it() -> None:
    world = World()
    fact = world.keep("The customer banks in Porto")
    restated = {"summary": "the customer banks in Porto."}
    assert outcomes(extract(world, restated, {**restated, "decision": {"delete": fact}})) == ["skip", "skip"]
    assert world.listed()[fact]["status"] == "ACTIVE"


def test_mem0_1750_an_unrelated_fact_overwrites_nothing() -> None:
    world = labelled()
    fact = world.keep("The customer banks in Porto", **LABELLED)
    assert outcomes(extract(world, {"summary": "The customer lives in Lisbon", **LABELLED})) == ["add"]
    assert world.listed()[fact]["status"] == "ACTIVE"


def test_mem0_4896_of_a_contradiction_only_the_new_side_stays() -> None:
    world = labelled()
    world.keep("Wire 4471 is approved", **LABELLED)
    (decided,) = extract(world, {"summary": "Wire 4471 is not approved", **LABELLED})
    assert found(world.begin(), query="wire 4471") == [written(decided)]


def test_mem0_4580_a_candidate_that_shows_a_record_wrong_lands_too() -> None:
    world = World()
    wrong = world.keep("The customer has two cards")
    (decided,) = extract(world, {"summary": "The customer never had a card", "decision": {"delete": wrong}})
    assert (decided.outcome, decided.target) == ("delete", wrong)
    turn = world.begin()
    assert code(turn.call("search_memory", {"ids": [wrong]})) is None
    assert found(turn, ids=[wrong]) == []
    assert found(turn, query="card") == [written(decided)]


def test_agent_memory_server_110_every_path_dedupes_alike() -> None:
    world = World()
    turn = world.begin()
    add(turn, "Wire 4471 is approved")
    assert outcomes(reviewed(turn, {"summary": "wire 4471 is approved"})) == ["skip"]
    turn.commit()
    assert outcomes(extract(world, {"summary": "Wire 4471 is approved", "decision": "add"})) == ["skip"]
    assert len(world.listed()) == 1


def test_agent_memory_server_200_facts_of_two_subjects_are_both_kept() -> None:
    world = labelled()
    wires = [{"summary": f"Wire {number} is approved up to 9,000 USD", **LABELLED} for number in range(4471, 4491)]
    assert outcomes(extract(world, *wires)) == ["add"] * 20


def test_ext_4_a_restatement_is_found_among_many_alike() -> None:
    world = World()
    for number in range(4400, 4500):
        turn = world.begin()
        add(turn, f"Wire {number} is approved", content="said on the phone " * 20 if number == 4471 else "said")
        turn.commit()
    assert outcomes(extract(world, {"summary": "wire 4471 is approved"})) == ["skip"]


def test_ext_4_a_scripted_add_that_equals_a_record_is_skipped() -> None:
    world = World()
    fact = world.keep("Wire 4471 is approved")
    (decided,) = extract(world, {"summary": "wire 4471 is  approved.", "decision": "add"})
    assert (decided.outcome, decided.target) == ("skip", fact)


def test_ext_4_a_model_may_skip() -> None:
    world = World()
    assert outcomes(extract(world, {"summary": "It rains", "decision": "skip"})) == ["skip"]
    assert world.listed() == {}


def test_ext_4_a_replacement_that_another_record_says_already_only_takes_the_wrong_one_away() -> None:
    world = World()
    wrong, right = world.keep("The cut-off is 16:00"), world.keep("The cut-off is 17:00")
    (decided,) = extract(world, {"summary": "the cut-off is 17:00", "decision": {"replace": wrong}})
    assert (decided.outcome, decided.target, decided.record) == ("delete", wrong, None)
    status = {key: record["status"] for key, record in world.listed().items()}
    assert status == {wrong: "DELETED", right: "ACTIVE"}


def test_ext_3_a_correction_is_found_in_its_own_scope_whatever_is_alike_in_the_other() -> None:
    world = World(document=config(labels=CUSTOMER, scope=scopes(BOTH, BOTH)))
    limit = world.keep("The limit is 20,000 EUR", **LABELLED)
    turn = world.begin()
    for number in range(100):
        add(turn, f"The limit is {30 + number},000 EUR", scope="agent", **LABELLED)
    turn.commit()
    (decided,) = extract(world, HIGHER)
    assert (decided.outcome, decided.target) == ("replace", limit)


def test_pre_2_a_preview_names_what_its_review_would_replace_and_delete() -> None:
    world = labelled()
    limit, cards = world.keep("The limit is 20,000 EUR", **LABELLED), world.keep("The customer has two cards")
    replaced, deleted = extract(
        world, HIGHER, {"summary": "The customer has no card", "decision": {"delete": cards}}, plane="preview"
    )
    records = world.listed()
    assert records[written(replaced)]["would_replace"] == [limit]
    (marker,) = [record for record in records.values() if record["would_delete"] == cards]
    assert (marker["plane"], marker["source"]) == ("preview", "extraction")
    assert records[written(deleted)]["plane"] == "preview"
    assert records[limit]["status"] == records[cards]["status"] == "ACTIVE"
    live = world.begin(user="limit and cards of the customer")
    assert set(recalled(live)) == {limit, cards}


def test_txn_2_a_turn_that_does_not_commit_leaves_nothing_of_its_review() -> None:
    world = World()
    turn = world.begin()
    reviewed(turn, {"summary": "Wire 4471 is approved"})
    turn.rollback()
    assert world.listed() == {}
    assert world.begin().review() is not None


def test_wrt_5_a_candidate_may_correct_what_the_same_review_added() -> None:
    world = World()
    turn = world.begin()
    (first,) = reviewed(turn, {"summary": "The cut-off is 16:00"})
    second = turn.decide({"summary": "The cut-off is 17:00", "kind": "fact", "decision": {"replace": written(first)}})
    turn.commit()
    assert found(world.begin(), query="cut-off") == [written(second)]


def test_pin_2_a_candidate_that_pins_over_the_budget_is_rejected() -> None:
    world = World(document=config(pinned={"max_tokens": 30}))
    decisions = extract(
        world,
        {"summary": "Two signatures", "pinned": True},
        {"summary": "Three signatures and a stamp", "pinned": True},
    )
    assert outcomes(decisions) == ["add", "rejected"]
    assert decisions[1].error is not None
    assert decisions[1].error.code == "over_budget"
