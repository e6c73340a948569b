"""`seatrial lint` with settings, selection and suppressions, as a command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# ST401 (error) at line 1, ST006 (warning) in v2.yaml
SHARED = (
    '{"harness": {"memory": {"enabled": true, "labels": '
    '{"a1": {"number": 5, "description": "Which a1."}, '
    '"b2": {"number": 5, "description": "Which b2."}}}}}\n'
)
WARNS = "agent: on\nharness: {}\n"


def lint(*arguments: str, cwd: Path, stdin: str = "") -> tuple[int, str, str]:
    command = [sys.executable, "-m", "seatrial", "lint", "--format", "concise", *arguments]
    done = subprocess.run(
        command, cwd=cwd, input=stdin, capture_output=True, check=False, timeout=60, encoding="utf-8", env=os.environ
    )
    return done.returncode, done.stdout, done.stderr


def codes(output: str) -> list[str]:
    return [line.split(" ")[1] for line in output.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shared.json").write_text(SHARED, encoding="utf-8")
    (tmp_path / "warns.yaml").write_text(WARNS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        ([], ["ST401", "ST006"], 1),
        (["--select", "ST4"], ["ST401"], 1),
        (["--select", "st0, shared-number"], ["ST401", "ST006"], 1),
        (["--select", "ST0", "--select", "ST1"], ["ST006"], 0),
        (["--ignore", "ST4"], ["ST006"], 0),
        (["--ignore", "ST4", "--strict"], ["ST006"], 1),
        (["--ignore", "ST", "--select", "ST401"], ["ST401"], 1),
        (["--ignore", "ST401", "--select", "ST4"], [], 0),
    ],
)
def test_select_ignore_and_strict(folder: Path, arguments: list[str], told: list[str], code: int) -> None:
    exit_code, output, _ = lint(*arguments, "shared.json", "warns.yaml", cwd=folder)
    assert (codes(output), exit_code) == (told, code)


@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize(
    ("word", "near"), [("ST510x", "ST5"), ("shared-numbr", "shared-number"), ("", "seatrial rules")]
)
def test_an_unknown_code_is_misuse_and_names_the_nearest(folder: Path, option: str, word: str, near: str) -> None:
    exit_code, output, error = lint(option, word, "shared.json", cwd=folder)
    assert (exit_code, output) == (2, "")
    assert "there is no rule" in error
    assert near in error


def test_the_command_line_stands_above_the_settings(folder: Path) -> None:
    (folder / "seatrial.toml").write_text('ignore = ["ST401"]\nselect = ["ST401", "ST4"]\n', encoding="utf-8")
    assert codes(lint("shared.json", "warns.yaml", cwd=folder)[1]) == []
    assert codes(lint("--select", "ST4", "shared.json", "warns.yaml", cwd=folder)[1]) == ["ST401"]
    assert codes(lint("--no-config", "shared.json", "warns.yaml", cwd=folder)[1]) == ["ST401", "ST006"]


def test_what_cannot_be_read_is_told_whatever_is_selected(folder: Path) -> None:
    (folder / "seatrial.toml").write_text(
        '[severity]\nST001 = "info"\n[per-file-ignores]\n"*" = ["ST001"]\n', encoding="utf-8"
    )
    (folder / "broken.json").write_text('{"$comment": "seatrial: ignore[ST001]"', encoding="utf-8")
    exit_code, output, _ = lint("--select", "ST5", "broken.json", cwd=folder)
    assert (codes(output), exit_code) == (["ST001"], 1)


def test_wrong_settings_are_told_with_their_place_and_nothing_is_linted(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.seatrial]\nselct = ["ST4"]\n', encoding="utf-8")
    exit_code, output, error = lint("shared.json", cwd=folder)
    assert (exit_code, output) == (2, "")
    assert error == 'seatrial: pyproject.toml:2:1: unknown key "selct"; did you mean "select"?\n'


def test_a_pattern_that_no_config_fits_is_told_where_all_were_looked_at(folder: Path) -> None:
    (folder / "seatrial.toml").write_text('[per-file-ignores]\n"gone" = ["ST4"]\n"a" = ["ST4"]\n', encoding="utf-8")
    (folder / "a").mkdir()
    (folder / "a" / "v1.json").write_text(SHARED, encoding="utf-8")
    said = 'seatrial: seatrial.toml:2:1: no config fits the pattern "gone"\n'
    assert lint(".", cwd=folder) == (0, "", f"{said}1 config, nothing found\n")
    assert lint("a/v1.json", cwd=folder)[2] == "1 config, nothing found\n"
    assert lint(".", cwd=folder / "a")[2] == "1 config, nothing found\n"


def test_a_severity_that_cannot_hold_is_told_where_it_does_not(folder: Path) -> None:
    (folder / "seatrial.toml").write_text('[severity]\nST001 = "info"\n', encoding="utf-8")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    said = "what keeps a file from being read (ST001) is an error, whatever is said here"
    assert f"seatrial: seatrial.toml:1:2: {said}\n" in lint("broken.json", cwd=folder)[2]
    assert said not in lint("warns.yaml", cwd=folder)[2]


def test_that_nothing_is_linted_is_said(folder: Path) -> None:
    """As a hook runs that is handed only files that are excluded: it passes, and says why."""
    (folder / "seatrial.toml").write_text('exclude = ["*.json"]\n', encoding="utf-8")
    assert lint("--force-exclude", "shared.json", cwd=folder) == (
        0, "", "seatrial: nothing is linted: `exclude` of the settings leaves out all that is named\n",
    )  # fmt: skip


def test_severity_decides_what_fails(folder: Path) -> None:
    (folder / "seatrial.toml").write_text('severity = {ST4 = "info", ST006 = "error"}\n', encoding="utf-8")
    assert lint("shared.json", cwd=folder)[0] == 0
    assert lint("warns.yaml", cwd=folder)[0] == 1


PROBE = """
import sys
from seatrial.cli import main
try:
    main()
except SystemExit:
    pass
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
"""


def loaded(folder: Path, *arguments: str) -> set[str]:
    command = [sys.executable, "-c", PROBE, "lint", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60, encoding="utf-8")
    assert done.stdout == "1 config, nothing found\n"
    return set(done.stderr.split())


def test_nothing_is_loaded_for_settings_that_are_not_there(folder: Path) -> None:
    (folder / "v1.json").write_text('{"harness": {}}', encoding="utf-8")
    (folder / "pyproject.toml").write_text("[tool.other]\n", encoding="utf-8")
    here = loaded(folder, "v1.json")
    ours = {name for name in here if name.startswith("seatrial.linter.")}
    assert not {"tomllib", "yaml", "jsonschema", "hashlib", "difflib"} & here
    assert (
        not {
            "seatrial.linter.suppressions",
            "seatrial.linter.baseline",
            "seatrial.linter.fingerprint",
            "seatrial.linter.settings.load",
            "seatrial.linter.settings.globs",
            "seatrial.linter.settings.toml_reader",
        }
        & ours
    )


def test_sound_settings_load_tomllib_and_nothing_heavy(folder: Path) -> None:
    (folder / "v1.json").write_text('{"harness": {}}', encoding="utf-8")
    (folder / "seatrial.toml").write_text('ignore = ["ST4"]\nexclude = ["a*"]\n', encoding="utf-8")
    here = loaded(folder, "v1.json")
    assert "tomllib" in here
    assert not {"yaml", "jsonschema", "hashlib", "difflib", "networkx", "seatrial.linter.suppressions"} & here


def test_one_version_alone_does_not_make_its_suppressions_stale(folder: Path) -> None:
    """As a hook runs that is handed only the files that changed."""
    text = "harness:\n  memory:\n    enabled: true\n    labels:\n      a: {number: %s, description: An a.}\n"
    comment = "      # seatrial: ignore[ST502] -- never deployed\n      a:"
    (folder / "v1.yaml").write_text(text % 1, encoding="utf-8")
    (folder / "v2.yaml").write_text((text % 2).replace("      a:", comment), encoding="utf-8")
    assert codes(lint("v2.yaml", cwd=folder)[1]) == []
    assert codes(lint("v1.yaml", "v2.yaml", cwd=folder)[1]) == []
    (folder / "v2.yaml").write_text((text % 1).replace("      a:", comment), encoding="utf-8")
    assert codes(lint("v1.yaml", "v2.yaml", cwd=folder)[1]) == ["ST901"]


def test_a_useless_entry_of_the_settings_is_shown_in_every_format(folder: Path) -> None:
    (folder / "seatrial.toml").write_text('per-file-ignores = {"*.yaml" = ["ST105"]}\n', encoding="utf-8")
    for form, told in (
        ("text", "seatrial.toml:1:33: warning ST901"),
        ("concise", "seatrial.toml:1:33: ST901"),
        ("json", '"code": "ST901"'),
    ):
        assert told in lint("warns.yaml", "--format", form, cwd=folder)[1]
