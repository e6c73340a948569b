"""The options that say who runs what a command has to run, and the crew that they mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from seatrial.simulator.crew import Crew

_Command = TypeVar("_Command", bound=Callable[..., Any])

_MOST = 1024  # processes; more is a slip


def _jobs(_: click.Context, __: click.Parameter, value: str) -> int:
    if value in ("auto", "0"):
        from seatrial.simulator.processes import cores

        return cores()
    if not (value.isascii() and value.isdigit() and int(value) <= _MOST):
        raise click.BadParameter(f"{value!r} is no number of processes: a whole number up to {_MOST}, or auto")
    return int(value)


def options(command: _Command) -> _Command:
    """Gives a command `jobs`."""
    return click.option(
        "-j",
        "--jobs",
        callback=_jobs,
        default="1",
        metavar="N",
        help="Work in N processes; 0 or auto: one for each core. The results are the same, in the same order.",
    )(command)


def crew(jobs: int, items: int) -> Crew:
    """The crew for so many items. Whoever is in it starts to load at once."""
    from seatrial.simulator.crew import Crew

    workers = min(jobs, items)
    if workers < 2:
        return Crew()
    from seatrial.simulator.processes import processes

    return processes(workers, ["seatrial.simulator.replay", "seatrial.simulator.mutate"])
