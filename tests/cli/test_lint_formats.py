"""The machine formats as the command prints them: whole on any stream, also when something could not be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

MACHINES = ["json", "sarif", "github", "junit"]


def seatrial(*arguments: str, cwd: Path, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "seatrial", "lint", *arguments]
    return subprocess.run(
        command, cwd=cwd, input=stdin, capture_output=True, check=False, env={**os.environ, **env}, timeout=60
    )


@pytest.mark.parametrize("form", MACHINES)
def test_what_could_not_be_read_is_in_the_report(tmp_path: Path, form: str) -> None:
    done = seatrial("gone.json", "--format", form, cwd=tmp_path)
    assert done.returncode == 2
    assert b"gone.json: no such file or folder" in done.stdout
    assert done.stderr == b"seatrial: gone.json: no such file or folder\n"


@pytest.mark.parametrize("form", MACHINES)
def test_settings_in_disorder_are_in_the_report(tmp_path: Path, form: str) -> None:
    (tmp_path / "v1.json").write_text("{}", encoding="utf-8")
    (tmp_path / "seatrial.toml").write_text("nonsense = 1\n", encoding="utf-8")
    done = seatrial("v1.json", "--format", form, cwd=tmp_path)
    assert done.returncode == 2
    assert b"nonsense" in done.stdout


@pytest.mark.parametrize("form", MACHINES)
def test_any_encoding_of_the_stream_carries_a_report(tmp_path: Path, form: str) -> None:
    (tmp_path / "顧.v1.json").write_text('{"顧": 1}', encoding="utf-8")
    made = {seatrial("--format", form, cwd=tmp_path, PYTHONIOENCODING=name).returncode for name in ("ascii", "cp1252")}
    assert made == {1}
    text = seatrial("--format", form, cwd=tmp_path, PYTHONIOENCODING="cp1252").stdout.decode("utf-8")
    if form == "junit":
        assert ET.fromstring(text)[0][0].get("name") == "顧.v1.json"
    elif form != "github":
        json.loads(text)


@pytest.mark.parametrize("form", ["sarif", "github", "junit"])
def test_a_run_in_a_folder_tells_paths_of_the_repository(tmp_path: Path, form: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "v1.json").write_text("{}", encoding="utf-8")
    there = seatrial("--format", form, cwd=tmp_path / "configs")
    assert b"configs/v1.json" in there.stdout
    assert there.stdout == seatrial("--format", form, cwd=tmp_path).stdout


@pytest.mark.parametrize("form", MACHINES)
def test_a_closed_pipe_is_no_fault(tmp_path: Path, form: str) -> None:
    for number in range(60):
        (tmp_path / f"x{number}.v1.json").write_text('{"' + '":1,"'.join("abcdefgh") + '":1}', encoding="utf-8")
    command = f"{sys.executable} -m seatrial lint --format {form} 2>/dev/null | head -1"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert done.stdout.count(b"\n") == 1


def test_strict_makes_a_warning_fail_its_test_case(tmp_path: Path) -> None:
    (tmp_path / "v1.yaml").write_text("agent: on\nharness: {}\n", encoding="utf-8")
    assert b"<failure" not in seatrial("--format", "junit", cwd=tmp_path).stdout
    assert b"<failure" in seatrial("--format", "junit", "--strict", cwd=tmp_path).stdout
