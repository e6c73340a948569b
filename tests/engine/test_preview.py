"""PRE: a preview rehearses faithfully and changes nothing of the live plane."""

from __future__ import annotations

from typing import Any

import pytest
from world import BOTH, World, add, code, config, found, read, recalled, scopes


def delete(world: World, record: str, **arguments: Any) -> dict[str, Any]:
    """A preview turn that deletes `record` and commits; the tool's answer."""
    turn = world.begin(plane="preview")
    answer = turn.call("delete_memory", {"id": record, **arguments})
    assert turn.commit().outcome == "committed"
    assert answer.answer is not None, answer
    return answer.answer


def test_pre_1_later_previews_read_what_a_preview_wrote_and_live_turns_never_do() -> None:
    """claude-code#62274: staged work is not visible."""
    world = World()
    record = world.keep("Fees are charged", plane="preview")
    assert world.listed()[record]["plane"] == "preview"
    turn = world.begin(plane="preview")
    assert found(turn, query="fees") == [record]
    turn.rollback()
    assert found(world.begin(), query="fees") == []


def test_pre_2_a_preview_that_replaces_a_live_record_leaves_it_as_it_was() -> None:
    """posthog#65978, oracle#408, LifeOS#2073."""
    world = World()
    live = world.keep("Fees are waived")
    before = world.listed()[live]
    turn = world.begin(plane="preview", user="fees?")
    answer = turn.call("add_memory", {"summary": "Fees are charged", "kind": "fact", "replaces": live})
    assert answer.answer is not None
    assert answer.answer["would_replace"] == [live]
    shown: Any = answer.answer["record"]
    preview = shown["id"]
    assert found(turn, query="fees") == [preview]
    assert recalled(turn) == [preview]
    turn.commit()
    assert world.listed()[live] == before
    assert world.listed()[preview]["would_replace"] == [live]
    turn = world.begin(user="fees?")
    assert found(turn, query="fees") == [live]
    assert recalled(turn) == [live]
    assert read(turn, live)["status"] == "ACTIVE"


def test_pre_2_previews_hide_the_named_record_for_good() -> None:
    world = World()
    live, other = world.keep("Fees are waived"), world.keep("Fees are low")
    preview = world.keep("Fees are charged", plane="preview", replaces=live)
    turn = world.begin(plane="preview", user="fees?")
    assert sorted(found(turn, query="fees")) == sorted([preview, other])
    shown = read(turn, live)
    assert (shown["status"], shown["successor"]) == ("SUPERSEDED", preview)
    again = turn.call("add_memory", {"summary": "x", "kind": "fact", "replaces": live})
    assert again.error is not None
    assert again.error.code == "not_active"
    assert preview in again.error.message
    turn.call("delete_memory", {"id": preview})
    turn.commit()
    turn = world.begin(plane="preview")
    assert found(turn, query="fees") == [other]
    assert "successor" not in read(turn, live)


def test_pre_2_a_preview_that_deletes_a_live_record_only_says_so() -> None:
    world = World()
    live = world.keep("Fees are waived")
    assert delete(world, live) == {"would_delete": live}
    turn = world.begin(plane="preview", user="fees?")
    assert found(turn, kinds=["fact"]) == []
    assert recalled(turn) == []
    assert code(turn.call("read_memory", {"id": live})) == "not_found"
    assert code(turn.call("delete_memory", {"id": live})) == "not_found"
    turn.rollback()
    turn = world.begin(user="fees?")
    assert found(turn, query="fees") == [live]
    assert recalled(turn) == [live]


def test_pre_2_a_would_delete_marker_is_seen_by_operators_only() -> None:
    world = World()
    live = world.keep("Fees are waived")
    delete(world, live)
    (marker,) = [shown for shown in world.listed().values() if shown["would_delete"] == live]
    assert (marker["plane"], marker["scope"], marker["session"]) == ("preview", "session", "s")
    turn = world.begin(plane="preview", user=marker["summary"])
    assert code(turn.call("read_memory", {"id": marker["id"]})) == "not_found"
    assert found(turn, ids=[marker["id"]]) == []
    assert found(turn, query=marker["summary"]) == []
    assert recalled(turn) == []
    turn.rollback()
    world.engine.console.delete("ann", marker["id"], at=world.clock)
    assert found(world.begin(plane="preview"), kinds=["fact"]) == []


def test_pre_2_preview_records_are_replaced_and_deleted_for_real() -> None:
    world = World()
    first = world.keep("Fees are charged", plane="preview")
    second = world.keep("Fees are doubled", plane="preview", replaces=first)
    assert world.listed()[first]["status"] == "SUPERSEDED"
    assert world.listed()[second]["would_replace"] == []
    assert delete(world, second) == {"deleted": second}
    assert world.listed()[second]["status"] == "DELETED"


def test_pre_2_a_mixture_replaces_its_own_plane_and_names_the_live_one() -> None:
    world = World()
    live, preview = world.keep("Fees are waived"), world.keep("Fees are low", plane="preview")
    both = world.keep("Fees are charged", plane="preview", replaces=[live, preview])
    shown = world.listed()
    assert (shown[both]["replaces"], shown[both]["would_replace"]) == ([preview], [live])
    assert (shown[live]["status"], shown[preview]["status"]) == ("ACTIVE", "SUPERSEDED")


def test_pre_2_a_live_successor_is_visible_to_previews_and_makes_the_preview_record_stale() -> None:
    world = World()
    live = world.keep("Fees are waived")
    preview = world.keep("Fees are charged", plane="preview", replaces=live)
    assert world.listed()[preview]["stale"] is False
    successor = world.keep("Fees are waived until June", replaces=live)
    assert world.listed()[preview]["stale"] is True
    shown: Any = world.engine.console.memory("ann", preview)["record"]
    assert shown["stale"] is True
    turn = world.begin(plane="preview")
    assert sorted(found(turn, query="fees")) == sorted([preview, successor])
    assert read(turn, live)["successor"] == successor


def test_pre_2_an_agent_record_is_hidden_in_the_previews_of_every_session() -> None:
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    shared = world.keep("The cut-off is 16:00", scope="agent")
    preview = world.keep("The cut-off is 17:00", plane="preview", scope="agent", replaces=shared)
    assert found(world.begin("other", plane="preview"), query="cut-off") == [preview]
    assert found(world.begin("third"), query="cut-off") == [shared]


def test_pre_3_the_listing_shows_what_the_preview_would_have_changed() -> None:
    """lobu#2576: effects accumulate."""
    world = World()
    one, two = world.keep("one"), world.keep("two")
    new = world.keep("new one", plane="preview", replaces=one)
    delete(world, two)
    changes = [(shown["would_replace"], shown["would_delete"]) for shown in world.listed().values()]
    assert changes == [([], two), ([one], None), ([], None), ([], None)]
    assert list(world.listed())[1] == new


@pytest.mark.parametrize(
    "arguments",
    [
        {"summary": "two\nlines", "kind": "fact"},
        {"summary": "x", "kind": "rumour"},
        {"summary": "x", "kind": "fact", "scope": "agent"},
        {"summary": "x", "kind": "fact", "replaces": "mem_0"},
        {"summary": "x", "kind": "fact", "labels": {"color": 1}},
    ],
)
def test_pre_2_a_preview_refuses_what_the_live_run_refuses(arguments: dict[str, Any]) -> None:
    """openclaw#153069: the same checks in both."""
    world = World()
    live = world.begin("a").call("add_memory", arguments).to_json()
    assert world.begin("b", plane="preview").call("add_memory", arguments).to_json() == live


def test_pre_4_going_live_carries_nothing_over() -> None:
    world = World()
    document = config(kinds=["fact", "note"])
    world.engine.deploy("ann", document, plane="preview", at=0)
    turn = world.begin(plane="preview")
    record = add(turn, "Noted", kind="note")
    turn.commit()
    assert code(world.begin("b").call("add_memory", {"summary": "x", "kind": "note"})) == "undeclared_kind"
    world.engine.deploy("ann", document, at=0)
    turn = world.begin("c")
    assert turn.version == 3
    assert found(turn, kinds=["note"]) == []
    assert world.listed()[record]["plane"] == "preview"


def test_pre_4_no_preview_makes_a_live_commit_fail() -> None:
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    shared = world.keep("The cut-off is 16:00", scope="agent")
    live = world.begin("a")
    add(live, "The cut-off is 17:00", scope="agent", replaces=shared)
    world.keep("The cut-off is 18:00", "b", plane="preview", scope="agent", replaces=shared)
    assert live.commit().outcome == "committed"


def test_txn_3_a_preview_conflicts_with_a_live_commit_and_with_another_preview() -> None:
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    one, two = world.keep("one", scope="agent"), world.keep("two", scope="agent")
    first, second, third = (world.begin(name, plane="preview") for name in "abc")
    add(first, "first", scope="agent", replaces=one)
    second.call("delete_memory", {"id": one, "scope": "agent"})
    add(third, "third", scope="agent", replaces=two)
    world.keep("new two", "d", scope="agent", replaces=two)
    assert [turn.commit().outcome for turn in (first, second, third)] == ["committed", "conflict", "conflict"]
