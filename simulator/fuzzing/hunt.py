"""One shard of a search: so many random scenarios with a seed of their own, until one fails; and the shrinking of it.

What a shard comes to depends on nothing but itself: not on who works on it, nor on the shards before it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.errors import Flaky, FlakyFailure, HypothesisWarning, Unsatisfiable

from ..as_yaml import dumped
from ..invariants import RERUNS, SecondRun
from .cast import Role
from .shorten import shortened
from .strategies import scenarios
from .tally import Tally
from .trial import EXPECTATIONS, Judged, Known, Problem, judged, known, script_of, second
from .wording import Document

SHARD = 10  # scenarios; docs/decisions/shards.md says why so many
SHRINKING = 60.0  # seconds at most, once something is found
_SHORTENED = 2000  # runs at most

# What second run an example has: none for a third of them, and more of those that see more.
_SECONDS = (
    [None] * 6
    + ["noninterference:sessions"] * 4
    + ["noninterference:preview", "noninterference:rollback", "noninterference:agents", "commute"] * 2
    + ["determinism", "restart-anywhere"]
)

Clock: TypeAlias = Callable[[], float]
Halted = Literal["time", "interrupt"]


@dataclass(frozen=True, slots=True)
class Prey:
    """What is searched: scenarios of these agents, with the seeds that follow from this number."""

    roles: tuple[Role, ...]
    number: int
    derived: bool

    @property
    def name(self) -> str:
        """Of the folder for what fails: with other agents it would be another scenario, pass, and be dropped."""
        about = repr(([role.name for role in self.roles], self.derived))
        return sha256(about.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Shard:
    """The part of a search with this number, from 0: so many examples, and so many seconds at most."""

    number: int
    examples: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Met:
    """A scenario that failed, as it was met: what is wrong first, in which shard, and which example of it, from 1."""

    document: Document
    problem: Problem
    shard: Shard
    place: int


@dataclass(slots=True)
class Tried:
    """What became of a shard: how many examples were judged, the last of them failing if something was met."""

    examples: int = 0
    tally: Tally = field(default_factory=Tally)
    met: Met | None = None
    halted: Halted | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A scenario that fails: shortened, what is wrong with it, and after how many examples it was met."""

    document: Document
    problem: Problem  # as it was met
    others: tuple[Problem, ...]  # what else is wrong, by any invariant
    examples: int
    steps: int  # of the scenario as it is handed out
    shrunk: bool  # False: it was stopped before it was as short as it gets
    kept: bool  # it was not drawn, but kept by an earlier search


class _Failed(Exception):  # noqa: N818 - tells Hypothesis that an example fails
    """The example fails in the way that is looked for."""


class _Over(BaseException):
    """The time is over. No Exception: Hypothesis would take it for a failure."""


_Example: TypeAlias = Callable[[Document, str | None], None]


def try_shard(
    prey: Prey, shard: Shard, clock: Clock, progress: Callable[[], None] = lambda: None, kept: Path | None = None
) -> Tried:
    """Judge the examples of a shard until one fails. An interrupt ends it with what it has.

    With `kept` the examples are those that this folder keeps as failing before, not random ones.
    """
    configs = known(prey.roles)
    until = None if shard.seconds is None else clock() + shard.seconds
    tried = Tried()

    def example(document: Document, again: str | None) -> None:
        if tried.met is not None:
            raise _Failed  # Hypothesis asks for it again
        if until is not None and clock() > until:
            raise _Over
        found = _judged(document, second(again), configs)
        tried.examples += 1
        tried.tally.trace(() if found.trace is None else found.trace.lines)
        tried.tally.verdicts(found.verdicts)
        if found.problems:
            tried.met = Met(document, found.problems[0], shard, tried.examples)
        progress()
        if tried.met is not None:
            raise _Failed

    try:
        _draw(prey, shard, example, [Phase.reuse if kept else Phase.generate], kept)
    except _Over:
        tried.halted = "time"
    except KeyboardInterrupt:
        tried.halted = "interrupt"
    return tried


class Shrinking:
    """The shortening of what was met. `best` is the shortest so far that fails in the same way.

    `look` raises KeyboardInterrupt where it is to end. `kept`: it was not drawn, but met in the database.
    """

    def __init__(self, prey: Prey, met: Met, clock: Clock, look: Callable[[], None], *, kept: bool) -> None:
        self._prey = prey
        self._met = met
        self._kept = kept
        self._look = look
        self._configs = known(prey.roles)
        self._clock = clock
        self._until = clock() + SHRINKING
        self._tries = 0
        self.best = met.document

    def shrink(self, database: Path | None) -> None:
        """Leave out what does not matter. What fails is kept in the folder `database`.

        Where it is an expectation that fails, Hypothesis shortens it first: what is stated is right for the scenario as
        it is drawn. The shard draws the same scenarios again, but those before the failing one are not judged again.
        """
        drawn = 0
        passing = 0 if self._kept else self._met.place - 1

        def example(document: Document, _: str | None) -> None:
            nonlocal drawn
            drawn += 1
            if drawn <= passing:
                return
            if self._clock() > self._until:
                raise _Over
            if not self._fails(document):
                return
            size, best = _size(document), _size(self.best)
            if size < best or (size == best and not self._kept):  # what was kept stays itself: its file has its name
                self.best = document
            raise _Failed

        expectation = self._met.problem.name == EXPECTATIONS
        phases = [Phase.reuse if self._kept else Phase.generate, *([Phase.shrink] if expectation else [])]
        with suppress(_Over):  # it is as short as it got
            _draw(self._prey, self._met.shard, example, phases, database)
        shortened(self.best, self._shorter, expectation=expectation)

    def found(self, examples: int, *, shrunk: bool) -> Found:
        """What is told of it, met after so many examples: all that any run of it shows."""
        met = self._met.problem
        found = _judged(self.best, RERUNS, self._configs, thorough=True)
        problem = found.like(met) or Problem(met.name, (f"{met.name}: it fails in some runs only",), met.second)
        others = tuple(each for each in found.problems if each != problem)
        return Found(self.best, problem, others, examples, len(self.best["steps"]), shrunk, self._kept)

    def _fails(self, document: Document) -> bool:
        self._look()
        met = self._met.problem
        return _judged(document, second(met.second), self._configs).like(met) is not None

    def _shorter(self, document: Document) -> bool:
        """Whether it fails in the same way; then it is the best."""
        if self._tries >= _SHORTENED or script_of(document, self._configs) is None:
            return False
        self._tries += 1
        if self._fails(document):
            self.best = document
            return True
        return False


def _judged(document: Document, seconds: tuple[SecondRun, ...], configs: Known, *, thorough: bool = False) -> Judged:
    script = script_of(document, configs)
    assert script is not None, "a random script is valid by construction"
    try:
        return judged(script, seconds, thorough=thorough)
    except Exception as fault:  # a memory system that breaks down is judged: this is ours
        fault.add_note(f"while this scenario was judged:\n\n{dumped(document)}")
        raise


def _draw(prey: Prey, shard: Shard, judge: _Example, phases: Sequence[Phase], database: Path | None) -> None:
    """Have `judge` called with the scenarios of a shard, in the order that Hypothesis has for them."""
    first = 1 if shard.number and Phase.generate in phases else 0  # it begins with the simplest, as shard 0 has done
    drawn = 0

    @settings(
        max_examples=shard.examples + first,
        database=None if database is None else DirectoryBasedExampleDatabase(database / prey.name),
        deadline=None,
        derandomize=False,
        phases=phases,
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @seed(prey.number << 32 | shard.number)  # below the settings: it takes the database away
    @given(scenarios(prey.roles, derived=prey.derived), st.sampled_from(_SECONDS))
    def example(document: Document, again: str | None) -> None:
        nonlocal drawn
        drawn += 1
        if drawn > first:
            judge(document, again)

    none_kept = (SkipTest, Unsatisfiable) if Phase.reuse in phases else ()
    with warnings.catch_warnings(), suppress(_Failed, Flaky, FlakyFailure, *none_kept):
        warnings.simplefilter("ignore", HypothesisWarning)
        example()


def _size(document: Mapping[str, Any]) -> tuple[int, int]:
    return len(document["steps"]), len(str(document))
