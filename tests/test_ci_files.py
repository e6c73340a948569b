"""The pre-commit hook and the GitHub Action: their keys are documented ones, and what they run does what they say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
SCRIPTS = [step for step in ACTION["runs"]["steps"] if "run" in step]

HOOK_KEYS = {
    "id", "name", "entry", "language", "files", "exclude", "types", "types_or", "exclude_types", "always_run",
    "fail_fast", "verbose", "pass_filenames", "require_serial", "description", "language_version",
    "minimum_pre_commit_version", "args", "stages", "additional_dependencies",
}  # fmt: skip


def test_the_hook_has_the_keys_that_pre_commit_knows() -> None:
    assert {"id", "name", "entry", "language"} <= HOOK.keys() <= HOOK_KEYS
    assert (HOOK["language"], HOOK["pass_filenames"]) == ("python", False)


@pytest.mark.parametrize(
    ("path", "runs"),
    [("a.agent.yaml", True), ("configs/v1.json", True), ("x/b.v12.yml", True), ("seatrial.toml", True),
     ("pyproject.toml", True), (".agent.json", False), ("v.json", False), ("v1.json.bak", False), ("README.md", False),
     ("notseatrial.toml", False), ("V3.YAML", True), ("x/a.V2.json", True), ("a.agent.YML", True)],
)  # fmt: skip
def test_the_hook_runs_when_a_config_or_the_settings_changed(path: str, runs: bool) -> None:
    assert (re.search(HOOK["files"], path) is not None) == runs


def test_the_hook_runs_for_every_file_that_a_folder_is_searched_for(tmp_path: Path) -> None:
    from seatrial.linter.discover import discover

    names = [
        "a.agent.json",
        "v1.yaml",
        "b.v2.yml",
        "c.json",
        "agent.json",
        ".v1.json",
        "deep/d.agent.yml",
        "V3.YAML",
        "e.Agent.JSON",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    found = {str(Path(path).relative_to(tmp_path)) for path in discover([str(tmp_path)]).files}
    assert found == {name for name in names if re.search(HOOK["files"], name)}


def test_the_hook_runs_a_command_that_exists(tmp_path: Path) -> None:
    (tmp_path / "v1.json").write_text('{"harness": 1}', encoding="utf-8")
    program, *arguments = HOOK["entry"].split()
    assert program == "seatrial"
    done = subprocess.run(
        [sys.executable, "-m", program, *arguments, *HOOK["args"]], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 1


PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)]


def test_the_examples_of_the_page_use_what_there_is() -> None:
    steps = [step for block in BLOCKS if "jobs" in block for step in block["jobs"]["lint"]["steps"]]
    uses = [step for step in steps if step["uses"].startswith("OWNER/seatrial")]
    assert len(uses) == 2
    assert all(step["with"].keys() <= ACTION["inputs"].keys() for step in uses)
    named = {name for step in steps for name in re.findall(r"outputs\.(\w+)", str(step))}
    assert named == ACTION["outputs"].keys()
    (repository,) = [block["repos"][0] for block in BLOCKS if "repos" in block]
    assert [hook["id"] for hook in repository["hooks"]] == [HOOK["id"]]
    assert set(re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE)) == ACTION["inputs"].keys()


def test_the_config_of_the_page_is_in_order() -> None:
    from seatrial.linter import lint, read_text

    (text,) = re.findall(r"^# yaml-language-server.*?(?=^```)", PAGE, re.MULTILINE | re.DOTALL)
    assert lint([read_text(text, path="v1.yaml")]) == []


def test_the_editor_settings_of_the_page_are_json() -> None:
    (text,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert json.loads(text).keys() == {"json.schemas", "yaml.schemas"}


@pytest.mark.parametrize("arguments", re.findall(r"^seatrial (schema .*) > ", PAGE, re.MULTILINE))
def test_the_schemas_of_the_page_can_be_printed(tmp_path: Path, arguments: str) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "v1.json").write_text('{"harness": {}}', encoding="utf-8")
    command = [sys.executable, "-m", "seatrial", *arguments.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert json.loads(done.stdout)["type"] == "object"


def test_the_gallery_shows_every_mistake() -> None:
    shown = re.findall(
        r"^\$ seatrial lint docs/mistakes/(\S+)$", (ROOT / "docs/gallery.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(shown) == sorted(folder.name for folder in (ROOT / "docs" / "mistakes").iterdir())


def test_the_action_has_the_keys_that_github_knows() -> None:
    assert ACTION.keys() <= {"name", "author", "description", "inputs", "outputs", "runs", "branding"}
    assert ACTION["runs"]["using"] == "composite"
    for each in ACTION["inputs"].values():
        assert {"description"} <= each.keys() <= {"description", "required", "default", "deprecationMessage"}
    (setup,) = [step for step in ACTION["runs"]["steps"] if "uses" in step]
    assert setup.keys() == {"id", "if", "uses", "with"}
    for step in SCRIPTS:
        assert {"run", "shell"} <= step.keys() <= {"id", "name", "if", "env", "run", "shell", "working-directory"}


def test_the_action_uses_every_input_and_none_in_a_script() -> None:
    steps = ACTION["runs"]["steps"]
    passed = " ".join(str(value) for step in steps for value in (step.get("env") or step["with"]).values())
    assert set(re.findall(r"inputs\.([\w-]+)", passed)) == ACTION["inputs"].keys()
    assert not any("${{" in step["run"] for step in SCRIPTS)


def test_the_action_runs_by_a_python_of_its_own_choice_unless_one_is_named() -> None:
    """What `python3` of a runner is changes with the runner's image."""
    setup, install = ACTION["runs"]["steps"][:2]
    assert (setup["uses"].split("@")[0], setup["if"]) == ("actions/setup-python", "inputs.python == ''")
    assert ACTION["inputs"]["python-version"]["default"] == "3.12"
    assert ACTION["inputs"]["python"]["default"] == ""
    assert install["env"]["SEATRIAL_PYTHON"] == "${{ inputs.python || steps.python.outputs.python-path }}"


def act(folder: Path, **inputs: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the action's lint step as a runner would, with a command that stands for the installed one."""
    shim = folder / "bin" / "seatrial"
    shim.parent.mkdir(exist_ok=True)
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m seatrial "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    values: dict[str, Any] = {name: each["default"] for name, each in ACTION["inputs"].items()}
    environment = {f"SEATRIAL_{name.upper()}": value for name, value in (values | inputs).items()}
    environment |= {"SEATRIAL_BIN": str(shim.parent), "GITHUB_OUTPUT": str(folder / "outputs")}
    (step,) = [each for each in ACTION["runs"]["steps"] if each["id"] == "lint"]
    assert set(step["env"]) <= environment.keys()
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, check=False, timeout=60
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a broken config, and one in order whose folder's name has a space."""
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "v1.json").write_text('{"harness": {}}', encoding="utf-8")
    (tmp_path / "bad.v1.json").write_text("{}", encoding="utf-8")
    return tmp_path


def test_the_action_annotates_and_fails(checkout: Path) -> None:
    done = act(checkout)
    assert done.returncode == 1
    assert done.stdout.startswith(b"::error file=bad.v1.json,line=1")


def test_the_action_takes_paths_line_by_line_and_further_options(checkout: Path) -> None:
    assert act(checkout, paths="a b\n").returncode == 0
    assert act(checkout, paths="a b\nbad.v1.json\r\n").returncode == 1
    assert act(checkout, args="--ignore ST104").returncode == 0
    assert act(checkout, paths="$(touch ran)", args="`touch ran` *").returncode == 2
    assert not (checkout / "ran").exists()


def test_the_action_writes_sarif_also_when_it_fails(checkout: Path) -> None:
    done = act(checkout, format="sarif", output="lint.sarif")
    assert (done.returncode, done.stdout) == (1, b"")
    assert json.loads((checkout / "lint.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert (checkout / "outputs").read_text(encoding="utf-8") == "sarif=lint.sarif\n"
