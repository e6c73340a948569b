"""Whether the numbers that hits tell can be true, and give their order, on literal traces."""

from __future__ import annotations

from typing import Any

import pytest
from literal import Line, judge, searching

from seatrial.simulator.invariants import Verdict
from seatrial.simulator.invariants.examples import add, begin, call, context, deploy, end, record, review

NAME = "hits-ranked"


def hit(
    score: float, meaning: float = 0.5, keywords: float = 0.5, recency: float = 1, at: str = "", **more: Any
) -> Line:
    parts = {"score": score, "meaning": meaning, "keywords": keywords, "recency": recency}
    return {**record(f"mem_{score}_{at}"), **parts, "at": at or "2026-01-31T00:00:00Z", **more}


def verdict(*hits: Any, query: str = "wire", **search: Any) -> Verdict:
    begun = {**begin("s0", "a"), "at": "2026-01-31T00:00:00Z"}
    asked = call("s0", "search_memory", {"query": query}, {"records": [*hits]})
    return judge(NAME, searching(deploy(), **search), begun, asked, end("s0"))


def clauses(*hits: Any, query: str = "wire", **search: Any) -> list[str]:
    return [violation.clause for violation in verdict(*hits, query=query, **search).violations]


@pytest.mark.parametrize(
    ("hits", "wrong"),
    [
        ([hit(0.7, 0.7), hit(0.3, 0.3)], []),
        ([hit(0.3, 0.3), hit(0.7, 0.7)], ["SCH-7"]),
        ([hit(0.5, at="2026-01-31T00:00:00Z"), hit(0.5, at="2026-01-31T00:00:00Z")], []),
        ([hit(0.5, 0.4), hit(0.4, 0.5)], ["SCH-3"]),
        ([hit(0.5, 0.4, 0.6), hit(0.4, 0.5, 0.1)], []),
        ([hit(1.2)], ["SCH-3"]),
        ([hit(0.5, meaning=-0.1)], ["SCH-3"]),
        (["mem_wire", record("mem_fee"), 7], []),
    ],
)
def test_sch_3_sch_7_scores_are_fractions_and_give_the_order(hits: list[Any], wrong: list[str]) -> None:
    assert clauses(*hits) == wrong


def test_sch_7_the_newer_of_two_equal_ones_comes_first() -> None:
    older = hit(0.5, 0.5, 0.5, 0.5, at="2026-01-01T00:00:00Z")
    newer = hit(0.5, 0.5, 0.5, 1, at="2026-01-31T00:00:00Z")
    assert clauses(newer, older) == []
    assert clauses(older, newer) == ["SCH-7"]


def test_sch_7_filters_alone_list_newest_first_and_score_nothing() -> None:
    older, newer = (hit(0, 0, 0, 0, at=f"2026-01-{day}T00:00:00Z") for day in (10, 20))
    assert clauses(newer, older, query="") == []
    assert clauses(older, newer, query=" ") == ["SCH-7"]


@pytest.mark.parametrize(
    ("recency", "wrong"), [(0.25**0.5, []), (0.5 + 1e-9, []), (0.51, ["SCH-6"]), (0.25, ["SCH-6"]), (1, ["SCH-6"])]
)
def test_sch_6_recency_halves_in_equal_times(recency: float, wrong: list[str]) -> None:
    """30 days make a half here, so 60 make a quarter."""
    of_today, of_30, of_60 = "2026-01-31T00:00:00Z", "2026-01-01T00:00:00Z", "2025-12-02T00:00:00Z"
    hits = [hit(0.9, 0.9, 1, 1, at=of_today), hit(0.8, 0.8, 1, recency, at=of_30), hit(0.7, 0.7, 1, 0.25, at=of_60)]
    assert clauses(*hits) == wrong


def test_sch_6_what_is_of_now_or_later_has_all_of_its_recency() -> None:
    assert clauses(hit(0.5, recency=0.9)) == ["SCH-6"]
    assert clauses(hit(0.5, recency=1, at="2027-01-01T00:00:00Z")) == []


@pytest.mark.parametrize(
    ("meaning", "keywords", "search", "wrong"),
    [
        (0.5, 0, {"min_score": 0.5}, []),
        (0.4, 0, {"min_score": 0.5}, ["SCH-2"]),
        (0.4, 0.1, {"min_score": 0.5}, []),
        (0, 0, {}, ["SCH-2"]),
        (0.9, 0, {"mode": "lexical"}, ["SCH-2"]),
        (0, 0.9, {"mode": "vector"}, ["SCH-2"]),
        (0.4, 0.1, {"mode": "vector", "min_score": 0.5}, ["SCH-2"]),
    ],
)
def test_sch_2_a_hit_has_a_reason(meaning: float, keywords: float, search: Line, wrong: list[str]) -> None:
    assert clauses(hit(0.5, meaning, keywords), **search) == wrong


def test_sch_4_a_text_that_is_the_query_has_all_its_words() -> None:
    same: Line = {"summary": "Wire 4471 is approved", "content": None}
    assert clauses(hit(0.5, keywords=1, **same), query="Wire 4471 is approved") == []
    assert clauses(hit(0.5, keywords=0.9, **same), query="Wire 4471 is approved") == ["SCH-4"]
    assert clauses(hit(0.5, keywords=0.9, **{**same, "content": "and more"}), query="Wire 4471 is approved") == []


def test_a_recall_is_looked_at_too_and_says_where() -> None:
    shown = context("s0", recalled=[hit(0.3, 0.3), hit(0.7, 0.7)])
    (violation,) = judge(NAME, deploy(), begin("s0", "a"), shown, end("s0")).violations
    assert violation.observation == "recall in a turn s0 call 1"
    assert violation.record == "mem_0.7_"


def test_without_numbers_nothing_is_known() -> None:
    assert verdict(record("mem_wire")).status == "unknown"


def test_adm_1_an_operators_listing_begins_with_what_is_newest() -> None:
    older, newer = ({**record(f"mem_{day}"), "at": f"2026-01-{day}T00:00:00Z"} for day in (10, 20))

    def listed(*records: Any, form: Any = None) -> list[str]:
        answer = form or {"records": [*records]}
        return [each.clause for each in judge(NAME, deploy(), review("list", answer=answer)).violations]

    assert listed(newer, older) == listed(newer, newer) == []
    assert listed(older, newer) == listed(form=[older, newer]) == ["ADM-1"]
    assert listed(older, record("mem_of_no_time"), newer) == []


def test_sch_7_of_equal_ones_of_a_turn_the_later_comes_first() -> None:
    lines = [add("s0", "mem_1"), add("s0", "mem_2"), add("s0", "mem_3", scope="agent")]
    told = {name: {**hit(0.5), "id": name} for name in ("mem_1", "mem_2", "mem_3")}

    def wrong(*names: str) -> list[str]:
        answer = {"records": [told[name] for name in names]}
        begun = {**begin("s0", "a"), "at": "2026-01-31T00:00:00Z"}
        asked = call("s0", "search_memory", {"query": "wire"}, answer)
        deployed = deploy(read=("session", "agent"), write=("session", "agent"))
        return [each.clause for each in judge(NAME, deployed, begun, *lines, asked).violations]

    assert wrong("mem_2", "mem_1") == []
    assert wrong("mem_1", "mem_2") == ["SCH-7"]
    assert wrong("mem_1", "mem_3", "mem_2") == []
