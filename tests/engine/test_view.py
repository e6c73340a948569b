"""VIEW: what one turn may see."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from world import BOTH, World, add, code, config, found, read, recalled, scopes

from seatrial.engine import EngineError


def everything_in(turn: Any) -> str:
    """All text that a turn can see by itself: contexts, searches by query and by filter."""
    shown = [turn.model_call().to_json()]
    shown += [turn.call("search_memory", {"query": "wire 4471"}).to_json()]
    shown += [turn.call("search_memory", {"kinds": ["fact"]}).to_json()]
    return json.dumps(shown)


def test_view_1_another_agent_sees_nothing_even_under_the_same_session_name() -> None:
    """adk-python#1019: the owner is fixed before ranking."""
    world = World()
    record = world.keep("Wire 4471 is approved")
    world.engine.deploy("bob", config(), at=0)
    turn = world.begin("s", agent="bob", user="Wire 4471?")
    assert record not in everything_in(turn)
    assert code(turn.call("read_memory", {"id": record})) == "not_found"


def test_view_2_another_session_sees_no_record_no_message_and_no_state() -> None:
    """graphiti#632, agentmemory#817, mem0#6080: every path of reading goes through the one view."""
    world = World()
    turn = world.begin("a", user="Wire 4471 came in")
    record = add(turn, "Wire 4471 is approved")
    turn.reply("canary reply")
    turn.tool_result("fetch", "canary result")
    turn.set_state({"canary": "state"})
    turn.commit()
    other = world.begin("b", user="Wire 4471?")
    seen = everything_in(other)
    assert record not in seen
    assert "canary" not in seen
    assert "came in" not in seen
    assert code(other.call("read_memory", {"id": record})) == "not_found"


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("john_doe", "john-doe"),
        ("acme", "acme-corp"),
        ("acme-corp", "acme"),
        ("acme/1", "acme"),
        ("a%", "ab"),
        ("case", "Case"),
        ("\u00e9", "e\u0301"),
        ("stra\u00dfe", "strasse"),
    ],
)
def test_rec_6_session_names_compare_literally(written: str, asked: str) -> None:
    """langgraph#8300, langgraphjs#2721: no wildcard, no prefix, no folding, no normalisation."""
    world = World()
    record = world.keep("Wire 4471 is approved", written)
    assert found(world.begin(asked), query="wire 4471") == []
    assert found(world.begin(written), query="wire 4471") == [record]


def test_rec_6_names_are_not_joined() -> None:
    """langgraphjs#2721: [a, b:c] and [a:b, c] are two places."""
    world = World()
    for agent in ("a", "a:b"):
        world.engine.deploy(agent, config(), at=0)
    turn = world.begin("b:c", agent="a")
    add(turn, "Wire 4471 is approved")
    turn.commit()
    assert found(world.begin("c", agent="a:b"), query="wire 4471") == []


@pytest.mark.parametrize(("reads", "expected"), [(["session"], [0]), (["agent"], [1]), (BOTH, [1, 0])])
def test_view_3_a_turn_sees_the_scopes_that_its_version_reads(reads: list[str], expected: list[int]) -> None:
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    records = [world.keep("Wire 4471 in the session", scope="session"), world.keep("Wire 4471 of all", scope="agent")]
    world.engine.deploy("ann", config(scope=scopes(reads, BOTH)), at=0)
    turn = world.begin(user="Wire 4471")
    assert found(turn, kinds=["fact"]) == [records[place] for place in expected]
    assert sorted(recalled(turn)) == sorted(records[place] for place in expected)


def test_view_3_agent_records_of_another_session_are_seen_on_purpose() -> None:
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    record = world.keep("Wire 4471 of all", "a", scope="agent")
    assert found(world.begin("b"), query="wire") == [record]


def test_view_4_a_preview_sees_both_planes_and_a_live_turn_only_its_own() -> None:
    world = World()
    live = world.keep("Wire 4471 is live")
    preview = world.keep("Wire 4471 is a preview", plane="preview")
    turn = world.begin(plane="preview", user="Wire 4471")
    assert sorted(found(turn, query="wire 4471")) == sorted([live, preview])
    assert sorted(recalled(turn)) == sorted([live, preview])
    turn.rollback()
    turn = world.begin(user="Wire 4471")
    assert found(turn, query="wire 4471") == [live]
    assert recalled(turn) == [live]
    assert code(turn.call("read_memory", {"id": preview})) == "not_found"


def test_view_4_a_preview_continues_the_latest_turn_of_either_plane() -> None:
    world = World()
    for plane, word in (("live", "one"), ("preview", "two"), ("live", "three")):
        turn = world.begin(plane=plane, user=f"user {word}")  # type: ignore[arg-type]  # a literal in a tuple
        turn.reply(f"reply {word}")
        turn.set_state({"last": word})
        turn.commit()
    preview = world.begin(plane="preview", user="now").model_call()
    assert [message["text"] for message in preview.messages] == [
        "user one",
        "reply one",
        "user two",
        "reply two",
        "user three",
        "reply three",
        "now",
    ]
    assert preview.state == {"last": "three"}


def test_view_4_a_live_turn_continues_live_turns_only() -> None:
    world = World()
    turn = world.begin(user="live")
    turn.set_state({"plane": "live"})
    turn.commit()
    turn = world.begin(plane="preview", user="preview")
    turn.set_state({"plane": "preview"})
    turn.commit()
    live = world.begin(user="now").model_call()
    assert [message["text"] for message in live.messages] == ["live", "now"]
    assert live.state == {"plane": "live"}


def test_view_5_a_view_is_a_snapshot() -> None:
    """No dirty read, no read that another turn's commit changes."""
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    old = world.keep("The cut-off is 16:00", scope="agent")
    reader, writer = world.begin("a", user="cut-off"), world.begin("b")
    before = reader.call("search_memory", {"query": "cut-off"}).to_json()
    new = add(writer, "The cut-off is 17:00", scope="agent", replaces=old)
    assert reader.call("search_memory", {"query": "cut-off"}).to_json() == before
    writer.commit()
    assert reader.call("search_memory", {"query": "cut-off"}).to_json() == before
    assert read(reader, old)["status"] == "ACTIVE"
    assert code(reader.call("read_memory", {"id": new})) == "not_found"
    assert recalled(reader) == [old]
    assert found(world.begin("c"), query="cut-off") == [new]


def test_view_5_what_a_turn_cannot_read_it_does_not_read_from_itself_either() -> None:
    world = World(document=config(scope=scopes(["session"], BOTH)))
    turn = world.begin(user="Wire 4471")
    record = add(turn, "Wire 4471 of all", scope="agent")
    assert found(turn, query="wire 4471") == []
    assert recalled(turn) == []
    assert code(turn.call("delete_memory", {"id": record, "scope": "agent"})) == "not_found"
    turn.commit()
    assert world.listed()[record]["scope"] == "agent"


def test_view_2_what_other_sessions_keep_moves_no_score() -> None:
    """mem0#5439: no text leaked, and yet the ranking changed."""
    alone, crowded = World(), World()
    for world in (alone, crowded):
        world.keep("Refunds over 500 EUR need a second signature", "a")
        world.keep("Chargebacks are answered within five days", "a")
        for number in range(5):
            world.begin("b").rollback() if world is alone else world.keep(f"Refunds {number} were paid twice", "b")
    answers = [
        world.begin("a", user="refunds?").call("search_memory", {"query": "refunds and chargebacks"}).to_json()
        for world in (alone, crowded)
    ]
    assert answers[0] == answers[1]


def test_view_7_a_sessionless_turn_carries_nothing_but_agent_records() -> None:
    world = World(document=config(sessions=False))
    turn = world.begin(None, user="canary")
    record = add(turn, "USD/JPY was fixed at 151.20")
    turn.set_state({"canary": 1})
    assert turn.model_call().state == {"canary": 1}
    turn.commit()
    later = world.begin(None, user="USD/JPY")
    context = later.model_call()
    assert context.state == {}
    assert "canary" not in context.text
    assert [hit["id"] for hit in context.recalled] == [record]


def test_view_7_sessionless_turns_may_be_open_together_and_are_numbered_as_they_commit() -> None:
    world = World(document=config(sessions=False))
    first, second = world.begin(None), world.begin(None)
    records = [add(second, "second"), add(first, "first")]
    assert second.commit().outcome == "committed"
    assert first.commit().outcome == "committed"
    assert [world.listed()[record]["turn"] for record in records] == [1, 2]


@pytest.mark.parametrize(("sessions", "session"), [(True, None), (False, "s")])
def test_view_7_an_agent_has_sessions_or_has_none(sessions: bool, session: str | None) -> None:
    world = World(document=config(sessions=sessions))
    with pytest.raises(EngineError) as refused:
        world.begin(session)
    assert refused.value.code == "invalid_value"
    assert world.engine.ledger().to_json()["executions"] == []


FOREIGN = ["another session's", "another agent's", "a preview's", "a deleted", "an unreadable scope's"]


def foreign_ids() -> tuple[World, dict[str, str]]:
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    world.engine.deploy("bob", config(), at=0)
    bob = world.begin("s", agent="bob")
    ids = {
        "another session's": world.keep("Wire 4471 is approved", "other"),
        "another agent's": add(bob, "Wire 4471 is approved"),
        "a preview's": world.keep("Wire 4471 is approved", plane="preview"),
        "a deleted": world.keep("Wire 4471 is approved"),
        "an unreadable scope's": world.keep("Wire 4471 is approved", scope="agent"),
    }
    bob.commit()
    world.engine.console.delete("ann", ids["a deleted"], at=world.clock)
    world.engine.deploy("ann", config(scope=scopes(["session"], BOTH)), at=0)
    return world, ids


def probes(record: str) -> list[tuple[str, dict[str, Any]]]:
    new = {"summary": "Wire 4471 is not approved", "kind": "fact"}
    return [
        ("read_memory", {"id": record}),
        ("delete_memory", {"id": record}),
        ("delete_memory", {"id": record, "scope": "agent"}),
        ("add_memory", {**new, "replaces": record}),
        ("add_memory", {**new, "replaces": [record]}),
        ("add_memory", {**new, "replaces": record, "scope": "agent"}),
        ("search_memory", {"ids": [record]}),
        ("search_memory", {"ids": [record], "query": "wire 4471"}),
        ("search_memory", {"ids": [record], "kinds": ["fact"]}),
    ]


@pytest.mark.parametrize("whose", FOREIGN)
def test_view_6_what_is_not_yours_answers_like_what_never_was(whose: str) -> None:
    world, ids = foreign_ids()
    turn = world.begin()
    unknown = [turn.call(*probe).to_json() for probe in probes("mem_000000000000000000000000")]
    assert [turn.call(*probe).to_json() for probe in probes(ids[whose])] == unknown


@given(malformed=st.text(st.characters(exclude_categories=()), max_size=40))
def test_view_6_a_malformed_id_answers_like_one_that_never_was(malformed: str) -> None:
    """Lone surrogates, controls, empty text: no second way to tell."""
    world = World(document=config(scope=scopes(BOTH, BOTH)))
    turn = world.begin()
    unknown = [turn.call(*probe).to_json() for probe in probes("mem_000000000000000000000000")]
    assert [turn.call(*probe).to_json() for probe in probes(malformed)] == unknown


@given(st.data())
def test_view_6_in_any_mixture_of_ids(data: st.DataObject) -> None:
    """A foreign id among own ones tells no more than an unknown one in its place."""
    world, ids = foreign_ids()
    own = [world.keep("Wire 4472 is approved"), world.keep("Wire 4473 is approved")]
    others = data.draw(st.lists(st.sampled_from(own), max_size=2, unique=True))
    place = data.draw(st.integers(0, len(others)))
    whose = data.draw(st.sampled_from(FOREIGN))
    tool, key = data.draw(st.sampled_from([("search_memory", "ids"), ("add_memory", "replaces")]))
    rest = {} if tool == "search_memory" else {"summary": "Approved", "kind": "fact"}
    turn = world.begin()
    answers = [
        turn.call(tool, {**rest, key: [*others[:place], stand_in, *others[place:]]}).to_json()
        for stand_in in (ids[whose], "mem_000000000000000000000000")
    ]
    assert answers[0] == answers[1]
