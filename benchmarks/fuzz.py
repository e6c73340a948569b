"""How soon fuzzing finds each fault of the catalogue, how short it shrinks it, and how many it tries a second.

    python benchmarks/fuzz.py [-k WORDS] [--seeds 3] [--examples 400] [--shrink]

For each fault the number of examples until it was found, the median over the seeds; a seed that did not find it counts
as one more than it tried. With `--shrink` also the steps of the scenario that the first such seed found, as it was met
and shrunk. Each run of a script has the fault anew, as `seatrial mutate` has it. The rate is measured on a sound
engine, by processor time, with all that an example costs: drawing, running, every invariant, and second runs. It ends
with 1 if a fault takes more than 200 examples, fewer than 20 are tried a second, or the sound engine is found faulty.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

import hypothesis
from hunting import BY_SCENARIOS_ALONE, every_run_with, hunt

from seatrial.simulator.faults import FAULTS, Fault

MOST, RATE = 200, 20


def measured(fault: Fault, seeds: int, examples: int, *, shrink: bool) -> tuple[float, str]:
    """The median of examples, and the row of the table."""
    with every_run_with(fault):
        found = [hunt(seed, examples) for seed in range(seeds)]
        met = next((each for each in found if each.found is not None), None)
        shrunk = hunt(met.seed, examples, shrink=True).found if shrink and met is not None else None
    median = statistics.median([each.examples if each.found else examples + 1 for each in found])
    by = sorted({each.found.problem.name for each in found if each.found})
    steps = f"{met.found.steps:>3} -> {shrunk.steps} steps" if shrunk and met and met.found else ""
    return median, f"{fault.name:<34} {median:>6} {steps:<15} {', '.join(by) or 'NOT FOUND'}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", dest="words", default="")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--examples", type=int, default=400)
    parser.add_argument("--shrink", action="store_true")
    asked = parser.parse_args()
    print(f"Hypothesis {hypothesis.__version__}, {asked.seeds} seeds, {asked.examples} examples at most")
    start = time.process_time()
    sound = [hunt(seed, 100) for seed in range(asked.seeds)]
    rate = sum(each.examples for each in sound) / (time.process_time() - start)
    alarms = [each.found.problem.lines[0] for each in sound if each.found is not None]
    print(f"{rate:.1f} examples a second of processor time on a sound engine; {len(alarms)} false alarms", *alarms)
    medians = []
    for name, fault in FAULTS.items():
        if asked.words in name and name in BY_SCENARIOS_ALONE:
            print(f"{name:<34} {'':>6} {'not looked for':<15} {BY_SCENARIOS_ALONE[name]}", flush=True)
        elif asked.words in name:
            median, row = measured(fault, asked.seeds, asked.examples, shrink=asked.shrink)
            medians.append(median)
            print(row, flush=True)
    late = sum(median > MOST for median in medians)
    print(f"{len(medians)} faults, {len(medians) - late} found in a median of at most {MOST} examples")
    sys.exit(1 if late or alarms or rate < RATE else 0)


if __name__ == "__main__":
    main()
