"""`seatrial mutate`: exit codes, the table, JSON, and wrong use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from seatrial.cli.mutate import command
from seatrial.schemas import load as load_schema
from seatrial.simulator import mutate
from seatrial.simulator.faults import Fault
from seatrial.simulator.mutate import Fate

ISOLATION = Path(__file__).parents[2] / "scenarios" / "isolation"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_all_caught_is_exit_0() -> None:
    told = run(str(ISOLATION), "-k", "foreign-session", "--first")
    assert (told.exit_code, told.output.splitlines()[-1]) == (0, "1 fault in 9 scenarios: 1 caught")


def test_one_that_does_not_land_is_exit_1_and_named() -> None:
    told = run(str(ISOLATION), "-k", "pins-newest-first")
    assert told.exit_code == 1
    assert "not landed: pins-newest-first: no scenario shows whether pins are listed newest first" in told.output


def test_many_that_do_not_land_are_named_and_what_landed_comes_first() -> None:
    told = run(str(ISOLATION / "two-agents.scenario.yaml"), "-k", "VIEW", "-k", "PIN", "--first")
    lines = told.output.splitlines()
    assert (told.exit_code, lines[1].split()[0]) == (1, "foreign-agent-in-view")
    (head,) = (number for number, line in enumerate(lines) if line.startswith("not landed, as no scenario goes where"))
    named = " ".join(lines[head + 1 : -1]).replace(",", "").split()
    assert f"({len(named)}; --list says what each is)" in lines[head]
    assert {"foreign-session-in-view", "pins-newest-first"} <= set(named)
    assert not any("NOT LANDED" in line for line in lines)
    assert max(map(len, lines)) <= 140


def test_several_words_pick_what_either_names_and_each_names_some() -> None:
    told = run("--list", "-k", "PIN-1", "-k", "foreign-agent")
    assert [line.split()[0] for line in told.output.splitlines()] == ["foreign-agent-in-view", "pins-without-pins"]
    assert "no fault has 'pnis'" in run("--list", "-k", "PIN-1", "-k", "pnis").output


def test_json() -> None:
    told = run(str(ISOLATION), "-k", "foreign-agent", "--format", "json")
    report = json.loads(told.output)
    assert [error.message for error in Draft202012Validator(load_schema("mutation")).iter_errors(report)] == []
    assert report["summary"] == {"faults": 1, "caught": 1, "survived": 0, "excused": 0, "not_landed": 0, "lost": 0}
    (fault,) = report["faults"]
    assert (fault["fault"], fault["clause"], fault["state"]) == ("foreign-agent-in-view", "VIEW-1", "caught")
    assert "agent-isolation" in fault["caught"][0]["by"]
    assert {kill["path"] for kill in fault["caught"]} <= set(report["scenarios"])


def test_a_fault_that_kills_whoever_tries_it_is_exit_3_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fates(_: object, faults: list[Fault], *more: object, **options: object) -> list[Fate]:
        return [Fate(faults[0], invariants_only=False, lost=True)]

    monkeypatch.setattr(mutate, "fates", fates)
    told = run(str(ISOLATION), "-k", "foreign-agent", "--format", "json")
    assert told.exit_code == 3
    report = json.loads(told.stdout)
    assert (report["faults"][0]["state"], report["summary"]["lost"]) == ("lost", 1)
    assert "what tried foreign-agent-in-view died, twice" in told.stderr
    assert "lost: foreign-agent-in-view: " in run(str(ISOLATION), "-k", "foreign-agent").stdout


def test_list_runs_nothing(tmp_path: Path) -> None:
    told = run(str(tmp_path / "nowhere"), "--list")
    assert told.exit_code == 0
    assert len(told.output.splitlines()) >= 40


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere: no such file or folder"),
        ([".", "-k", "no such fault"], "no fault has 'no such fault'"),
        (["."], "no scenario in this folder"),
        (["bad.scenario.yaml"], "is no valid scenario"),
        (["failing.scenario.yaml"], "failing.scenario.yaml fails without a fault"),
    ],
)
def test_wrong_use_is_exit_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments[0] != ".":
        (tmp_path / "bad.scenario.yaml").write_text("scenario: [", encoding="utf-8")
        (tmp_path / "failing.scenario.yaml").write_text(
            "scenario: it fails\nagents: {a: {harness: {memory: {enabled: true}}}}\nsteps:\n"
            "  - turn: s\n    user: Hello\n    do: [{reply: Hello, sees: {text: [unheard of]}}]\n",
            encoding="utf-8",
        )
    told = run(*arguments)
    assert (told.exit_code, said in told.output) == (2, True), told.output
