"""Who is to blame where a command works in a cluster: the cluster only for what it did."""

from __future__ import annotations

import errno

import click
import pytest

from seatrial.cli.crews import crew
from seatrial.simulator import cluster as module
from seatrial.simulator.cluster import ClusterError
from seatrial.simulator.crew import Crew


@pytest.fixture(autouse=True)
def _near(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that answers at once."""
    monkeypatch.setattr(module, "cluster", lambda _: Crew())


@pytest.mark.parametrize(
    "raised",
    [
        ImportError("No module named 'hypothesis'", name="hypothesis"),
        RuntimeError("deserialization of our own"),
        OSError(errno.ENOSPC, "No space left on device"),
        KeyError("a slip"),
    ],
    ids=lambda raised: type(raised).__name__,
)
def test_what_goes_wrong_here_is_not_the_clusters(raised: Exception) -> None:
    with pytest.raises(type(raised)) as seen, crew(1, "dask://host:1", 2):
        raise raised
    assert seen.value is raised


def test_what_the_cluster_does_is_told_as_wrong_use() -> None:
    with pytest.raises(click.ClickException, match="the scheduler is gone"), crew(1, "dask://host:1", 2):
        raise ClusterError("the scheduler is gone")


@pytest.mark.parametrize(("jobs", "items", "hired"), [(1000, 1000, [8]), (3, 1000, [3]), (1000, 5, [5]), (1000, 1, [])])
def test_a_thousand_processes_are_a_slip_that_costs_no_machine_its_memory(
    jobs: int, items: int, hired: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def processes(workers: int, _: object) -> Crew:
        asked.append(workers)
        return Crew()

    monkeypatch.setattr("seatrial.simulator.processes.cores", lambda: 2)
    monkeypatch.setattr("seatrial.simulator.processes.processes", processes)
    with crew(jobs, None, items):
        assert asked == hired
