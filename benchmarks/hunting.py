"""What the search for faults is measured on: three configs, and each run of a script with the fault anew."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from seatrial.simulator import runner
from seatrial.simulator.faults import Fault, altered
from seatrial.simulator.fuzzing import roles, trial
from seatrial.simulator.fuzzing.search import Budget, Outcome, search

TOOLS = ["add_memory", "read_memory", "delete_memory"]
BOTH = ["session", "agent"]
LABELS = {
    "customer": {"number": 5, "description": "Whom it is about."},
    "urgent": {"number": 2, "description": "Is it?"},
}


def memory(**settings: Any) -> Mapping[str, Any]:
    return {"enabled": True, "tools": TOOLS, **settings}


DESK = {
    "agent": "desk",
    "limits": {"model_calls": 12},
    "harness": {
        "history": {"index": "messages"},
        "context": {"offload_threshold": 60},
        "memory": memory(scope={"read": BOTH, "write": BOTH}, pinned={"max_tokens": 150}, labels=LABELS),
    },
}
LEDGER = {
    "agent": "ledger",
    "limits": {"model_calls": 8},
    "harness": {
        "history": {"index": "messages_and_tools"},
        # It reads its session alone, which it need not state, and is reviewed now and then.
        "memory": memory(scope={"write": BOTH}, labels=LABELS, extraction={"every": {"messages": 4}}),
    },
}
RATES = {
    "agent": "rates",
    "sessions": False,
    "harness": {"memory": memory(scope={"read": ["agent"], "write": ["agent"]}, pinned={"max_tokens": 80})},
}
# What only a scenario shows that says what to expect, and why a search does not find it.
BY_SCENARIOS_ALONE = {
    "labels-untold": "another system may tell labels in the definitions of its tools alone",
    "tokens-rounded-down": "another system may count tokens by another counter",
}
ROLES = roles([DESK, LEDGER, RATES])


def hunt(seed: int, examples: int, *, shrink: bool = False) -> Outcome:
    return search(ROLES, seed, Budget(examples, None, lambda: 0.0), shrink=shrink)


@contextmanager
def every_run_with(fault: Fault) -> Iterator[None]:
    """While it lasts each run of a script has the fault, with a number and a state of its own."""
    real, number = runner.run_script, itertools.count(1)

    def run_script(*given: Any, **named: Any) -> Any:
        with altered(fault, next(number)):
            return real(*given, **named)

    with patch.object(trial, "run_script", run_script):
        yield
