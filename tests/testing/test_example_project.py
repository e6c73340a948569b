"""The example project's tests pass; and fail where a memory system is broken."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "docs/examples/helpdesk"
PLUGIN = [] if entry_points(group="pytest11", name="seatrial") else ["-p", "seatrial.pytest_plugin"]
BROKEN = """
import os
from seatrial.simulator.faults import FAULTS, altered

lasting = altered(FAULTS[os.environ["FAULT"]])
lasting.__enter__()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(PROJECT, tmp_path / "helpdesk", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    (tmp_path / "broken.py").write_text(BROKEN, encoding="utf-8")
    return tmp_path / "helpdesk"


def run(project: Path, *arguments: str, fault: str = "") -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(project.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    plugins = [*PLUGIN, *(["-p", "broken"] if fault else [])]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *plugins, *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": path, "PYTEST_ADDOPTS": "", "FAULT": fault},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def outcomes(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """The outcome of each test by its name."""
    found = re.findall(r"^(PASSED|FAILED) \S+?::(\S+)", done.stdout, re.MULTILINE)
    assert found, done.stdout + done.stderr
    return {name.split("::")[-1] if name != "TestDesk::runTest" else name: outcome for outcome, name in found}


def test_its_tests_pass(project: Path) -> None:
    done = run(project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {"refund", "TestDesk::runTest", "test_every_invariant_holds"} <= outcomes(done).keys()
    assert "8 passed" in done.stdout


def test_they_fail_where_a_view_forgets_the_session(project: Path) -> None:
    """VIEW-2: each that plays the engine, and each says why."""
    playing = ["tests/test_isolation.py::test_every_invariant_holds", "tests/test_machine.py", "tests/test_one_case.py"]
    done = run(project, *playing, "tests/test_our_notes.py", "scenarios", fault="foreign-session-in-view")
    found = outcomes(done)
    assert [name for name, outcome in found.items() if outcome == "PASSED"] == [
        "test_no_account_finds_notes_of_another",
        "test_what_is_said_of_isolation_was_looked_for",
    ]
    assert len(found) == 6
    assert "session-isolation is violated (VIEW-2)" in done.stdout
    assert "The scenario, which `seatrial run` takes" in done.stdout


@pytest.mark.parametrize("fault", ["rollback-keeps", "preview-writes-live"])
def test_the_machine_finds_what_no_case_shows(fault: str, project: Path) -> None:
    """TXN-2, PRE-1"""
    found = outcomes(run(project, "tests/test_machine.py", "tests/test_one_case.py", fault=fault))
    assert found == {"TestDesk::runTest": "FAILED", "test_a_refund_that_is_granted_to_one_account": "PASSED"}


def test_a_memory_system_of_its_own_that_forgets_the_account_is_found(project: Path) -> None:
    """VIEW-2"""
    notes = project / "notes.py"
    text = notes.read_text(encoding="utf-8")
    assert text.count(' and note["account"] == account') == 1
    notes.write_text(text.replace(' and note["account"] == account', ""), encoding="utf-8")
    done = run(project, "tests/test_our_notes.py")
    assert set(outcomes(done).values()) == {"FAILED"}
    assert "because it belongs to session account-17, and session account-22 sees its own only" in done.stdout
