"""The invariants that need a second run of the same script, changed where it must not matter."""

from __future__ import annotations

from .determinism import DETERMINISM
from .noninterference_sessions import NONINTERFERENCE_SESSIONS
from .second_run import Rerun, SecondRun, TraceLike

RERUNS: tuple[SecondRun, ...] = (DETERMINISM, NONINTERFERENCE_SESSIONS)

__all__ = ["RERUNS", "Rerun", "SecondRun", "TraceLike"]
