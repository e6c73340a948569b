"""The oracle: what a trace must satisfy, told without the engine."""

from __future__ import annotations

from .agent_isolation import AGENT_ISOLATION
from .history import History, TraceError
from .plane_isolation import PLANE_ISOLATION
from .reruns import RERUNS, Rerun, SecondRun, TraceLike
from .rollback_atomicity import ROLLBACK_ATOMICITY
from .session_isolation import SESSION_ISOLATION
from .verdict import Invariant, Verdict, Violation

INVARIANTS: tuple[Invariant, ...] = (SESSION_ISOLATION, AGENT_ISOLATION, PLANE_ISOLATION, ROLLBACK_ATOMICITY)

__all__ = [
    "INVARIANTS",
    "RERUNS",
    "History",
    "Invariant",
    "Rerun",
    "SecondRun",
    "TraceError",
    "TraceLike",
    "Verdict",
    "Violation",
]
