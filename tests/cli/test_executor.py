"""`--executor`: a real dask cluster on loopback gives the same bytes, and loses no verdict when a worker is killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import chores
import loopback
import pytest
from distributed.comm import CommClosedError

from seatrial.simulator import cluster as module
from seatrial.simulator.cluster import ClusterError, OtherVersionError, cluster, trouble
from seatrial.simulator.crew import Lost

ISOLATION = Path(__file__).parents[2] / "scenarios" / "isolation"
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(sys.path),
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",  # else each death is tried on four workers
}


@contextmanager
def running(folder: Path, path: str = "") -> Iterator[tuple[subprocess.Popen[str], str, list[int]]]:
    """A cluster whose processes stand in `folder`: the process, the address, and its workers."""
    process = subprocess.Popen(
        [sys.executable, loopback.__file__],
        cwd=folder,
        env=ENVIRONMENT if not path else {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join([path, *sys.path])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        port, *pids = process.stdout.readline().split()
        yield process, f"dask://127.0.0.1:{port}", [int(pid) for pid in pids]
        process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[int]]]:
    with running(tmp_path_factory.mktemp("elsewhere")) as (_, address, pids):
        yield address, pids


def start(*arguments: str, here: Path = ISOLATION.parent) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "seatrial", *arguments]
    return subprocess.Popen(command, cwd=here, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(*arguments: str, here: Path = ISOLATION.parent) -> tuple[int, bytes, bytes]:
    process = start(*arguments, here=here)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


@pytest.mark.parametrize("more", [[], ["--config", "configs/reconciler.v2.yaml"]], ids=["as-written", "on-a-config"])
def test_run_says_and_keeps_the_same_bytes_though_the_workers_have_no_file(
    dask: tuple[str, list[int]], tmp_path: Path, more: list[str]
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    arguments = ["run", "isolation", "--format", "json", *more]
    there = run(*arguments, "--trace", str(two), "--executor", dask[0])
    assert there == run(*arguments, "--trace", str(one))
    kept = {path.name: path.read_bytes() for path in one.rglob("*.jsonl")}
    assert kept == {path.name: path.read_bytes() for path in two.rglob("*.jsonl")}
    assert there[0] == 0
    assert kept


def test_mutate_says_the_same_bytes(dask: tuple[str, list[int]]) -> None:
    arguments = ["mutate", "isolation", "-k", "foreign", "--format", "json"]
    there = run(*arguments, "--executor", dask[0])
    assert there == run(*arguments)
    assert there[0] == 0


def test_fuzz_says_the_same_bytes_though_a_worker_dies(tmp_path: Path) -> None:
    arguments = ["fuzz", "configs", "--max-examples", "70", "--no-database", "--format", "json"]
    alone = run(*arguments)
    with running(tmp_path) as (_, address, pids):
        there = start(*arguments, "--executor", address)
        os.kill(pids[0], signal.SIGKILL)
        out, err = there.communicate(timeout=120)
        assert (there.returncode, out, err) == alone
    assert alone[0] == 0
    assert list(tmp_path.iterdir()) == []  # nor do they keep any


def test_a_worker_that_dies_loses_no_result(dask: tuple[str, list[int]], tmp_path: Path) -> None:
    with cluster(dask[0]) as crew:
        task = partial(chores.dies, of=2, once=tmp_path / "died")
        assert list(crew.results(task, range(8))) == list(range(8))
    assert (tmp_path / "died").exists()


def test_only_what_kills_its_worker_each_time_is_lost(dask: tuple[str, list[int]]) -> None:
    with cluster(dask[0]) as crew:
        assert list(crew.results(partial(chores.dies, of=2), range(6))) == [0, 1, Lost(2), 3, 4, 5]


def test_what_a_task_raises_is_raised_in_its_place(dask: tuple[str, list[int]]) -> None:
    with cluster(dask[0]) as crew:
        results = crew.results(chores.refused, [0, 1, 2, 3, 4])
        assert [next(results), next(results), next(results)] == [0, 1, 2]
        with pytest.raises(ValueError, match="three"):
            next(results)


def test_another_version_in_a_worker_is_told(dask: tuple[str, list[int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "__version__", "99.0")
    with cluster(dask[0]) as crew, pytest.raises(ClusterError, match=r"seatrial 0\.1\.0, and this is 99\.0"):
        list(crew.results(chores.doubled, [1]))


def test_a_worker_whose_disk_is_full_is_told(dask: tuple[str, list[int]]) -> None:
    with cluster(dask[0]) as crew, pytest.raises(ClusterError, match="the cluster could not go on: No space left"):
        list(crew.results(chores.full, [1]))


def test_a_cluster_without_seatrial_is_told(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['seatrial'] = None\n", encoding="utf-8")
    with running(tmp_path, path=str(tmp_path)) as (_, address, _):
        code, out, err = run("run", "isolation", "--executor", address)
    assert (code, out) == (2, b"")
    assert err == b"Error: a worker of the cluster has no seatrial 0.1.0: pip install 'seatrial==0.1.0' where it runs\n"


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ModuleNotFoundError("No", name="hypothesis"), r"has no hypothesis, .*: pip install 'seatrial\[fuzz\]==0"),
        (RuntimeError("Error during deserialization of the task graph."), "needs the versions of Python and of dask"),
        (OtherVersionError("it has another"), "it has another"),
        (CommClosedError("Stream is closed"), "the scheduler at tcp://here:1 is gone: .*; `dask scheduler` starts one"),
        (RuntimeError("of another kind"), None),
        (KeyError("a slip of ours"), None),
    ],
)
def test_what_is_wrong_with_a_cluster_is_told_with_what_to_do(raised: Exception, told: str | None) -> None:
    said = trouble(raised, "tcp://here:1")
    assert (said is None) == (told is None)
    assert told is None or re.search(told, said or "")


def test_a_killed_worker_loses_no_verdict_and_a_scheduler_that_goes_is_told(tmp_path: Path) -> None:
    with running(tmp_path) as (process, address, pids):
        ending = start("run", "isolation", "--executor", address)
        os.kill(pids[0], signal.SIGKILL)
        out, err = ending.communicate(timeout=120)
        assert (ending.returncode, out, err) == run("run", "isolation")
        with cluster(address) as crew:
            results = crew.results(chores.waits, [0.0, 60.0, 60.0])
            next(results)
            os.killpg(process.pid, signal.SIGKILL)
            with pytest.raises(ClusterError, match="is gone"):
                next(results)


def test_a_scheduler_that_goes_is_told_with_what_to_do_and_nothing_else(tmp_path: Path) -> None:
    with running(tmp_path) as (process, address, _):
        asked = start("mutate", ".", "--executor", address)
        time.sleep(4.0)  # of a minute; on a slow machine it may not have come to the scheduler yet
        os.killpg(process.pid, signal.SIGKILL)
        out, err = asked.communicate(timeout=120)
    assert (asked.returncode, out) == (2, b"")
    told = (
        rb"Error: (the scheduler at \S+ is gone: .*|no scheduler of dask answers at \S+); `dask scheduler` starts one\n"
    )
    assert re.fullmatch(told, err), err


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CONNECT", 0.5)
    with pytest.raises(ClusterError, match=r"no scheduler of dask answers at tcp://127\.0\.0\.1:9"):
        cluster("dask://127.0.0.1:9")


@pytest.mark.parametrize(
    "address", ["dask://", "dask://host", "tcp://host:1", "dask://host:1/path", "dask://host:99999"]
)
def test_no_address(address: str) -> None:
    with pytest.raises(ClusterError, match="it is written dask://HOST:PORT"):
        cluster(address)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install '\.\[dask\]'"):
        cluster("dask://127.0.0.1:9")


@pytest.mark.parametrize("more", [["-j", "2"], ["--store", "kept.sqlite"]])
def test_what_does_not_go_with_it(more: list[str]) -> None:
    code, _, err = run("run", "isolation", "--executor", "dask://no address", *more)
    assert code == 2
    assert b"--executor" in err
