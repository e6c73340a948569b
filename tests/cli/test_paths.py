"""The paths that commands are given, whatever the command, and the commands that are printed with paths in them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from seatrial.cli import COMMANDS, LazyGroup, cli
from seatrial.cli.places import Place, try_writing
from seatrial.schemas.wording import shell
from seatrial.simulator.discover import NoScenario, discover


def parameters() -> Iterator[tuple[str, click.Parameter]]:
    assert isinstance(cli, LazyGroup)
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        yield from ((name, each) for each in command.params)


def words(parameter: click.Parameter) -> str:
    return (parameter.metavar or parameter.name or "").strip("[].").replace("AGENT=]", "").upper()


PATHS = [(name, each) for name, each in parameters() if isinstance(each.type, Place)]


def test_whatever_names_a_path_is_a_place() -> None:
    """So a command that is added has its paths looked at, too."""
    named = {"FILE", "DIR", "PATH", "CONFIG", "TRACE", "OLD", "NEW"}
    assert {words(each) for _, each in PATHS} == named
    others = {words(each) for _, each in parameters() if not isinstance(each.type, Place)}
    assert not others & named


@pytest.mark.parametrize(("name", "parameter"), PATHS, ids=[f"{name} {each.name}" for name, each in PATHS])
def test_an_empty_path_names_nothing(name: str, parameter: click.Parameter) -> None:
    """It is what a shell hands on of a variable that is not set, and would mean this folder."""
    option = parameter.opts[:1] if isinstance(parameter, click.Option) else []
    told = CliRunner().invoke(cli, [name, *option, ""])
    assert told.exit_code == 2
    assert "an empty path names nothing" in told.output


@pytest.mark.parametrize("name", ["run", "mutate"])
def test_standard_input_is_no_scenario(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(cli, [name, "-"])
    assert told.exit_code == 2
    assert "- is no file and no folder; one of that name is ./-" in told.output
    Path("-").write_text("scenario: [", encoding="utf-8")
    assert "no file and no folder" not in CliRunner().invoke(cli, [name, "./-"]).output


@pytest.mark.parametrize("name", ["run", "mutate"])
def test_a_folder_without_a_scenario_does_not_pass_beside_one_with_some(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("a.scenario.yaml").write_text(
        "scenario: x\nconfig: {harness: {}}\nsteps: [{turn: s, do: [{reply: x}]}]\n", "utf-8"
    )
    told = CliRunner().invoke(cli, [name, ".", "empty"])
    assert told.exit_code == 2
    assert "no scenario in empty: one is named *.scenario.yaml, *.scenario.yml, *.scenario.json" in told.output


def test_a_folder_that_cannot_be_read_does_not_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may read everything cannot see it, so the system's answer is made up."""
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    (tmp_path / "secret").mkdir()
    (tmp_path / "a.scenario.yaml").touch()
    monkeypatch.setattr("os.scandir", scandir)
    with pytest.raises(NoScenario, match=r"secret: Permission denied"):
        discover([tmp_path])


def test_a_command_is_printed_as_a_shell_takes_it() -> None:
    path = Path("it's $(a) folder/-x.yaml")
    assert shlex.split(shell("seatrial", "run", path)) == ["seatrial", "run", str(path)]
    assert shell("seatrial", "run", Path("-x.yaml"), "--config", "a=b") == "seatrial run ./-x.yaml --config a=b"
    assert shell("seatrial", "lint", Path("a\x1bb")) == "seatrial lint 'a\\x1bb'"


NAME = "-it's one.scenario.yaml"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["run", f"./{NAME}"], "harness: {}\n"),
        (["mutate", f"./{NAME}"], "scenario: [\n"),
        (["mutate", f"./{NAME}"], "scenario: x\nconfig: {harness: {}}\nsteps: [{turn: s, gets: {error: busy}}]\n"),
        (["spec", "--suite", f"./{NAME}"], "scenario: [\n"),
    ],
    ids=["a config", "invalid", "failing", "a suite"],
)
def test_what_is_advised_can_be_pasted(
    arguments: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(NAME).write_text(text, encoding="utf-8")
    told = CliRunner().invoke(cli, arguments)
    assert told.exit_code == 2
    advised = told.output.split("`seatrial ")[-1].split("`")[0]
    assert shlex.split(advised)[-1] == f"./{NAME}", told.output


def test_a_folder_is_tried_without_a_trace(tmp_path: Path) -> None:
    try_writing(tmp_path / "a/b")
    try_writing(tmp_path)
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    (tmp_path / "file").touch()
    for unusable in ("link", "link/below", "file", "file/below", "a" * 300):
        with pytest.raises(OSError, match=r"\[Errno"):
            try_writing(tmp_path / unusable)
