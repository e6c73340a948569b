"""Ctrl-C, so that none is lost.

Python raises KeyboardInterrupt wherever the main thread happens to be. Within a callback of the garbage collector, of
which Hypothesis has one, or within a `__del__` it is printed and forgotten, and the work would go on to its end.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sys import UnraisableHookArgs


class Interrupts:
    """Between `begin` and `end` a Ctrl-C is noted, besides that it raises KeyboardInterrupt as ever.

    Who works in small pieces calls `look` before each. A third Ctrl-C ends the process as the system does. Nothing is
    changed outside the main thread, nor where Ctrl-C is ignored or somebody else's already.
    """

    def __init__(self) -> None:
        self._came = 0
        self._hook: Callable[[UnraisableHookArgs], Any] | None = None  # while it watches: what was there before

    def begin(self) -> None:
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._hook, sys.unraisablehook = sys.unraisablehook, self._unraisable
            signal.signal(signal.SIGINT, self._caught)

    def end(self) -> None:
        if self._hook is not None:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.unraisablehook, self._hook = self._hook, None

    def look(self) -> None:
        """Raises KeyboardInterrupt if there was a Ctrl-C, whatever became of it."""
        if self._came:
            raise KeyboardInterrupt

    def _caught(self, _: int, __: FrameType | None) -> None:
        self._came += 1
        if self._came > 1:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        raise KeyboardInterrupt

    def _unraisable(self, lost: UnraisableHookArgs) -> None:
        """What is lost is told as ever, but for a Ctrl-C, which the next look raises again."""
        if self._hook is not None and not (self._came and lost.exc_type is KeyboardInterrupt):
            self._hook(lost)
