"""Which files are linted: named ones always, in folders those named as configs are, each once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from seatrial.linter.discover import discover, passed_over
from seatrial.linter.settings import Nearest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("{}", encoding="utf-8")


def test_a_folder_gives_its_configs_sorted(here: Path) -> None:
    configs = ["V3.YAML", "a.agent.json", "b/a.agent.yaml", "b/v12.yml", "b/x.v2.json", "v1.json", "v1.yaml"]
    make(*configs, "package.json", "b/a.scenario.yaml", "v1.txt", "va.json", "xv1.json", ".v1.json", "agent.json")
    assert discover(["."]) == (configs, [])
    assert discover([str(here)]).files == [str(here / name) for name in configs]
    assert discover(["b"]).files == ["b/a.agent.yaml", "b/v12.yml", "b/x.v2.json"]


def test_hidden_and_foreign_folders_are_skipped_unless_named(here: Path) -> None:
    make("v1.json", ".venv/v1.json", ".hidden/v1.json", "node_modules/x/v1.json", "a/__pycache__/v1.json")
    assert discover(["."]).files == ["v1.json"]
    assert discover([".hidden"]).files == [".hidden/v1.json"]


def test_a_named_file_is_taken_whatever_its_name(here: Path) -> None:
    make("settings.json", "v1.json")
    assert discover(["v1.json", "settings.json", "-"]).files == ["-", "settings.json", "v1.json"]


def test_each_file_is_taken_once(here: Path) -> None:
    make("a/v1.json")
    Path("0").symlink_to("a")
    Path("a/v2.json").symlink_to("v1.json")
    assert discover([".", "a", "a/v1.json", "./a/v1.json", "a/v1.json"]).files == ["a/v1.json"]


def test_links_are_followed_and_loops_end(here: Path) -> None:
    """No config is passed over in silence because a link leads to it."""
    make("a/v1.json", "elsewhere/x/v3.json")
    Path("a/loop").symlink_to("..")
    Path("a/self").symlink_to("self")
    Path("a/also").symlink_to(here / "elsewhere")
    assert discover(["a"]).files == ["a/also/x/v3.json", "a/v1.json"]


def test_a_link_that_leads_nowhere_is_not_passed_over_and_a_pipe_is_no_config(here: Path) -> None:
    make("a/v1.json")
    Path("a/v2.json").symlink_to("gone.json")
    os.mkfifo("a/v3.json")
    assert discover(["a"]).files == ["a/v1.json", "a/v2.json"]


def test_a_folder_without_a_config_is_told(here: Path) -> None:
    make("a/package.json")
    files, problems = discover(["a", "missing"])
    assert files == []
    assert problems[0].startswith("a: no config in this folder: one is named *.agent.json, v<n>.json, *.v<n>.json")
    assert problems[1] == "missing: no such file or folder"


def test_what_is_passed_over_in_a_folder(here: Path) -> None:
    """Files that could be configs by their kind, but none that `exclude` leaves out, and none of hidden folders."""
    make("a/v1.json", "a/router.yaml", "a/b/desk.json", "a/notes.txt", "a/.venv/x.yaml", "a/gone/y.yml", "z.yaml")
    Path("a/seatrial.toml").write_text('exclude = ["gone"]\n', encoding="utf-8")
    assert passed_over(["a", "z.yaml"], Nearest()) == ["a/b/desk.json", "a/router.yaml"]
    assert passed_over(["a"]) == ["a/b/desk.json", "a/gone/y.yml", "a/router.yaml"]


def test_a_folder_that_cannot_be_read_is_told(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make("a/b/v1.json", "a/v2.json")
    scandir = os.scandir

    def refusing(path: str) -> object:
        if path == "a/b":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    files, problems = discover(["a"])
    assert files == ["a/v2.json"]
    assert problems == ["a/b: Permission denied"]
