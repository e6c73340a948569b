"""What a review does not add again: what was saved, deleted by an operator, or found before (EXT-5, EXT-6)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reviews import HIGHER, LABELLED, LIMIT, extract, labelled, outcomes, reviewed, shared, written
from world import BOTH, World, add, found, recalled


def test_pensyve_227_a_review_revives_nothing_that_was_superseded() -> None:
    world = labelled()
    (old,) = extract(world, LIMIT)
    extract(world, HIGHER)
    extract(world, LIMIT)
    records = world.listed()
    assert records[written(old)]["status"] == "SUPERSEDED"
    assert sorted(record["status"] for record in records.values()) == ["ACTIVE", "SUPERSEDED", "SUPERSEDED"]


def test_pi_hermes_memory_226_what_an_operator_deleted_is_not_brought_back_by_a_review() -> None:
    world = World()
    address = world.keep("The customer lives at Rua Nova 12")
    world.engine.console.delete("ann", address, at=world.clock)
    again = {"summary": "the customer lives at Rua Nova 12."}
    assert outcomes(extract(world, again, {**again, "decision": "add"})) == ["skip", "skip"]
    assert address not in str(extract(world, again)[0].to_json())
    assert recalled(world.begin(user="Where does the customer live?")) == []


def test_ext_5_only_the_agents_own_add_memory_brings_it_back() -> None:
    world = World()
    address = world.keep("The customer lives at Rua Nova 12")
    world.engine.console.delete("ann", address, at=world.clock)
    turn = world.begin()
    again = add(turn, "The customer lives at Rua Nova 12")
    assert outcomes(reviewed(turn, {"summary": "The customer lives at Rua Nova 12"})) == ["skip"]
    turn.commit()
    assert found(world.begin(), query="Rua Nova") == [again]


@pytest.mark.parametrize("given", [{}, LABELLED], ids=["alone", "labelled"])
@pytest.mark.parametrize("decision", [None, "add", "replace"])
def test_ext_5_pensyve_227_what_the_agent_saved_and_changed_in_the_turn_is_not_added_again(
    given: dict[str, Any], decision: str | None
) -> None:
    world = labelled()
    turn = world.begin()
    first = add(turn, "The limit is 20,000 EUR", **given)
    second = add(turn, "The limit is 25,000 EUR", replaces=first, **given)
    stated: Any = {} if decision is None else {"decision": {"replace": second} if decision == "replace" else decision}
    assert outcomes(reviewed(turn, {"summary": "the limit is 20,000 EUR.", **given, **stated})) == ["skip"]
    turn.call("delete_memory", {"id": second})
    assert turn.decide({"summary": "The limit is 25,000 EUR", "kind": "fact", **given}).outcome == "skip"
    turn.commit()
    assert [record["status"] for record in world.listed().values()] == ["DELETED", "SUPERSEDED"]


def test_ext_5_what_the_agent_saved_where_it_cannot_read_is_not_added_again() -> None:
    world = shared(["session"], BOTH)
    turn = world.begin()
    add(turn, "Refunds take a week", scope="agent")
    assert outcomes(reviewed(turn, {"summary": "Refunds take a week", "scope": "session"})) == ["skip"]


def test_ext_5_what_the_agent_deleted_itself_may_be_found_again() -> None:
    world = World()
    fact = world.keep("Wire 4471 is approved")
    turn = world.begin()
    turn.call("delete_memory", {"id": fact})
    turn.commit()
    assert outcomes(extract(world, {"summary": "Wire 4471 is approved"})) == ["add"]


def test_ext_5_an_operators_delete_counts_in_its_own_scope_and_session() -> None:
    world = shared()
    fact = world.keep("Wire 4471 is approved", session="a")
    world.engine.console.delete("ann", fact, at=world.clock)
    assert outcomes(extract(world, {"summary": "Wire 4471 is approved"}, session="b")) == ["add"]
    assert outcomes(extract(world, {"summary": "Wire 4471 is approved", "scope": "agent"}, session="a")) == ["add"]


def test_ext_5_an_operators_delete_while_the_turn_is_open_counts() -> None:
    world = World()
    fact = world.keep("Wire 4471 is approved")
    turn = world.begin()
    world.engine.console.delete("ann", fact, at=world.clock)
    assert outcomes(reviewed(turn, {"summary": "Wire 4471 is approved"})) == ["skip"]


def test_ext_5_an_operators_delete_after_the_review_counts_at_the_commit() -> None:
    world = shared()
    rule = world.keep("Refunds take a week", session="a", scope="agent")
    turn = world.begin("b")
    old = world.keep("x", session="c", scope="agent")
    reviewed(turn, {"summary": "x", "scope": "agent"})
    world.engine.console.delete("ann", old, at=world.clock)
    assert turn.commit().outcome == "committed"
    assert outcomes(list(turn.extraction.decisions)) == ["skip"]
    assert [key for key, record in world.listed().items() if record["status"] == "ACTIVE"] == [rule]


def test_view_5_ext_5_what_a_turn_wrote_and_cannot_read_counts() -> None:
    world = shared(["session"], BOTH)
    rule = {"summary": "Refunds take a week", "scope": "agent"}
    turn = world.begin()
    hidden = add(turn, "Refunds take a week", scope="agent")
    (decided,) = reviewed(turn, rule)
    assert (decided.outcome, decided.target) == ("skip", None)
    assert hidden not in str(decided.to_json())
    turn.commit()
    assert outcomes(extract(world, rule)) == ["skip"]  # EXT-6
    assert outcomes(extract(world, rule, session="other")) == ["add"]  # VIEW-3: of others it knows nothing
    world.engine.console.delete("ann", hidden, at=world.clock)
    assert outcomes(extract(world, rule)) == ["skip"]


@pytest.mark.parametrize("plane", ["live", "preview"])
def test_ext_6_clawdi_61_gbrain_1781_lobehub_15521_the_same_review_again_changes_nothing(plane: Any) -> None:
    world = labelled()
    old = world.keep("The limit is 20,000 EUR", **LABELLED)
    wrong = world.keep("The customer has two cards")
    candidates: list[dict[str, Any]] = [
        HIGHER,
        {"summary": "Wire 4471 is approved"},
        {"summary": "Refunds take a week", "decision": "add"},
        {"summary": "The customer never had a card", "decision": {"delete": wrong}},
    ]
    first = extract(world, *candidates, plane=plane)
    assert outcomes(first) == ["replace", "add", "add", "delete"]
    assert first[0].target == old
    before = world.listed()
    again = extract(world, *candidates, plane=plane)
    assert set(outcomes(again)) <= {"skip", "rejected"}
    assert world.listed() == before


facts = st.sampled_from(
    [
        f"The {what} is {value}"
        for what in ("limit", "fee")
        for value in ("20 EUR", "20 eur.", "25 EUR", "red", "not red")
    ]
)
candidates = st.lists(
    st.builds(lambda fact, with_label: {"summary": fact, **(LABELLED if with_label else {})}, facts, st.booleans()),
    max_size=6,
)


@given(st.lists(facts, max_size=3), candidates)
def test_ext_6_a_review_that_contradicts_itself_settles(known: list[str], found_now: list[dict[str, Any]]) -> None:
    """pensyve#227: nor does it turn one candidate into the other and back, for ever."""
    world = labelled()
    for fact in known:
        world.keep(fact, **LABELLED)
    extract(world, *found_now)
    before = world.listed()
    assert set(outcomes(extract(world, *found_now))) <= {"skip"}
    assert world.listed() == before


def test_ext_4_of_two_candidates_that_contradict_each_other_neither_corrects_the_other() -> None:
    world = labelled()
    extract(world, LIMIT)
    found_now = [HIGHER, {"summary": "The limit is 30,000 EUR", **LABELLED}]
    assert outcomes(extract(world, *found_now)) == ["replace", "add"]
    assert outcomes(extract(world, *found_now)) == ["skip", "skip"]
    assert outcomes(extract(world, LIMIT)) == ["replace"]  # another review may correct what this one wrote


@given(st.lists(facts, max_size=3), candidates)
def test_ext_6_a_review_without_contradictions_settles(known: list[str], found_now: list[dict[str, Any]]) -> None:
    """Whatever was known: a candidate found twice in a row does nothing the second time."""
    world = labelled()
    for fact in known:
        world.keep(fact, **LABELLED)
    for candidate in found_now:
        extract(world, candidate)
        before = world.listed()
        assert outcomes(extract(world, candidate)) == ["skip"]
        assert world.listed() == before
