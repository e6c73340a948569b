"""`--config` of `seatrial run` and `seatrial mutate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from seatrial.cli.mutate import command as mutate
from seatrial.cli.run import command as run
from seatrial.schemas import load as load_schema

KEEPS = "{harness: {memory: {enabled: true, tools: [add_memory]}}}"
KEPT = f"""scenario: a fact is kept
config: {KEEPS}
steps:
  - turn: a
    do:
      - add_memory: {{summary: One, kind: fact, as: one}}
        gets: {{record: {{status: ACTIVE}}}}
  - turn: b
    do:
      - search_memory: {{query: One}}
        gets: {{records: []}}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "kept.scenario.yaml": KEPT,
        "other.scenario.yaml": KEPT.replace(f"config: {KEEPS}", f"agents: {{clerk: {KEEPS}}}"),
        "agent.yaml": "harness: {}\n",
        "agent.v2.yaml": f"harness: {KEEPS[len('{harness: ') : -1]}\n",
        "bad.yaml": "harness: {memry: {}}\n",
    }.items():
        Path(name).write_text(text, encoding="utf-8")


def said(*arguments: str) -> Result:
    return CliRunner().invoke(run, arguments)


def test_scenarios_of_its_agent_start_with_it_and_the_others_say_that_they_do_not() -> None:
    told = said("--config", "agent.yaml")
    assert told.exit_code == 1
    lines = told.stdout.splitlines()
    assert lines[0] == "FAILED   kept.scenario.yaml: a fact is kept"
    assert "  kept.scenario.yaml:7:9: /steps/0/do/0/gets" in lines
    assert lines[lines.index("ok       other.scenario.yaml: a fact is kept") + 1] == (
        "  note: it ran as written: no config was given for clerk"
    )


def test_it_may_be_given_for_several_agents_and_for_one_by_name() -> None:
    told = said("--config", "agent.v2.yaml", "--config", "clerk=agent.yaml")
    assert [line.split()[0] for line in told.stdout.splitlines() if "scenario.yaml: a" in line] == ["ok", "FAILED"]
    assert "as written" not in told.stdout


@pytest.mark.parametrize("form", ["json", "junit", "html"])
def test_every_report_has_the_note(form: str) -> None:
    told = said("--config", "agent.v2.yaml", "--format", form)
    assert told.exit_code == 0
    assert "it ran as written: no config was given for clerk" in told.stdout
    if form == "json":
        assert list(Draft202012Validator(load_schema("run")).iter_errors(json.loads(told.stdout))) == []


def test_one_that_no_scenario_uses_is_wrong_use_told_after_the_results() -> None:
    told = said("--config", "clerk=agent.v2.yaml", "-k", "kept.scenario")
    assert told.exit_code == 2
    assert "1 ok" in told.stdout
    assert "seatrial: --config clerk=agent.v2.yaml is a config of clerk, which is an agent of no scen" in told.stderr


def test_where_it_stopped_early_nothing_is_said_of_what_did_not_come() -> None:
    told = said("-x", "--config", "agent.yaml", "--config", "clerk=agent.v2.yaml")
    assert (told.exit_code, told.stderr) == (1, "")


def test_errors_in_it_are_told_as_the_linter_tells_them_and_nothing_runs() -> None:
    told = said("--config", "bad.yaml")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "bad.yaml:1:11" in told.stderr
    assert "ST101" in told.stderr
    assert "a config with errors cannot be deployed" in told.stderr


def test_the_trace_is_of_what_was_played() -> None:
    assert said("kept.scenario.yaml", "--config", "agent.v2.yaml", "--trace", "t.jsonl").exit_code == 0
    deploy = json.loads(Path("t.jsonl").read_text(encoding="utf-8").splitlines()[1])
    assert (deploy["type"], deploy["version"], deploy["step"]) == ("deploy", 2, "/config")


def test_mutate_takes_it() -> None:
    """A suite that says nothing of views catches nothing where its agents keep no memory."""
    arguments = ["other.scenario.yaml", "-k", "foreign-session-in-view"]
    assert CliRunner().invoke(mutate, arguments).exit_code == 0
    told = CliRunner().invoke(mutate, [*arguments, "--config", "clerk=agent.yaml"])
    assert told.exit_code == 2
    assert "`seatrial run other.scenario.yaml --config clerk=agent.yaml` says why" in " ".join(told.stderr.split())
    told = CliRunner().invoke(mutate, [*arguments, "--config", "clerk=agent.v2.yaml"])
    assert (told.exit_code, told.stderr) == (0, "")
    told = CliRunner().invoke(mutate, [*arguments, "--config", "agent.v2.yaml"])
    assert told.exit_code == 2
    assert "agent.v2.yaml is a config of agent, which is an agent of no scenario" in told.stderr
