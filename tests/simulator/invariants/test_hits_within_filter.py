"""Whether a search returns what its filters ask for, on literal traces."""

from __future__ import annotations

from typing import Any

import pytest
from literal import Line, clauses, judge, searching

from seatrial.simulator.invariants.examples import add, begin, call, context, deploy, end

NAME = "hits-within-filter"
TEXT = "Wire 4471 is approved up to 9,000 USD"


def searched(asked: Line, *hits: Line | str, **config: int) -> list[str]:
    """What a search violates after mem_wire (guidance, labelled) and mem_fee (fact) were written."""
    labels = {"customer": "17", "urgent": True, "line": 1}
    wire = call(
        "s0", "add_memory", {"summary": TEXT, "kind": "guidance", "labels": labels}, {"record": {"id": "mem_wire"}}
    )
    fee = call("s0", "add_memory", {"summary": "The fee is 5 %", "kind": "fact"}, {"record": {"id": "mem_fee"}})
    found = call("s0", "search_memory", asked, {"records": [*hits]})
    return clauses(NAME, searching(deploy(), **config), begin("s0", "a"), wire, fee, found, end("s0"))


WIRE, FEE = {"id": "mem_wire"}, {"id": "mem_fee"}


@pytest.mark.parametrize(
    ("asked", "hits", "wrong"),
    [
        ({"query": "wire"}, [WIRE, FEE], []),
        ({"kinds": ["guidance"]}, [WIRE], []),
        ({"kinds": ["guidance"]}, [], []),
        ({"kinds": ["guidance", "fact"]}, [WIRE, FEE], []),
        ({"kinds": ["guidance"]}, [WIRE, FEE], ["SCH-1"]),
        ({"kinds": ["guidance"]}, ["mem_fee"], ["SCH-1"]),
        ({"kinds": ["guidance"]}, [{**FEE, "kind": "guidance"}], ["SCH-1"]),
        ({"kinds": []}, [WIRE, FEE], []),
        ({"ids": ["mem_wire"]}, [WIRE], []),
        ({"ids": ["mem_none"]}, [WIRE], ["SCH-1"]),
        ({"labels": {"customer": "17"}}, [WIRE], []),
        ({"labels": {"customer": ["16", "17"]}}, [WIRE], []),
        ({"labels": {"customer": 17}}, [WIRE], ["SCH-1"]),
        ({"labels": {"urgent": True, "line": 1}}, [WIRE], []),
        ({"labels": {"urgent": 1}}, [WIRE], ["SCH-1"]),
        ({"labels": {"line": True}}, [WIRE], ["SCH-1"]),
        ({"labels": {"customer": "17", "line": 2}}, [WIRE], ["SCH-1"]),
        ({"labels": {"customer": "17"}}, [FEE], ["SCH-1"]),
        ({"kinds": ["guidance"], "ids": ["mem_fee"]}, [FEE], ["SCH-1"]),
        ({"query": "wire", "limit": 1}, [WIRE], []),
        ({"query": "wire", "limit": 1}, [WIRE, FEE], ["SCH-2"]),
    ],
)
def test_sch_1_no_hit_is_outside_the_filters(asked: Line, hits: list[Any], wrong: list[str]) -> None:
    assert searched(asked, *hits) == wrong


@pytest.mark.parametrize(("most", "wrong"), [(2, []), (1, ["SCH-2"])])
def test_sch_2_no_more_hits_than_the_config_allows(most: int, wrong: list[str]) -> None:
    assert searched({"query": "wire", "limit": 2}, WIRE, FEE, max_results=most) == wrong
    wrote = [begin("s0", "a"), add("s0", "mem_wire"), add("s0", "mem_fee"), end("s0"), begin("s1", "a")]
    recalled = context("s1", recalled=[WIRE, FEE])
    assert clauses(NAME, searching(deploy(), max_results=most), *wrote, recalled, end("s1")) == wrong


def test_sch_1_of_a_record_that_was_not_seen_written_the_hit_tells() -> None:
    told = {"id": "mem_far", "kind": "fact", "labels": {"customer": "17"}}
    assert searched({"kinds": ["fact"], "labels": {"customer": "17"}}, told) == []
    assert searched({"kinds": ["guidance"]}, told) == ["SCH-1"]
    assert searched({"labels": {"customer": "18"}}, told) == ["SCH-1"]
    assert searched({"labels": {"customer": "18"}}, {"id": "mem_far"}) == []


def test_sch_1_the_violation_names_the_hit_and_the_way_to_it() -> None:
    lines = [deploy(), begin("s0", "a"), add("s0", "mem_wire", TEXT, kind="fact"), end("s0"), begin("s1", "a")]
    found = call("s1", "search_memory", {"kinds": ["guidance"]}, {"records": [WIRE]})
    (violation,) = judge(NAME, *lines, found, end("s1")).violations
    assert violation.because == 'because its kind is fact, and ["guidance"] is asked for'
    assert violation.witness == (
        "a turn s0",
        "add_memory mem_wire (session)",
        "answer of search_memory in a turn s1 call 1",
    )
    assert (violation.record, violation.summary) == ("mem_wire", TEXT)


def test_an_answer_that_tells_no_records_is_not_counted() -> None:
    unread = call("s0", "search_memory", {"kinds": ["fact"], "limit": 1}, {"results": [WIRE]})
    assert judge(NAME, deploy(), begin("s0", "a"), unread, end("s0")).status == "unknown"
