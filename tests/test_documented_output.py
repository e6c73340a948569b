"""What README and the guide show is what the commands print: every console block is run.

A block is ```console; a line `$ seatrial …` is a command, the lines up to the next one are its output, a line `…`
stands for any number of lines, and `$ echo $?` after a command shows its exit code.
"""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for number, block in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), start=1):
            if "$ seatrial" in block:
                yield f"{page.relative_to(ROOT)}#{number}", block


def transcript(block: str) -> Iterator[tuple[str, list[str]]]:
    """(command, shown lines) pairs."""
    command, shown = "", list[str]()
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = line[2:], []
        else:
            shown.append(line)
    yield command, shown


def matches(shown: list[str], printed: list[str]) -> bool:
    pattern = "".join("(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


@pytest.mark.parametrize(("name", "block"), list(blocks()), ids=lambda value: value if "#" in value[:60] else "")
def test_console_block(name: str, block: str) -> None:
    code = 0
    for command, shown in transcript(block):
        if command == "echo $?":
            assert shown == [str(code)], f"{name}: exit code"
            continue
        program, *arguments = shlex.split(command)
        assert program == "seatrial", f"{name}: {command!r} is not a command of ours"
        run = subprocess.run(
            [sys.executable, "-m", "seatrial", *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        code = run.returncode
        assert matches(shown, run.stdout.splitlines()), f"{name}: $ {command}\n{run.stdout}"


def test_there_are_blocks_to_run() -> None:
    assert any(name.startswith("README.md") for name, _ in blocks())


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "```pycon" in page.read_text(encoding="utf-8")], ids=lambda page: page.name
)
def test_python_session(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


def test_python_c_commands_of_the_readme() -> None:
    commands = re.findall(r"^python -c '([^']*)'$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        run = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        assert run.stdout
