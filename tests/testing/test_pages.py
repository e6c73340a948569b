"""docs/testing.md and docs/pytest.md as a newcomer follows them: their files in an empty folder, and their commands."""

from __future__ import annotations

import inspect
import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from seatrial.testing import configs, scripts

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (\S+\.\w+)\n")
PLUGIN = "" if entry_points(group="pytest11", name="seatrial") else "-p seatrial.pytest_plugin"


def followed(page: str, folder: Path) -> list[str]:
    """Writes the files of a page below `folder`, and gives its pytest commands."""
    commands: list[str] = []
    for language, block in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        named = NAMED.match(block)
        if named is not None:
            path = folder / named[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block, encoding="utf-8")
        elif language == "sh":
            commands += [line.partition("#")[0].strip() for line in block.splitlines() if line.startswith("pytest")]
        else:
            assert language == "pycon", f"{page} shows {language} that is in no file"
    return commands


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(command)
    assert program == "pytest"
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env={**os.environ, "PYTEST_ADDOPTS": PLUGIN},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize(("page", "passed"), [("testing.md", 2), ("pytest.md", 3)])
def test_the_files_of_a_page_pass_as_they_are_shown(page: str, passed: int, tmp_path: Path) -> None:
    followed(page, tmp_path)
    done = run("pytest", tmp_path)
    assert f"{passed} passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


def test_the_commands_of_the_page_do_what_it_says(tmp_path: Path) -> None:
    commands = followed("pytest.md", tmp_path)
    assert len(commands) == 4
    *within, without = commands
    for command, passed in zip(within, (1, 3, 2), strict=True):
        done = run(command, tmp_path)
        assert f"{passed} passed" in done.stdout, command + done.stdout + done.stderr
    assert without == "pytest -p no:seatrial"


@pytest.mark.parametrize(("strategy", "given"), [(scripts, "DESK, "), (configs, "")])
def test_every_argument_of_a_strategy_is_shown_with_an_example_that_is_taken(strategy: Any, given: str) -> None:
    text = (DOCS / "testing.md").read_text(encoding="utf-8")
    table = text.partition(f"| `{strategy.__name__}({'configs, ' if given else ''}…)` | |\n")[2].partition("\n\n")[0]
    examples = [each for row in table.splitlines() for each in re.findall("`(\\w+=.+?)`", row.split("|")[1])]
    shown = [example.partition("=")[0] for example in examples]
    assert shown == [name for name in inspect.signature(strategy).parameters if name != "configs"]
    for example in examples:
        eval(f"strategy({given}{example})", {"strategy": strategy, "DESK": {"harness": {}}})
