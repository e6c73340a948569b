"""REC and SCH: what a record may hold, how it is named, and what a search may ask."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from world import BOTH, World, add, code, config, found, read, scopes

LABELS = {
    "customer_id": {"number": 5, "description": "The customer."},
    "open": {"number": 2, "description": "Whether it is open."},
}


def refusal(turn: Any, tool: str = "add_memory", **arguments: Any) -> tuple[str, str, str]:
    given = {"summary": "x", "kind": "fact", **arguments} if tool == "add_memory" else arguments
    error = turn.call(tool, given).error
    assert error is not None
    return error.code, error.message, error.remedy


@pytest.mark.parametrize("char", [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)])
def test_rec_1_a_summary_is_one_line_whatever_separates_lines(char: str) -> None:
    world = World()
    assert refusal(world.begin(), summary=f"one{char}two")[0] == "invalid_value"


@pytest.mark.parametrize("summary", ["", "   ", "x" * 501])
def test_rec_1_a_summary_has_1_to_500_characters(summary: str) -> None:
    assert refusal(World().begin(), summary=summary)[0] == "invalid_value"


@pytest.mark.parametrize("summary", ["x" * 500, "\U0001f4b6" * 500, " kept as it is ", "\u202eright to left"])
def test_rec_1_what_is_written_is_read_back_exactly(summary: str) -> None:
    world = World()
    record = world.keep(summary, content=" \n\u2028\x00 ")
    shown = read(world.begin(), record)
    assert (shown["summary"], shown["content"]) == (summary, " \n\u2028\x00 ")
    assert (shown["status"], shown["pinned"], shown["kind"]) == ("ACTIVE", False, "fact")


def test_rec_2_an_id_depends_on_nothing_that_other_turns_do() -> None:
    alone, crowded = World(), World()
    crowded.keep("before", "other")
    crowded.begin("s").rollback()
    crowded.keep("preview", "s", plane="preview")
    ids = []
    for world in (alone, crowded):
        turn = world.begin("s", execution="the same", at=10**7)
        ids.append([add(turn, "first"), add(turn, "first")])
        turn.commit()
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 2


def test_rec_2_an_agent_records_id_does_not_move_with_what_the_session_keeps_to_itself() -> None:
    ids = []
    for private in ([], ["mine", "mine too"]):
        world = World(document=config(scope=scopes(BOTH, BOTH)))
        turn = world.begin()
        for summary in private:
            add(turn, summary)
        ids.append(add(turn, "of all", scope="agent"))
    assert ids[0] == ids[1]


@pytest.mark.parametrize("change", [{"session": "t"}, {"plane": "preview"}, {"execution": "other"}, {"summary": "y"}])
def test_rec_2_an_id_differs_with_each_thing_it_names(change: dict[str, Any]) -> None:
    def made(session: str = "s", plane: Any = "live", execution: str = "e", summary: str = "x") -> str:
        return add(World().begin(session, plane=plane, execution=execution), summary)

    assert made() == made()
    assert made(**change) != made()


def test_rec_4_an_undeclared_kind_is_refused_with_the_declared_ones_and_the_nearest() -> None:
    """muninndb#742: never silently another kind."""
    turn = World().begin()
    assert refusal(turn, kind="fatc")[::2] == (
        "undeclared_kind",
        "Declared: guidance, fact, event, reference. The nearest is fact.",
    )
    assert refusal(turn, kind="Fact")[0] == "undeclared_kind"
    assert refusal(World(document=config(kinds=["ruling"])).begin())[0] == "undeclared_kind"
    assert found(turn, kinds=["fact"]) == []


def test_rec_5_an_undeclared_label_is_refused_with_the_declared_ones_and_the_nearest() -> None:
    turn = World(document=config(labels=LABELS)).begin()
    assert refusal(turn, labels={"costumer_id": "c"})[::2] == (
        "undeclared_label",
        "Declared: open, customer_id. The nearest is customer_id.",
    )


@pytest.mark.parametrize("value", [None, 1.5, 5.0, [], {}, ["c"]])
def test_rec_5_a_label_is_text_a_whole_number_or_a_boolean(value: Any) -> None:
    assert refusal(World(document=config(labels=LABELS)).begin(), labels={"open": value})[0] == "invalid_value"


VALUES: list[Any] = ["c-17", "C-17", " c-17", "\u00e9", "e\u0301", "", "1", 1, True, "true", 0, False, 2**70]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_rec_5_label_values_compare_exactly(value: Any) -> None:
    """mem0#5160, agent-framework#6237: labels round-trip for every type, and only the exact value is found."""
    world = World(document=config(labels=LABELS))
    turn = world.begin()
    ids = [add(turn, f"record {place}", labels={"customer_id": each}) for place, each in enumerate(VALUES)]
    turn.commit()
    turn = world.begin()
    place = [repr(each) for each in VALUES].index(repr(value))
    assert found(turn, labels={"customer_id": value}) == [ids[place]]
    kept = read(turn, ids[place])["labels"]["customer_id"]
    assert (kept, type(kept)) == (value, type(value))


def test_rec_5_labels_are_read_back_by_the_name_that_owns_the_number() -> None:
    world = World(document=config(labels=LABELS))
    record = world.keep("x", labels={"customer_id": "c", "open": True})
    more = {**LABELS, "currency": {"number": 1, "description": "Its currency."}}
    world.engine.deploy("ann", config(labels=more), at=0)
    assert read(world.begin(), record)["labels"] == {"open": True, "customer_id": "c"}


def test_pin_1_without_pins_in_the_config_a_pin_is_refused() -> None:
    turn = World().begin()
    assert refusal(turn, pinned=True)[0] == "pins_disabled"
    assert add(turn, "x", pinned=False)


WRONG = [
    ("add_memory", {}, "needs `summary`"),
    ("add_memory", {"summary": "x"}, "needs `kind`"),
    ("add_memory", {"summary": 5, "kind": "fact"}, "`summary` must be text"),
    ("add_memory", {"summary": "x", "kind": "fact", "content": None}, "`content` must be text"),
    ("add_memory", {"summary": "x", "kind": "fact", "sumary": "y"}, "no parameter `sumary`"),
    ("add_memory", {"summary": "x", "kind": "fact", "labels": []}, "`labels` must be an object"),
    ("add_memory", {"summary": "x", "kind": "fact", "replaces": 5}, "`replaces` must be text or a list"),
    ("add_memory", {"summary": "x", "kind": "fact", "replaces": [5]}, "each item of `replaces` must be text"),
    ("add_memory", {"summary": "x", "kind": "fact", "pinned": 1}, "`pinned` must be true or false"),
    ("read_memory", {}, "needs `id`"),
    ("read_memory", {"id": ["x"]}, "`id` must be text"),
    ("delete_memory", {"id": "x", "reason": "y"}, "no parameter `reason`"),
    ("search_memory", {"query": 5}, "`query` must be text"),
    ("search_memory", {"kinds": "fact"}, "`kinds` must be a list"),
    ("search_memory", {"query": "x", "limit": 0}, "`limit` must be at least 1"),
    ("search_memory", {"query": "x", "limit": True}, "`limit` must be a whole number"),
    ("search_memory", {"query": "x", "limit": 9}, "`limit` may be 8 at most"),
    ("search_memory", {"query": "x", "filter": {}}, "no parameter `filter`"),
    ("search_memory", {"query": "half \ud800"}, "UTF-8 cannot hold"),
]


@pytest.mark.parametrize(("tool", "arguments", "message"), WRONG)
def test_sch_1_an_argument_is_applied_or_refused(tool: str, arguments: dict[str, Any], message: str) -> None:
    """crewAI#7532: no argument is accepted and then ignored."""
    world = World()
    answer = world.begin().call(tool, arguments)
    assert answer.error is not None
    assert answer.error.code == "invalid_value"
    assert message in answer.error.message


def test_sch_1_the_nearest_parameter_is_named() -> None:
    error = World().begin().call("add_memory", {"summary": "x", "kind": "fact", "replace": "y"}).error
    assert error is not None
    assert error.remedy.endswith("The nearest is replaces.")


@pytest.mark.parametrize("query", ["", "  ", "\u200b", "\n"])
def test_sch_1_a_blank_query_without_a_filter_is_refused(query: str) -> None:
    """mem0#5221."""
    world = World()
    record = world.keep("Wire 4471")
    turn = world.begin()
    assert code(turn.call("search_memory", {"query": query})) == "blank_query"
    assert code(turn.call("search_memory", {})) == "blank_query"
    assert code(turn.call("search_memory", {"query": query, "labels": {}})) == "blank_query"
    assert found(turn, query=query, kinds=["fact"]) == [record]


def test_sch_1_filters_alternate_within_and_hold_together() -> None:
    """agent-memory-server#334: no hit stays no hit."""
    world = World(document=config(labels=LABELS))
    one = world.keep("wire one", kind="fact", labels={"customer_id": "a"})
    two = world.keep("wire two", kind="event", labels={"customer_id": "b", "open": True})
    three = world.keep("wire three", kind="event", labels={"customer_id": "c"})
    turn = world.begin()
    assert found(turn, labels={"customer_id": ["a", "c"]}) == [three, one]
    assert found(turn, labels={"customer_id": ["a", "b"], "open": True}) == [two]
    assert found(turn, kinds=["event"], ids=[one, two]) == [two]
    assert found(turn, query="wire", kinds=["fact"], labels={"customer_id": "b"}) == []
    assert found(turn, query="wire", kinds=[]) == []
    assert found(turn, ids=[]) == []
    assert found(turn, kinds=["fact", "event", "guidance"], limit=2) == [three, two]
    assert code(turn.call("search_memory", {"kinds": ["rumour"]})) == "undeclared_kind"
    assert code(turn.call("search_memory", {"labels": {"color": 1}})) == "undeclared_label"


def test_sch_2_max_results_bounds_each_answer() -> None:
    world = World(document=config(search={"max_results": 3}))
    for number in range(5):
        world.keep(f"wire {number}")
    turn = world.begin()
    assert len(found(turn, query="wire")) == 3
    assert len(found(turn, kinds=["fact"])) == 3
    assert len(found(turn, query="wire", limit=1)) == 1


def test_sch_3_a_hit_carries_its_score_and_the_three_parts() -> None:
    world = World()
    world.keep("Wire 4471 is approved")
    answer = world.begin().call("search_memory", {"query": "wire 4471"})
    assert answer.answer is not None
    records: Any = answer.answer["records"]
    (hit,) = records
    for part in ("score", "meaning", "keywords", "recency"):
        assert 0 < hit[part] <= 1


def test_sch_7_listings_are_newest_first_then_by_the_write() -> None:
    """bedrock-agentcore-sdk-python#63, bedrock-agentcore-sdk-python#571: one moment keeps its order."""
    world = World()
    turn = world.begin()
    ids = [add(turn, f"record {number}") for number in range(4)]
    assert found(turn, kinds=["fact"]) == ids[::-1]
    turn.commit()
    assert found(world.begin(), kinds=["fact"]) == ids[::-1]
    assert list(world.listed()) == ids[::-1]


@given(summary=st.text(st.characters(exclude_categories=("Cc", "Zl", "Zp", "Cs")), min_size=1, max_size=40))
def test_rec_1_any_line_round_trips(summary: str) -> None:
    world = World()
    turn = world.begin()
    answer = turn.call("add_memory", {"summary": summary, "kind": "fact", "content": summary})
    if not summary.strip():
        assert code(answer) == "invalid_value"
        return
    turn.commit()
    (shown,) = world.listed().values()
    assert (shown["summary"], shown["content"]) == (summary, summary)


any_text = st.text(st.characters(exclude_categories=()), max_size=8)
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=6,
)
parameters = st.sampled_from(
    ["summary", "kind", "content", "labels", "scope", "pinned", "replaces", "id", "query", "kinds", "ids", "limit"]
)


@given(
    tool=st.sampled_from(["add_memory", "read_memory", "delete_memory", "search_memory"]) | any_text,
    arguments=st.dictionaries(parameters | any_text, any_json | st.just("fact") | st.just("session"), max_size=5),
)
def test_rec_6_whatever_a_model_sends_is_answered_and_the_turn_goes_on(tool: str, arguments: dict[str, Any]) -> None:
    world = World(document=config(labels=LABELS))
    turn = world.begin()
    answer = turn.call(tool, arguments)
    assert (answer.answer is None) != (answer.error is None)
    turn.model_call().text.encode("utf-8")
    assert turn.commit().outcome == "committed"
