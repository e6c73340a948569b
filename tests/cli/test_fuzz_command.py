"""`seatrial fuzz`: exit codes, the summary, JSON, and wrong use."""

from __future__ import annotations

import json
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
    assert lines[0] == "exercised"
    assert lines[-2:] == ["5 examples with the seed 0: all that were asked for", "nothing found"]
    assert "warning: never reached: " in told.output
    assert max(map(len, lines)) <= 80
    assert not Path("fuzz-failures").exists()


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
    assert Path(".seatrial/fuzz").is_dir()


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
        (["bad.v1.yaml"], "a config with errors cannot be deployed"),
        (["desk.v1.yaml", "--max-examples", "0"], "Invalid value"),
    ],
)
def test_wrong_use_is_exit_2(arguments: list[str], said: str) -> None:
    Path("bad.v1.yaml").write_text("harness: {memory: {enabled: 1}}\n", encoding="utf-8")
    told = run(*arguments)
    assert told.exit_code == 2
    assert said in told.output


def test_an_interrupt_is_exit_130(monkeypatch: pytest.MonkeyPatch) -> None:
    from seatrial.simulator.fuzzing import hunt as module

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "judged", interrupted)
    told = run("desk.v1.yaml")
    assert told.exit_code == 130
    assert told.output.splitlines()[-1] == "nothing found"
