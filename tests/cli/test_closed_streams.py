"""Streams that were closed before the program began: nothing is said, and the exit code still tells."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_is_no_fault(tmp_path: Path, closed: str) -> None:
    (tmp_path / "v1.json").write_text('{"harness": 5}', encoding="utf-8")
    line = f'exec "$0" -m seatrial lint v1.json {closed}'
    ended = subprocess.run(["sh", "-c", line, sys.executable], cwd=tmp_path, capture_output=True, check=False)
    assert (ended.returncode, b"fault" in ended.stderr) == (1, False)
