"""When Python looks for cycles. Knows nothing of what is run."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_OBJECTS = 50_000  # that may be made before cycles are looked for: some megabytes


class _Few:
    """How many want few collections now, in whatever thread: what was set before the first comes back after the last,
    for the threshold is that of the process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._wanted = 0
        self._before = gc.get_threshold()

    def begin(self) -> None:
        with self._lock:
            self._wanted += 1
            if self._wanted == 1:
                self._before = gc.get_threshold()
                if self._before[0]:  # 0: whoever calls us collects when they please
                    gc.set_threshold(max(self._before[0], _OBJECTS), *self._before[1:])

    def end(self) -> None:
        with self._lock:
            self._wanted -= 1
            if not self._wanted:
                gc.set_threshold(*self._before)


_FEW = _Few()


@contextmanager
def few_collections() -> Iterator[None]:
    """For a run and its judgement, which keep most of what they make, for the trace, and leave few cycles behind.

    Python would look for cycles after every 700 objects, find none, and go through all that is kept again and again: a
    tenth of the time. What was set before is put back. Threads may be within it at the same time.
    """
    _FEW.begin()
    try:
        yield
    finally:
        _FEW.end()
