"""commute: neighbouring turns of sessions that do not inform each other may change places."""

from __future__ import annotations

from dataclasses import replace

from ...script import Script, TurnStep
from ..examples import HEADER, begin, context, deploy, end
from ..model import Unit, read
from ..verdict import Verdict
from .examples import script_of, turn_step
from .flows import flows
from .noninterference_sessions import by_session
from .second_run import Example, Lines, Rerun, SecondRun, TraceLike, difference, differing, history_of, looks, packed
from .without import frozen

NAME = "commute"


def check(script: Script, trace: TraceLike, rerun: Rerun) -> Verdict:
    """Two second runs: all even pairs of neighbours swapped, and all odd pairs, as far as they may be."""
    history = history_of(trace)
    allowed = flows(history)
    units = list(dict.fromkeys(turn.unit for turn in read(history).turns.values()))
    ids = frozen(script, history)
    checked = dict.fromkeys(_COUNTS, 0)
    found = []
    before = by_session(trace.lines)
    for first in (0, 1):
        swapped, pairs = _swapped(ids, first, allowed)
        if not pairs:
            continue
        checked["reruns"] += 1
        checked["pairs_swapped"] += len(pairs)
        after = by_session(rerun(swapped).lines)
        told = " and ".join(f"{one} with {other}" for one, other in pairs[:3]) + (" and more" if pairs[3:] else "")
        for unit in units:
            seen = before.get(unit, [])
            checked["lines"] += len(seen)
            checked["observations"] += looks(seen)
            differs = difference(seen, after.get(unit, []), packed(trace))
            if differs is not None:
                found.append(differing(NAME, "VIEW-2", trace.lines, differs, f"swapping {told}"))
    return Verdict.of(NAME, checked, found, checked["observations"])


def _swapped(script: Script, first: int, allowed: frozenset[tuple[Unit, Unit]]) -> tuple[Script, list[tuple[str, str]]]:
    """The script with neighbours swapped from place `first` on, two by two; and the turns of each pair."""
    steps = list(script.steps)
    start = sum(step.place < 0 for step in steps)
    pairs = []
    for place in range(start + first, len(steps) - 1, 2):
        one, other = steps[place], steps[place + 1]
        if isinstance(one, TurnStep) and isinstance(other, TurnStep) and _may_swap(one, other, allowed):
            steps[place], steps[place + 1] = other, one
            pairs.append((_label(one), _label(other)))
    return replace(script, steps=tuple(steps)), pairs


def _label(step: TurnStep) -> str:
    return f"{step.session or step.agent} turn {step.execution}"


def _may_swap(one: TurnStep, other: TurnStep, allowed: frozenset[tuple[Unit, Unit]]) -> bool:
    """Whole turns of two sessions without a flow between them, either way."""
    whole = "open" not in (one.outcome, other.outcome)
    units = ((one.agent, one.session), (other.agent, other.session))
    return whole and units[0] != units[1] and units not in allowed and units[::-1] not in allowed


_COUNTS = {
    "reruns": "second runs made, two at most",
    "pairs_swapped": "pairs of neighbouring turns that changed places",
    "lines": "lines compared, session by session",
    "observations": "contexts, calls and decisions among them; without one the verdict is unknown",
}


def _example(tokens: int) -> Lines:
    first = [begin("s0", "account-17", "Refunds?"), context("s0"), end("s0")]
    second = [begin("s1", "account-22", "Refunds?"), context("s1", tokens=tokens), end("s1")]
    return Lines((HEADER, deploy(), *first, *second))


_SCRIPT = script_of(turn_step(0, "account-17"), turn_step(1, "account-22"))

COMMUTE = SecondRun(
    name=NAME,
    clauses=("VIEW-2", "VIEW-1", "REC-2", "SCH-6"),
    holds_when=(
        "What each session observes stays the same byte for byte when neighbouring turns of two sessions without an "
        "allowed flow between them change places, each with its own time."
    ),
    change=(
        "neighbouring turns of different sessions without a flow between them are swapped: all even pairs, then all "
        "odd pairs"
    ),
    counts=_COUNTS,
    check=check,
    good=Example(_SCRIPT, _example(12), _example(12)),
    bad=Example(_SCRIPT, _example(12), _example(13)),
)
