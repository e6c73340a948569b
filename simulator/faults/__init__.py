"""The catalogue of engine faults: what a suite, and the oracle itself, must catch."""

from __future__ import annotations

from . import contexts, memory, records, turns, versions, views
from .fault import Fault, altered

FAULTS: dict[str, Fault] = {
    fault.name: fault for theme in (views, turns, contexts, records, versions, memory) for fault in theme.FAULTS
}

__all__ = ["FAULTS", "Fault", "altered"]
