"""`seatrial fuzz`: exit codes, the summary, JSON, and wrong use."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from seatrial.cli.fuzz import command
from seatrial.schemas import load
from seatrial.simulator.faults import FAULTS, altered

CONFIG = "agent: desk\nharness: {memory: {enabled: true, tools: [add_memory], pinned: {max_tokens: 200}}}\n"


@pytest.fixture(autouse=True)
def configs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("desk.v1.yaml").write_text(CONFIG, encoding="utf-8")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, [*arguments])


def test_nothing_found_is_exit_0_and_says_what_was_exercised() -> None:
    told = run("desk.v1.yaml", "--max-examples", "5", "--as-given")
    assert told.exit_code == 0, told.output
    lines = told.output.splitlines()
    assert lines[:3] == ["agents: desk v1", "", "exercised"]
    assert lines[-2:] == ["5 examples with the seed 0: all that were asked for", "nothing found"]
    assert "warning: never reached: " in told.output
    assert "warning: invariants that had nothing to check: " in told.output
    assert max(map(len, lines)) <= 80
    assert not Path("fuzz-failures").exists()


def test_it_says_whom_it_is_about_and_what_looks_like_a_config_but_is_not_taken() -> None:
    for number in (2, 4):
        Path(f"desk.v{number}.yaml").write_text(CONFIG, encoding="utf-8")
    Path("router.yaml").write_text("harness: {}\n", encoding="utf-8")
    Path("billing.json").write_text('{"harness": {}}', encoding="utf-8")
    Path("compose.yaml").write_text("services: {agent: 1}\n", encoding="utf-8")
    Path("a.scenario.yaml").write_text("agent: 1\n", encoding="utf-8")
    Path("broken.yaml").write_text("harness: {\n", encoding="utf-8")
    lines = run(".", "billing.json", "--max-examples", "1").output.splitlines()
    assert lines[0] == "agents: billing v1, desk v1-v2 and v4"
    assert lines[1] == "not taken: router.yaml: its name is not a config's; name the file itself to take"
    assert lines[2:4] == ["  it", ""]
    report = json.loads(run(".", "billing.json", "--max-examples", "1", "--format", "json").output)
    jsonschema.validate(report, load("fuzz"))
    assert report["agents"] == [{"agent": "billing", "versions": [1]}, {"agent": "desk", "versions": [1, 2, 4]}]
    assert [each["path"] for each in report["not_taken"]] == ["router.yaml"]


def test_the_settings_say_what_of_a_folder_is_taken() -> None:
    Path("seatrial.toml").write_text('include = ["router.yaml"]\n', encoding="utf-8")
    Path("router.yaml").write_text("harness: {}\n", encoding="utf-8")
    lines = run(".", "--max-examples", "1").output.splitlines()
    assert lines[0] == "agents: router v1"
    assert lines[1].startswith("not taken: desk.v1.yaml: `include` of its settings does not fit it")
    Path("seatrial.toml").write_text("include = 1\n", encoding="utf-8")
    told = run(".")
    assert told.exit_code == 2
    assert told.output.startswith("Error: seatrial.toml:1:")


def test_a_failure_is_exit_1_with_a_file_that_names_the_config() -> None:
    with altered(FAULTS["foreign-session-in-view"]):
        told = run(".", "--out", "found/here", "--format", "json")
    assert told.exit_code == 1, told.output
    report: dict[str, Any] = json.loads(told.output)
    jsonschema.validate(report, load("fuzz"))
    assert (report["stopped"], report["found"]["problem"]) == ("found", "session-isolation")
    assert report["found"]["fails_alike"]
    text = Path(report["found"]["path"]).read_text(encoding="utf-8")
    assert "../../desk.v1.yaml" in text
    assert "*" in Path(".seatrial/fuzz/.gitignore").read_text(encoding="utf-8").splitlines()
    assert [each.name for each in Path(".seatrial").iterdir()] == ["fuzz"]


def test_json_when_nothing_is_found() -> None:
    told = run("desk.v1.yaml", "--max-examples", "2", "--format", "json", "--no-database")
    report = json.loads(told.output)
    jsonschema.validate(report, load("fuzz"))
    assert (report["stopped"], report["found"], report["examples"]) == ("examples", None, 2)
    assert not Path(".seatrial").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument"),
        (["nowhere"], "nowhere: no such file or folder"),
        (["bad.v1.yaml"], "Error: what has errors cannot be deployed: bad.v1.yaml"),
        (["only"], "only/router.yaml looks like one: its name is not a config's; name the file itself to take it"),
        (["-"], "the scenarios that are written name its file"),
        (["desk.v1.yaml", "--max-examples", "0"], "Invalid value"),
    ],
)
def test_wrong_use_is_exit_2(arguments: list[str], said: str) -> None:
    Path("bad.v1.yaml").write_text("harness: {memory: {enabled: 1}}\n", encoding="utf-8")
    Path("only").mkdir()
    Path("only/router.yaml").write_text("harness: {}\n", encoding="utf-8")
    told = run(*arguments)
    assert told.exit_code == 2
    assert said in told.output
    assert ("Usage: " in told.output) != ("bad.v1.yaml" in arguments)  # it was not used in a wrong way


def test_an_interrupt_is_exit_130(monkeypatch: pytest.MonkeyPatch) -> None:
    from seatrial.simulator.fuzzing import hunt as module

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "judged", interrupted)
    told = run("desk.v1.yaml")
    assert told.exit_code == 130
    assert told.output.splitlines()[-1] == "nothing found"


@pytest.mark.parametrize("before", [None, "elsewhere"])
def test_what_hypothesis_keeps_elsewhere_is_as_before_afterwards(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "HYPOTHESIS_STORAGE_DIRECTORY"
    monkeypatch.delenv(name, raising=False)
    if before is not None:
        monkeypatch.setenv(name, before)
    run("desk.v1.yaml", "--max-examples", "1", "--no-database")
    assert os.environ.get(name) == before


def test_no_file_is_put_into_a_folder_that_was_there() -> None:
    Path("mine").mkdir()
    run("desk.v1.yaml", "--max-examples", "1", "--database", "mine")
    assert not Path("mine/.gitignore").exists()
