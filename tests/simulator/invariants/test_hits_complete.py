"""Whether searches return what they must, and weigh words as the records in view have it, on literal traces."""

from __future__ import annotations

from typing import Any

import pytest
from literal import Line, judge, searching
from sklearn.feature_extraction.text import TfidfVectorizer

from seatrial.engine.analyze import analyze
from seatrial.simulator.invariants.examples import (
    add,
    begin,
    call,
    context,
    deploy,
    end,
    indexing,
    record,
    review,
    say,
)

BOTH = deploy(read=("session", "agent"), write=("session", "agent"))
WIRE, FEE = add("s0", "mem_wire", "the wire is approved"), add("s0", "mem_fee", "the card fee is 5 %")


def clauses(*lines: Line, deployed: Line = BOTH, **search: Any) -> list[str]:
    return [each.clause for each in judge("hits-complete", searching(deployed, **search), *lines).violations]


def asked(*hits: Any, turn: str = "s0", **arguments: Any) -> Line:
    return call(turn, "search_memory", arguments, {"records": [*hits]})


@pytest.mark.parametrize(
    ("hits", "arguments", "wrong"),
    [
        (["mem_wire"], {"query": "which WIRE"}, []),
        ([], {"query": "which WIRE"}, ["SCH-2"]),
        ([], {"query": "whichever"}, []),
        ([], {"query": "wire-transfer"}, []),
        ([], {"query": "which wire", "kinds": ["guidance"]}, []),
        (["mem_wire", "mem_fee"], {"query": "the"}, []),
        (["mem_wire"], {"query": "the"}, ["SCH-2"]),
        (["mem_wire"], {"query": "the", "limit": 1}, []),
        (["mem_fee"], {"query": "the", "ids": ["mem_fee"]}, []),
    ],
)
def test_sch_2_what_has_a_word_of_the_query_is_a_hit(hits: list[str], arguments: Line, wrong: list[str]) -> None:
    assert clauses(begin("s0", "a"), WIRE, FEE, asked(*hits, **arguments), end("s0")) == wrong


@pytest.mark.parametrize("canary", ["canaryd88e", "canary8e", "canaryd8", "canaryd88", "canaryde", "canary8"])
def test_sch_4_a_word_that_has_other_terms_too_is_not_weighed(canary: str) -> None:
    """A result may be cut in the middle of a word: `d8` is a term, and `d` and `8` are."""
    wire = add("s0", "mem_wire", "wire 8 is due")
    vectors = TfidfVectorizer(analyzer=analyze).fit(["wire 8 is due"])
    told = (vectors.transform(["wire 8 is due"]) @ vectors.transform([f"wire {canary}"]).T)[0, 0]
    hit = {**record("mem_wire"), "keywords": round(float(told), 9)}
    assert clauses(begin("s0", "a"), wire, asked(hit, query=f"wire {canary}"), end("s0")) == []


def test_sch_2_by_meaning_alone_no_word_makes_one() -> None:
    assert clauses(begin("s0", "a"), WIRE, asked(query="which wire"), end("s0"), mode="vector") == []


def test_rcl_1_a_recall_is_asked_by_what_was_said_last() -> None:
    lines = [begin("s0", "a", "hello"), WIRE, FEE]
    assert clauses(*lines, context("s0"), end("s0")) == []
    assert clauses(*lines, say("s0", "which wire"), context("s0"), end("s0")) == ["SCH-2"]
    later = [say("s0", "which wire"), say("s0", "hello"), say("s0", "hello again")]
    assert clauses(*lines, *later, context("s0"), end("s0")) == []
    assert clauses(*lines, context("s0", purpose="memory"), end("s0")) == []
    assert clauses(begin("s0", "a", "the wire"), WIRE, context("s0"), end("s0"), max_results=1) == ["SCH-2"]


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        ({"preview": "which wire", "note": "The rest is set aside."}, ["SCH-2"]),
        ({"preview": "which", "note": "The rest is set aside."}, []),
        ({"text": "which wire and no fee"}, ["SCH-2"]),
        ({"note": "All of it is set aside."}, []),
    ],
)
def test_rcl_1_a_recall_asks_for_a_result_as_the_context_shows_it(shown: Line, wrong: list[str]) -> None:
    told = say("s0", "which wire and no fee", "tool", ref="ref_1")
    at = context("s0", messages=[{"role": "tool", "name": "fetch", "ref": "ref_1", **shown}])
    assert clauses(begin("s0", "a", "hello"), WIRE, told, at, end("s0")) == wrong
    other = context("s0", messages=[{"role": "tool", "name": "fetch", "ref": "ref_2", **shown}])
    assert clauses(begin("s0", "a", "hello"), WIRE, told, other, end("s0")) == []


def test_sch_4_a_recall_weighs_the_beginning_of_a_result_and_not_the_rest() -> None:
    """RCL-1: all of it would be more like `wire fee` than `wire` is."""
    told = say("s0", "wire fee fee", "tool", ref="ref_1")
    shown = [{"role": "tool", "name": "fetch", "ref": "ref_1", "preview": "wire", "note": "The rest is set aside."}]

    def recalled(keywords: float) -> list[str]:
        hits = [{**record("mem_wire", "wire fee"), "keywords": keywords}]
        written = add("s0", "mem_wire", "wire fee")
        return clauses(begin("s0", "a", ""), written, told, context("s0", messages=shown, recalled=hits), end("s0"))

    assert recalled(0.5**0.5) == []
    assert recalled(3 / 10**0.5) == ["SCH-4"]


def test_sch_4_a_recall_of_a_turn_that_does_not_tell_its_user_message_is_not_weighed() -> None:
    recalled = context("s0", recalled=[{**record("mem_wire", "the wire is approved"), "keywords": 0.5}])
    lines = [WIRE, say("s0", "the wire"), recalled, end("s0")]
    assert clauses(begin("s0", "a", "hello"), *lines) == ["SCH-4"]
    assert clauses({**begin("s0", "a"), "user": None}, *lines) == []


def test_view_another_session_deleted_and_later_records_are_not_missed() -> None:
    """VIEW-2, ADM-2, VIEW-5."""
    lines = [begin("s0", "a"), WIRE, end("s0"), begin("s1", "b"), asked(query="wire", turn="s1"), end("s1")]
    assert clauses(*lines) == []
    gone = [begin("s0", "a"), WIRE, end("s0"), review("delete", "mem_wire"), begin("s1", "a")]
    assert clauses(*gone, asked(query="wire", turn="s1"), end("s1")) == []
    shared = add("s0", "mem_wire", "the wire", scope="agent")
    meanwhile = [begin("s1", "b"), begin("s0", "a"), shared, end("s0")]
    assert clauses(*meanwhile, asked(query="wire", turn="s1"), end("s1")) == []
    assert clauses(begin("s0", "a"), shared, end("s0"), begin("s1", "b"), asked(query="wire", turn="s1")) == ["SCH-2"]


def test_sch_1_filters_alone_list_all_that_passes_newest_first() -> None:
    days = [{**begin(f"s{day}", "a"), "at": f"2026-01-0{day}T00:00:00Z"} for day in (1, 2)]
    adds = [add(f"s{n}", f"mem_{n}", kind="fact", labels={"urgent": n == 1}) for n in (1, 2)]
    kept = [line for n in (0, 1) for line in (days[n], adds[n], end(f"s{n + 1}"))]

    def listed(*names: str, **arguments: Any) -> list[str]:
        return clauses(*kept, begin("s3", "a"), asked(*names, turn="s3", **arguments), end("s3"))

    assert listed("mem_2", "mem_1", kinds=["fact"]) == []
    assert listed("mem_2", kinds=["fact"]) == ["SCH-1"]
    assert listed("mem_2", kinds=["fact"], limit=1) == []
    assert listed("mem_1", kinds=["fact"], limit=1) == ["SCH-1"]
    assert listed("mem_1", labels={"urgent": [True]}) == []
    assert listed(labels={"urgent": True}) == ["SCH-1"]
    assert listed(labels={"urgent": 1}) == []


def test_sch_4_keywords_are_those_of_the_records_in_view() -> None:
    texts = {"mem_wire": "the wire is approved up to 9,000 USD", "mem_fee": "the card fee is the fee of 5 %"}
    terms = {"mem_wire": "the wire is approved up to 9000 usd", "mem_fee": "the card fee is the fee of 5"}
    query = "Wire of the fee!"
    fitted = TfidfVectorizer(analyzer=str.split)
    rows = fitted.fit_transform(terms.values()).toarray()
    (of_query,) = fitted.transform(["wire of the fee"]).toarray()
    told = dict(zip(texts, (float(row @ of_query) for row in rows), strict=True))
    kept = [begin("s0", "a"), *(add("s0", name, text) for name, text in texts.items())]

    def weighed(more: float = 0.0, *others: Line) -> list[str]:
        hits = [{**record(name, texts[name]), "keywords": round(told[name] + more, 9)} for name in texts]
        return clauses(*kept, *others, asked(*hits, query=query), end("s0"))

    assert weighed() == []
    assert weighed(1e-6) == ["SCH-4", "SCH-4"]
    assert weighed(0, add("s0", "mem_more", "the wire")) == ["SCH-2", "SCH-4", "SCH-4"]
    assert weighed(1e-6, add("s0", "mem_more", "caf\u00e9")) == []


def test_sch_5_one_query_and_one_text_have_one_meaning() -> None:
    def twice(first: float, then: float, query: str = "the wire") -> list[str]:
        hits = [{**record("mem_wire", "the wire is approved"), "meaning": meaning} for meaning in (first, then)]
        return clauses(begin("s0", "a"), WIRE, *(asked(hit, query=query) for hit in hits), end("s0"))

    assert twice(0.5, 0.5) == []
    assert twice(0.5, 0.4) == ["SCH-5"]
    assert twice(0.9, 0.9, "the wire is approved") == ["SCH-5", "SCH-5"]
    assert twice(1, 1, "the wire is approved") == []


@pytest.mark.parametrize(
    ("index", "session", "shown", "wrong"),
    [
        ("messages", "a", ["which wire", "the wire is approved"], []),
        ("messages", "a", ["which wire"], ["HIS-2"]),
        ("messages", "b", [], []),
        ("messages_and_tools", "a", ["which wire", "the wire is approved"], ["HIS-2"]),
        ("messages_and_tools", "a", ["which wire", "the wire is approved", "wire 4471"], []),
    ],
)
def test_his_2_what_was_kept_is_found(index: str, session: str, shown: list[str], wrong: list[str]) -> None:
    events = [{"turn": "s0", "text": text} for text in shown]
    lines = [
        begin("s0", "a", "which wire"),
        say("s0", "wire 4471", "tool"),
        say("s0", "the wire is approved"),
        end("s0"),
        begin("s1", session, "which wire"),
        call("s1", "search_history", {"query": "wire"}, {"events": events}),
        end("s1"),
    ]
    assert clauses(*lines, deployed=indexing(BOTH, index)) == wrong
    full = call("s1", "search_history", {"query": "wire", "limit": max(1, len(shown))}, {"events": events})
    assert clauses(*lines[:-2], full, end("s1"), deployed=indexing(BOTH, index)) == (wrong if not shown else [])


def test_without_an_answer_nothing_is_known() -> None:
    begun = [BOTH, begin("s0", "a"), WIRE]
    assert judge("hits-complete", *begun, end("s0")).status == "unknown"
    unread = call("s0", "search_memory", {"kinds": ["fact"]}, {"results": []})
    assert judge("hits-complete", *begun, unread, end("s0")).status == "unknown"
