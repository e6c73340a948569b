"""The invariants that need a second run of the same script, changed where it must not matter."""

from __future__ import annotations

from .commute import COMMUTE
from .determinism import DETERMINISM
from .noninterference_agents import NONINTERFERENCE_AGENTS
from .noninterference_preview import NONINTERFERENCE_PREVIEW
from .noninterference_rollback import NONINTERFERENCE_ROLLBACK
from .noninterference_sessions import NONINTERFERENCE_SESSIONS
from .restart_anywhere import RESTART_ANYWHERE
from .second_run import Rerun, SecondRun, TraceLike, history_of

RERUNS: tuple[SecondRun, ...] = (
    DETERMINISM,
    NONINTERFERENCE_SESSIONS,
    NONINTERFERENCE_AGENTS,
    NONINTERFERENCE_PREVIEW,
    NONINTERFERENCE_ROLLBACK,
    RESTART_ANYWHERE,
    COMMUTE,
)

__all__ = ["RERUNS", "Rerun", "SecondRun", "TraceLike", "history_of"]
