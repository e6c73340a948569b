"""What is shipped passes what it is shipped with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from seatrial.cli import cli

ROOT = Path(__file__).parents[2]


def test_the_suites_configs_lint_clean_infos_included(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(cli, ["lint", "--strict", "scenarios"])
    assert done.exit_code == 0
    assert re.fullmatch(r"[1-9][0-9]* configs, nothing found\n", done.output), done.output
