"""`seatrial run --store`: a store that cannot be kept is told with exit code 2, never by a traceback (TXN-4)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

SCENARIO = """
scenario: a turn with a result
config: {harness: {memory: {enabled: true, tools: [add_memory]}}}
steps:
  - turn: a
    do:
      - tool: {name: fetch, tokens: 20000}
      - reply: Done.
"""
# All that a run loads is loaded first: another user may not reach this Python's files.
CHILD = """
import os, resource
from pathlib import Path
from seatrial.cli import main
from seatrial.simulator.load import Loader
from seatrial.simulator.suite import judge, read
judge(read(Path("a.scenario.yaml"), Loader()))
import seatrial.simulator.replay
import seatrial.simulator.report.text
"""


def run(folder: Path, store: str, first: str = "") -> subprocess.CompletedProcess[str]:
    """`seatrial run --store`, in a process of its own that runs `first` before."""
    (folder / "a.scenario.yaml").write_text(SCENARIO, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", f"{CHILD}{first}\nmain()", "run", "a.scenario.yaml", "--store", store]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def refused(folder: Path, store: str, first: str = "") -> str:
    """What it says on standard error where it exits with 2."""
    done = run(folder, store, first)
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    assert "internal fault" not in done.stderr
    return done.stderr


def test_a_scenario_that_has_room_is_kept(tmp_path: Path) -> None:
    assert run(tmp_path, "kept.sqlite").returncode == 0
    assert (tmp_path / "kept.sqlite").stat().st_size > 50_000


@pytest.mark.parametrize(
    ("room", "expected"), [(0, "cannot be opened"), (9_000, "cannot be opened"), (250_000, "could not be read or")]
)
def test_a_full_disk(tmp_path: Path, room: int, expected: str) -> None:
    """While the store is made, and while the scenario runs."""
    said = refused(tmp_path, "kept.sqlite", f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))")
    assert expected in said
    assert "See that its disk has room" in said


def test_a_folder_that_is_not_there_or_is_a_file(tmp_path: Path) -> None:
    for place in ("none/kept.sqlite", "a.scenario.yaml/kept.sqlite"):
        said = refused(tmp_path, place)
        assert place in said
        assert "Name a" in said


def test_a_log_that_another_store_left(tmp_path: Path) -> None:
    (tmp_path / "kept.sqlite-wal").write_bytes(b"all that is left")
    assert "Bring back the file" in refused(tmp_path, "kept.sqlite")
    assert (tmp_path / "kept.sqlite-wal").read_bytes() == b"all that is left"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="becomes a user without permission")
@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_a_folder_without_permission(mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "closed").mkdir(mode)
        assert "closed/kept.sqlite" in refused(folder, "closed/kept.sqlite", "os.setuid(65534)")
