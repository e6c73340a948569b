"""When Python looks for cycles. Knows nothing of what is run."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 50_000  # that may be made before cycles are looked for: some megabytes


@contextmanager
def few_collections() -> Iterator[None]:
    """For a run and its judgement, which keep most of what they make, for the trace, and leave few cycles behind.

    Python would look for cycles after every 700 objects, find none, and go through all that is kept again and again: a
    tenth of the time. What was set before is put back.
    """
    before = gc.get_threshold()
    if before[0]:  # 0: whoever calls us collects when they please
        gc.set_threshold(max(before[0], _OBJECTS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
