"""ADM: what operators see, what they delete, and what they must be granted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from world import World, add, code, config, found, recalled

from seatrial.engine import EngineError

INDEXES = "financial.AgentMemory.indexes.*"
DOCUMENT = "financial.AgentMemory.document"
READ = [f"SELECT {INDEXES}", f"SELECT {DOCUMENT}"]
DELETE = [*READ, f"UPDATE {INDEXES}", f"UPDATE {DOCUMENT}"]


def test_adm_1_the_listing_is_newest_first_with_status_plane_and_provenance() -> None:
    labels = {"customer": {"number": 7, "description": "The customer."}}
    world = World(document=config(labels=labels))
    turn = world.begin("a")
    first, second = add(turn, "first"), add(turn, "second", labels={"customer": 17})
    turn.commit()
    third = world.keep("third", "b", plane="preview", replaces=[])
    listed = world.listed()
    assert list(listed) == [third, second, first]
    assert listed[second] == {
        "id": second,
        "agent": "ann",
        "plane": "live",
        "scope": "session",
        "session": "a",
        "summary": "second",
        "content": None,
        "kind": "fact",
        "labels": {"customer": 17},
        "pinned": False,
        "status": "ACTIVE",
        "at": "1970-01-01T00:01:00Z",
        "ordinal": 1,
        "execution": "e1",
        "version": 1,
        "turn": 1,
        "source": "tool",
        "replaces": [],
        "would_replace": [],
        "would_delete": None,
        "successor": None,
    }
    assert (listed[third]["plane"], listed[third]["session"], listed[third]["turn"]) == ("preview", "b", 1)


def test_rec_3_a_record_is_read_with_its_whole_history() -> None:
    """mem0#4467, mem0#5923: complete, ordered, each change with its time and who made it."""
    world = World()
    old = world.keep("Limit 20")
    new = world.keep("Limit 25", replaces=old)
    world.engine.console.delete("ann", old, at=999_000, operator="olga")
    shown: Any = world.engine.console.memory("ann", old)["record"]
    assert shown["versions"] == [
        {"status": "ACTIVE", "at": "1970-01-01T00:01:00Z", "by": "execution", "execution": "e1"},
        {"status": "SUPERSEDED", "at": "1970-01-01T00:02:00Z", "by": "execution", "execution": "e2"},
        {"status": "DELETED", "at": "1970-01-01T00:16:39Z", "by": "operator", "operator": "olga"},
    ]
    assert (shown["status"], shown["successor"], shown["summary"]) == ("DELETED", new, "Limit 20")


def test_adm_2_a_deleted_record_is_gone_at_once_also_from_open_turns() -> None:
    world = World()
    gone, stays = world.keep("Wire 4471 is approved"), world.keep("Wire 4472 is approved")
    turn = world.begin(user="wire")
    assert sorted(found(turn, query="wire")) == sorted([gone, stays])
    assert world.engine.console.delete("ann", gone, at=world.clock) == {"deleted": gone}
    assert found(turn, query="wire") == [stays]
    assert found(turn, ids=[gone]) == []
    assert recalled(turn) == [stays]
    assert code(turn.call("read_memory", {"id": gone})) == "not_found"
    assert turn.commit().outcome == "committed"
    assert found(world.begin(), query="wire") == [stays]


def test_adm_2_a_superseded_record_can_be_deleted_too() -> None:
    world = World()
    old = world.keep("Limit 20")
    new = world.keep("Limit 25", replaces=old)
    turn = world.begin()
    world.engine.console.delete("ann", old, at=world.clock)
    assert code(turn.call("read_memory", {"id": old})) == "not_found"
    assert found(turn, kinds=["fact"]) == [new]


def test_adm_2_the_record_stays_readable_to_operators_and_is_deleted_once() -> None:
    world = World()
    record = world.keep("Limit 20")
    world.engine.console.delete("ann", record, at=world.clock)
    assert world.listed()[record]["status"] == "DELETED"
    with pytest.raises(EngineError) as refused:
        world.engine.console.delete("ann", record, at=world.clock)
    assert refused.value.code == "not_active"


@pytest.mark.parametrize("record", ["mem_000000000000000000000000", "", "\ud800", "%", "another agent's"])
def test_adm_1_an_id_that_is_not_of_the_agent_is_not_found(record: str) -> None:
    world = World()
    world.engine.deploy("bob", config(), at=0)
    if record == "another agent's":
        turn = world.begin(agent="bob")
        record = add(turn, "Of bob")
        turn.commit()
    acts: list[Callable[[], object]] = [
        lambda: world.engine.console.memory("ann", record),
        lambda: world.engine.console.delete("ann", record, at=0),
    ]
    for act in acts:
        with pytest.raises(EngineError) as refused:
            act()
        assert (refused.value.code, refused.value.message) == ("not_found", "this agent has no such record")
    with pytest.raises(EngineError) as refused:
        world.engine.console.memories("nobody")
    assert refused.value.code == "not_found"


@pytest.mark.parametrize("missing", DELETE)
def test_adm_3_a_missing_grant_is_named_and_nothing_else_is_told(missing: str) -> None:
    world = World()
    record = world.keep("Limit 20")
    action, resource = missing.split(" ")
    grants = [grant for grant in DELETE if grant != missing]
    for agent, target in (("ann", record), ("ann", "unknown"), ("nobody", "unknown"), ("", "")):
        with pytest.raises(EngineError) as refused:
            world.engine.console.delete(agent, target, at=0, grants=grants)
        assert refused.value.code == "missing_grant"
        assert (refused.value.message, refused.value.remedy) == (f"{action} on {resource} is not granted", "")
    assert world.listed()[record]["status"] == "ACTIVE"


@pytest.mark.parametrize("missing", READ)
def test_adm_3_listing_and_reading_need_select_on_both(missing: str) -> None:
    world = World()
    record = world.keep("Limit 20")
    grants = [grant for grant in DELETE if grant != missing]
    with pytest.raises(EngineError, match="is not granted"):
        world.engine.console.memories("ann", grants=grants)
    with pytest.raises(EngineError, match="is not granted"):
        world.engine.console.memory("ann", record, grants=grants)
    assert world.engine.console.memories("ann", grants=READ)
    assert world.engine.console.memory("ann", record, grants=READ)


@pytest.mark.parametrize(
    ("grant", "covers"),
    [
        ("SELECT financial.AgentMemory.*", True),
        ("SELECT financial.*", True),
        ("SELECT *", True),
        ("SELECT *.AgentMemory.*", True),
        ("SELECT financial.AgentMemory", False),
        ("SELECT financial.AgentMemory.indexes.by_agent", False),
        ("SELECT financial.AgentMemory.document", False),
        ("SELECT financial_AgentMemory.*", False),
        ("SELECT Financial.AgentMemory.*", False),
        ("UPDATE *", False),
    ],
)
def test_adm_3_in_a_grant_only_the_star_is_a_pattern(grant: str, covers: bool) -> None:
    world = World()
    if covers:
        assert world.engine.console.memories("ann", grants=[grant]) == {"records": []}
    else:
        with pytest.raises(EngineError) as refused:
            world.engine.console.memories("ann", grants=[grant])
        assert refused.value.code == "missing_grant"


@pytest.mark.parametrize("grant", ["", "SELECT", "select *", "SELECT  *", "DROP *", "SELECT a..b", "SELECT a b"])
def test_adm_3_a_grant_that_cannot_be_read_is_refused(grant: str) -> None:
    with pytest.raises(EngineError) as refused:
        World().engine.console.memories("ann", grants=[grant])
    assert refused.value.code == "invalid_value"


def test_adm_4_the_agents_own_tools_need_no_grant() -> None:
    world = World()
    record = world.keep("Limit 20")
    with pytest.raises(EngineError):
        world.engine.console.memories("ann", grants=[])
    assert found(world.begin(), query="limit") == [record]


@pytest.mark.parametrize("named", [None, 5, True, b"x", [], {}, "\ud800"], ids=repr)
def test_what_cannot_be_an_id_names_nothing(named: Any) -> None:
    """REC-6: a refusal, whatever it is that stands where text is expected."""
    world = World()
    asked: list[Callable[[], Any]] = [
        lambda: world.engine.console.memory("ann", named),
        lambda: world.engine.console.delete("ann", named, at=0),
        lambda: world.engine.transcript("ann", named),
        lambda: world.engine.transcript(named, "e1"),
    ]
    for ask in asked:
        with pytest.raises(EngineError) as refused:
            ask()
        assert refused.value.code == "not_found"


@pytest.mark.parametrize("grants", ["SELECT *", 5, [5], [None], [b"SELECT *"]], ids=repr)
def test_adm_3_grants_are_a_list_of_texts(grants: Any) -> None:
    with pytest.raises(EngineError) as refused:
        World().engine.console.memories("ann", grants=grants)
    assert refused.value.code == "invalid_value"


def test_adm_3_a_run_of_stars_is_one() -> None:
    """Tried one by one, thirty of them would match for hours."""
    world = World()
    assert world.engine.console.memories("ann", grants=["SELECT " + "*" * 30]) == {"records": []}
    with pytest.raises(EngineError, match="is not granted"):
        world.engine.console.memories("ann", grants=["SELECT " + "*" * 30 + "x"])
