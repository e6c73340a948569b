"""Property tests of memory and its isolation, for a project's own tests. docs/testing.md tells how they are written.

Each name is loaded when it is first used. The strategies and MemoryMachine need Hypothesis:
the extra `fuzz`. The others do without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .agents import configs, labels, records, versions
    from .checking import Failed, InvalidScenario, Result, check, check_trace
    from .counting import checks
    from .machine import MemoryMachine
    from .memory import Memory
    from .playing import OpenTurn
    from .scenarios import hostile_text, scenario_settings, scripts
else:
    _HOMES = {
        "checking": ("Failed", "InvalidScenario", "Result", "check", "check_trace"),
        "counting": ("checks",),
        "agents": ("configs", "labels", "records", "versions"),
        "machine": ("MemoryMachine",),
        "memory": ("Memory",),
        "playing": ("OpenTurn",),
        "scenarios": ("hostile_text", "scenario_settings", "scripts"),
    }

    def __getattr__(name):
        from importlib import import_module

        home = next((home for home, names in _HOMES.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            return getattr(import_module(f"{__name__}.{home}"), name)
        except ModuleNotFoundError as missing:
            if missing.name != "hypothesis":
                raise
            raise ImportError(
                f"{__name__}.{name} needs Hypothesis, which seatrial's extra `fuzz` installs", name=missing.name
            ) from None


__all__ = [
    "Failed",
    "InvalidScenario",
    "Memory",
    "MemoryMachine",
    "OpenTurn",
    "Result",
    "check",
    "check_trace",
    "checks",
    "configs",
    "hostile_text",
    "labels",
    "records",
    "scenario_settings",
    "scripts",
    "versions",
]
