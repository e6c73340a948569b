"""What a commit makes of a review when others committed meanwhile (TXN-3, mem0#6515, adk-python#5244)."""

from __future__ import annotations

from typing import Any

from reviews import extract, outcomes, reviewed, written
from world import BOTH, World, config, found, scopes

RULE = {"summary": "Refunds take a week", "scope": "agent"}


def shared() -> World:
    return World(document=config(scope=scopes(BOTH, BOTH)))


def active(world: World) -> list[str]:
    return sorted(record["summary"] for record in world.listed().values() if record["status"] == "ACTIVE")


def test_txn_3_an_add_that_equals_a_record_committed_meanwhile_becomes_skip() -> None:
    world = shared()
    turn = world.begin("a")
    (decided,) = reviewed(turn, {**RULE, "summary": "refunds take a week."})
    assert decided.outcome == "add"
    theirs = world.keep("Refunds take a week", session="b", scope="agent")
    assert turn.commit().outcome == "committed"
    (settled,) = turn.extraction.decisions
    assert (settled.outcome, settled.target, settled.record) == ("skip", None, None)
    assert theirs not in settled.reason  # VIEW-5: this turn does not see it
    assert active(world) == ["Refunds take a week"]
    told: Any = world.engine.transcript("ann", "e1")
    assert [entry["outcome"] for entry in told if entry["type"] == "decision"] == ["add", "skip"]


def test_txn_3_two_reviews_that_find_the_same_keep_it_once() -> None:
    world = shared()
    first, second = world.begin("a"), world.begin("b")
    for turn in (first, second):
        assert outcomes(reviewed(turn, RULE)) == ["add"]
    assert first.commit().outcome == second.commit().outcome == "committed"
    assert outcomes([*first.extraction.decisions, *second.extraction.decisions]) == ["add", "skip"]
    assert active(world) == ["Refunds take a week"]


def test_txn_3_what_else_the_turn_did_is_kept() -> None:
    world = shared()
    turn = world.begin("a")
    reviewed(turn, RULE, {"summary": "Wire 4471 is approved"})
    world.keep("Refunds take a week", session="b", scope="agent")
    assert turn.commit().outcome == "committed"
    assert outcomes(list(turn.extraction.decisions)) == ["skip", "add"]
    assert active(world) == ["Refunds take a week", "Wire 4471 is approved"]


def test_txn_3_a_session_candidate_gives_way_to_an_agent_record_committed_meanwhile() -> None:
    world = shared()
    turn = world.begin("a")
    reviewed(turn, {"summary": "Refunds take a week"})
    world.keep("Refunds take a week", session="b", scope="agent")
    turn.commit()
    assert outcomes(list(turn.extraction.decisions)) == ["skip"]


def test_txn_3_what_the_turn_itself_takes_away_is_no_reason_to_skip() -> None:
    world = shared()
    rule = world.keep("Refunds take a week", scope="agent")
    turn = world.begin("a")
    turn.call("delete_memory", {"id": rule, "scope": "agent"})
    assert outcomes(reviewed(turn, RULE)) == ["add"]
    assert turn.commit().outcome == "committed"
    assert outcomes(list(turn.extraction.decisions)) == ["add"]


def test_txn_3_a_replacement_whose_target_another_turn_changed_is_a_conflict() -> None:
    world = shared()
    rule = world.keep("Refunds take a week", scope="agent")
    turn = world.begin("a")
    reviewed(turn, {"summary": "Refunds take a day", "scope": "agent", "decision": {"replace": rule}})
    world.keep("Refunds take a month", session="b", scope="agent", replaces=rule)
    assert turn.commit().outcome == "conflict"
    assert active(world) == ["Refunds take a month"]


def test_txn_3_a_replacement_by_what_was_committed_meanwhile_is_a_conflict() -> None:
    world = shared()
    rule = world.keep("Refunds take a week", scope="agent")
    turn = world.begin("a")
    reviewed(turn, {"summary": "Refunds take a day", "scope": "agent", "decision": {"replace": rule}})
    world.keep("Refunds take a day", session="b", scope="agent")
    result = turn.commit()
    assert result.outcome == "conflict"
    assert result.error is not None
    assert result.error.code == "conflict"
    again = extract(
        world, {"summary": "Refunds take a day", "scope": "agent", "decision": {"replace": rule}}, session="a"
    )
    assert outcomes(again) == ["delete"]
    assert active(world) == ["Refunds take a day"]


def test_txn_3_pre_4_no_preview_changes_what_a_live_review_adds() -> None:
    world = shared()
    turn = world.begin("a")
    reviewed(turn, RULE)
    extract(world, RULE, session="b", plane="preview")
    turn.commit()
    assert outcomes(list(turn.extraction.decisions)) == ["add"]


def test_txn_3_a_withdrawn_record_moves_no_other_id() -> None:
    ids = []
    for meanwhile in (False, True):
        world = shared()
        turn = world.begin("a", execution="one")
        _, kept = reviewed(turn, RULE, {"summary": "Cards are in EUR", "scope": "agent"})
        if meanwhile:
            world.keep("Refunds take a week", session="b", scope="agent")
        turn.commit()
        ids.append(written(kept))
        assert found(world.begin("c"), query="cards") == [written(kept)]
    assert ids[0] == ids[1]
