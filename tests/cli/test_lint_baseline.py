"""`seatrial lint --baseline`: ruff#1149 had none, foundry#16812 kept stale entries without a word."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BAD = (
    '{"harness": {"memory": {"enabled": true, "labels": '
    '{"bX": {"number": 2, "description": "Which bX."}, '
    '"Cy": {"number": 3, "description": "Which Cy."}}}}}\n'
)
GONE = BAD.replace("bX", "b")


def lint(*arguments: str, cwd: Path) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "seatrial", "lint", "--format", "concise", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=False, timeout=60, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def known(tmp_path: Path) -> Path:
    """A folder with two findings in a/v1.json, accepted by base.json."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "v1.json").write_text(BAD, encoding="utf-8")
    code, output, error = lint("--baseline", "base.json", "--write-baseline", cwd=tmp_path)
    assert (code, output) == (0, "")
    assert "seatrial: base.json: 2 accepted, 2 of them new, 0 gone\n" in error
    return tmp_path


def entries(folder: Path) -> list[str]:
    return [each["pointer"] for each in json.loads((folder / "base.json").read_bytes())["findings"]]


def test_only_what_is_new_is_reported(known: Path) -> None:
    code, output, error = lint("--baseline", "base.json", cwd=known)
    assert (code, output) == (0, "")
    assert error == "seatrial: base.json: 2 found before, not shown\n1 config, nothing new found\n"
    (known / "a" / "v1.json").write_text("\n\n" + BAD.replace("bX", "bX9"), encoding="utf-8")
    code, output, _ = lint("--baseline", "base.json", cwd=known)
    assert (code, output[:31]) == (1, 'a/v1.json:3:53: ST402 "bX9": a ')
    assert output.count("\n") == 1


def test_what_is_gone_is_told_until_it_is_taken_out(known: Path) -> None:
    (known / "a" / "v1.json").write_text(GONE, encoding="utf-8")
    code, output, error = lint("--baseline", "base.json", cwd=known)
    assert (code, output) == (0, "")
    assert "seatrial: base.json: gone: a/v1.json: ST402 at /harness/memory/labels/bX\n" in error
    assert "--write-baseline takes out what is gone" in error
    assert "1 accepted, 0 of them new, 1 gone" in lint("--baseline", "base.json", "--write-baseline", cwd=known)[2]
    assert "gone" not in lint("--baseline", "base.json", cwd=known)[2]


def test_a_run_over_some_files_or_rules_takes_nothing_else_for_gone(known: Path) -> None:
    before = (known / "base.json").read_bytes()
    (known / "v1.json").write_text('{"harness": {}}', encoding="utf-8")
    for arguments in (["v1.json"], ["--select", "ST5"]):
        assert "gone" not in lint("--baseline", "base.json", *arguments, cwd=known)[2]
        lint("--baseline", "base.json", "--write-baseline", *arguments, cwd=known)
        assert (known / "base.json").read_bytes() == before


def test_a_file_that_is_gone_takes_its_findings_with_it(known: Path) -> None:
    (known / "v1.json").write_text('{"harness": {}}', encoding="utf-8")
    (known / "a" / "v1.json").unlink()
    assert lint("--baseline", "base.json", cwd=known)[2].count("gone: a/v1.json") == 2


def test_it_holds_from_another_folder_and_on_another_machine(known: Path) -> None:
    moved = known / "elsewhere"
    moved.mkdir()
    shutil.move(known / "a", moved)
    shutil.move(known / "base.json", moved)
    assert lint("--baseline", "../base.json", ".", cwd=moved / "a")[0] == 0
    assert lint("--baseline", str(moved / "base.json"), str(moved), cwd=known)[0] == 0


def test_what_cannot_be_read_is_never_accepted(known: Path) -> None:
    (known / "v2.json").write_text("{", encoding="utf-8")
    for arguments in (["--write-baseline"], []):
        code, output, _ = lint("--baseline", "base.json", *arguments, cwd=known)
        assert code == 1
        assert output.startswith("v2.json:1:2: ST001")
    assert len(entries(known)) == 2


def test_a_missing_or_broken_baseline_is_misuse_and_says_what_to_do(known: Path) -> None:
    code, output, error = lint("--baseline", "gone.json", cwd=known)
    assert (code, output) == (2, "")
    assert error == "seatrial: gone.json: there is no such baseline; --write-baseline makes it\n"
    code, _, error = lint("--baseline", "a/v1.json", "--write-baseline", cwd=known)
    assert code == 2
    assert "a/v1.json:1:1: not a baseline" in error
    assert (known / "a" / "v1.json").read_text(encoding="utf-8") == BAD
    assert lint("--write-baseline", cwd=known)[0] == 2


def test_a_baseline_that_cannot_be_written_is_misuse(known: Path) -> None:
    code, _, error = lint("--baseline", "none/b.json", "--write-baseline", cwd=known)
    assert code == 2
    assert "none/b.json" in error
