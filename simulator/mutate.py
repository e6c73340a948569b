"""A suite against the catalogue of faults: which faults does it catch, by what, and which would it let through?

A fault that changes no line of a scenario's trace did not take effect there: it has not landed. One that landed is
caught where an expectation misses, where an invariant is violated, or where the engine itself breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .faults import Fault, altered
from .invariants import INVARIANTS, RERUNS, History
from .load import Loaded
from .runner import Run, run_script
from .script import Script
from .trace import Trace

State: TypeAlias = Literal["caught", "survived", "excused", "not landed"]

EXPECTATIONS = "expectations"
CRASH = "a crash of the engine"
Progress: TypeAlias = Callable[[int, int], None]  # runs done, runs in all


@dataclass(frozen=True, slots=True)
class Kill:
    """A scenario that caught a fault, by its title, and by what: invariants, expectations, a crash."""

    scenario: str
    by: tuple[str, ...]


@dataclass(slots=True)
class Fate:
    """What became of one fault. `landed` are the titles of the scenarios whose trace it changed."""

    fault: Fault
    invariants_only: bool
    landed: list[str] = field(default_factory=list)
    kills: list[Kill] = field(default_factory=list)

    @property
    def state(self) -> State:
        if self.kills:
            return "caught"
        if not self.landed:
            return "not landed"
        return "excused" if self.invariants_only and self.fault.unseen is not None else "survived"

    @property
    def by(self) -> tuple[str, ...]:
        """What caught it, in the order of the tables."""
        found = {each for kill in self.kills for each in kill.by}
        order = [EXPECTATIONS, *(each.name for each in INVARIANTS), *(each.name for each in RERUNS), CRASH]
        return tuple(each for each in order if each in found)


@dataclass(frozen=True, slots=True)
class _Sound:
    """A scenario as it runs without a fault."""

    script: Script
    trace: str
    failures: int


def mutate(
    scenarios: Sequence[Loaded],
    faults: Sequence[Fault],
    *,
    invariants_only: bool = False,
    first_only: bool = False,
    progress: Progress | None = None,
) -> list[Fate]:
    """The fate of each fault in the suite. Second runs are made only where nothing else catches a fault.

    `invariants_only` leaves out what the scenarios expect, `first_only` stops at the first scenario that catches a
    fault. Each scenario is to pass without a fault: see `unsound`.
    """
    sound = [_sound(scenario.script, invariants_only) for scenario in scenarios]
    fates = []
    for number, fault in enumerate(faults):
        fate = Fate(fault, invariants_only)
        for place, each in enumerate(sound):
            if not (first_only and fate.kills):
                _try(fate, each, invariants_only)
            if progress is not None:
                progress(number * len(sound) + place + 1, len(faults) * len(sound))
        if not fate.kills:
            _try_again(fate, [each for each in sound if each.script.scenario in fate.landed])
        fates.append(fate)
    return fates


def unsound(scenarios: Sequence[Loaded]) -> list[str]:
    """The titles of the scenarios that fail without any fault: what they catch says nothing."""
    return [
        scenario.script.scenario
        for scenario in scenarios
        if (run := run_script(scenario.script)).failures or any(_violated(run))
    ]


def _sound(script: Script, invariants_only: bool) -> _Sound:
    run = run_script(script, expectations=not invariants_only)
    return _Sound(script, run.trace.text, len(run.failures))


def _try(fate: Fate, sound: _Sound, invariants_only: bool) -> None:
    """One run with the fault, judged by the expectations and by the invariants of a single run."""
    title = sound.script.scenario
    try:
        run = _run(fate.fault, sound.script, expectations=not invariants_only)
    except Exception:  # whatever a broken engine raises
        fate.landed.append(title)
        fate.kills.append(Kill(title, (CRASH,)))
        return
    if run.trace.text == sound.trace:
        return
    fate.landed.append(title)
    by = [EXPECTATIONS] if len(run.failures) > sound.failures else []
    by += _violated(run)
    if by:
        fate.kills.append(Kill(title, tuple(by)))


def _try_again(fate: Fate, landed: Sequence[_Sound]) -> None:
    """Second runs of the scenarios in which the fault landed, until one catches it."""
    for sound in landed:
        first = _run(fate.fault, sound.script, expectations=False)

        def rerun(changed: Script) -> Trace:
            return _run(fate.fault, changed, expectations=False).trace

        for second in RERUNS:
            try:
                caught = bool(second.check(sound.script, first.trace, rerun).violations)
            except Exception:  # an engine that breaks on its second run
                fate.kills.append(Kill(sound.script.scenario, (CRASH,)))
                return
            if caught:
                fate.kills.append(Kill(sound.script.scenario, (second.name,)))
                return


def _run(fault: Fault, script: Script, *, expectations: bool) -> Run:
    with altered(fault):
        return run_script(script, expectations=expectations)


def _violated(run: Run) -> Iterator[str]:
    history = History.parse(run.trace.lines)
    return (invariant.name for invariant in INVARIANTS if invariant.check(history).violations)
