"""restart-anywhere: closing and reopening the store between turns changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...script import ContinueStep, RestartStep, Script, Step, TurnStep
from ..events import End
from ..examples import HEADER, begin, context, deploy, end
from ..history import History
from ..verdict import Verdict
from .examples import script_of, turn_step
from .second_run import (
    Example,
    Line,
    Lines,
    Rerun,
    SecondRun,
    TraceLike,
    difference,
    differing,
    history_of,
    looks,
    packed,
)
from .without import pointer

NAME = "restart-anywhere"


def check(script: Script, trace: TraceLike, rerun: Rerun) -> Verdict:
    """One second run with a restart after every step after which no turn is open."""
    steps = list(_restarted(script, history_of(trace)))
    added = len(steps) - len(script.steps)
    first = _told(trace.lines)
    checked = {"restarts": added, "lines": len(first), "observations": looks(first)}
    found = []
    if added:
        differs = difference(first, _told(rerun(replace(script, steps=tuple(steps))).lines), packed(trace))
        if differs is not None:
            found.append(
                differing(NAME, "TXN-4", trace.lines, differs, "closing and reopening the store between turns")
            )
    return Verdict.of(NAME, checked, found, looks(first) if added else 0)


def _told(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line["type"] != "restart"]


def _restarted(script: Script, history: History) -> Iterator[Step]:
    failed = {event.turn: event.step for event in history.events if isinstance(event, End)}
    refused = {step.execution for step in script.steps if isinstance(step, TurnStep)} - set(failed)
    open_turns: set[str] = set()
    for step in script.steps:
        yield step
        if isinstance(step, RestartStep):
            open_turns.clear()
            continue
        if isinstance(step, TurnStep | ContinueStep) and step.execution not in refused:
            within = failed[step.execution].startswith(f"{pointer(step.pointer)}/do/")
            if step.outcome == "open" and not within:
                open_turns.add(step.execution)
            else:
                open_turns.discard(step.execution)
        if step.place >= 0 and not open_turns:
            yield RestartStep(step.place, step.pointer, step.at)


_SCRIPT = script_of(turn_step(0, "account-17"))


def _example(tokens: int) -> Lines:
    return Lines((HEADER, deploy(), begin("s0", "account-17", "Refunds?"), context("s0", tokens=tokens), end("s0")))


RESTART_ANYWHERE = SecondRun(
    name=NAME,
    clauses=("TXN-4",),
    holds_when=(
        "The whole trace stays the same byte for byte when the store is closed and opened again after every step after "
        "which no turn is open."
    ),
    change="the store is closed and reopened wherever no turn is open",
    counts={
        "restarts": "restarts put in",
        "lines": "lines compared",
        "observations": "contexts, calls, decisions and operators' calls among them; without one, or without a "
        "restart, the verdict is unknown",
    },
    check=check,
    good=Example(_SCRIPT, _example(12), _example(12)),
    bad=Example(_SCRIPT, _example(12), _example(13)),
)
