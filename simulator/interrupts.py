"""Ctrl-C, so that none is lost, and what else asks a command to end, so that it leaves nothing behind.

Python raises KeyboardInterrupt wherever the main thread happens to be. Within a callback of the garbage collector, of
which Hypothesis has one, or within a `__del__` it is printed and forgotten, and the work would go on to its end.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Ending:
    """While it lasts, SIGTERM and the SIGHUP of a closed terminal raise KeyboardInterrupt as Ctrl-C does.

    Only the first does: what ends already is let end. `by` is which it was. Those that are not left to the system,
    as by `nohup`, stay as they are.
    """

    def __init__(self) -> None:
        self.by: int | None = None
        self._mine: list[int] = []

    def __enter__(self) -> Ending:
        if threading.current_thread() is threading.main_thread():
            self._mine = [each for each in _ENDING if signal.getsignal(each) is signal.SIG_DFL]
        for each in self._mine:
            signal.signal(each, self)
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._mine:
            signal.signal(each, signal.SIG_DFL)

    def __call__(self, number: int, _: FrameType | None) -> None:
        if self.by is None:
            self.by = number
            raise KeyboardInterrupt


class Interrupts:
    """Between `begin` and `end` what raises KeyboardInterrupt is noted besides: a Ctrl-C, and what Ending is told.

    Who works in small pieces calls `look` before each. A third Ctrl-C ends the process as the system does. Nothing is
    changed outside the main thread, nor where a signal is ignored or somebody else's already.
    """

    def __init__(self) -> None:
        self._came = 0
        self._holding = False
        self._before: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._hook: Callable[[UnraisableHookArgs], Any] | None = None  # while it watches: what was there before

    def begin(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in (signal.SIGINT, *_ENDING):
            before = signal.getsignal(number)
            if before is signal.default_int_handler or isinstance(before, Ending):
                assert callable(before)
                self._before[number] = before
                signal.signal(number, self._caught)
        if self._before:
            self._hook, sys.unraisablehook = sys.unraisablehook, self._unraisable

    def end(self) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before.clear()
        if self._hook is not None:
            sys.unraisablehook, self._hook = self._hook, None

    def look(self) -> None:
        """Raises KeyboardInterrupt if there was one, whatever became of it."""
        if self._came:
            raise KeyboardInterrupt

    @contextmanager
    def held(self) -> Iterator[None]:
        """What comes meanwhile is noted only: what is begun here is done."""
        self._holding = True
        try:
            yield
        finally:
            self._holding = False

    def _caught(self, number: int, frame: FrameType | None) -> None:
        self._came += 1
        if self._came > 1 and number == signal.SIGINT:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            self._before[number](number, frame)
        except KeyboardInterrupt:
            if not self._holding:
                raise

    def _unraisable(self, lost: UnraisableHookArgs) -> None:
        """What is lost is told as ever, but for a Ctrl-C, which the next look raises again."""
        if self._hook is not None and not (self._came and lost.exc_type is KeyboardInterrupt):
            self._hook(lost)
