"""A suite against the catalogue of faults: which faults does it catch, by what, and which would it let through?

A fault that changes no line of a scenario's trace did not take effect there: it has not landed. One that landed is
caught where an expectation misses, where an invariant is violated, or where the engine itself breaks.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeAlias

from .crew import Crew, Lost
from .faults import Fault, altered
from .invariants import INVARIANTS, RERUNS, History
from .load import Loaded
from .runner import Run, run_script
from .script import Script
from .trace import Trace

State: TypeAlias = Literal["caught", "survived", "excused", "not landed", "lost"]

EXPECTATIONS = "expectations"
CRASH = "a crash of the engine"


class UnsoundError(ValueError):
    """A scenario that fails without any fault: what it catches would say nothing."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} fails without a fault")
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return UnsoundError, (self.path,)


@dataclass(frozen=True, slots=True)
class Sound:
    """A scenario that passes without a fault, and the digest of its trace then: all of a suite goes to each worker."""

    path: Path
    script: Script
    trace: bytes

    @classmethod
    def of(cls, scenario: Loaded) -> Sound:
        """Run it once. Raises UnsoundError where an expectation misses, an invariant is violated, or it breaks down."""
        return _sound((scenario.path, scenario.script))


def sound_suite(crew: Crew, scenarios: Iterable[Loaded]) -> list[Sound]:
    """Each as `Sound.of` gives it."""
    suite = []
    for found in crew.results(_sound, ((scenario.path, scenario.script) for scenario in scenarios)):
        if isinstance(found, Lost):
            raise UnsoundError(found.item[0])
        suite.append(found)
    return suite


def _sound(scenario: tuple[Path, Script]) -> Sound:
    path, script = scenario
    try:
        run = run_script(script)
    except Exception as broken:  # whatever a broken engine raises
        raise UnsoundError(path) from broken
    if run.failures or any(_violated(run)):
        raise UnsoundError(path)
    return Sound(path, script, _digest(run))


def _digest(run: Run) -> bytes:
    return sha256(run.trace.text.encode("utf-8")).digest()


@dataclass(frozen=True, slots=True)
class Kill:
    """A scenario that caught a fault, by its file, and by what: invariants, expectations, a crash."""

    path: Path
    by: tuple[str, ...]


@dataclass(slots=True)
class Fate:
    """What became of one fault. `landed` are the files of the scenarios whose trace it changed.

    Of one that is `lost` nothing is known: whoever tried it died, twice.
    """

    fault: Fault
    invariants_only: bool
    landed: list[Path] = field(default_factory=list)
    kills: list[Kill] = field(default_factory=list)
    lost: bool = False

    @property
    def state(self) -> State:
        if self.lost:
            return "lost"
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


def fate_of(
    fault: Fault,
    suite: Sequence[Sound],
    *,
    invariants_only: bool = False,
    first_only: bool = False,
) -> Fate:
    """What becomes of a fault in the suite. Second runs are made only where nothing else catches it.

    `invariants_only` leaves out what the scenarios expect, `first_only` stops at the first scenario that catches it.
    """
    fate = Fate(fault, invariants_only)
    for sound in suite:
        if not (first_only and fate.kills):
            _try(fate, sound)
    if not fate.kills:
        _try_again(fate, [each for each in suite if each.path in fate.landed])
    return fate


def fates(
    crew: Crew,
    faults: Sequence[Fault],
    suite: Sequence[Sound],
    *,
    invariants_only: bool = False,
    first_only: bool = False,
    done: Callable[[], None] = lambda: None,
) -> Iterator[Fate]:
    """What becomes of each fault, as `fate_of` says, in their order. `done` is called for each."""
    options = {"invariants_only": invariants_only, "first_only": first_only}

    def here(fault: Fault) -> Fate:
        return fate_of(fault, suite, **options)

    task = here if crew.here else partial(_fate_there, pickle.dumps(suite), options)
    for found in crew.results(task, faults, done):
        yield Fate(found.item, invariants_only, lost=True) if isinstance(found, Lost) else found


def _fate_there(packed: bytes, options: Mapping[str, bool], fault: Fault) -> Fate:
    """In a worker."""
    return fate_of(fault, _unpacked(packed), **options)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> list[Sound]:
    suite: list[Sound] = pickle.loads(packed)  # noqa: S301 - packed by `fates`
    return suite


def _try(fate: Fate, sound: Sound) -> None:
    """One run with the fault, judged by the expectations and by the invariants of a single run."""
    try:
        run = _run(fate.fault, sound.script, expectations=not fate.invariants_only)
    except Exception:  # whatever a broken engine raises
        fate.landed.append(sound.path)
        fate.kills.append(Kill(sound.path, (CRASH,)))
        return
    if _digest(run) == sound.trace:
        return
    fate.landed.append(sound.path)
    by = [EXPECTATIONS] if run.failures else []
    by += _violated(run)
    if by:
        fate.kills.append(Kill(sound.path, tuple(by)))


def _try_again(fate: Fate, landed: Sequence[Sound]) -> None:
    """Second runs of the scenarios in which the fault landed, until one catches it."""
    for sound in landed:
        runs = count(1)
        first = _run(fate.fault, sound.script, next(runs))

        def rerun(changed: Script, runs: Iterator[int] = runs) -> Trace:
            return _run(fate.fault, changed, next(runs)).trace

        for second in RERUNS:
            try:
                caught = bool(second.check(sound.script, first.trace, rerun).violations)
            except Exception:  # an engine that breaks on its second run
                fate.kills.append(Kill(sound.path, (CRASH,)))
                return
            if caught:
                fate.kills.append(Kill(sound.path, (second.name,)))
                return


def _run(fault: Fault, script: Script, number: int = 1, *, expectations: bool = False) -> Run:
    with altered(fault, number):
        return run_script(script, expectations=expectations)


def _violated(run: Run) -> Iterator[str]:
    history = History.parse(run.trace.lines)
    return (invariant.name for invariant in INVARIANTS if invariant.check(history).violations)
