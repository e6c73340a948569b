"""What settings make of findings: severities, per-file-ignores by rule and place, and entries that are of no use."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.linter import Diagnostic, read_text
from seatrial.linter.run import Run
from seatrial.linter.selection import Choice
from seatrial.linter.settings import Nearest
from seatrial.linter.settings.load import load
from seatrial.linter.settings.stages import Rulebook

LABELS = (
    '{"URL": {"number": 1, "description": "Where it was read."}, "Id": {"number": 1, "description": "Whose it is."}}'
)
CONFIG = f'{{"agent": "a", "harness": {{"memory": {{"enabled": true, "labels": {LABELS}}}}}}}'
BOTH = ["ST402 URL", "ST402 Id", "ST401 number"]


def told(
    folder: Path, settings: str, *, names: tuple[str, ...] = ("a/v1.json",), **choice: tuple[str, ...]
) -> list[Diagnostic]:
    """The findings in CONFIG under each of the names, in a folder with these settings."""
    path = folder / "seatrial.toml"
    path.write_text(settings, encoding="utf-8")
    run = Run(Rulebook(Choice(**choice), Nearest(load(str(path)))))
    return run.findings([read_text(CONFIG, path=str(folder / name)) for name in names], ())


def brief(found: list[Diagnostic]) -> list[str]:
    return [f"{each.code} {each.pointer[-1]}" for each in found]


@pytest.mark.parametrize(
    ("entry", "left"),
    [
        ("ST402", ["ST401 number"]),
        ("label-name", ["ST401 number"]),
        ("ST4", []),
        ("ST402:/harness/memory/labels/URL", ["ST402 Id", "ST401 number"]),
        ("ST4:/harness/memory/labels/Id", ["ST402 URL"]),
        ("ST4:/harness", []),
    ],
)
def test_per_file_ignores_go_by_rule_and_place(tmp_path: Path, entry: str, left: list[str]) -> None:
    """oasdiff#612: ignores that were tied to a message's wording came back with every rewording."""
    for pattern in ("v1.json", "*.json", "a", "a/v1.json", "**/v1.json"):
        assert brief(told(tmp_path, f'per-file-ignores = {{"{pattern}" = ["{entry}"]}}')) == left


def test_a_pointer_is_taken_step_by_step(tmp_path: Path) -> None:
    """langgraphjs#2721: /labels/U is no part of /labels/URL."""
    settings = 'per-file-ignores = {"a" = ["ST402:/harness/memory/labels/U"]}'
    assert brief(told(tmp_path, settings, ignore=("ST901",))) == BOTH


@pytest.mark.parametrize(
    ("pattern", "entry", "useless"),
    [
        ("a", "ST105", True),
        ("a", "ST402:/model", True),
        ("b", "ST402", False),  # no such file was linted
        ("a", "ST502", False),  # no other version was
        ("a", "ST1", True),
    ],
)
def test_an_entry_that_holds_nothing_back_is_told_where_it_would_have(
    tmp_path: Path, pattern: str, entry: str, useless: bool
) -> None:
    """foundry#16812: what is ignored stayed when its reason was long gone."""
    settings = f'\n[per-file-ignores]\n"{pattern}" = ["{entry}"]\n'
    found = [each for each in told(tmp_path, settings) if each.code == "ST901"]
    assert [each.span.line for each in found] == ([3] if useless else [])
    assert not any(each.code == "ST901" for each in told(tmp_path, settings, ignore=("ST901",)))
    assert not any(each.code == "ST901" for each in told(tmp_path, settings, ignore=(entry[:5],)))


def test_an_entry_is_of_use_if_it_holds_something_back_in_one_of_its_files(tmp_path: Path) -> None:
    settings = 'per-file-ignores = {"*.json" = ["ST402"], "b" = ["ST401"]}'
    found = told(tmp_path, settings, names=("a/x.v1.json", "b/y.v1.json"), ignore=("ST509",))
    assert [each.code for each in found] == ["ST401"]


def test_the_settings_give_the_severity_also_of_what_the_settings_themselves_are_told(tmp_path: Path) -> None:
    settings = '[severity]\nST4 = "info"\nlabel-name = "warning"\nST9 = "error"\n[per-file-ignores]\na = ["ST105"]\n'
    found = {each.code: each.severity for each in told(tmp_path, settings)}
    assert found == {"ST401": "info", "ST402": "warning", "ST901": "error"}


def test_the_longer_beginning_decides_within_a_layer_and_the_command_line_over_the_settings(tmp_path: Path) -> None:
    assert brief(told(tmp_path, 'select = ["ST402"]\nignore = ["ST4"]')) == BOTH[:2]
    assert brief(told(tmp_path, 'select = ["ST402"]', select=("ST401",))) == BOTH[2:]
    assert brief(told(tmp_path, 'ignore = ["ST402"]', ignore=("ST401",))) == []
