"""What a fault of the engine is, and how it is put in and taken out again. Knows no fault in particular."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


class Alteration:
    """Attributes of the engine's modules and classes that are changed for a while.

    `run` counts the runs of one script from 1, for what differs from run to run.
    """

    def __init__(self, run: int = 1) -> None:
        self.run = run
        self._real: list[tuple[Any, str, Any]] = []

    def put(self, target: Any, name: str, value: Any) -> None:
        """`target.name` is `value` until it is undone."""
        self._real.append((target, name, vars(target)[name]))
        setattr(target, name, value)

    def wrap(self, target: Any, name: str, make: Callable[[Any], Any]) -> None:
        """`target.name` is what `make` makes of it."""
        self.put(target, name, make(vars(target)[name]))

    def undo(self) -> None:
        while self._real:
            target, name, value = self._real.pop()
            setattr(target, name, value)


@dataclass(frozen=True, slots=True)
class Fault:
    """One small deviation of the engine from a clause: it alters a decision, never an answer on the way out.

    `deviation` completes the sentence "an engine in which …". `alter` puts it in, with a state of its own for each run.
    `unseen` says why no invariant can see it, so that only a scenario's expectations can; None: invariants must.
    """

    name: str
    clause: str
    deviation: str
    alter: Callable[[Alteration], None]
    unseen: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process a fault of the catalogue goes by its name: what it does is made of closures."""
        return _named, (self.name,)


def _named(name: str) -> Fault:
    from . import FAULTS

    return FAULTS[name]


@contextmanager
def altered(fault: Fault | None, run: int = 1) -> Iterator[None]:
    """While it lasts every engine in this process has the fault, none for None. `run` is which run of a script."""
    alteration = Alteration(run)
    try:
        if fault is not None:
            fault.alter(alteration)
        yield
    finally:
        alteration.undo()
