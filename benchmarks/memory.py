"""Peak memory of a process that writes in every session of a large store, and of one that recalls in each.

    python benchmarks/memory.py [--sessions 2000] [--records 50]

One process writes the store: a turn a session, a sentence a record. Another opens it, begins a turn in each session and
has it recall. What each took at most is told, Python and libraries included. Ends with 1 where that is too much.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from recall import Words

from seatrial.engine import Engine

TO_REACH = 0.3  # GB, at 100,000 records
CONFIG = {"harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}


def write(store: Path, sessions: int, records: int) -> None:
    """Write `records` records in each session."""
    words = Words(seed=1)
    with Engine.open(store) as engine:
        engine.deploy("agent", CONFIG, at=0)
        for number in range(sessions):
            turn = engine.begin("agent", session=f"s{number}", execution=f"w{number}", at=number, user="Keep this.")
            for _ in range(records):
                answer = turn.call("add_memory", {"summary": words.sentence(), "kind": "fact"})
                assert answer.error is None, answer.error
            turn.commit()


def recall(store: Path, sessions: int) -> None:
    """Recall in every session."""
    words = Words(seed=2)
    with Engine.open(store) as engine:
        for number in range(sessions):
            turn = engine.begin(
                "agent",
                session=f"s{number}",
                execution=f"r{number}",
                at=10**9,
                user=" ".join(words.sentence() for _ in "12"),
            )
            assert turn.model_call().recalled
            turn.commit()


def peak(task: str, store: Path, chosen: argparse.Namespace) -> float:
    """The most memory that a process of its own takes for a task, in GB.

    This process must stay small: Linux counts what it took as the new one's.
    """
    size = ["--sessions", str(chosen.sessions), "--records", str(chosen.records)]
    command = [sys.executable, __file__, *size, "--task", task, "--store", str(store)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--records", type=int, default=50)
    parser.add_argument("--task", choices=("write", "recall"), help=argparse.SUPPRESS)  # of a process that is measured
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.task:
        if chosen.task == "write":
            write(chosen.store, chosen.sessions, chosen.records)
        else:
            recall(chosen.store, chosen.sessions)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6))
        return 0
    size = f"{chosen.sessions * chosen.records:,} records in {chosen.sessions:,} sessions"
    most = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for task, doing in (("write", "writing"), ("recall", "recalling among")):
            taken = peak(task, Path(folder) / "store.sqlite", chosen)
            most = max(most, taken)
            missed = " **missed**" if taken > TO_REACH else ""
            print(f"| peak memory, {doing} {size}, all of them touched | {taken:.2f} GB | ≤ {TO_REACH}{missed} |")
    return 1 if most > TO_REACH else 0


if __name__ == "__main__":
    sys.exit(main())
