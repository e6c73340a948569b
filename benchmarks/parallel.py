"""`seatrial run -j 2` against one process, on a suite of ten seconds or more.

    python benchmarks/parallel.py [--jobs 2] [--rounds 5] [--seconds 10]

The suite is the shipped one, copied as often as it takes to need so many seconds in one process. Whole processes, in
turn, so that a busy moment of the machine meets both; medians of the time from start to end, which is what a second
core is for: the machine must be idle. Says so where it is not (one process got less than nine tenths of a core). Also
looks whether both print the same bytes. Ends with 1 where the figure is not reached.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TO_REACH = 1.7


def run(suite: Path, jobs: int) -> tuple[float, float, bytes]:
    """Seconds from start to end, seconds of processor time, and what was printed."""
    before, began = os.times(), time.perf_counter()
    command = [sys.executable, "-m", "seatrial", "run", ".", "-j", str(jobs)]
    done = subprocess.run(command, cwd=suite, stdout=subprocess.PIPE, check=True)
    took, after = time.perf_counter() - began, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return took, cpu, done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        suite = Path(name)
        shutil.copytree(ROOT / "scenarios", suite / "0")
        copies = 1 + int(options.seconds / run(suite, 1)[1])
        for number in range(1, copies):
            shutil.copytree(ROOT / "scenarios", suite / str(number))
        one, many, shares = [], [], []
        for _ in range(options.rounds):
            took, cpu, said = run(suite, 1)
            one.append(took)
            shares.append(cpu / took)
            took, _, also = run(suite, options.jobs)
            many.append(took)
            if said != also:
                print("they print different bytes")
                return 1
    alone, together = statistics.median(one), statistics.median(many)
    ratio = alone / together
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, the shipped suite {copies} times")
    print(f"one process {alone:.1f} s, -j {options.jobs} {together:.1f} s: {ratio:.2f} times (to reach: {TO_REACH})")
    if statistics.median(shares) < 0.9:
        print("the machine is busy: one process got", f"{statistics.median(shares):.2f} of a core")
    return 0 if ratio >= TO_REACH else 1


if __name__ == "__main__":
    sys.exit(main())
