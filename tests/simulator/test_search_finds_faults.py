"""Fuzzing alone finds the faults of the catalogue: some of different clauses soon, and the others within a budget.

But for those that `hunting` says a reason of, which the shipped scenarios catch.
"""

from __future__ import annotations

import pytest
from hunting import BY_SCENARIOS_ALONE, every_run_with, hunt

from seatrial.simulator.faults import FAULTS, Fault
from seatrial.simulator.fuzzing.hunt import Found

SOON = (
    "foreign-session-in-view",  # VIEW-2
    "refusal-tells-foreign",  # VIEW-6
    "deleted-stays-in-open-turns",  # ADM-2
    "grants-not-checked",  # ADM-3
    "pins-session-first",  # PIN-3
    "ids-from-a-counter",  # REC-2
)


def found(fault: Fault, seed: int, examples: int) -> Found | None:
    with every_run_with(fault):
        return hunt(seed, examples).found


@pytest.mark.parametrize("name", SOON)
def test_a_fault_of_each_kind_is_found_soon(name: str) -> None:
    assert found(FAULTS[name], 0, 250) is not None


def test_they_are_of_different_clauses() -> None:
    assert len({FAULTS[name].clause for name in SOON}) == len(SOON)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FAULTS if name not in BY_SCENARIOS_ALONE])
def test_each_fault_is_found(name: str) -> None:
    assert any(found(FAULTS[name], seed, 500) for seed in range(3))


def test_what_is_left_out_is_in_the_catalogue() -> None:
    assert {*BY_SCENARIOS_ALONE} <= {*FAULTS}
