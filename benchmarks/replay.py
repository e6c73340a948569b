"""Replaying scenarios: turns a second on one core, alone and with the invariants, and where the time goes.

    python benchmarks/replay.py [--turns 2000] [--sessions 100] [--suite PATH] [--rounds 5] [--parts]

Two loads: one long script of many interleaved sessions that write, replace, search, read, preview and roll back, and
the suite that is shipped. Each is replayed alone, with the invariants that read its trace, and with those that run it
again as well. Medians of processor time, so that neighbours on a shared machine do not count. A turn counts once,
however often second runs repeat it. Ends with 1 where a figure is not reached.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from seatrial.simulator.collecting import few_collections
from seatrial.simulator.discover import discover
from seatrial.simulator.invariants import INVARIANTS, RERUNS, history_of
from seatrial.simulator.load import Loader
from seatrial.simulator.runner import Run, run_script
from seatrial.simulator.script import Script
from seatrial.simulator.trace import Trace

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "scenarios"
SINGLE, SECOND = 1000, 100  # turns a second to reach
CONFIG = {
    "harness": {
        "history": {"index": "messages_and_tools"},
        "memory": {
            "enabled": True,
            "tools": ["add_memory", "read_memory", "delete_memory"],
            "labels": {"customer_id": {"number": 5, "description": "The customer the memory is about."}},
        },
    }
}
PLACES = ("Porto", "Lyon", "Graz", "Turku", "Ghent", "Cork", "Brno", "Vigo")
SUBJECTS = ("wire", "invoice", "refund", "limit", "card", "statement", "mandate", "transfer")


class Spent(dict[str, float]):
    """Seconds of a processor, by what they were spent on."""

    @contextmanager
    def on(self, what: str) -> Iterator[None]:
        start = time.process_time()
        yield
        self[what] = self.get(what, 0.0) + time.process_time() - start


class Load(NamedTuple):
    """What is replayed, how many turns that are, and how long each part took: medians, in seconds."""

    name: str
    turns: int
    spent: Mapping[str, float]

    @property
    def single(self) -> float:
        """What the invariants that read the trace took, reading it included."""
        return self.spent["parse"] + sum(self.spent[each.name] for each in INVARIANTS)

    @property
    def second(self) -> float:
        return sum(self.spent[each.name] for each in RERUNS)


def steps(turns: int, sessions: int) -> Iterator[dict[str, Any]]:
    """Turns of sessions in rotation, half of each agent, the same every time."""
    chance = random.Random(1)
    latest: dict[str, list[str]] = {}
    for number in range(turns):
        place = number % sessions
        agent, session = ("clerk", "auditor")[place % 2], f"account-{place // 2}"
        own = latest.setdefault(f"{agent} {session}", [])
        subject, town = chance.choice(SUBJECTS), chance.choice(PLACES)
        fact = f"The {subject} {chance.randrange(10_000)} to {town} is held above {chance.randrange(100) * 100} USD"
        mode = "preview" if number % 17 == 16 else "live"
        outcome = "rollback" if number % 23 == 22 else "commit"
        kept = mode == "live" and outcome == "commit"
        do: list[dict[str, Any]] = []
        what = number // sessions % 5
        if what in (0, 1, 3):
            add: dict[str, Any] = {"summary": fact, "kind": "fact", "labels": {"customer_id": session}}
            if kept:
                add["as"] = f"r{number}"
                if what == 3 and own:
                    add["replaces"] = own.pop()
                own.append(f"r{number}")
            do.append({"add_memory": add})
        if what in (1, 2):
            do.append({"search_memory": {"query": f"{subject} to {town}"}})
        if what == 3:
            do.append({"tool": {"name": f"fetch_{subject}", "result": f"{fact}. Status: open."}})
        if what == 4 and own:
            do.append({"read_memory": {"id": own[-1]}})
            if kept:
                do.append({"delete_memory": {"id": own.pop()}})
        if number % 9 == 8:
            do.append({"search_history": {"query": f"{subject} in {town}"}})
        do.append({"reply": f"Noted for {town}."})
        yield {
            "turn": {"agent": agent, "session": session, "mode": mode},
            "user": f"What of the {subject} to {town}?",
            "do": do,
            "outcome": outcome,
        }


def long_script(folder: Path, turns: int, sessions: int) -> Path:
    """The long script as a file."""
    document = {
        "scenario": f"{turns} turns of {sessions} sessions",
        "agents": {"clerk": CONFIG, "auditor": CONFIG},
        "steps": list(steps(turns, sessions)),
    }
    path = folder / "long.scenario.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def replayed(name: str, files: Sequence[Path], rounds: int) -> Load:
    """Everything measured part by part, round by round."""
    many: list[Spent] = []
    turns = 0
    for _ in range(rounds):
        spent, loader, turns = Spent(), Loader(), 0
        for file in files:
            with spent.on("load"):
                script = loader.load(file).script
            with spent.on("replay"):
                run = run_script(script)
            turns += sum(line["type"] == "begin" and "error" not in line for line in run.trace.lines)
            with few_collections():  # as whoever judges a scenario does
                judge(script, run, spent)
        many.append(spent)
    return Load(name, turns, {what: statistics.median(each[what] for each in many) for what in many[0]})


def judge(script: Script, run: Run, spent: Spent) -> None:
    """Every invariant, each on its own account; what they share is the first one's."""
    with spent.on("parse"):
        history = history_of(run.trace)
    for invariant in INVARIANTS:
        with spent.on(invariant.name):
            verdict = invariant.check(history)
        assert verdict.status != "violated", verdict

    def rerun(changed: Script) -> Trace:
        with spent.on("replays of second runs"):
            return run_script(changed, expectations=False).trace

    for second in RERUNS:
        with spent.on(second.name):
            verdict = second.check(script, run.trace, rerun)
        assert verdict.status != "violated", verdict


def rows(load: Load) -> Iterator[str]:
    """What the README shows of a load."""
    for what, seconds, bound in (
        ("replayed alone", load.spent["replay"], None),
        ("with every invariant of a single run", load.spent["replay"] + load.single, SINGLE),
        ("with all second runs too", load.spent["replay"] + load.single + load.second, SECOND),
    ):
        rate = load.turns / seconds
        missed = " **missed**" if bound is not None and rate < bound else ""
        yield f"| {load.name}, {what} | {rate:,.0f} turns/s | {f'≥ {bound:,}{missed}' if bound else ''} |"


def parts(load: Load) -> Iterator[str]:
    """Where a turn's time goes, the largest first."""
    yield f"{load.name}: {load.turns} turns, µs a turn"
    for what, seconds in sorted(load.spent.items(), key=lambda each: -each[1]):
        yield f"  {what:28} {seconds / load.turns * 1e6:10.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=2000)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--suite", type=Path, default=SHIPPED)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--parts", action="store_true", help="also tell where the time goes")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = long_script(Path(folder), chosen.turns, chosen.sessions)
        files = discover([chosen.suite])
        loads = [
            replayed(f"a script of {chosen.turns:,} turns in {chosen.sessions} sessions", [path], chosen.rounds),
            replayed("the shipped suite" if chosen.suite == SHIPPED else str(chosen.suite), files, chosen.rounds),
        ]
    table = [row for load in loads for row in rows(load)]
    print(f"| Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}, {packages()} | rate | to reach |")
    print("| --- | --- | --- |", *table, sep="\n")
    if chosen.parts:
        print("", *(line for load in loads for line in parts(load)), sep="\n")
    sys.exit(1 if any("missed" in row for row in table) else None)


def packages() -> str:
    return ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "faiss-cpu"))


if __name__ == "__main__":
    main()
