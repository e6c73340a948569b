"""TXN: a turn commits as a whole or leaves nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from world import BOTH, World, add, code, config, found, read, scopes

from seatrial.engine import EngineError, Turn


def observed(world: World) -> str:
    """All that later turns and operators can see, but for executions, their uses and transcripts."""
    seen: list[Any] = [world.engine.console.memories("ann")]
    for session in ("s", "t"):
        turn = world.begin(session, user="limit?", at=10**9)
        seen += [turn.model_call().to_json(), turn.call("search_memory", {"kinds": ["fact"]}).to_json()]
        turn.rollback()
    seen.append(world.engine.ledger().to_json()["records"])
    return json.dumps(seen)


def busy_turn(world: World, replaced: str, deleted: str) -> Turn:
    """An open turn that has done one of everything."""
    turn = world.begin(user="canary")
    turn.model_call()
    add(turn, "New limit", replaces=replaced)
    turn.call("delete_memory", {"id": deleted})
    turn.reply("canary")
    turn.tool_result("fetch", "canary")
    turn.set_state({"canary": True})
    return turn


def test_txn_1_a_commit_keeps_all_of_it() -> None:
    world = World()
    one, two = world.keep("Limit"), world.keep("Address")
    result = busy_turn(world, one, two).commit()
    assert (result.outcome, result.state, result.error) == ("committed", {"canary": True}, None)
    assert [shown["status"] for shown in world.listed().values()] == ["ACTIVE", "DELETED", "SUPERSEDED"]
    context = world.begin().model_call()
    assert context.state == {"canary": True}
    assert [message["text"] for message in context.messages[-4:]] == ["canary", "canary", "canary", "hello"]


@pytest.mark.parametrize("ending", ["rollback", "fail", "crash"])
def test_txn_2_a_turn_that_does_not_commit_leaves_nothing_but_its_execution_and_transcript(ending: str) -> None:
    """openai-agents-python#1840, datarobot-genai#270, orch#2911, hermes-agent#4564: the turn rolls back whole."""
    world = World()
    one, two = world.keep("Limit"), world.keep("Address")
    before = observed(world)
    turn = busy_turn(world, one, two)
    result = {"rollback": turn.rollback, "fail": turn.fail, "crash": turn.crash}[ending]()
    outcome = {"rollback": "rolled_back", "fail": "failed", "crash": "crashed"}[ending]
    assert (result.outcome, result.state) == (outcome, {})
    assert observed(world) == before
    executions: Any = world.engine.ledger().to_json()["executions"]
    assert {"turn": turn.execution, "outcome": outcome}.items() <= next(
        execution for execution in executions if execution["turn"] == turn.execution
    ).items()
    kinds = [entry["type"] for entry in entries(world, turn.execution)]
    assert kinds == ["user", "model_call", "call", "call", "reply", "tool", "state", "end"]


def entries(world: World, execution: str) -> list[dict[str, Any]]:
    transcript: Any = world.engine.transcript("ann", execution)
    return list(transcript)


def test_txn_2_a_retry_is_complete() -> None:
    """openai-agents-python#3852, openai-agents-python#4615: a failed attempt leaves nothing, a retry loses nothing."""
    world = World()
    turn = world.begin(user="Wire 4471 is approved")
    turn.tool_result("fetch", "result")
    turn.fail("it broke")
    retry = world.begin(user="Wire 4471 is approved")
    retry.tool_result("fetch", "result")
    record = add(retry, "Wire 4471 is approved")
    assert [message.get("text") for message in retry.model_call().messages[:2]] == ["Wire 4471 is approved", "result"]
    retry.commit()
    assert list(world.listed()) == [record]


def test_txn_2_rolling_back_restores_exactly_the_prior_state() -> None:
    """adk-python#4839."""
    world = World()
    turn = world.begin()
    turn.set_state({"reviewed": 3, "open": ["a"]})
    turn.commit()
    turn = world.begin()
    turn.set_state({})
    turn.rollback()
    assert world.begin().model_call().state == {"reviewed": 3, "open": ["a"]}


@pytest.mark.parametrize("ending", ["rollback", "fail", "crash"])
def test_ctx_6_the_result_of_a_turn_that_does_not_commit_reports_the_state_of_before(ending: str) -> None:
    """adk-python#4839: exactly the prior state."""
    world = World()
    first = world.begin()
    first.set_state({"reviewed": 3})
    first.commit()
    turn = world.begin()
    turn.set_state({"reviewed": 4})
    result = {"rollback": turn.rollback, "fail": turn.fail, "crash": turn.crash}[ending]()
    assert result.state == world.begin().model_call().state == {"reviewed": 3}


def test_txn_2_a_turn_that_ended_does_nothing_more() -> None:
    world = World()
    turn = world.begin()
    turn.rollback("enough")
    acts: list[Callable[[], object]] = [
        turn.model_call,
        turn.commit,
        turn.rollback,
        lambda: turn.reply("x"),
        lambda: turn.tool_result("x", "y"),
        lambda: turn.set_state({}),
        lambda: turn.call("search_memory", {"query": "x"}),
        lambda: turn.helper("program").call("search_memory", {"query": "x"}),
    ]
    for act in acts:
        with pytest.raises(EngineError, match="the turn has ended: rolled_back"):
            act()
    assert turn.result is not None
    assert turn.result.reason == "enough"


@pytest.mark.parametrize("planes", [("live", "live"), ("live", "preview"), ("preview", "live"), ("preview", "preview")])
def test_txn_3_a_second_turn_of_a_session_is_busy_in_either_plane(planes: tuple[Any, Any]) -> None:
    """mateclaw#457: nothing of a turn that is still running is seen."""
    world = World()
    first = world.begin(plane=planes[0])
    with pytest.raises(EngineError) as refused:
        world.begin(plane=planes[1])
    assert refused.value.code == "busy"
    world.begin("other", plane=planes[1])
    first.commit()
    assert world.begin(plane=planes[1]).execution == "e4"


def test_txn_3_sessions_of_one_name_of_two_agents_are_not_one() -> None:
    world = World()
    world.engine.deploy("bob", config(), at=0)
    world.begin("s")
    assert world.begin("s", agent="bob").version == 1


def test_txn_3_interleaved_turns_keep_apart() -> None:
    """graphiti#1676, mem0#4359: scope travels with the turn, in no global."""
    world = World()
    first, second = world.begin("a"), world.begin("b")
    one, two = add(first, "Wire of a"), add(second, "Wire of b")
    more = add(first, "Wire of a again")
    assert (found(first, kinds=["fact"]), found(second, kinds=["fact"])) == ([more, one], [two])
    second.commit()
    first.commit()
    listed = world.listed()
    assert [listed[record]["session"] for record in (one, two, more)] == ["a", "b", "a"]


@pytest.mark.parametrize("first", ["replace", "delete"])
@pytest.mark.parametrize("second", ["replace", "delete"])
def test_txn_3_the_first_to_commit_wins(first: str, second: str) -> None:
    """mem0#6515, adk-python#5244: looked at again at the commit, so no update is lost."""

    def change(turn: Turn, how: str) -> None:
        if how == "delete":
            turn.call("delete_memory", {"id": shared, "scope": "agent"})
        else:
            add(turn, f"New by {turn.execution}", scope="agent", replaces=shared)

    world = World(document=config(scope=scopes(BOTH, BOTH)))
    shared = world.keep("The cut-off is 16:00", scope="agent")
    winner, loser = world.begin("a"), world.begin("b")
    change(loser, first)
    extra = add(loser, "Of the loser alone")
    change(winner, second)
    assert winner.commit().outcome == "committed"
    result = loser.commit()
    assert (result.outcome, result.state) == ("conflict", {})
    assert result.error is not None
    assert result.error.code == "conflict"
    assert extra not in world.listed()
    assert world.begin("b").model_call().messages[0]["text"] == "hello"


def test_txn_3_an_operators_delete_is_a_conflict_too() -> None:
    world = World()
    record = world.keep("Limit 20")
    turn = world.begin()
    add(turn, "Limit 25", replaces=record)
    world.engine.console.delete("ann", record, at=world.clock)
    assert turn.commit().outcome == "conflict"
    assert world.listed()[record]["status"] == "DELETED"


def test_txn_3_reading_what_another_turn_changes_is_no_conflict() -> None:
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    shared = world.keep("The cut-off is 16:00", scope="agent")
    reader = world.begin("a")
    read(reader, shared)
    world.keep("The cut-off is 17:00", "b", scope="agent", replaces=shared)
    assert reader.commit().outcome == "committed"


def test_txn_5_the_call_that_would_exceed_the_limit_fails_the_turn() -> None:
    world = World(document=config(model_calls=2))
    turn = world.begin()
    record = add(turn, "Limit 20")
    assert [turn.model_call().call, turn.model_call().call] == [1, 2]
    with pytest.raises(EngineError) as refused:
        turn.model_call()
    assert refused.value.code == "limit_exceeded"
    assert turn.result is not None
    assert turn.result.outcome == "failed"
    assert turn.result.error is not None
    assert record not in world.listed()
    calls = [entry for entry in entries(world, turn.execution) if entry["type"] == "model_call"]
    assert len(calls) == 2


def test_rec_2_an_execution_id_is_used_once_whatever_became_of_it() -> None:
    world = World()
    world.begin(execution="once").rollback()
    with pytest.raises(EngineError) as refused:
        world.begin(execution="once")
    assert refused.value.code == "invalid_value"
    world.engine.deploy("bob", config(), at=0)
    assert world.begin(agent="bob", execution="once").execution == "once"


def test_sch_6_time_may_not_go_back_within_a_session_and_may_across() -> None:
    world = World()
    world.begin("s", at=5000).commit()
    with pytest.raises(EngineError) as refused:
        world.begin("s", at=4999)
    assert refused.value.code == "invalid_value"
    world.begin("t", at=0).rollback()
    assert world.begin("s", at=5000).commit().outcome == "committed"


def test_pre_4_the_times_of_previews_and_of_undone_turns_bind_no_live_turn() -> None:
    world = World()
    world.begin("s", at=1000).commit()
    world.begin("s", at=9000, plane="preview").commit()
    world.begin("s", at=8000).rollback()
    with pytest.raises(EngineError):
        world.begin("s", at=8999, plane="preview")
    assert world.begin("s", at=1000).commit().outcome == "committed"


@pytest.mark.parametrize(
    "wrong",
    [
        {"session": ""},
        {"session": " s"},
        {"session": "s\t"},
        {"session": "a\nb"},
        {"session": "a\u2028b"},
        {"session": "\ud800"},
        {"execution": "\x00"},
        {"agent": "ann "},
        {"at": -1},
        {"at": True},
        {"at": 1.5},
        {"at": 10**15},
        {"plane": "staging"},
        {"user": None},
    ],
)
def test_rec_6_a_begin_with_a_bad_value_is_refused_and_leaves_nothing(wrong: dict[str, Any]) -> None:
    world = World()
    given: dict[str, Any] = {"session": "s", "execution": "e", "at": 0, "user": "x", "agent": "ann", **wrong}
    with pytest.raises(EngineError) as refused:
        world.engine.begin(given.pop("agent"), **given)
    assert refused.value.code == "invalid_value"
    assert world.engine.ledger().to_json()["executions"] == []


def test_rec_6_the_users_message_and_tool_results_are_readable_and_the_agents_own_text_is_checked() -> None:
    world = World()
    turn = world.begin(user="half \ud83d")
    turn.tool_result("\udc00", "half \ud83d too")
    with pytest.raises(EngineError):
        turn.reply("half \ud83d")
    with pytest.raises(EngineError):
        turn.set_state({"half \ud83d": 1})
    for arguments in (
        {"summary": "half \ud83d", "kind": "fact"},
        {"summary": "x", "kind": "fact", "content": "\udc00"},
    ):
        assert code(turn.call("add_memory", arguments)) == "invalid_value"
    messages = turn.model_call().messages
    assert [message.get("text") for message in messages[:2]] == ["half \ufffd", "half \ufffd too"]
    assert turn.commit().outcome == "committed"


@pytest.mark.parametrize("state", [[], {"x": float("nan")}, {1: 2}, {"x": {1}}, {"x": 10**2000}, None])
def test_ctx_6_state_is_one_json_object(state: Any) -> None:
    turn = World().begin()
    with pytest.raises(EngineError) as refused:
        turn.set_state(state)
    assert refused.value.code == "invalid_value"
    assert turn.model_call().state == {}


def test_rec_6_what_is_handed_in_and_out_is_a_copy() -> None:
    """adk-python#7105."""
    world = World()
    turn = world.begin()
    state: dict[str, Any] = {"open": ["a"]}
    turn.set_state(state)
    state["open"].append("b")
    context = turn.model_call()
    context.state["open"] = "changed"
    context.messages[0]["text"] = "changed"
    record = add(turn, "Limit 20")
    shown = read(turn, record)
    shown["summary"] = "changed"
    result = turn.commit()
    assert result.state is not None
    result.state["open"] = "changed"
    world.listed()[record]["summary"] = "changed"
    again = world.begin()
    assert again.model_call().state == {"open": ["a"]}
    assert again.model_call().messages[0]["text"] == "hello"
    assert read(again, record)["summary"] == "Limit 20"


@pytest.mark.parametrize("ending", ["rollback", "fail"])
def test_txn_2_a_reason_is_text(ending: str) -> None:
    turn = World().begin()
    reason: Any = 5
    with pytest.raises(EngineError) as refused:
        getattr(turn, ending)(reason)
    assert (refused.value.code, turn.result) == ("invalid_value", None)
    assert getattr(turn, ending)("half \ud800").reason == "half \ufffd"
