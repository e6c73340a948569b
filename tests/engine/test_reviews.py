"""When a turn is reviewed, and what the review is handed (EXT-1, EXT-2, RCL-1, TXN-5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from reviews import extract, reviewed
from world import BOTH, World, config, scopes

from seatrial.engine import Context, EngineError


def texts(context: Context | None) -> list[Any]:
    assert context is not None
    return [message["text"] for message in context.messages]


def spoken(world: World, *replies: str, user: str = "hello", review: bool = False, **begin: Any) -> None:
    turn = world.begin(user=user, **begin)
    for reply in replies:
        turn.reply(reply)
    if review:
        assert turn.review() is not None
    assert turn.commit().outcome == "committed"


def test_ext_1_the_review_is_a_model_call_with_purpose_memory() -> None:
    world = World()
    turn = world.begin(user="Wire 4471 is approved.")
    turn.model_call()
    turn.reply("Noted.")
    turn.set_state({"open": 1})
    review = turn.review()
    assert texts(review) == ["Wire 4471 is approved.", "Noted."]
    assert review is not None
    assert (review.call, review.purpose, review.state) == (2, "memory", {"open": 1})
    told: Any = world.engine.transcript("ann", "e1")
    assert {"type": "model_call", "call": 2, "purpose": "memory"} in told


def test_rcl_1_a_review_recalls_nothing_and_lists_no_pins() -> None:
    world = World(document=config(pinned={"max_tokens": 100}))
    world.keep("Wire 4471 is approved", pinned=True)
    turn = world.begin(user="Is wire 4471 approved?")
    review = turn.review()
    assert review is not None
    assert (review.recalled, review.pins, review.memory) == ([], [], "")
    assert "Wire 4471 is approved" not in review.text
    turn.commit()
    uses: Any = world.engine.ledger().to_json()["uses"]
    assert uses == []


def test_ext_1_memory_model_and_extraction_prompt() -> None:
    plain = World().begin().review()
    prompted = World(document=config(model="small-model", extraction={"prompt": "Keep rulings & limits."}))
    asked = prompted.begin().review()
    assert plain is not None
    assert asked is not None
    assert (plain.model, asked.model) == (None, "small-model")
    assert (plain.to_json()["model"], asked.to_json()["model"]) == (None, "small-model")
    assert "rulings, limits, agreed ways of working" in plain.instructions
    assert "rulings, limits, agreed ways of working" not in asked.instructions
    assert 'What to keep: "Keep rulings \\u0026 limits."' in asked.instructions  # it cannot end its block


def test_ext_1_without_memory_model_it_is_the_agents_own() -> None:
    review = World(document={"model": {"name": "large-model"}, **config()}).begin().review()
    assert review is not None
    assert review.model == "large-model"


def test_ctx_8_a_review_is_told_scopes_kinds_and_labels() -> None:
    labels = {"customer_id": {"number": 5, "description": "The customer it is about."}}
    review = World(document=config(labels=labels, kinds=["ruling"], scope=scopes(BOTH, BOTH))).begin().review()
    assert review is not None
    for told in ("agent (records for every session", '["ruling"]', "The customer it is about."):
        assert told in review.instructions
    (tool,) = review.tools
    parameters: Any = tool["parameters"]
    assert parameters["properties"]["kind"]["enum"] == ["ruling"]
    assert "decision" in parameters["properties"]
    assert "replaces" not in parameters["properties"]


def test_ext_1_memory_tools_answers_are_not_reviewed() -> None:
    world = World()
    world.keep("Wire 4471 is approved")
    turn = world.begin(user="Is it?")
    turn.call("search_memory", {"query": "wire 4471"})
    turn.tool_result("fetch", "12 entries")
    assert texts(turn.review())[-2:] == ["Is it?", "12 entries"]
    assert "Wire 4471 is approved" not in str(world.engine.transcript("ann", "e2")[-1])


def test_ext_1_a_large_result_is_reviewed_whole() -> None:
    """Also where its turn shows its beginning, a later turn a note, and a summary neither."""
    context = {"offload_threshold": 100, "summarize_at": 200, "keep_messages": 1}
    memory = {**config()["harness"]["memory"], "extraction": {"every": {"messages": 4}}}
    world = World(document={"harness": {**config()["harness"], "memory": memory, "context": context}})
    rows = "row 0001\n" * 500 + "the limit is 9,000 USD"
    turn = world.begin(user="one")
    turn.tool_result("fetch", rows)
    turn.commit()
    turn = world.begin(user="two")
    turn.reply("three " * 200)
    assert "9,000 USD" not in turn.model_call().text
    assert turn.conversation.summary is not None
    assert texts(turn.review()) == ["one", rows, "two", "three " * 200]


def test_ext_1_messages_since_the_last_review_are_handed_to_the_next() -> None:
    world = World()
    spoken(world, "one")
    spoken(world, "two", review=True)
    spoken(world, "three")
    assert texts(world.begin(user="four").review()) == ["hello", "three", "four"]


def test_ext_1_what_was_said_after_the_review_of_its_turn_is_left_for_the_next() -> None:
    world = World()
    turn = world.begin(user="one")
    turn.review()
    turn.reply("two")
    turn.commit()
    assert texts(world.begin(user="three").review()) == ["two", "three"]


def test_ext_1_a_turn_is_reviewed_once() -> None:
    turn = World().begin()
    assert turn.review() is not None
    assert turn.review() is None


def test_ext_1_candidates_need_a_review() -> None:
    turn = World().begin()
    with pytest.raises(EngineError, match="not reviewed"):
        turn.decide({"summary": "One", "kind": "fact"})


def test_ext_2_every_so_many_messages() -> None:
    world = World(document=config(extraction={"every": {"messages": 4}}))
    spoken(world, "one")
    turn = world.begin(user="two")
    assert turn.review() is None
    assert turn.postponed is None
    turn.reply("three")
    assert texts(turn.review()) == ["hello", "one", "two", "three"]
    turn.commit()
    assert world.begin().review() is None


def test_ext_2_txn_1_the_count_commits_with_the_turn() -> None:
    world = World(document=config(extraction={"every": {"messages": 3}}))
    turn = world.begin(user="never said")
    turn.reply("nor this")
    turn.rollback()
    spoken(world, "one")
    failed = world.begin(user="two")
    assert failed.review() is not None
    failed.fail("no")
    assert texts(world.begin(user="three").review()) == ["hello", "one", "three"]


def test_ext_2_sessions_count_apart() -> None:
    world = World(document=config(extraction={"every": {"messages": 3}}))
    spoken(world, "one", session="a")
    assert world.begin("b").review() is None
    assert world.begin("a").review() is not None


def test_ext_2_pre_4_planes_count_apart() -> None:
    world = World(document=config(extraction={"every": {"messages": 3}}))
    spoken(world, "one")
    spoken(world, "preview", plane="preview")
    preview = world.begin(user="more", plane="preview")
    assert texts(preview.review()) == ["hello", "preview", "more"]
    preview.commit()
    assert texts(world.begin(user="two").review()) == ["hello", "one", "two"]


def test_ext_2_txn_4_the_count_survives_closing(tmp_path: Path) -> None:
    world = World(tmp_path / "store", config(extraction={"every": {"messages": 3}}))
    spoken(world, "one")
    world.reopen()
    assert texts(world.begin(user="two").review()) == ["hello", "one", "two"]


def test_ext_2_view_7_a_turn_without_a_session_counts_its_own_messages() -> None:
    world = World(document=config(sessions=False, extraction={"every": {"messages": 2}}))
    spoken(world, session=None)
    turn = world.begin(None, user="alone")
    assert turn.review() is None
    turn.reply("noted")
    assert texts(turn.review()) == ["alone", "noted"]


def test_ext_2_a_version_without_memory_reviews_nothing_and_a_later_one_reviews_it_all() -> None:
    world = World(document={"harness": {}})
    turn = world.begin(user="one")
    assert turn.review() is None
    turn.commit()
    world.engine.deploy("ann", config(), at=0)
    assert texts(world.begin(user="two").review()) == ["one", "two"]


def test_txn_5_a_review_that_does_not_fit_is_skipped_and_stays_due() -> None:
    world = World(document=config(model_calls=1))
    turn = world.begin(user="one")
    turn.model_call()
    assert turn.review() is None
    assert turn.postponed is not None
    assert "1 model call" in turn.postponed
    turn.commit()
    told: Any = world.engine.transcript("ann", "e1")
    assert [entry["reason"] for entry in told if entry["type"] == "postponed"] == [turn.postponed]
    assert texts(world.begin(user="two").review()) == ["one", "two"]


def test_txn_5_a_review_counts_against_the_limit() -> None:
    turn = World(document=config(model_calls=1)).begin()
    assert turn.review() is not None
    with pytest.raises(EngineError) as refused:
        turn.model_call()
    assert refused.value.code == "limit_exceeded"


def test_ext_1_a_commit_without_a_review_leaves_it_due() -> None:
    world = World()
    spoken(world, "one")
    assert texts(world.begin(user="two").review()) == ["hello", "one", "two"]


def test_rec_6_a_candidate_is_copied() -> None:
    world = World()
    labels = {"customer_id": {"number": 5, "description": "The customer it is about."}}
    world.engine.deploy("ann", config(labels=labels), at=0)
    turn = world.begin()
    given: dict[str, Any] = {"summary": "One", "labels": {"customer_id": "c-17"}}
    (decided,) = reviewed(turn, given)
    assert decided.record is not None
    given["labels"]["customer_id"] = "c-18"
    decided.record["summary"] = "changed"
    turn.commit()
    (record,) = world.listed().values()
    assert (record["summary"], record["labels"]) == ("One", {"customer_id": "c-17"})
    assert extract(world, {"summary": "One"})[0].outcome == "skip"
