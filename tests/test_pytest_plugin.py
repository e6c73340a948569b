"""The pytest plugin: scenario files as tests, the fixture `memory`, and nothing where it is not used."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import junitparser
import pytest

pytest_plugins = ["pytester"]

INSTALLED = bool(entry_points(group="pytest11", name="seatrial"))
PLUGIN = [] if INSTALLED else ["-p", "seatrial.pytest_plugin"]
GOOD = """scenario: all is well
config: {harness: {memory: {enabled: true, tools: [add_memory]}}}
tags: [calm]
steps:
  - turn: a
    do:
      - reply: Hello.
"""
USE = """
def test_what_one_session_learns(memory):
    with memory.turn("account-17", "Wire 4471 is approved.") as turn:
        turn.model_call()
        assert turn.call("add_memory", {"summary": "Wire 4471 is approved", "kind": "fact"}).error is None
    with memory.turn("account-22", "Is it?") as turn:
        assert turn.model_call().to_json()["recalled"] == []
    with memory.turn("account-17", "Is wire 4471 approved?") as turn:
        assert [hit["summary"] for hit in turn.model_call().to_json()["recalled"]] == ["Wire 4471 is approved"]
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    for name, text in {
        "good.scenario.yaml": GOOD,
        "missed.scenario.yml": GOOD.replace("calm", "other") + "        sees: {text: Bonjour}\n",
        "invalid.scenario.json": "{}",
        "other.yaml": "{}",
        "v1.yaml": "harness: {memory: {enabled: true, tools: [add_memory]}}\n",
    }.items():
        (pytester.path / name).write_text(text, encoding="utf-8")
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.runpytest_subprocess(*PLUGIN, *arguments)


def test_scenario_files_are_tests_with_readable_failures(project: pytest.Pytester) -> None:
    result = run(project, "--junitxml=report.xml")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*missed.scenario.yml:8:16: /steps/0/do/0/sees/text", '*expected*"Bonjour"*'])
    assert "Traceback" not in result.stdout.str()
    (suite,) = junitparser.JUnitXml.fromfile(str(project.path / "report.xml"))
    assert {case.name for case in suite} == {"good", "missed", "invalid"}


def test_under_xdist(project: pytest.Pytester) -> None:
    run(project, "-n", "2").assert_outcomes(passed=1, failed=2)


def test_scenarios_are_chosen_by_tag_or_left_out(project: pytest.Pytester) -> None:
    run(project, "--scenario-tag", "calm").assert_outcomes(passed=1)
    assert run(project, "--no-scenarios").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_it_can_be_turned_off(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess("-p", "no:seatrial")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_the_memory_of_a_test(project: pytest.Pytester) -> None:
    project.makepyfile(USE)
    run(project, "--no-scenarios", "--memory-config", "v1.yaml").assert_outcomes(passed=1)
    project.makeini("[pytest]\nmemory_config = v1.yaml\n")
    run(project, "--no-scenarios").assert_outcomes(passed=1)


def test_the_agent_is_the_one_that_the_config_names(project: pytest.Pytester) -> None:
    project.makepyfile(USE)
    named = (project.path / "v1.yaml").read_text(encoding="utf-8") + "agent: helpdesk\n"
    (project.path / "named.yaml").write_text(named, encoding="utf-8")
    run(project, "--no-scenarios", "--memory-config", "named.yaml").assert_outcomes(passed=1)


def test_a_turn_that_an_exception_leaves_keeps_nothing(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        def test_it(memory):
            memory.deploy({"harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}})
            with pytest.raises(ZeroDivisionError), memory.turn("a", "Hello") as turn:
                turn.model_call()
                turn.call("add_memory", {"summary": "Wires are free", "kind": "fact"})
                1 / 0
            assert memory.engine.console.memories("agent", grants=None)["records"] == []
            assert turn.result.outcome == "rolled_back"

        def test_a_config_with_an_error(memory):
            with pytest.raises(ValueError, match="ST101"):
                memory.deploy("wrong.yaml")
        """
    )
    (project.path / "wrong.yaml").write_text("harness: {memry: {}}\n", encoding="utf-8")
    run(project, "--no-scenarios").assert_outcomes(passed=2)


def test_loading_it_loads_nothing_else_of_seatrial(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import sys

        def test_it():
            assert [name for name in sys.modules if name.startswith(("seatrial.", "numpy", "faiss"))] == [
                "seatrial.pytest_plugin"
            ]
        """
    )
    run(project, "--no-scenarios").assert_outcomes(passed=1)


def test_the_suffixes_are_those_of_run() -> None:
    from seatrial import pytest_plugin
    from seatrial.simulator.discover import SUFFIXES

    assert pytest_plugin._SUFFIXES == SUFFIXES


def test_the_entry_point_is_declared() -> None:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nseatrial = "seatrial.pytest_plugin"\n' in text
