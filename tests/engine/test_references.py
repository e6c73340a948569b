"""CTX-2, CTX-4, CTX-5: large results are set aside, and come back whole by reference, in their session only."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from world import BOTH, World, add, code, config, recalled, scopes

from seatrial.engine import Answer, Engine, Turn, count_tokens

LARGE = "Entry 4471: 9,000 USD, \U0001f4b6 承認\n" * 400  # far above the default threshold of 2,000 tokens
anything = st.text(st.characters(exclude_categories=()), max_size=300)


def threshold(tokens: int, **memory: Any) -> dict[str, Any]:
    return config(context={"offload_threshold": tokens}, **memory)


def whole(turn: Turn, ref: str, **part: int) -> str:
    answer = turn.call("read_result", {"ref": ref, **part})
    assert answer.answer is not None, answer
    return str(answer.answer["text"])


def shown(turn: Turn, ref: str) -> dict[str, Any]:
    """The message of a result, as the next model call has it."""
    (message,) = [each for each in turn.model_call().messages if each.get("ref") == ref]
    return message


def test_ctx_2_a_large_result_is_set_aside_and_comes_back_whole() -> None:
    turn = World().begin()
    ref = turn.tool_result("fetch", LARGE)
    message = shown(turn, ref)
    assert LARGE.startswith(message["preview"])
    assert 0 < count_tokens(message["preview"]) <= 200
    assert str(count_tokens(LARGE)) in message["note"]
    assert "text" not in message
    assert whole(turn, ref) == LARGE


def test_ctx_2_the_answer_of_read_result_is_not_set_aside_again() -> None:
    turn = World().begin()
    ref = turn.tool_result("fetch", LARGE)
    whole(turn, ref)
    (exchange,) = [each for each in turn.model_call().messages if each.get("name") == "read_result"]
    assert exchange["answer"] == {"text": LARGE, "offset": 0, "total": len(LARGE)}


@pytest.mark.parametrize("tokens", [1, 7, 200, 201])
def test_ctx_2_a_result_exactly_at_the_threshold_stays(tokens: int) -> None:
    turn = World(document=threshold(tokens)).begin()
    at, above = turn.tool_result("fetch", "x" * 4 * tokens), turn.tool_result("fetch", "x" * (4 * tokens + 1))
    assert shown(turn, at)["text"] == "x" * 4 * tokens
    assert "text" not in shown(turn, above)


def test_ctx_2_without_a_context_in_the_config_the_threshold_is_2000() -> None:
    engine = Engine.open()
    engine.deploy("ann", {"harness": {}}, at=0)
    turn = engine.begin("ann", session="s", execution="e", at=0, user="hello")
    assert "text" in shown(turn, turn.tool_result("fetch", "x" * 8000))
    assert "preview" in shown(turn, turn.tool_result("fetch", "x" * 8001))


@given(anything, st.integers(1, 60))
def test_ctx_2_a_preview_is_a_beginning_that_cuts_no_character(text: str, limit: int) -> None:
    turn = World(document=threshold(limit)).begin()
    message = shown(turn, turn.tool_result("fetch", text))
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    if count_tokens(text) <= limit:
        assert message["text"] == text
    else:
        preview = message["preview"]
        assert text.startswith(preview)
        assert count_tokens(preview) <= limit < count_tokens(text[: len(preview) + 1])
        preview.encode("utf-8")


@given(anything, st.integers(1, 40))
def test_ctx_2_parts_join_to_the_whole(text: str, length: int) -> None:
    turn = World(document=threshold(1)).begin()
    ref = turn.tool_result("fetch", text)
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    parts = [whole(turn, ref, offset=offset, length=length) for offset in range(0, len(text) + length, length)]
    assert "".join(parts) == whole(turn, ref) == text
    assert parts[-1] == ""
    assert all(part == text[i * length : (i + 1) * length] for i, part in enumerate(parts))


def test_ctx_2_a_part_says_where_it_is_and_how_much_there_is() -> None:
    turn = World().begin()
    ref = turn.tool_result("fetch", "abcdef")
    assert turn.call("read_result", {"ref": ref, "offset": 4}).answer == {"text": "ef", "offset": 4, "total": 6}
    assert turn.call("read_result", {"ref": ref, "offset": 9}).answer == {"text": "", "offset": 9, "total": 6}


@pytest.mark.parametrize(
    "arguments", [{}, {"ref": 1}, {"ref": "x", "offset": -1}, {"ref": "x", "length": 0}, {"ref": "x", "length": True}]
)
def test_ctx_2_read_result_refuses_what_it_does_not_take(arguments: dict[str, Any]) -> None:
    assert code(World().begin().call("read_result", arguments)) == "invalid_value"


def test_ctx_2_recall_looks_at_a_large_result_as_the_context_shows_it() -> None:
    """RCL-1: what is set aside is not in the query."""
    world = World(document=threshold(4))
    near, far = world.keep("alpha"), world.keep("omega")
    turn = world.begin(user="...")
    turn.tool_result("fetch", "alpha" + " -" * 200 + " omega")
    assert recalled(turn) == [near]
    turn.tool_result("fetch", "omega")
    assert sorted(recalled(turn)) == sorted([near, far])


def test_ctx_4_a_later_turn_has_a_note_in_place_of_a_large_result() -> None:
    world = World()
    turn = world.begin()
    large, small = turn.tool_result("fetch", LARGE), turn.tool_result("fetch", "all matched")
    turn.reply("Done.")
    turn.commit()
    later = world.begin()
    message = shown(later, large)
    assert set(message) == {"role", "name", "ref", "note"}
    assert message["name"] == "fetch"
    assert "4471" not in str(message)
    assert shown(later, small)["text"] == "all matched"
    assert (whole(later, large), whole(later, small)) == (LARGE, "all matched")


def test_ctx_4_large_means_large_for_the_version_that_runs() -> None:
    world = World(document=threshold(10))
    turn = world.begin()
    ref = turn.tool_result("fetch", "x" * 48)
    assert "preview" in shown(turn, ref)
    turn.commit()
    world.engine.deploy("ann", threshold(12), at=0)
    turn = world.begin()
    assert shown(turn, ref)["text"] == "x" * 48
    turn.commit()
    world.engine.deploy("ann", threshold(11), at=0)
    assert "note" in shown(world.begin(), ref)


def test_ctx_4_what_read_result_returned_is_not_carried_on() -> None:
    world = World()
    turn = world.begin()
    ref = turn.tool_result("fetch", LARGE)
    whole(turn, ref)
    turn.commit()
    assert world.begin().model_call().tokens < count_tokens(LARGE)


def test_ctx_4_references_survive_closing(tmp_path: Any) -> None:
    """TXN-4."""
    world = World(tmp_path / "store.sqlite")
    turn = world.begin()
    ref = turn.tool_result("fetch", LARGE)
    turn.commit()
    world.reopen()
    turn = world.begin()
    assert "note" in shown(turn, ref)
    assert whole(turn, ref) == LARGE


def refusals(turn: Turn, *refs: str) -> list[Answer]:
    return [turn.call("read_result", {"ref": ref}) for ref in refs]


def test_ctx_5_a_reference_answers_in_its_session_only_and_the_refusal_is_that_of_an_unknown_one() -> None:
    """VIEW-1, VIEW-2, VIEW-6."""
    world = World()
    world.engine.deploy("bob", config(), at=0)
    turn = world.begin("s")
    ref = turn.tool_result("fetch", LARGE)
    turn.commit()
    unknown = ("ref_" + "0" * 24, "ref_", "", "_", "%", ref.upper(), f"{ref}\0", ref[:-1], "\ud800", f" {ref}")
    for other in (world.begin("S"), world.begin("s", agent="bob"), world.begin("s_")):
        answers = {str(answer.to_json()) for answer in refusals(other, ref, *unknown)}
        assert len(answers) == 1
        assert code(other.call("read_result", {"ref": ref, "offset": 3, "length": 2})) == "not_found"
    assert {code(answer) for answer in refusals(world.begin("s"), *unknown)} == {"not_found"}


def test_ctx_5_another_open_turn_does_not_answer() -> None:
    world = World()
    one, other = world.begin("s"), world.begin("t")
    ref = one.tool_result("fetch", "all matched")
    assert code(other.call("read_result", {"ref": ref})) == "not_found"
    assert whole(one, ref) == "all matched"


def test_ctx_5_a_live_turn_knows_no_reference_of_a_preview() -> None:
    """VIEW-4."""
    world = World()
    live = world.begin()
    of_live = live.tool_result("fetch", "live")
    live.commit()
    preview = world.begin(plane="preview")
    of_preview = preview.tool_result("fetch", "preview")
    assert whole(preview, of_live) == "live"
    preview.commit()
    live = world.begin()
    assert code(live.call("read_result", {"ref": of_preview})) == "not_found"
    assert whole(live, of_live) == "live"
    live.commit()
    preview = world.begin(plane="preview")
    assert (whole(preview, of_live), whole(preview, of_preview)) == ("live", "preview")


@pytest.mark.parametrize("end", [Turn.rollback, Turn.fail, Turn.crash])
def test_ctx_5_a_reference_of_a_turn_that_did_not_commit_never_existed(end: Any) -> None:
    """TXN-2."""
    world = World()
    turn = world.begin()
    ref = turn.tool_result("fetch", "all matched")
    end(turn)
    later = world.begin()
    assert later.call("read_result", {"ref": ref}).to_json() == later.call("read_result", {"ref": "ref_0"}).to_json()
    assert not any("ref" in message for message in later.model_call().messages)


def test_ctx_5_a_retry_issues_references_of_its_own() -> None:
    """openai-agents-python#3852, openai-agents-python#4615: nothing of the failed attempt answers for the retry."""
    world = World()
    first = world.begin(execution="first")
    lost = first.tool_result("fetch", "all matched")
    first.rollback()
    retry = world.begin(execution="retry")
    kept = retry.tool_result("fetch", "all matched")
    assert kept != lost
    assert code(retry.call("read_result", {"ref": lost})) == "not_found"


def test_ctx_5_a_sessionless_turn_reads_its_own_results_only() -> None:
    """VIEW-7."""
    world = World(document=config(sessions=False))
    turn = world.begin(None)
    ref = turn.tool_result("fetch", LARGE)
    assert whole(turn, ref) == LARGE
    turn.commit()
    assert code(world.begin(None).call("read_result", {"ref": ref})) == "not_found"


def test_rec_2_a_reference_is_derived_and_no_other_turn_moves_it() -> None:
    """deepagents#5560: the engine issues it; neither a tool's name nor an id, however long, stands in it."""

    def refs(*, other: bool) -> list[str]:
        world = World()
        if other:
            dropped = world.begin("t", execution="other")
            dropped.tool_result("fetch", LARGE)
            dropped.rollback()
        turn = world.begin("s", execution="e" * 400)
        return [turn.tool_result(name, text) for name, text in (("fetch" * 100, LARGE), ("f", "x"), ("f", "x"))]

    assert refs(other=False) == refs(other=True)
    assert len(set(refs(other=False))) == 3
    assert all(re.fullmatch("ref_[0-9a-f]{24}", ref) for ref in refs(other=False))


def test_wrt_6_helpers_do_not_have_read_result() -> None:
    turn = World().begin()
    ref = turn.tool_result("fetch", "all matched")
    answer = turn.helper("subagent").call("read_result", {"ref": ref})
    assert code(answer) == "no_such_tool"
    assert "read_result" not in str(answer.to_json())
    assert whole(turn, ref) == "all matched"


def test_ctx_8_every_version_has_read_result_and_is_told_of_it() -> None:
    context = World(document=config(scope=scopes(BOTH, BOTH))).begin().model_call()
    assert "read_result" in [tool["name"] for tool in context.tools]
    assert "read_result returns it" in context.instructions


def test_rcl_3_reading_a_result_is_no_use_of_a_record() -> None:
    world = World()
    turn = world.begin(user="...")
    add(turn, "all matched")
    whole(turn, turn.tool_result("fetch", "all matched"))
    ledger: Any = world.engine.ledger().to_json()
    assert ledger["uses"] == []
