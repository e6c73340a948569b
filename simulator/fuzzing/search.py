"""The search for a scenario that fails: Hypothesis draws, the memory system plays, the invariants judge.

The clock bounds the search and is seen in nothing else: the same seed tries the same scenarios in the same order.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase
from hypothesis.errors import Flaky, FlakyFailure, HypothesisWarning

from .cast import Role
from .shorten import shortened
from .strategies import scenarios
from .tally import Tally
from .trial import EXPECTATIONS, Judged, Known, Problem, judged, known, script_of, second
from .writer import Document

SHRINKING = 60.0  # seconds at most, once something is found
_SHORTENED = 2000  # runs at most

# What second run an example has: none for half of them, and more of those that see more.
_SECONDS = (
    [None] * 12
    + ["noninterference:sessions"] * 3
    + ["noninterference:preview", "noninterference:rollback", "noninterference:agents", "commute"] * 2
    + ["determinism", "restart-anywhere"]
)

Stopped = Literal["found", "examples", "time", "interrupt"]


@dataclass(frozen=True, slots=True)
class Found:
    """A scenario that fails: shortened, what is wrong with it, and after how many examples it was met."""

    document: Document
    problem: Problem
    examples: int
    steps: int  # of the scenario as it is handed out
    shrunk: bool  # False: it was stopped before it was as short as it gets


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search came to. `examples` counts those before something was found, and none that shrink it."""

    seed: int
    stopped: Stopped
    examples: int
    found: Found | None
    tally: Tally


@dataclass(frozen=True, slots=True)
class Budget:
    """How far to search: examples, and seconds by `clock`, None for as long as it takes."""

    examples: int
    seconds: float | None
    clock: Callable[[], float]


class _Failed(Exception):  # noqa: N818 - tells Hypothesis that an example fails
    """The example fails in the way that is looked for."""


class _Over(BaseException):
    """The time is over. No Exception: Hypothesis would take it for a failure."""


class _Hunt:
    """One search: what was seen, and the best failure so far."""

    def __init__(self, roles: tuple[Role, ...], budget: Budget, progress: Callable[[int], None]) -> None:
        self.configs: Known = known(roles)
        self.budget = budget
        self.progress = progress
        self.tally = Tally()
        self.examples = 0
        self.until = None if budget.seconds is None else budget.clock() + budget.seconds
        self.wanted: str | None = None  # what shrinking keeps wrong
        self.best: Document | None = None
        self.drawn = 0

    def example(self, document: Document, again: str | None) -> None:
        """Raises _Failed where the scenario fails, and _Over where there is no time for it."""
        if self.until is not None and self.budget.clock() > self.until:
            raise _Over
        script = script_of(document, self.configs)
        assert script is not None, "a random script is valid by construction"
        found = judged(script, second(again if self.wanted is None else self.wanted))
        if self.wanted is None:
            self.count(found)
        problem = found.problems[0] if self.wanted is None and found.problems else found.problem(self.wanted or "")
        if problem is None:
            return
        if self.wanted is None:
            self.wanted = problem.name
            self.until = self.budget.clock() + SHRINKING
        if self.best is None or _size(document) <= _size(self.best):
            self.best = document
        raise _Failed(problem.name)

    def count(self, found: Judged) -> None:
        self.examples += 1
        self.tally.trace(() if found.trace is None else found.trace.lines)
        self.tally.verdicts(found.verdicts)
        self.progress(self.examples)

    def fails(self, document: Document) -> bool:
        """Whether it fails in the way that was found."""
        assert self.wanted is not None
        script = script_of(document, self.configs)
        if script is None or self.drawn >= _SHORTENED:
            return False
        self.drawn += 1
        return judged(script, second(self.wanted)).problem(self.wanted) is not None

    def found(self, *, shrunk: bool) -> Found | None:
        if self.best is None or self.wanted is None:
            return None
        document = shortened(self.best, self.fails, expectation=self.wanted == EXPECTATIONS) if shrunk else self.best
        script = script_of(document, self.configs)
        assert script is not None
        problem = judged(script, second(self.wanted)).problem(self.wanted)
        gone = Problem(self.wanted, (f"{self.wanted}: it fails in some runs only",))
        return Found(document, problem or gone, self.examples, len(document["steps"]), shrunk)


def search(
    roles: Sequence[Role],
    number: int,
    budget: Budget,
    *,
    derived: bool = True,
    database: Path | None = None,
    progress: Callable[[int], None] = lambda examples: None,
    shrink: bool = True,
) -> Outcome:
    """Tries random scenarios of `roles` with the seed `number`, those that failed before first, until one fails.

    `database` is the folder that keeps what failed. An interrupt ends the search with what it has. Without `shrink` a
    failure stays as it was met.
    """
    hunt = _Hunt(tuple(roles), budget, progress)
    kept: ExampleDatabase | None = None if database is None else DirectoryBasedExampleDatabase(database)

    @settings(
        max_examples=budget.examples,
        database=kept,
        deadline=None,
        derandomize=False,
        phases=[*([Phase.reuse] if kept else []), Phase.generate, *([Phase.shrink] if shrink else [])],
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @seed(number)  # below the settings: it takes the database away
    @given(scenarios(roles, derived=derived), st.sampled_from(_SECONDS))
    def example(document: Document, again: str | None) -> None:
        hunt.example(document, again)

    stopped: Stopped = "examples"
    shrunk = shrink
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)
            example()
    except (_Failed, Flaky, FlakyFailure):
        stopped = "found"
    except _Over:
        stopped = "time" if hunt.best is None else "found"
    except KeyboardInterrupt:
        stopped, shrunk = "interrupt", False
    return Outcome(number, stopped, hunt.examples, hunt.found(shrunk=shrunk), hunt.tally)


def _size(document: Mapping[str, Any]) -> tuple[int, int]:
    return len(document["steps"]), len(str(document))
