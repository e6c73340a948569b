"""The catalogue of engine faults: what a suite, and the oracle itself, must catch."""

from __future__ import annotations

from . import memory, records, turns, views
from .fault import Fault, altered

FAULTS: dict[str, Fault] = {
    fault.name: fault for fault in (*views.FAULTS, *turns.FAULTS, *records.FAULTS, *memory.FAULTS)
}

__all__ = ["FAULTS", "Fault", "altered"]
