"""The search for a scenario that fails: Hypothesis draws, the memory system plays, the invariants judge.

A search is cut into shards (hunt.py), always the same ones, which a crew works through. They count in their order, up
to the first that met something: so a seed means the same scenarios, and the same bytes, whoever is in the crew. The
clock bounds the search and is seen in nothing else.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from ..crew import Crew, Lost
from .cast import Role
from .hunt import SHARD, Clock, Found, Halted, Met, Prey, Shard, Shrinking, Tried, try_shard
from .tally import Tally

Stopped = Literal["found", "examples"] | Halted


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search came to. `examples` counts those before something was found, and none that shrink it.

    `lost` are without a verdict: whoever worked on them died, twice.
    """

    seed: int
    stopped: Stopped
    examples: int
    found: Found | None
    tally: Tally
    lost: int = 0
    mended: bool = False  # what failed before passes now: it will be kept no longer


@dataclass(frozen=True, slots=True)
class Budget:
    """How far to search: examples, and seconds by `clock`, None for as long as it takes."""

    examples: int
    seconds: float | None
    clock: Clock


class _Search:
    """How far a search is."""

    def __init__(self, prey: Prey, budget: Budget, crew: Crew, progress: Callable[[int], None]) -> None:
        self.prey = prey
        self.budget = budget
        self.crew = crew
        self.until = None if budget.seconds is None else budget.clock() + budget.seconds
        self.progress = progress
        self.seen = 0  # examples, in whatever order
        self.examples = 0  # that count
        self.tally = Tally()
        self.lost = 0
        self.met: Met | None = None
        self.kept = False  # what was met is one that failed before
        self.mended = False
        self.halted: Halted | None = None

    def tries(self, database: Path | None) -> None:
        """Those that failed before, then random ones, until one fails."""
        try:
            if database is not None:
                self.known(database)
            if self.met is None and self.halted is None:
                self.random()
            self.crew.look()
        except KeyboardInterrupt:
            self.halted = "interrupt"

    def found(self, met: Met, shrinking: Callable[[], None] | None, database: Path | None) -> Found:
        """What was met, made shorter, of which `shrinking` is told; without it, or when interrupted, as it is."""
        shorter = Shrinking(self.prey, met, self.budget.clock, self.crew.look, kept=self.kept)
        if shrinking is None or self.halted == "interrupt":
            return shorter.found(self.examples, shrunk=False)
        try:
            shrinking()
            shorter.shrink(database)
        except KeyboardInterrupt:
            self.halted = "interrupt"
        return shorter.found(self.examples, shrunk=self.halted != "interrupt")

    def known(self, database: Path) -> None:
        """Those that failed before: a few, and in this process, which alone has them."""
        few = min(self.budget.examples, max(2, self.budget.examples // 10))
        self._count(self._here(Shard(0, few, self._left()), database))
        self.kept = self.met is not None
        self.mended = self.examples > 0 and self.met is None and self.halted is None

    def random(self) -> None:
        """The shards, until one met something."""
        crew = self.crew
        sent: deque[Shard] = deque()
        first = self.examples

        def shards() -> Iterator[Shard]:
            for number, start in enumerate(range(first, self.budget.examples, SHARD)):
                seconds = self._left()
                if seconds == 0:
                    self.halted = "time"
                    return
                sent.append(Shard(number, min(SHARD, self.budget.examples - start), seconds))
                yield sent[-1]

        def done() -> None:
            if not crew.here:
                self._step(SHARD)

        with closing(crew.results(self._here if crew.here else partial(_there, self.prey), shards(), done)) as results:
            for tried in results:
                shard = sent.popleft()
                if isinstance(tried, Lost):
                    self.lost += shard.examples
                else:
                    self._count(tried)
                if self.met is not None or self.halted == "interrupt":
                    return

    def _here(self, shard: Shard, database: Path | None = None) -> Tried:
        return try_shard(self.prey, shard, self.budget.clock, partial(self._step, 1), database)

    def _step(self, examples: int) -> None:
        self.seen = min(self.seen + examples, self.budget.examples)
        self.progress(self.seen)
        self.crew.look()

    def _left(self) -> float | None:
        return None if self.until is None else max(0.0, self.until - self.budget.clock())

    def _count(self, tried: Tried) -> None:
        self.examples += tried.examples
        self.tally.add(tried.tally)
        self.met = tried.met
        self.halted = tried.halted or self.halted


def search(
    roles: Sequence[Role],
    number: int,
    budget: Budget,
    *,
    derived: bool = True,
    database: Path | None = None,
    crew: Crew | None = None,
    progress: Callable[[int], None] = lambda examples: None,
    shrinking: Callable[[], None] = lambda: None,
    shrink: bool = True,
) -> Outcome:
    """Tries random scenarios of `roles` with the seed `number`, those that failed before first, until one fails.

    `database` is the folder that keeps what failed. Without a `crew` this process does it. `progress` is told how many
    were tried, `shrinking` is called when something is found. An interrupt ends the search with what it has. Without
    `shrink` a failure stays as it was met.
    """
    with nullcontext(crew) if crew is not None else Crew() as hired:
        state = _Search(Prey(tuple(roles), number, derived), budget, hired, progress)
        state.tries(database)
        found = None if state.met is None else state.found(state.met, shrinking if shrink else None, database)
    stopped: Stopped = "examples" if found is None else "found"
    if state.halted is not None and (found is None or state.halted == "interrupt"):
        stopped = state.halted
    return Outcome(number, stopped, state.examples, found, state.tally, state.lost, state.mended)


def _there(prey: Prey, shard: Shard) -> Tried:
    """In a worker, which has a clock of its own."""
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", _storage().name)
    return try_shard(prey, shard, time.monotonic)


@cache
def _storage() -> TemporaryDirectory[str]:
    """Where Hypothesis keeps what it knows of modules, until the worker ends: not in the folder where that stands."""
    return TemporaryDirectory(prefix="seatrial-", ignore_cleanup_errors=True)
