"""What the terminal takes."""

from __future__ import annotations

import os
import sys


def color() -> bool:
    """Colour only on a terminal that shows it, and never with NO_COLOR."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
