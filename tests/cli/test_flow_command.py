"""`seatrial flow` as a command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def flow(*arguments: str, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "seatrial", "flow", *arguments]
    return subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("form", "start"), [("text", b"conv"), ("mermaid", b"flowchart"), ("dot", b"digraph"), ("svg", b"<svg")]
)
def test_each_format_begins_as_its_kind_does(tmp_path: Path, form: str, start: bytes) -> None:
    done = flow("-", "--format", form, cwd=tmp_path, stdin=b'{"harness": {}}')
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(start)


def test_a_config_with_errors_is_told_and_not_drawn(tmp_path: Path) -> None:
    done = flow("-", cwd=tmp_path, stdin=b'{"harnes": {}}')
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"ST101" in done.stderr
    assert b"fixable with --fix" not in done.stderr  # this command has no such option
    assert done.stderr.splitlines()[-1] == (
        b"seatrial: the flow can be told only of configs without errors; `seatrial lint --fix` corrects what is plain"
    )


def test_a_file_that_is_not_there_exits_2(tmp_path: Path) -> None:
    done = flow("gone.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"gone.yaml: cannot be read" in done.stderr
