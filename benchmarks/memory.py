"""Peak memory of a process that recalls in every session of a large store.

    python benchmarks/memory.py [--sessions 2000] [--records 50]

One process writes the store: a turn a session, a sentence a record. Another opens it, begins a turn in each session and
has it recall; what it took at most is what is told, Python and libraries included. Ends with 1 where that is too much.
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


def recall(store: Path, sessions: int) -> float:
    """Recall in every session; the most memory that this process has had, in GB."""
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
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1e9 if sys.platform == "darwin" else 1e6)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--records", type=int, default=50)
    parser.add_argument("--recall", type=Path, help=argparse.SUPPRESS)  # the second process: in this store
    chosen = parser.parse_args()
    if chosen.recall:
        print(recall(chosen.recall, chosen.sessions))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.sqlite"
        write(store, chosen.sessions, chosen.records)
        command = [sys.executable, __file__, "--recall", str(store), "--sessions", str(chosen.sessions)]
        most = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    missed = " **missed**" if most > TO_REACH else ""
    size = f"{chosen.sessions * chosen.records:,} records in {chosen.sessions:,} sessions"
    print(f"| peak memory, {size}, all of them touched | {most:.2f} GB | ≤ {TO_REACH}{missed} |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
