"""`seatrial lint` as a command: exit codes, streams, and what it does not load."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

GOOD = (
    '{"harness": {"memory": {"enabled": true, "labels": '
    '{"customer_id": {"number": 5, "description": "Which customer_id."}}}}}\n'
)
FOUNDING = """{
  "harness": {
    "memory": {
      "enabled": true,
      "scope": { "read": ["session"], "write": ["session"] },
      "tools": ["add_memory", "read_memory", "delete_memory"],
      "pinned": { "max_tokens": 2000 }
    }
  }
}
"""


def seatrial(*arguments: str, cwd: Path, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "seatrial", *arguments]
    return subprocess.run(
        command, cwd=cwd, input=stdin, capture_output=True, check=False, env={**os.environ, **env}, timeout=60
    )


def make(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name.replace("_json", ".json").replace("_yaml", ".yaml")).write_text(text, encoding="utf-8")


def test_the_founding_documents_snippets_lint_clean(tmp_path: Path) -> None:
    make(tmp_path, history_json='{ "harness": { "history": { "index": "messages_and_tools" } } }', memory_json=FOUNDING)
    done = seatrial("lint", "history.json", "memory.json", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"2 configs, nothing found\n", b"")


def test_a_renumbered_label_is_told_with_both_places_and_exits_1(tmp_path: Path) -> None:
    make(tmp_path, v1_json=GOOD, v2_json=GOOD.replace("5", "6"))
    done = seatrial("lint", cwd=tmp_path)
    assert done.returncode == 1
    assert b"v2.json:1:79: error ST502" in done.stdout
    assert b"v1.json:1:79" in done.stdout
    assert done.stdout.endswith(b"1 error in 1 of 2 configs\n")


def test_a_scenario_taken_for_a_config_is_told_as_one(tmp_path: Path) -> None:
    make(tmp_path, a_yaml="scenario: x\nconfig: {harness: {}}\nsteps: []\n", v1_json=GOOD)
    done = seatrial("lint", "a.yaml", "v1.json", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == b"seatrial: a.yaml is a scenario: `seatrial run` checks it\n"


def test_warnings_do_not_fail(tmp_path: Path) -> None:
    make(tmp_path, v1_yaml="agent: on\nharness: {}\n")
    done = seatrial("lint", cwd=tmp_path)
    assert done.returncode == 0
    assert b"1 warning in 1 of 1 config" in done.stdout


def test_what_cannot_be_read_exits_2_and_the_rest_is_linted(tmp_path: Path) -> None:
    make(tmp_path, v1_json=GOOD, v2_json="{")
    (tmp_path / "empty").mkdir()
    done = seatrial("lint", "--format", "concise", "v1.json", "v2.json", "gone.json", "empty", "nul\\0", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith(b"v2.json:1:2: ST001")
    assert b"gone.json: no such file or folder\n" in done.stderr
    assert b"empty: no config in this folder" in done.stderr


def test_a_file_that_cannot_be_opened_exits_2_also_inside_a_folder(tmp_path: Path) -> None:
    make(tmp_path, v1_json=GOOD)
    (tmp_path / "v2.json").symlink_to("gone.json")
    done = seatrial("lint", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"1 config, nothing found\n")
    assert done.stderr == b"seatrial: v2.json: cannot be read: No such file or directory\n"


def test_a_folder_without_configs_does_not_pass_in_silence(tmp_path: Path) -> None:
    done = seatrial("lint", cwd=tmp_path)
    assert done.returncode == 2
    assert b"no config in this folder" in done.stderr


@pytest.mark.parametrize("text", [GOOD, "harness: {}\n", "\ufeff" + "harness: {}\n"])
def test_standard_input_is_json_or_yaml(tmp_path: Path, text: str) -> None:
    done = seatrial("lint", "-", cwd=tmp_path, stdin=text.encode())
    assert (done.returncode, done.stdout) == (0, b"1 config, nothing found\n")


def test_standard_input_has_a_name_in_findings(tmp_path: Path) -> None:
    done = seatrial("lint", "--format", "concise", "-", cwd=tmp_path, stdin=b"{}")
    assert (done.returncode, done.stdout) == (1, b'<stdin>:1:1: ST104 "harness" is missing\n')


def test_json_is_whole_also_when_nothing_could_be_read(tmp_path: Path) -> None:
    done = seatrial("lint", "--format", "json", "gone", cwd=tmp_path)
    assert done.returncode == 2
    assert json.loads(done.stdout)["configs"] == 0


def test_no_colour_but_on_a_terminal(tmp_path: Path) -> None:
    make(tmp_path, v1_json="{}")
    assert b"\x1b" not in seatrial("lint", cwd=tmp_path).stdout


@pytest.mark.parametrize(("no_color", "styled"), [("", True), ("1", False)])
def test_colour_on_a_terminal_and_never_with_no_color(tmp_path: Path, no_color: str, styled: bool) -> None:
    pty = pytest.importorskip("pty")
    make(tmp_path, v1_json="{}")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": no_color}
    command = [sys.executable, "-m", "seatrial", "lint"]
    subprocess.run(command, cwd=tmp_path, stdout=theirs, env=environment, check=False, timeout=60)
    os.close(theirs)
    shown = os.read(ours, 65536)
    os.close(ours)
    assert (b"\x1b[1;31m" in shown) == styled


def test_a_closed_pipe_is_no_fault(tmp_path: Path) -> None:
    make(tmp_path, **{f"x{n}.v1_json": '{"' + '":1,"'.join("abcdefgh") + '":1}' for n in range(60)})
    command = f"{sys.executable} -m seatrial lint | head -1"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


def test_an_encoding_that_lacks_a_character_is_no_fault(tmp_path: Path) -> None:
    make(tmp_path, v1_json='{"顧": 1, "harness": {}}')
    done = seatrial("lint", cwd=tmp_path, PYTHONIOENCODING="cp1252")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"\\u9867" in done.stdout


PROBE = """
import sys
from seatrial.cli import main
try:
    main()
except SystemExit as done:
    code = done.code
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
sys.exit(code)
"""
HEAVY = {"sklearn", "faiss", "numpy", "scipy", "networkx"}


def modules(path: str, cwd: Path) -> Iterable[str]:
    command = [sys.executable, "-c", PROBE, "lint", path]
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=False, timeout=60)
    assert done.stdout.endswith(b"1 config, nothing found\n")
    return {name.split(".")[0] for name in done.stderr.decode().split()}


def test_linting_a_sound_config_loads_nothing_heavy_and_json_no_yaml(tmp_path: Path) -> None:
    make(tmp_path, v1_json=GOOD, v1_yaml=GOOD)
    assert not (HEAVY | {"yaml", "jsonschema"}) & set(modules("v1.json", tmp_path))
    assert not (HEAVY | {"jsonschema"}) & set(modules("v1.yaml", tmp_path))


def test_a_finding_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    make(tmp_path, v1_json="{}")
    command = [sys.executable, "-c", PROBE, "lint", "v1.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    loaded = {name.split(".")[0] for name in done.stderr.decode().split()}
    assert done.returncode == 1
    assert "jsonschema" in loaded
    assert not (HEAVY | {"yaml"}) & loaded
