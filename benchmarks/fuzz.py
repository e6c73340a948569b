"""How soon fuzzing finds each fault of the catalogue, how short it shrinks it, and how many it tries a second.

    python benchmarks/fuzz.py [-k WORDS] [--seeds 3] [--examples 400] [--shrink]

For each fault the number of examples until it was found, the median over the seeds; a seed that did not find it counts
as one more than it tried. With `--shrink` also the steps of the shrunk scenario of the first seed that found it. The
rate is measured on a sound engine, with all that an example costs: drawing, running, every invariant, and second runs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Mapping
from typing import Any

import hypothesis

from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.fuzzing import roles
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
        "memory": memory(scope={"read": ["session"], "write": BOTH}, labels=LABELS),
    },
}
RATES = {
    "agent": "rates",
    "sessions": False,
    "harness": {"memory": memory(scope={"read": ["agent"], "write": ["agent"]}, pinned={"max_tokens": 80})},
}
ROLES = roles([DESK, LEDGER, RATES])


def hunt(seed: int, examples: int, *, shrink: bool = False) -> Outcome:
    return search(ROLES, seed, Budget(examples, None, time.monotonic), shrink=shrink)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", dest="words", default="")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--examples", type=int, default=400)
    parser.add_argument("--shrink", action="store_true")
    asked = parser.parse_args()
    print(f"Hypothesis {hypothesis.__version__}, {asked.seeds} seeds, {asked.examples} examples at most")
    start = time.perf_counter()
    sound = hunt(0, 100)
    print(f"{sound.examples / (time.perf_counter() - start):.1f} examples a second on a sound engine")
    medians = []
    for name, fault in FAULTS.items():
        if asked.words in name:
            with altered(fault):
                found = [hunt(seed, asked.examples) for seed in range(asked.seeds)]
                first = next((each.seed for each in found if each.found is not None), None)
                shrunk = hunt(first, asked.examples, shrink=True).found if asked.shrink and first is not None else None
            counts = [each.examples if each.found else asked.examples + 1 for each in found]
            medians.append(statistics.median(counts))
            by = sorted({each.found.problem.name for each in found if each.found})
            steps = f"{shrunk.steps:>3} steps" if shrunk else ""
            print(f"{name:<34} {medians[-1]:>6} {steps:<10} {', '.join(by) or 'NOT FOUND'}", flush=True)
    late = sum(median > 200 for median in medians)
    print(f"{len(medians)} faults, {len(medians) - late} found in a median of at most 200 examples")


if __name__ == "__main__":
    main()
