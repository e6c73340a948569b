"""What is summed up, what a review reads and which version runs, on literal traces."""

from __future__ import annotations

from typing import Any

import pytest
from literal import Line, clauses, judge

from seatrial.simulator.invariants.examples import begin, context, deploy, end, said, say

FEE, LIMIT, NOTED = "The fee is 5 EUR.", "The limit is 9,000 USD.", "Noted."


def keeping(number: int) -> Line:
    return {**deploy(), "config": {"harness": {"context": {"keep_messages": number}, "memory": {"enabled": True}}}}


def reviewing(number: int) -> Line:
    memory = {"enabled": True, "extraction": {"every": {"messages": number}}}
    return {**deploy(), "config": {"harness": {"memory": memory}}}


def reviewed(turn: str, *texts: str, call: int = 2, **more: Any) -> Line:
    return context(turn, call, purpose="memory", messages=said(*texts), **more)


def summed_up(*older: str, then: tuple[str, ...]) -> list[Line]:
    return [
        begin("s0", "a", FEE),
        say("s0", NOTED),
        say("s0", LIMIT),
        context("s0", 1, purpose="summary", messages=said(*older)),
        context("s0", 2, summary="A fee.", messages=said(*then)),
        end("s0"),
    ]


def test_ctx_3_what_was_summed_up_is_gone() -> None:
    assert clauses("summaries-replace", *summed_up(FEE, NOTED, then=(LIMIT,))) == []
    assert clauses("summaries-replace", *summed_up(FEE, NOTED, then=(NOTED, LIMIT))) == ["CTX-3"]


def test_ctx_3_what_was_said_twice_may_stand_on_both_sides() -> None:
    lines = summed_up(FEE, NOTED, then=(LIMIT, NOTED))
    assert clauses("summaries-replace", *lines[:3], say("s0", NOTED), *lines[3:]) == []


def test_ctx_3_a_result_is_told_by_its_reference() -> None:
    shown = {"role": "tool", "ref": "ref_1", "text": FEE}
    lines = [
        begin("s0", "a", LIMIT),
        say("s0", FEE, "tool", ref="ref_1"),
        context("s0", 1, purpose="summary", messages=[*said(LIMIT), shown]),
        context("s0", 2, messages=[{"role": "tool", "ref": "ref_1", "note": "set aside"}]),
        end("s0"),
    ]
    assert clauses("summaries-replace", *lines) == ["CTX-3"]


@pytest.mark.parametrize(("number", "wrong"), [(1, []), (2, ["CTX-3"])])
def test_ctx_3_the_latest_messages_are_kept(number: int, wrong: list[str]) -> None:
    assert clauses("summaries-replace", keeping(number), *summed_up(FEE, NOTED, then=(LIMIT,))) == wrong


def test_what_nobody_was_seen_to_say_is_not_judged() -> None:
    """CTX-3: a system that does not tell its replies."""
    assert clauses("summaries-replace", *summed_up(FEE, "Hello.", then=("Hello.", LIMIT))) == []


TOLD = [begin("s0", "a", FEE), say("s0", NOTED), end("s0")]


@pytest.mark.parametrize(
    ("texts", "more", "wrong"),
    [
        ((FEE, NOTED, LIMIT), {}, []),
        ((f"user: {FEE}", NOTED, LIMIT), {}, []),
        (("The fee is …", NOTED, LIMIT), {}, []),
        ((LIMIT,), {}, ["EXT-1", "EXT-1"]),
        ((FEE, LIMIT), {}, ["EXT-1"]),
        ((FEE, NOTED, LIMIT), {"summary": "A fee."}, ["EXT-1"]),
    ],
)
def test_ext_1_a_review_reads_what_was_said_since_the_last(
    texts: tuple[str, ...], more: Line, wrong: list[str]
) -> None:
    lines = [deploy(), *TOLD, begin("s1", "a", LIMIT), reviewed("s1", *texts, **more), end("s1")]
    assert clauses("reviews-complete", *lines) == wrong


def test_ext_1_what_an_earlier_review_has_covered_is_not_read_again() -> None:
    first = [begin("s0", "a", FEE), reviewed("s0", FEE), end("s0"), begin("s1", "a", LIMIT)]
    assert clauses("reviews-complete", deploy(), *first, reviewed("s1", LIMIT), end("s1")) == []
    assert clauses("reviews-complete", deploy(), *first, reviewed("s1", FEE, LIMIT), end("s1")) == ["EXT-1"]


def test_ext_1_what_did_not_commit_of_another_session_or_plane_is_not_waited_for() -> None:
    others = [
        *(begin("x0", "a", FEE), end("x0", "rolled_back")),
        *(begin("x1", "b", FEE), end("x1")),
        *(begin("x2", "a", FEE, plane="preview"), end("x2")),
    ]
    lines = [deploy(), *others, begin("s1", "a", LIMIT), reviewed("s1", LIMIT), end("s1")]
    assert clauses("reviews-complete", *lines) == []


def test_ext_1_a_review_that_is_undone_covers_nothing() -> None:
    lines = [deploy(), *TOLD, begin("s1", "a", LIMIT), reviewed("s1", FEE, NOTED, LIMIT), end("s1", "conflict")]
    again = [begin("s2", "a", LIMIT), reviewed("s2", LIMIT), end("s2")]
    assert clauses("reviews-complete", *lines, *again) == ["EXT-1", "EXT-1"]


def test_ext_2_a_review_comes_when_it_is_due_and_not_before() -> None:
    early = [begin("s0", "a", FEE), say("s0", NOTED), reviewed("s0", FEE, NOTED), end("s0")]
    assert clauses("reviews-complete", reviewing(3), *early) == ["EXT-2"]
    assert clauses("reviews-complete", reviewing(2), *early) == []
    assert clauses("reviews-complete", reviewing(3), early[0], reviewed("s0", FEE), end("s0")) == []  # no reply is told


def test_ext_2_a_review_that_is_due_is_made_or_put_off() -> None:
    due = [begin("s1", "a", LIMIT), say("s1", NOTED)]
    other = [begin("s2", "b", FEE), say("s2", NOTED), reviewed("s2", FEE, NOTED), end("s2")]
    postponed = {"type": "postponed", "turn": "s1", "reason": "it did not fit"}
    assert clauses("reviews-complete", reviewing(2), *due, end("s1"), *other) == ["EXT-2"]
    assert clauses("reviews-complete", reviewing(2), *due, postponed, end("s1"), *other) == []
    assert clauses("reviews-complete", reviewing(2), *due, end("s1")) == []  # a system that tells of no review


def test_a_review_without_messages_is_not_judged() -> None:
    """EXT-1: nothing is known of what it read."""
    told = {"type": "context", "turn": "s0", "call": 1, "purpose": "memory"}
    assert judge("reviews-complete", deploy(), begin("s0", "a", FEE), told, end("s0")).status == "unknown"


def later(number: int, plane: str = "live") -> Line:
    return {**deploy(), "version": number, "plane": plane}


@pytest.mark.parametrize(
    ("deploys", "plane", "runs", "wrong"),
    [
        ([later(1), later(2)], "live", 2, []),
        ([later(1), later(2)], "live", 1, ["VER-1"]),
        ([later(1), later(2, "preview")], "live", 1, []),
        ([later(1), later(2, "preview")], "preview", 2, []),
        ([later(1), later(2, "preview")], "preview", 1, ["VER-1"]),
        ([later(1), {**later(2), "version": None, "error": {"code": "deploy_refused"}}], "live", 1, []),
    ],
)
def test_ver_1_a_turn_runs_what_was_deployed_last(deploys: list[Line], plane: str, runs: int, wrong: list[str]) -> None:
    turn = {**begin("s0", "a", plane=plane), "version": runs}
    assert clauses("latest-version-runs", *deploys, turn, end("s0")) == wrong


def test_ver_1_an_open_turn_keeps_its_version() -> None:
    assert clauses("latest-version-runs", later(1), begin("s0", "a"), later(2), end("s0")) == []
