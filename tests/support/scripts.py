"""Scripts that a test writes, run, and what is told of them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

from seatrial.simulator.load import load_script
from seatrial.simulator.runner import Run, run_script
from seatrial.simulator.script import Script

CONFIG = "{harness: {memory: {enabled: true, tools: [add_memory, read_memory, delete_memory]}}}"


def script(folder: Path, text: str) -> Script:
    path = folder / "a.scenario.yaml"
    path.write_text(dedent(text), encoding="utf-8")
    return load_script(path)


def run(folder: Path, text: str) -> Run:
    return run_script(script(folder, text))


def one(folder: Path, do: str, config: str = CONFIG) -> Run:
    """A run of one turn in one session."""
    return run(folder, f"scenario: x\nconfig: {config}\nsteps:\n  - turn: a\n    user: Hello.\n    do:\n{do}")


def lines(run: Run, kind: str) -> list[Any]:
    return [line for line in run.trace.lines if line["type"] == kind]


def missed(run: Run) -> list[tuple[str, str, str]]:
    return [("/".join(map(str, each.pointer)), each.expected, each.seen) for each in run.failures]
