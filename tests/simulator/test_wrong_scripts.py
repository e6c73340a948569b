"""Every mistake in a script is told in plain words, at its place, with what to do; and nothing runs."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from seatrial.cli.run import command

WRONG: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("wrong_scripts.yaml").read_text(encoding="utf-8"))
HEAD = """\
scenario: a probe
agents:
  clerk:
    harness:
      memory: {enabled: true, tools: [add_memory, read_memory, delete_memory], kinds: [fact]}
steps:
"""


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: str(wrong["told"])[:40])
def test_a_mistake_has_a_place_and_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.scenario.yaml").write_text(HEAD + indent(wrong["steps"], "  "), encoding="utf-8")
    told = CliRunner().invoke(command, ["a.scenario.yaml", "--trace", "a.jsonl"])
    assert told.exit_code == 2
    assert f"  a.scenario.yaml:{wrong['told']}\n" in told.output
    assert not Path("a.jsonl").exists()


def test_there_are_many() -> None:
    assert len(WRONG) >= 50


def test_candidates_that_nothing_looks_at_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """EXT-2: not in silence."""
    monkeypatch.chdir(tmp_path)
    rare = HEAD.replace("enabled: true", "enabled: true, extraction: {every: {messages: 50}}")
    turn = "  - turn: a\n    extract: [{summary: Two sign, kind: fact}]\n    do: [{reply: Hello.}]\n"
    Path("a.scenario.yaml").write_text(rare + turn, encoding="utf-8")
    told = CliRunner().invoke(command, ["a.scenario.yaml"])
    assert told.exit_code == 0
    assert "note: a.scenario.yaml:8:5: no review was due when the turn ended" in told.output


def test_a_recall_that_found_nothing_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    turn = "  - turn: a\n    user: Wires?\n    do: [{reply: None., sees: {recalled: [mem_0]}}]\n"
    Path("a.scenario.yaml").write_text(HEAD + turn.replace("[mem_0]", "{has: [cats]}"), encoding="utf-8")
    assert CliRunner().invoke(command, ["a.scenario.yaml"]).exit_code == 2
    named = "  - turn: b\n    do: [{add_memory: {summary: Cats, kind: fact, as: cats}}]\n"
    Path("a.scenario.yaml").write_text(HEAD + named + turn.replace("[mem_0]", "[cats]"), encoding="utf-8")
    told = CliRunner().invoke(command, ["a.scenario.yaml"])
    assert told.exit_code == 1
    assert "seen     []: no record in the turn's view shares a keyword with its latest messages" in told.output
