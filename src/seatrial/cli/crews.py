"""The options that say who runs what a command has to run, and the crew that they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from seatrial.simulator.crew import Crew

_Command = TypeVar("_Command", bound=Callable[..., Any])

_MOST = 1024  # processes; more is a slip
_EACH = 4  # processes for a core: more would only take memory, and a hundred of them all of it


def _jobs(_: click.Context, __: click.Parameter, value: str) -> int:
    if value in ("auto", "0"):
        from seatrial.simulator.processes import cores

        return cores()
    if not (value.isascii() and value.isdigit() and int(value) <= _MOST):
        raise click.BadParameter(f"{value!r} is no number of processes: a whole number up to {_MOST}, or auto")
    return int(value)


def options(command: _Command) -> _Command:
    """Gives a command `jobs` and `executor`."""
    jobs = click.option(
        "-j",
        "--jobs",
        callback=_jobs,
        default="1",
        metavar="N",
        help="Work in N processes; 0 or auto: one for each core; never more than four for each. The results are the "
        "same, in the same order.",
    )
    executor = click.option(
        "--executor",
        metavar="dask://HOST:PORT",
        help="Work in a dask cluster, whose workers have this version of seatrial; they need no file of this machine.",
    )
    return jobs(executor(command))


@contextmanager
def crew(
    jobs: int,
    executor: str | None,
    items: int,
    modules: Sequence[str] = ("seatrial.simulator.replay", "seatrial.simulator.mutate"),
) -> Iterator[Crew]:
    """The crew for so many items, while it lasts. Whoever is in it starts to load `modules` at once."""
    from seatrial.simulator.crew import Crew

    if executor is not None:
        if jobs != 1:
            raise click.UsageError("-j is for processes of this machine: leave it out with --executor")
        from seatrial.simulator.cluster import ClusterError, cluster

        try:
            with cluster(executor) as hired:
                yield hired
        except (
            ClusterError
        ) as told:  # of the crew and what it gives: what else is raised meanwhile is not the cluster's
            raise click.ClickException(str(told)) from told
        return
    if min(jobs, items) < 2:
        with Crew() as hired:
            yield hired
        return
    from seatrial.simulator.processes import cores, processes

    workers = min(jobs, items, max(2, _EACH * cores()))
    with processes(workers, modules) as hired:
        yield hired
