"""SCO and WRT: which scope a record gets, replacing, deleting, and who may write."""

from __future__ import annotations

from typing import Any

import pytest
from world import ALL_TOOLS, BOTH, World, add, code, config, found, read, recalled, scopes

from seatrial.engine.guidance import tool_names


def test_sco_1_scopes_default_to_session() -> None:
    world = World()
    record = world.keep("Wire 4471 is approved")
    shown = world.listed()[record]
    assert (shown["scope"], shown["session"]) == ("session", "s")
    assert code(world.begin().call("add_memory", {"summary": "x", "kind": "fact", "scope": "agent"})) == (
        "scope_not_allowed"
    )


@pytest.mark.parametrize(
    ("write", "stated", "stored"),
    [
        (["session"], None, "session"),
        (["session"], "session", "session"),
        (["agent"], None, "agent"),
        (["agent"], "agent", "agent"),
        (BOTH, None, "session"),
        (BOTH, "session", "session"),
        (BOTH, "agent", "agent"),
        (["agent", "session"], None, "session"),
    ],
)
def test_sco_2_the_stored_scope_is_the_declared_one(write: list[str], stated: str | None, stored: str) -> None:
    """cadis#155, crewAI#7532: never another scope than the one that was stated."""
    world = World(document=config(scope=scopes(BOTH, write)))
    given: dict[str, Any] = {} if stated is None else {"scope": stated}
    record = world.keep("Wire 4471 is approved", **given)
    assert world.listed()[record]["scope"] == stored


@pytest.mark.parametrize(
    ("write", "stated"), [(["session"], "agent"), (["agent"], "session"), (BOTH, "global"), ([], "session"), ([], None)]
)
def test_sco_2_a_scope_outside_write_is_refused(write: list[str], stated: str | None) -> None:
    world = World(document=config(scope=scopes(BOTH, write)))
    turn = world.begin()
    given = {} if stated is None else {"scope": stated}
    answer = turn.call("add_memory", {"summary": "x", "kind": "fact", **given})
    assert code(answer) == "scope_not_allowed"
    assert found(turn, kinds=["fact"]) == []


def test_sco_2_the_refusal_names_the_scopes_and_the_nearest() -> None:
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    answer = world.begin().call("add_memory", {"summary": "x", "kind": "fact", "scope": "sesion"})
    assert answer.error is not None
    assert answer.error.remedy == "Declared: session, agent. The nearest is session."


@pytest.mark.parametrize("tool", ["replace", "delete"])
def test_sco_2_an_agent_record_is_changed_only_where_agent_is_stated_or_the_only_scope(tool: str) -> None:
    def change(record: str, **scope: str) -> str | None:
        turn = world.begin("other")
        if tool == "delete":
            answer = turn.call("delete_memory", {"id": record, **scope})
        else:
            answer = turn.call("add_memory", {"summary": "y", "kind": "fact", "replaces": record, **scope})
        turn.rollback()
        return code(answer)

    world = World(document=config(scope=scopes(BOTH, BOTH)))
    record = world.keep("x", scope="agent")
    assert change(record) == "scope_not_allowed"
    assert change(record, scope="session") == "scope_not_allowed"
    assert change(record, scope="agent") is None
    world.engine.deploy("ann", config(scope=scopes(BOTH, ["agent"])), at=0)
    assert change(record) is None


def test_wrt_1_tools_exist_only_where_they_are_named() -> None:
    world = World(document=config(tools=["read_memory"]))
    turn = world.begin()
    assert code(turn.call("add_memory", {"summary": "x", "kind": "fact"})) == "no_such_tool"
    assert code(turn.call("delete_memory", {"id": "x"})) == "no_such_tool"
    assert code(turn.call("search_history", {"query": "x"})) == "no_such_tool"
    assert code(turn.call("search_memory", {"query": "x"})) is None
    assert [tool["name"] for tool in turn.model_call().tools] == [
        "read_memory",
        "search_memory",
        "read_result",
    ]


def test_wrt_1_without_memory_there_is_no_tool_and_no_recall() -> None:
    world = World(document={"harness": {"memory": {"tools": ALL_TOOLS}}})
    turn = world.begin()
    for name in (*ALL_TOOLS, "search_memory"):
        assert code(turn.call(name, {"query": "x"})) == "no_such_tool"
    context = turn.model_call()
    assert [tool["name"] for tool in context.tools] == ["read_result"]
    assert (context.recalled, context.memory) == ([], "")
    assert "memory tools" not in context.instructions


def test_wrt_2_a_replaced_record_is_superseded_and_names_its_successor() -> None:
    """CSM#99, symaira-memory#555: one rule for what is active, on every path."""
    world = World()
    old = world.keep("The credit limit is 20,000 EUR", labels={})
    new = world.keep("The credit limit is 25,000 EUR", replaces=old)
    turn = world.begin(user="credit limit?")
    assert new != old
    assert found(turn, query="credit limit") == [new]
    assert found(turn, kinds=["fact"]) == [new]
    assert found(turn, ids=[old]) == []
    assert recalled(turn) == [new]
    shown = read(turn, old)
    assert (shown["status"], shown["successor"]) == ("SUPERSEDED", new)
    assert read(turn, new)["status"] == "ACTIVE"


def test_wrt_2_several_records_are_consolidated_into_one() -> None:
    world = World()
    old = [world.keep("Limit one"), world.keep("Limit two")]
    new = world.keep("Both limits", replaces=old)
    turn = world.begin()
    assert found(turn, kinds=["fact"]) == [new]
    assert [read(turn, record)["successor"] for record in old] == [new, new]
    assert world.listed()[new]["replaces"] == old


def test_wrt_2_a_replacement_takes_over_nothing_that_it_does_not_state() -> None:
    labels = {"customer": {"number": 1, "description": "The customer."}}
    world = World(document=config(labels=labels))
    old = world.keep("Old", content="evidence", labels={"customer": "c-17"})
    turn = world.begin()
    answer = turn.call("add_memory", {"summary": "New", "kind": "guidance", "replaces": old})
    assert answer.answer is not None
    shown: Any = answer.answer["record"]
    assert (shown["labels"], shown["content"], shown["kind"]) == ({}, None, "guidance")


@pytest.mark.parametrize("tool", ["replace", "delete"])
def test_wrt_2_a_record_is_superseded_once(tool: str) -> None:
    """pensyve#227: what is superseded stays so."""
    world = World()
    old = world.keep("Old")
    new = world.keep("New", replaces=old)
    turn = world.begin()
    if tool == "replace":
        answer = turn.call("add_memory", {"summary": "Newer", "kind": "fact", "replaces": old})
    else:
        answer = turn.call("delete_memory", {"id": old})
    assert answer.error is not None
    assert answer.error.code == "not_active"
    assert new in answer.error.message
    assert found(turn, kinds=["fact"]) == [new]


def test_wrt_2_a_successor_that_is_gone_is_not_named() -> None:
    """LaPis#281."""
    world = World()
    old = world.keep("Old")
    new = world.keep("New", replaces=old)
    turn = world.begin()
    turn.call("delete_memory", {"id": new})
    turn.commit()
    turn = world.begin()
    answer = turn.call("add_memory", {"summary": "Newer", "kind": "fact", "replaces": old})
    assert answer.error is not None
    assert answer.error.code == "not_active"
    assert new not in answer.error.message
    assert "successor" not in read(turn, old)


def test_wrt_2_a_refused_replacement_changes_nothing() -> None:
    """One of several targets cannot be replaced: none is, and nothing is added."""
    world = World()
    good, gone = world.keep("Good"), world.keep("Gone")
    world.keep("New", replaces=gone)
    turn = world.begin()
    before = found(turn, kinds=["fact"])
    answer = turn.call("add_memory", {"summary": "All", "kind": "fact", "replaces": [good, gone]})
    assert code(answer) == "not_active"
    assert found(turn, kinds=["fact"]) == before
    twice = turn.call("add_memory", {"summary": "All", "kind": "fact", "replaces": [good, good]})
    assert code(twice) == "invalid_value"


def test_wrt_3_a_replacement_keeps_the_scope_of_what_it_replaces() -> None:
    """sibyl#126, hippo-memory#144, crewAI#7605, agentmemory#1160: a replacement stays within the scope."""
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    mine, shared = world.keep("Mine", scope="session"), world.keep("Shared", scope="agent")
    turn = world.begin()
    new = {"summary": "New", "kind": "fact"}
    assert code(turn.call("add_memory", {**new, "scope": "agent", "replaces": mine})) == "scope_not_allowed"
    assert code(turn.call("add_memory", {**new, "replaces": shared})) == "scope_not_allowed"
    assert code(turn.call("add_memory", {**new, "scope": "agent", "replaces": [mine, shared]})) == "scope_not_allowed"
    assert code(turn.call("add_memory", {**new, "scope": "session", "replaces": [mine, shared]})) == (
        "scope_not_allowed"
    )
    assert sorted(found(turn, kinds=["fact"])) == sorted([mine, shared])


def test_wrt_3_a_scope_that_is_only_read_is_not_changed() -> None:
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    shared = world.keep("Shared", scope="agent")
    world.engine.deploy("ann", config(scope=scopes(BOTH, ["session"])), at=0)
    turn = world.begin()
    assert code(turn.call("delete_memory", {"id": shared})) == "scope_not_allowed"
    assert code(turn.call("add_memory", {"summary": "y", "kind": "fact", "replaces": shared})) == "scope_not_allowed"
    assert found(turn, kinds=["fact"]) == [shared]


def test_wrt_4_a_deleted_record_is_gone_from_every_path() -> None:
    """adk-python#7109, pi-hermes-memory#226, mem0#3928: exactly the named one, and from every recall."""
    world = World()
    gone, stays = world.keep("Wire 4471 is approved"), world.keep("Wire 4472 is approved")
    turn = world.begin()
    assert turn.call("delete_memory", {"id": gone}).to_json() == {"answer": {"deleted": gone}}
    turn.commit()
    turn = world.begin(user="wire")
    assert found(turn, query="wire approved") == [stays]
    assert found(turn, ids=[gone]) == []
    assert recalled(turn) == [stays]
    assert code(turn.call("read_memory", {"id": gone})) == "not_found"
    assert code(turn.call("delete_memory", {"id": gone})) == "not_found"


def test_wrt_5_a_turn_reads_its_own_writes() -> None:
    world = World()
    old, other = world.keep("Limit 20"), world.keep("Address Rua Nova")
    turn = world.begin(user="limit or address?")
    new = add(turn, "Limit 25", replaces=old)
    turn.call("delete_memory", {"id": other})
    assert found(turn, kinds=["fact"]) == [new]
    assert recalled(turn) == [new]
    assert read(turn, old)["successor"] == new
    newer = add(turn, "Limit 30", replaces=new)
    assert found(turn, kinds=["fact"]) == [newer]
    assert code(turn.call("add_memory", {"summary": "y", "kind": "fact", "replaces": new})) == "not_active"
    turn.commit()
    chain = world.listed()
    assert [chain[record]["successor"] for record in (old, new, newer)] == [new, newer, None]


def test_wrt_5_a_record_written_and_deleted_in_one_turn_keeps_its_history() -> None:
    """mem0#5923: a history never begins with "deleted"."""
    world = World()
    turn = world.begin()
    record = add(turn, "Short-lived")
    turn.call("delete_memory", {"id": record})
    turn.commit()
    shown: Any = world.engine.console.memory("ann", record)["record"]
    assert [version["status"] for version in shown["versions"]] == ["ACTIVE", "DELETED"]
    assert found(world.begin(), kinds=["fact"]) == []


@pytest.mark.parametrize("kind", ["subagent", "program"])
def test_wrt_6_a_helper_reads_and_never_writes(kind: Any) -> None:
    """agentao#234, graph-memory#41: they read, never write."""
    world = World()
    record = world.keep("Card 1907 is blocked")
    turn = world.begin()
    helper = turn.helper(kind)
    searched = helper.call("search_memory", {"query": "card"})
    assert searched.to_json() == turn.call("search_memory", {"query": "card"}).to_json()
    assert code(helper.call("read_memory", {"id": record})) is None
    assert code(helper.call("add_memory", {"summary": "x", "kind": "fact"})) == "helper_cannot_write"
    assert code(helper.call("add_memory", {"summary": "x", "kind": "fact", "replaces": record})) == (
        "helper_cannot_write"
    )
    assert code(helper.call("delete_memory", {"id": record})) == "helper_cannot_write"
    assert code(helper.call("search_history", {"query": "x"})) == "no_such_tool"
    assert turn.commit().outcome == "committed"
    assert [shown["status"] for shown in world.listed().values()] == ["ACTIVE"]


def test_wrt_6_a_helper_sees_what_its_parent_wrote_and_nothing_else() -> None:
    world = World()
    world.keep("Card 8830 was stolen", "other")
    turn = world.begin()
    record = add(turn, "Card 1907 is blocked")
    helper = turn.helper("program")
    answer = helper.call("search_memory", {"kinds": ["fact"]})
    assert answer.answer is not None
    records: Any = answer.answer["records"]
    assert [shown["id"] for shown in records] == [record]


def test_wrt_6_what_a_helper_reads_is_not_in_its_parents_conversation() -> None:
    world = World()
    world.keep("Card 1907 is blocked")
    turn = world.begin(user="...")
    turn.helper("subagent").call("search_memory", {"query": "card"})
    assert "1907" not in str(turn.model_call().messages)


def test_tool_names_keep_one_order() -> None:
    from seatrial.engine.config import read_config

    names = tool_names(read_config(config(tools=["delete_memory", "add_memory"])))
    assert names == ("add_memory", "delete_memory", "search_memory", "read_result")
