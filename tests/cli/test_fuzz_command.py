"""`seatrial fuzz`: exit codes, the summary, JSON, and wrong use."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from seatrial.cli.fuzz import command
from seatrial.cli.run import command as run_command
from seatrial.schemas import load
from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.fuzzing.files import placed

CONFIG = "agent: desk\nharness: {memory: {enabled: true, tools: [add_memory], pinned: {max_tokens: 200}}}\n"


@pytest.fixture(autouse=True)
def configs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("desk.v1.yaml").write_text(CONFIG, encoding="utf-8")


@pytest.fixture
def unshrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found stays as it was met: to shrink it takes a search some seconds."""
    monkeypatch.setattr("seatrial.simulator.fuzzing.hunt.Shrinking.shrink", lambda *_: None)


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
    assert lines[1] == "not taken: router.yaml: its name is not a config's, as router.v1.yaml is; name"
    assert lines[2:4] == ["  the file itself to take it", ""]
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


@pytest.mark.usefixtures("unshrunk")
def test_a_failure_is_exit_1_with_a_file_that_names_the_config() -> None:
    with altered(FAULTS["foreign-session-in-view"]):
        told = run(".", "--seed", "1", "--out", "found/here", "--format", "json")
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
        (["only"], "only/router.yaml looks like one: its name is not a config's, as router.v1.yaml is; name the file"),
        (["-"], "the scenarios that are written name its file"),
        (["desk.v1.yaml", "--max-examples", "0"], "Invalid value"),
        (["desk.v1.yaml", "--time", "nan"], "nan is no time"),
        (["desk.v1.yaml", "--time", "inf"], "inf is no time"),
        (["desk.v1.yaml", "--time", "-1"], "Invalid value"),
        (["desk.v1.yaml", "--time", "0"], "Invalid value"),
        (["desk.v1.yaml", "--out", ""], "an empty path names nothing"),
        (["desk.v1.yaml", "--database", ""], "an empty path names nothing"),
        (["desk.v1.yaml", "--out", "bad.v1.yaml"], "is a file"),
        (["desk.v1.yaml", "--database", "bad.v1.yaml"], "is a file"),
    ],
)
def test_wrong_use_is_exit_2(arguments: list[str], said: str) -> None:
    Path("bad.v1.yaml").write_text("harness: {memory: {enabled: 1}}\n", encoding="utf-8")
    Path("only").mkdir()
    Path("only/router.yaml").write_text("harness: {}\n", encoding="utf-8")
    told = run(*arguments)
    assert told.exit_code == 2
    assert said in told.output
    assert ("Usage: " in told.output) != (arguments == ["bad.v1.yaml"])  # it was not used in a wrong way
    assert not Path(".seatrial").exists()


def test_an_interrupt_is_exit_130(monkeypatch: pytest.MonkeyPatch) -> None:
    from seatrial.simulator.fuzzing import hunt as module

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "judged", interrupted)
    told = run("desk.v1.yaml")
    assert told.exit_code == 130
    assert told.output.splitlines()[-1] == "nothing was tried"


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


@pytest.mark.parametrize("option", ["--out", "--database"])
def test_a_folder_that_cannot_be_used_is_refused_before_the_search(option: str, searches: list[Path]) -> None:
    told = run("desk.v1.yaml", option, "desk.v1.yaml/below")
    assert told.exit_code == 2
    assert told.output.startswith(f"Error: {option}: nothing can be ")
    assert told.output.endswith("desk.v1.yaml/below: Not a directory\n")
    assert not searches


def test_without_a_place_for_the_default_database_nothing_is_kept_which_is_told(searches: list[Path]) -> None:
    Path(".seatrial").write_text("a file", encoding="utf-8")
    told = run("desk.v1.yaml", "--max-examples", "1")
    assert "seatrial: nothing can be kept in .seatrial/fuzz: Not a directory; --database names another" in told.output
    assert searches == [None]
    run("desk.v1.yaml", "--max-examples", "1", "--no-database")
    run("desk.v1.yaml", "--max-examples", "1", "--database", "kept")
    assert searches[1:] == [None, Path("kept")]


def test_what_was_tried_for_writing_leaves_nothing_behind(searches: list[Path]) -> None:
    run("desk.v1.yaml", "--max-examples", "1", "--out", "a/b", "--no-database")
    assert [each.name for each in Path().iterdir()] == ["desk.v1.yaml"]


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The databases of the searches that are made; none takes long."""
    from seatrial.simulator.fuzzing import search as module

    made = []
    real = module.search

    def search(*given: Any, **named: Any) -> Any:
        made.append(named["database"])
        return real(*given, **{**named, "database": None})

    monkeypatch.setattr(module, "search", search)
    return made


@pytest.mark.usefixtures("unshrunk")
def test_a_failure_that_cannot_be_written_is_told_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its configs in it: as a file anywhere it fails in the same way."""

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with altered(FAULTS["foreign-session-in-view"]):
        told = run("desk.v1.yaml", "--seed", "1", "--out", "found", "--no-database")
        assert told.exit_code == 1, told.output
        head, _, text = told.output.partition(":\n\n")
        assert "FAILED   found/session-isolation-" in head
        assert head.splitlines()[-2].endswith(" cannot be written: No space left on device")
        assert "desk.v1.yaml" not in text
        assert [*Path("found").iterdir()] == []
        Path("a.scenario.yaml").write_text(text, encoding="utf-8")
        assert "session-isolation is violated" in CliRunner().invoke(run_command, ["a.scenario.yaml"]).output
        found = json.loads(run("desk.v1.yaml", "--seed", "1", "--no-database", "--format", "json").output)["found"]
    assert (found["unwritten"], found["fails_alike"]) == ("No space left on device", True)
    assert found["text"] == text


def test_a_search_that_tried_nothing_does_not_pass() -> None:
    told = run("desk.v1.yaml", "--time", "1e-9", "--no-database")
    assert told.exit_code == 2
    lines = told.output.splitlines()
    assert lines[-3:-1] == ["0 examples with the seed 0: the time is over", "nothing was tried"]
    assert lines[-1].startswith("Error: the time was over before anything was tried")


@pytest.mark.usefixtures("unshrunk")
def test_the_command_that_is_promised_is_one_for_a_shell() -> None:
    with altered(FAULTS["foreign-session-in-view"]):
        told = run("desk.v1.yaml", "--seed", "1", "--out", "-a 'folder' $(x)", "--no-database").output
    promised = told.splitlines()[-1].removesuffix("` fails in the same way").removeprefix("`")
    words = shlex.split(promised)
    assert words[:2] == ["seatrial", "run"]
    assert words[2].startswith("./-a 'folder' $(x)/session-isolation-")
    assert Path(words[2]).exists()


@pytest.mark.usefixtures("unshrunk")
def test_a_config_that_changes_meanwhile_is_no_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:

    def meanwhile(*given: Any) -> Any:
        Path("desk.v1.yaml").write_text("harness: 1\n", encoding="utf-8")
        return placed(*given)

    monkeypatch.setattr("seatrial.simulator.fuzzing.findings.placed", meanwhile)
    with altered(FAULTS["foreign-session-in-view"]):
        told = run("desk.v1.yaml", "--no-database")
    assert told.exit_code == 1, told.output
    assert told.output.splitlines()[-1].endswith("or a config was changed meanwhile")


def test_a_judge_that_breaks_down_is_told_with_the_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("no verdict today")

    monkeypatch.setattr("seatrial.simulator.fuzzing.hunt.judged", broken)
    told = run("desk.v1.yaml", "--no-database").exception
    assert isinstance(told, ZeroDivisionError)
    assert any("scenario: a random script\nconfig: ../desk.v1.yaml\nsteps:\n" in note for note in told.__notes__)
