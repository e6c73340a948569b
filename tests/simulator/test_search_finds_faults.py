"""Fuzzing alone finds the faults of the catalogue: some of different clauses soon, and all of them within a budget."""

from __future__ import annotations

import pytest

from seatrial.simulator.faults import FAULTS, Fault, altered
from seatrial.simulator.fuzzing import roles
from seatrial.simulator.fuzzing.hunt import Found
from seatrial.simulator.fuzzing.search import Budget, search

TOOLS = ["add_memory", "read_memory", "delete_memory"]
BOTH = ["session", "agent"]
LABELS = {
    "customer": {"number": 5, "description": "Whom it is about."},
    "urgent": {"number": 2, "description": "Is it?"},
}
CONFIGS = [
    {
        "agent": "desk",
        "limits": {"model_calls": 12},
        "harness": {
            "history": {"index": "messages"},
            "context": {"offload_threshold": 60},
            "memory": {
                "enabled": True,
                "tools": TOOLS,
                "scope": {"read": BOTH, "write": BOTH},
                "pinned": {"max_tokens": 150},
                "labels": LABELS,
            },
        },
    },
    {
        "agent": "ledger",
        "harness": {
            "history": {"index": "messages_and_tools"},
            "memory": {"enabled": True, "tools": TOOLS, "scope": {"read": ["session"], "write": BOTH}},
        },
    },
]
SOON = (
    "foreign-session-in-view",  # VIEW-2
    "refusal-tells-foreign",  # VIEW-6
    "deleted-stays-in-open-turns",  # ADM-2
    "grants-not-checked",  # ADM-3
    "pins-session-first",  # PIN-3
    "ids-from-a-counter",  # REC-2
)


def found(fault: Fault, seed: int, examples: int) -> Found | None:
    with altered(fault):
        return search(roles(CONFIGS), seed, Budget(examples, None, lambda: 0.0), shrink=False).found


@pytest.mark.parametrize("name", SOON)
def test_a_fault_of_each_kind_is_found_soon(name: str) -> None:
    assert found(FAULTS[name], 0, 250) is not None


def test_they_are_of_different_clauses() -> None:
    assert len({FAULTS[name].clause for name in SOON}) == len(SOON)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS.values(), ids=lambda fault: fault.name)
def test_each_fault_is_found(fault: Fault) -> None:
    assert any(found(fault, seed, 500) for seed in range(3))
