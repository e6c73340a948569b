"""The whole engine against a naive model of the memory system: each answer, error, context, listing and ledger."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from naive_machine import Machine
from naive_pair import REACHED

CODES = [
    "not_found",
    "not_active",
    "scope_not_allowed",
    "undeclared_kind",
    "invalid_value",
    "over_budget",
    "no_such_tool",
    "helper_cannot_write",
    "busy",
    "missing_grant",
]
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
    "would_replace",
    "pins left out",
    *(f"found in history: {kind}" for kind in ("message", "reply", "tool_result")),
    "found in history: a live event by a preview",
    "found in history: a result set aside, by its reference",
    "an extract",
    "a summary",
    *(f"refused: {code}" for code in CODES),
]


def search(programs: int, steps: int) -> None:
    REACHED.clear()
    run_state_machine_as_test(Machine, settings=settings(max_examples=programs, stateful_step_count=steps))


def test_random_programs_give_what_the_naive_model_gives() -> None:
    search(60, 30)
    assert [each for each in OFTEN if not REACHED[each]] == [], REACHED


@pytest.mark.slow
def test_many_random_programs_give_what_the_naive_model_gives() -> None:
    search(3000, 30)  # longer ones take minutes to shrink
    rare = ["conflict over pins", "conflict in a preview turn", "would_delete", "a stale preview record"]
    rare += ["found in history: what a version with another index kept", "a summary of a summary"]
    rare += ["refused: undeclared_label", "refused: blank_query", "refused: deploy_refused"]
    rare += ["refused: limit_exceeded", "refused: pins_disabled", "set aside", "a note in place of a result"]
    assert [each for each in [*OFTEN, *rare] if not REACHED[each]] == [], REACHED


def test_txn_3_two_turns_that_want_the_same_come_out_as_the_naive_model_says() -> None:
    """Whatever both want, in whichever planes: who commits first, and what the other is told."""
    REACHED.clear()
    ends = ["replace", "delete", "pin"]
    for plane, then, first, second in product(["live", "preview"], ["live", "preview"], ends, [*ends, "erase"]):
        machine = Machine()
        machine.first(in_a_file=False, config=None)
        machine.end("ann/a", "commit", plane, "wire limit", 1)
        machine.race("ann/a", then, first, second, commit=True)
        machine.read("ann/a", machine.pair.model.all_ids()[0])
        machine.teardown()
    reached = ["conflict in a live turn", "conflict in a preview turn", "conflict over pins", "a stale preview record"]
    reached += ["would_replace", "would_delete", "an operator's delete of what an open turn sees"]
    assert [each for each in reached if not REACHED[each]] == []
    assert REACHED["a superseded record read, with its successor"]
