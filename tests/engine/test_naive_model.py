"""The whole engine against a naive model of the memory system: each answer, error, context, listing and ledger."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from naive_configs import CONFIGS
from naive_facts import Plain
from naive_machine import Machine
from naive_pair import Plane
from naive_reached import REACHED
from naive_reviewer import corrects, restates
from naive_words import CONTENTS, FACTS, LABELLED, RACED, SUMMARIES, VERSIONS
from records import record

from seatrial.engine.reviewer import Candidate, review

CODES = [
    "not_found",
    "scope_not_allowed",
    "undeclared_kind",
    "invalid_value",
    "over_budget",
    "no_such_tool",
    "helper_cannot_write",
    "busy",
    "missing_grant",
]
RARE_CODES = ["not_active", "undeclared_label", "blank_query", "deploy_refused", "limit_exceeded", "pins_disabled"]
OFTEN = [
    "a probe of another agent",
    "a probe of another session",
    "a probe of another session's result",
    "a probe of another plane",
    "recalled from another session by an AGENT record",
    "a live record recalled in a preview",
    "an operator's delete of what an open turn sees",
    "a superseded record read, with its successor",
    "restart with open turns",
    "conflict in a live turn",
    *(f"found in history: {kind}" for kind in ("message", "reply", "tool_result")),
    "found in history: a live event by a preview",
    "a review",
    "a review of several turns",
    "no review is due",
    "decided: rejected",
    *(f"decided by the reviewer: {each}" for each in ("add, naming none", "replace", "skip")),
    "decided by the model: replace",
    *(f"refused: {code}" for code in CODES),
]


RARE = [
    "conflict over pins",
    "conflict in a preview turn",
    "would_replace",
    "would_delete",
    "a stale preview record",
    "pins left out",
    "set aside",
    "a note in place of a result",
    "found in history: a result set aside, by its reference",
    "found in history: what a version with another index kept",
    "an extract",
    "a summary",
    "a summary of a summary",
    "decided again at the commit",
    *(f"decided by the model: {each}" for each in ("add, naming none", "delete", "skip", "skip, naming none")),
    "decided by the reviewer: skip, naming none",
    *(f"refused: {code}" for code in RARE_CODES),
]


def search(programs: int, steps: int) -> None:
    REACHED.clear()
    run_state_machine_as_test(Machine, settings=settings(max_examples=programs, stateful_step_count=steps))


def test_random_programs_give_what_the_naive_model_gives() -> None:
    """What so few programs come to changes with every line of the code; most of it they always do."""
    search(40, 30)
    assert len([each for each in OFTEN if not REACHED[each]]) <= len(OFTEN) // 3, REACHED


@pytest.mark.slow
def test_many_random_programs_give_what_the_naive_model_gives() -> None:
    search(3000, 30)  # longer ones take minutes to shrink
    assert [each for each in [*OFTEN, *RARE] if not REACHED[each]] == [], REACHED


def test_txn_3_two_turns_that_want_the_same_come_out_as_the_naive_model_says() -> None:
    """Whatever both want, in whichever planes: who commits first, and what the other is told."""
    ends = ["replace", "delete", "pin"]
    races(ends, [*ends, "erase"])
    reached = ["conflict in a live turn", "conflict in a preview turn", "conflict over pins", "a stale preview record"]
    reached += ["would_replace", "would_delete", "an operator's delete of what an open turn sees"]
    assert [each for each in reached if not REACHED[each]] == []
    assert REACHED["a superseded record read, with its successor"]


def test_txn_3_ext_5_what_a_review_finds_and_another_turn_says_comes_out_as_the_naive_model_says() -> None:
    """An add becomes SKIP and a replacement a conflict, also where an operator deleted what the other turn said."""
    races(["find", "correct"], ["fact", "find", "erase fact"])
    assert REACHED["conflict in a live turn"]
    assert REACHED["conflict in a preview turn"]
    assert REACHED["decided again at the commit"]


def test_ctx_3_what_is_too_long_is_summed_up_as_the_naive_model_says() -> None:
    """A summary, and the next one that takes its place, made in either plane."""
    REACHED.clear()
    said = [("hears", "wire limit " * 20), ("replies", "It was approved. Ask Ann.")]
    for config, plane, then in product(SUMMARIES, ["live", "preview"], ["live", "preview"]):
        machine = Machine()
        machine.first(in_a_file=False, config=config)
        for each, summary in ((plane, "The wire was approved. " * 15), (then, None), ("live", " ")):
            machine.end("ann/a", "commit", each, "wire limit", 1, said)
            machine.search_history("ann/a", "wire limit", None)
            machine.model_call("ann/a", summary)
            for text in ("Yes.", "No."):
                machine.reply("ann/a", text)
                machine.model_call("ann/a", summary)
        machine.teardown()
    reached = ["a summary", "an extract", "a summary of a summary", "set aside", "refused: limit_exceeded"]
    reached += ["found in history: a result set aside, by its reference"]
    assert [each for each in reached if not REACHED[each]] == []


def test_his_5_ext_2_ext_5_what_versions_keep_and_review_is_what_the_naive_model_says() -> None:
    """Of each version's turns, found and reviewed by those of the next; an operator deletes what one session said."""
    REACHED.clear()
    found: list[Plain] = [{"summary": RACED, **LABELLED, "scope": "agent"}] * 2
    found += [{**found[0], "labels": {"customer": "C-17"}}, {**found[0], "content": "Ann said so."}]
    said = [("hears", "The wire limit is known."), ("replies", "It was approved.")]
    ways: list[tuple[Plane, bool]] = [("live", True), ("preview", False)]
    for config, (plane, deletes) in product(VERSIONS, ways):
        machine = Machine()
        machine.first(in_a_file=False, config=config)
        first = machine.pair.model.all_ids()[:5]
        for seat, calls in (("ann/_", False), ("ann/a", True), ("ann/a", False)):
            machine.end(seat, "commit", plane, "wire limit", 1, said)
            turn = machine.seated[seat]
            assert turn is not None
            if calls:
                machine.model_call(seat, None)
            named = [{**found[0], "summary": "Ann is in", "decision": {"delete": each}} for each in first]
            made = machine.pair.review(turn, [*found, *named])
            machine.pair.end(turn, "commit")
            for each in made[:1] if deletes else ():
                machine.pair.delete_record("ann", each, None)
        machine.pair.deploy("ann", plane, CONFIGS["both"])
        machine.search_history("ann/a", "wire limit", None)
        machine.teardown()
    reached = ["found in history: what a version with another index kept", "a review that does not fit"]
    reached += ["decided by the reviewer: skip, naming none", "no review is due", "a review of several turns"]
    assert [each for each in reached if not REACHED[each]] == []


@pytest.mark.parametrize("old", FACTS)
def test_ext_4_of_any_two_texts_the_reviewer_thinks_as_the_naive_model_does(old: str) -> None:
    given: Plain = LABELLED
    for new, before, after in product(FACTS, CONTENTS, CONTENTS):
        candidate = {"summary": new, "content": after, **given}
        one = record("r1", old, before, labels=((1, "c-17"),))
        real = review(Candidate(new, after, "fact", one.labels, one.scope), [one], writable=lambda _: True)
        says = restates(candidate, old, before, given["labels"])
        expected = "skip" if says else "replace" if corrects(candidate, old, before, **given) else "add"
        assert real.outcome == expected, (old, before, new, after)


def races(first: list[str], second: list[str]) -> None:
    REACHED.clear()
    for plane, then, one, other in product(["live", "preview"], ["live", "preview"], first, second):
        machine = Machine()
        machine.first(in_a_file=False, config=None)
        machine.end("ann/a", "commit", plane, "wire limit", 1)
        machine.race("ann/a", then, one, other, commit=True)
        machine.read("ann/a", machine.pair.model.all_ids()[0])
        machine.teardown()
