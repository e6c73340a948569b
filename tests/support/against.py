"""Configs with labels, and what `seatrial lint --against REF` tells of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from click.testing import CliRunner

from seatrial.cli.lint import command


def config(head: str = "", /, scope: str = "[session]", labels: dict[str, int] | None = None, **more: int) -> str:
    """A config of some length, so that a rename with a change is still one to git."""
    declared = "".join(
        f"      {name}:\n        number: {number}\n        description: What {name} is, and when to set it.\n"
        for name, number in {**(labels or {}), **more}.items()
    )
    memory = f"  memory:\n    enabled: true\n    scope: {{read: {scope}, write: [session]}}\n    labels:\n{declared}"
    return f"{head}harness:\n{memory}"


class Told(NamedTuple):
    code: int
    found: list[str]  # PATH: CODE
    said: str  # on standard error
    text: str


def lint(*arguments: str, against: str = "HEAD") -> Told:
    asked = ["--select", "ST5,ST9,ST0", "--against", against, *arguments]
    run = CliRunner().invoke(command, ["--format", "concise", *asked])
    assert run.exception is None or isinstance(run.exception, SystemExit), run.exc_info
    found = re.findall(r"^(.*?):\d+:\d+: (ST\d+)", run.stdout, re.MULTILINE)
    return Told(run.exit_code, [f"{path}: {code}" for path, code in found], run.stderr, run.stdout)
