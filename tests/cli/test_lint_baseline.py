"""`seatrial lint --baseline`: ruff#1149 had none, foundry#16812 kept stale entries without a word."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

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


HIDDEN = '{"harness": {"memory": {"enabled": true, "tools": [%s]}}}\n'


def test_another_finding_of_the_rule_at_the_place_is_new_and_one_that_moved_is_not(tmp_path: Path) -> None:
    (tmp_path / "v1.json").write_text(HIDDEN % '"forget"', encoding="utf-8")
    lint("--baseline", "base.json", "--write-baseline", cwd=tmp_path)
    (tmp_path / "v1.json").write_text(HIDDEN % '"read_memory", "forget"', encoding="utf-8")
    assert lint("--baseline", "base.json", cwd=tmp_path)[:2] == (0, "")
    (tmp_path / "v1.json").write_text(HIDDEN % '"erase"', encoding="utf-8")
    code, output, error = lint("--baseline", "base.json", cwd=tmp_path)
    assert (code, output.count("ST103")) == (1, 1)
    assert "gone: v1.json: ST103 at /harness/memory/tools/0\n" in error


def test_of_thousands_that_were_accepted_none_is_new_once_some_are_corrected(tmp_path: Path) -> None:
    """More than are told are known all the same."""
    labels: dict[str, dict[str, Any]] = {f"l{n}": {"number": n} for n in range(1, 1201)}
    config = {"harness": {"memory": {"enabled": True, "labels": labels}}}
    (tmp_path / "v1.json").write_text(json.dumps(config), encoding="utf-8")
    assert "1200 accepted" in lint("--baseline", "base.json", "--write-baseline", cwd=tmp_path)[2]
    for n in range(1, 6):
        labels[f"l{n}"]["description"] = f"What number {n} is about."
    (tmp_path / "v1.json").write_text(json.dumps(config), encoding="utf-8")
    code, output, error = lint("--strict", "--baseline", "base.json", cwd=tmp_path)
    assert (code, output) == (0, "")
    assert "1195 found before, not shown" in error
    assert error.count("gone:") == 5


# As the first format had it: of rule, path and pointer alone.
OLD = {
    "format": 1,
    "findings": [
        {"path": "v1.json", "code": "ST103", "pointer": "/harness/memory/tools/0",
         "fingerprint": "%s"},
    ],
}  # fmt: skip


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A folder with a finding that is accepted by a baseline of the first format."""
    (tmp_path / "v1.json").write_text(HIDDEN % '"forget"', encoding="utf-8")
    identity = json.dumps(["ST103", "v1.json", "/harness/memory/tools/0", 0])
    mark = hashlib.sha256(identity.encode()).hexdigest()[:32]
    (tmp_path / "base.json").write_text(json.dumps(OLD) % mark, encoding="utf-8")
    return tmp_path


def test_a_baseline_of_the_first_format_holds_as_it_did_and_is_told(old: Path) -> None:
    code, output, error = lint("--baseline", "base.json", cwd=old)
    assert (code, output) == (0, "")
    assert "base.json: of an earlier format, by which another finding of a rule at the same place is not new" in error
    assert "--write-baseline brings it up to date" in error
    assert "1 accepted, 0 of them new, 0 gone" in lint("--baseline", "base.json", "--write-baseline", cwd=old)[2]
    assert json.loads((old / "base.json").read_bytes())["format"] == 2
    assert lint("--baseline", "base.json", cwd=old)[2] == (
        "seatrial: base.json: 1 found before, not shown\n1 config, nothing new found\n"
    )


def test_a_baseline_of_the_first_format_loses_nothing_that_was_not_looked_at(old: Path) -> None:
    (old / "v2.json").write_text('{"harness": {}}', encoding="utf-8")
    before = (old / "base.json").read_bytes()
    code, output, error = lint("--baseline", "base.json", "--write-baseline", "v2.json", cwd=old)
    assert (code, output) == (2, "")
    assert error == (
        "seatrial: base.json: of an earlier format, and 1 finding of it not looked at: --write-baseline brings it up "
        "to date in a run over all files and rules\n"
    )
    assert (old / "base.json").read_bytes() == before


@pytest.mark.parametrize("device", ["/dev/full", "/dev/zero", "/dev/null"])
@pytest.mark.parametrize("write", [(), ("--write-baseline",)])
def test_a_device_is_no_baseline_and_is_not_read_without_end(known: Path, device: str, write: tuple[str, ...]) -> None:
    code, _, error = lint("--baseline", device, *write, cwd=known)
    assert (code, error) == (2, f"seatrial: {device}: not a baseline: this is no file on a disk\n")
