"""How a command ends when its output has nowhere to go."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from seatrial.cli import COMMANDS, cli

FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no device here is always full")
@pytest.mark.parametrize("arguments", [["rules"], ["schema", "agent"], ["lint", "-"]], ids=lambda words: words[0])
def test_a_full_device_is_told_and_is_no_bug_of_ours(arguments: list[str]) -> None:
    with FULL.open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "seatrial", *arguments],
            input="{}",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert run.returncode == 2
    assert run.stderr == "seatrial: No space left on device\n"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_help_that_lists_exit_codes_lists_that_of_a_closed_pipe(name: str) -> None:
    _, stated, codes = CliRunner().invoke(cli, [name, "--help"]).stdout.partition("Exit codes:")
    assert not stated or "141 the reader" in codes
