"""What was checked over many scenarios: `checks` fails a test in which nothing could have shown a violation."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token
from functools import wraps
from inspect import iscoroutinefunction, isgeneratorfunction
from types import TracebackType
from typing import Any, Self, TypeVar

from seatrial.linter.report import counted
from seatrial.simulator.invariants import Verdict

from .given import invariants_of, shown, whole

Test = TypeVar("Test", bound=Callable[..., Any])

_MOST_TOLD = 8
_counting: ContextVar[tuple[checks, ...]] = ContextVar("seatrial_counting", default=())


class checks(AbstractContextManager["checks"]):  # noqa: N801 - a decorator, named like one
    """Sums over a test what `check`, `check_trace` and a MemoryMachine check, and fails it where that is nothing.

    A decorator of a test, above Hypothesis's own, or of a state machine's TestCase; or a context manager:

        @checks("session-isolation", "plane-isolation")
        @given(scripts(CONFIGS))
        def test_isolation(document): check(document)

    A single script may have nothing to check, the whole search must: each of `invariants` had at least `at_least`
    probes, else the test fails with an AssertionError that says what was checked instead. Second runs can be named
    where they are made. As a context manager it has `scenarios` and `turns`, counted, and `probes(name)`.

    Raises TypeError and ValueError for names that are no invariants, and for an `at_least` that is no number from 1.
    """

    def __init__(self, *invariants: str, at_least: int = 1) -> None:
        self._wanted = invariants_of(invariants, "checks", example="checks('session-isolation')")
        self._at_least = whole(at_least, "at_least")
        self._probes: Counter[str] = Counter()
        self.scenarios = 0
        self.turns = 0

    def probes(self, invariant: str) -> int:
        """How often something could have shown a violation of `invariant` so far. ValueError: it is no invariant."""
        (name,) = invariants_of([invariant], "probes")
        return self._probes[name]

    def __enter__(self) -> Self:
        self._before = self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        __tracebackhide__ = True
        _counting.reset(self._before)
        if kind is None:
            self._assert()

    def __call__(self, test: Test) -> Test:
        """The test, which fails where too little was checked in it. Of a class its `runTest` is the test."""
        if not self._wanted:
            raise TypeError("@checks(…) names what the test must check, as in @checks('session-isolation')")
        if isinstance(test, type):
            if not hasattr(test, "runTest"):
                raise TypeError(f"{test.__name__} is no test: decorate the TestCase of a machine, or a function")
            test.runTest = self(test.runTest)
            return test
        if not callable(test):
            raise TypeError(f"@checks(…) decorates a test; this is {shown(test)}")
        if iscoroutinefunction(test) or isgeneratorfunction(test):
            raise TypeError("@checks(…) ends with the call: in a test that goes on afterwards write `with checks(…):`")

        @wraps(test)
        def summed(*arguments: Any, **named: Any) -> Any:
            __tracebackhide__ = True
            if within_example():
                raise TypeError("@checks(…) sums over all examples: write it above @given")
            # What stands above is Hypothesis's to find below: @settings, @seed, @reproduce_failure.
            vars(test).update({key: stated for key, stated in vars(summed).items() if key != "__wrapped__"})
            sums = checks(*self._wanted, at_least=self._at_least)
            before = sums._begin()
            try:
                found = test(*arguments, **named)
            finally:
                _counting.reset(before)
            sums._assert()
            return found

        return summed  # type: ignore[return-value]  # it takes what `test` takes

    def _begin(self) -> Token[tuple[checks, ...]]:
        self._probes.clear()
        self.scenarios = self.turns = 0
        return _counting.set((*_counting.get(), self))

    def _assert(self) -> None:
        __tracebackhide__ = True
        missing = [name for name in self._wanted if self._probes[name] < self._at_least]
        if not missing:
            return
        played = f"{counted(self.scenarios, 'scenario')} with {counted(self.turns, 'turn')}"
        least = self._at_least
        told = " and ".join(
            f"{name} was checked {counted(n, 'time')}, of {least} asked for"
            if (n := self._probes[name])
            else f"{name} had nothing to check"
            for name in missing
        )
        others = [f"{name} {n}" for name, n in self._probes.most_common(_MOST_TOLD)]
        raise AssertionError(
            f"in {played} {told}\n"
            f"most was checked of: {', '.join(others) or 'nothing'}\n"
            f"play more (max_examples), or what it is about: `seatrial rules {missing[0]}` says what that is"
        )


def count(verdicts: Iterable[Verdict], turns: int) -> None:
    """A scenario or a trace was judged: add it to what is being counted, and to Hypothesis's statistics."""
    probed = {verdict.name: verdict.probes for verdict in verdicts if verdict.probes}
    for counting in _counting.get():
        counting.scenarios += 1
        counting.turns += turns
        counting._probes.update(probed)
    if within_example():
        from hypothesis import event

        for name in probed:
            event(f"{name} was checked")


def within_example() -> bool:
    """Whether Hypothesis plays an example just now."""
    if sys.modules.get("hypothesis") is None:  # None: its import is forbidden
        return False
    from hypothesis import currently_in_test_context

    return currently_in_test_context()
