"""A memory system that breaks down while a scenario is played: what it raised, at which step, and where in its code."""

from __future__ import annotations

from dataclasses import dataclass
from traceback import walk_tb

from .script import Pointer

CRASH = "crash"
_LONGEST = 300  # characters of what was raised: it may hold all that the memory system does


@dataclass(frozen=True, slots=True)
class Crash:
    """One break-down, in plain values that any process may hand on. What comes after it in the scenario never ran.

    `step` is empty where it was at none: with the scenario's end. `second` is the second run in which it happened;
    None for the first.
    """

    raised: str  # KeyError: 'wire'
    place: str  # seatrial.engine.turn, line 12
    step: Pointer
    second: str | None = None

    @property
    def lines(self) -> tuple[str, str]:
        """In words, the same wherever it is told."""
        within = "" if self.second is None else f" in the second run of {self.second}"
        return f"the memory system broke down{within}: {self.raised}", f"raised in {self.place}"


def crash_of(error: Exception, step: Pointer = (), second: str | None = None) -> Crash:
    """What is told of an exception that left the memory system."""
    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    raised = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"
    *_, (frame, line) = walk_tb(error.__traceback__)
    return Crash(raised, f"{frame.f_globals.get('__name__', '?')}, line {line}", step, second)
