"""`seatrial diff OLD NEW`, as a command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from seatrial.cli.diff import command
from seatrial.schemas import problems

OLD = '{"harness": {"memory": {"enabled": true, "labels": {"a1": {"number": 5}}}}}'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v1.json").write_text(OLD, encoding="utf-8")
    wider = OLD.replace('"enabled": true', '"enabled": true, "scope": {"read": ["session", "agent"]}')
    (tmp_path / "v2.json").write_text(wider, encoding="utf-8")
    (tmp_path / "v3.json").write_text(OLD.replace("5", "6"), encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    return tmp_path


def diff(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_words_then_findings() -> None:
    run = diff("v1.json", "v2.json")
    assert run.exit_code == 0
    assert run.stdout.splitlines()[:6] == [
        "From v1.json to v2.json: what changes, and what that means for memory that is there already",
        "",
        '- scope.read gains "agent"',
        "    AGENT records that are there already inform every session from now on (VIEW-3)",
        "",
        'v2.json:1:72: warning ST505 scope-widened: scope.read has "agent" in version 2, and had not in version 1: '
        "what any session writes for all may from now on inform every session, also what is there already",
    ]
    assert run.stdout.endswith("1 warning in 1 of 2 configs\n")
    assert diff("v1.json", "v2.json", "--strict").exit_code == 1


def test_nothing_changes() -> None:
    run = diff("v1.json", "v1.json")
    assert (run.exit_code, run.stdout) == (0, "From v1.json to v1.json: nothing changes for memory.\n")


def test_a_new_version_that_cannot_follow_fails() -> None:
    run = diff("v1.json", "v3.json")
    assert run.exit_code == 1
    assert '- label "a1" has number 6 in place of 5\n' in run.stdout
    assert "(VER-2, REC-5)\n" in run.stdout
    assert "error ST502 number-changed" in run.stdout


def test_json_is_what_its_schema_says() -> None:
    for new in ("v1.json", "v2.json", "v3.json"):
        told = json.loads(diff("v1.json", new, "--format", "json").stdout)
        assert list(problems("diff", told)) == []
        assert (told["old"], told["new"]) == ("v1.json", new)
        assert bool(told["effects"]) == bool(told["diagnostics"]) == (new != "v1.json")


def test_one_of_both_may_be_standard_input(folder: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "seatrial", "diff", "-", "v2.json"],
        cwd=folder,
        input=OLD,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0
    assert run.stdout.startswith("From <stdin> to v2.json: ")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["v1.json", "nope.json"], 2, "nope.json: cannot be read: No such file or directory"),
        (["v1.json", "."], 2, ".: cannot be read: Is a directory"),
        (["-", "-"], 2, "only one of OLD and NEW can be standard input"),
        (["v1.json"], 2, "Missing argument 'NEW'"),
        (["v1.json", "broken.json"], 1, "broken.json:1:2: error ST001"),
        (["v1.json", "broken.json"], 1, "seatrial: what changes can be told only of configs without errors\n"),
    ],
)
def test_what_cannot_be_compared(arguments: list[str], code: int, said: str) -> None:
    run = diff(*arguments)
    assert run.exit_code == code
    assert said in run.stderr
    assert run.stdout == ""


def test_two_agents_have_nothing_of_each_other(folder: Path) -> None:
    for name in "ab":
        (folder / f"{name}.json").write_text(f'{{"agent": "{name}", "harness": {{}}}}', encoding="utf-8")
    run = diff("a.json", "b.json")
    assert run.exit_code == 2
    assert 'a.json is of the agent "a" and b.json of "b": memory belongs to an agent' in run.stderr


@pytest.mark.parametrize(
    ("names", "heads", "told"),
    [
        (("a.json", "b.json"), ("", ""), 'a.json is of the agent "a" and b.json of "b", by'),
        (("a.json", "b.json"), ('"agent": "c", ', ""), 'a.json is of the agent "c" and b.json of "b", by'),
        (("a.json", "b.json"), ('"agent": "b", ', ""), ""),
        (("a.v1.json", "a.v2.json"), ("", ""), ""),
        (("v1.json", "b.v2.json"), ("", ""), ""),
    ],
)
def test_that_the_files_names_are_of_different_agents_is_told(
    folder: Path, names: tuple[str, str], heads: tuple[str, str], told: str
) -> None:
    for name, head in zip(names, heads, strict=True):
        (folder / name).write_text(f'{{{head}"harness": {{}}}}', encoding="utf-8")
    run = diff(*names)
    assert run.exit_code == 0
    assert "nothing changes" in run.stdout
    assert told in run.stderr
    assert bool(run.stderr) == bool(told)
