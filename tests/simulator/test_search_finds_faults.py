"""Fuzzing alone finds the faults of the catalogue: some of different clauses soon, and all of them within a budget."""

from __future__ import annotations

import pytest
from hunting import every_run_with, hunt

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
@pytest.mark.parametrize("fault", FAULTS.values(), ids=lambda fault: fault.name)
def test_each_fault_is_found(fault: Fault) -> None:
    assert any(found(fault, seed, 500) for seed in range(3))
