"""Configs that scenarios start with in place of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.linter import read_text
from seatrial.simulator.load import Loader
from seatrial.simulator.script import DeployStep
from seatrial.simulator.start import StartError, read_starts, start_of, unused
from seatrial.simulator.suite import judge, read

KEEPS = "{harness: {memory: {enabled: true, tools: [add_memory]}}}"
FORGETS = "harness: {}\n"
ONE = f"""scenario: a fact is kept
config: {KEEPS}
steps:
  - turn: a
    do:
      - add_memory: {{summary: One, kind: fact, as: one}}
  - deploy: {{config: {KEEPS}}}
  - turn: a
    do:
      - search_memory: {{query: one}}
        gets: {{records: [one]}}
"""
TWO = f"""scenario: two agents
agents:
  clerk: {KEEPS}
  auditor: {KEEPS}
steps:
  - turn: {{agent: clerk, session: a}}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "one.scenario.yaml": ONE,
        "two.scenario.yaml": TWO,
        "agent.yaml": FORGETS,
        "clerk.v3.yaml": FORGETS,
        "named.yaml": f"agent: auditor\n{FORGETS}",
        "a=b.yaml": FORGETS,
        "bad.yaml": "harness: {memry: {}}\n",
        "worse.yaml": "harness: 5\n",
    }.items():
        Path(name).write_text(text, encoding="utf-8")


def deployed(scenario: str, *written: str) -> list[tuple[str, object]]:
    script = Loader(read_starts(written)).load(Path(scenario)).script
    return [(step.agent, dict(step.config)) for step in script.steps if isinstance(step, DeployStep)]


def test_only_the_first_config_of_the_agent_is_replaced_and_deploys_stay() -> None:
    written = deployed("one.scenario.yaml")
    assert deployed("one.scenario.yaml", "agent.yaml") == [("agent", {"harness": {}}), written[1]]


def test_of_several_agents_only_those_that_are_given_one_and_a_version_in_its_name_counts() -> None:
    clerk, auditor = deployed("two.scenario.yaml", "clerk.v3.yaml")
    assert clerk == ("clerk", {"harness": {}, "version": 3})
    assert auditor == deployed("two.scenario.yaml")[1]


@pytest.mark.parametrize("written", ["named.yaml", "auditor=agent.yaml", "auditor=named.yaml"])
def test_whose_it_is_says_the_config_or_who_asks(written: str) -> None:
    assert list(read_starts([written])) == ["auditor"]


def test_a_file_with_an_equals_sign_in_its_name_is_a_file() -> None:
    assert list(read_starts(["a=b.yaml", "c=a=b.yaml"])) == ["a=b", "c"]


def test_an_expectation_that_then_fails_stands_where_it_is_written_and_its_reason_is_told() -> None:
    told = judge(read(Path("one.scenario.yaml"), Loader(read_starts(["agent.yaml"]))))
    assert told.state == "failed"
    assert [(each.pointer, told.place("/steps/2/do/0/gets/records")) for each in told.failures] == [
        (("steps", 2, "do", 0, "gets", "records"), told.place("/steps/2/do/0/gets/records"))
    ]
    span = told.place("/steps/2/do/0/gets/records")
    assert span is not None
    assert (span.line, span.column) == (11, 16)
    assert "/steps/0/do/0" in [note.step for note in told.notes]


def test_one_of_none_of_its_agents_runs_as_written_and_says_so() -> None:
    told = judge(read(Path("two.scenario.yaml"), Loader(read_starts(["agent.yaml"]))))
    assert told.state == "ok"
    assert [note.message for note in told.notes if not note.step] == [
        "it ran as written: no config was given for clerk, auditor"
    ]
    assert judge(read(Path("two.scenario.yaml"), Loader(read_starts(["clerk.v3.yaml"])))).notes == ()
    assert judge(read(Path("two.scenario.yaml"), Loader())).notes == ()


def test_what_no_scenario_uses_is_told_with_the_agents_that_there_are() -> None:
    starts = read_starts(["agent.yaml", "clerk.v3.yaml"])
    assert unused(starts, ["clerk", "agent"]) == []
    (line,) = unused(starts, ["clerk", "auditor", "clerk"])
    assert line.startswith(
        "agent.yaml is a config of agent, which is an agent of no scenario that ran; there is auditor"
    )


def test_errors_of_all_configs_are_the_linters() -> None:
    with pytest.raises(StartError, match="errors") as raised:
        read_starts(["bad.yaml", "agent.yaml", "worse.yaml"])
    assert [(error.path, error.code) for error in raised.value.errors] == [
        ("bad.yaml", "ST101"),
        ("worse.yaml", "ST102"),
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (["no.yaml"], "no.yaml: No such file"),
        (["agent=no.yaml"], "agent=no.yaml: No such file"),
        (["clerk.v3.yaml", "clerk=agent.yaml"], "are both of the agent clerk"),
        (["clerk=named.yaml"], "the config says that it is auditor's"),
        (["\0"], "null"),
    ],
)
def test_what_cannot_be_started_with(written: list[str], said: str) -> None:
    with pytest.raises(StartError, match=said):
        read_starts(written)


def test_a_text_that_is_in_no_file_can_be_started_with() -> None:
    """As one from a git revision is."""
    starts = {"agent": start_of(read_text(FORGETS, path="old/agent.v1.yaml"), "old")}
    assert judge(read(Path("one.scenario.yaml"), Loader(starts))).state == "failed"
