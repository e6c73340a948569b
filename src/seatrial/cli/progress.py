"""A bar on a terminal that says how far a command is."""

from __future__ import annotations

import os
import sys

_WIDTH = 30


class Progress:
    """Counts what is done out of `total`, on standard error and only on a terminal. A context manager: it is gone then.

    What else is printed comes after `hide`, so that the bar never stands in the middle of it.
    """

    def __init__(self, total: int, what: str) -> None:
        self._total = total
        self._what = what
        self._done = 0
        self._shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> Progress:
        self._draw()
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()

    def step(self) -> None:
        """One more is done."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """So many are done."""
        self._done = done
        self._draw()

    def say(self, text: str) -> None:
        """In place of the bar, until the next step."""
        if self._shown:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    def hide(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _draw(self) -> None:
        if self._shown and self._total > 1:
            full = _WIDTH * self._done // self._total
            bar = "#" * full + "-" * (_WIDTH - full)
            sys.stderr.write(f"\r\x1b[K[{bar}] {self._done} of {self._total} {self._what}")
            sys.stderr.flush()
