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
MISSED = GOOD.replace("calm", "other") + "        sees: {text: Bonjour}\n"
KEEPS = """scenario: a fact is kept
config: {harness: {memory: {enabled: true, tools: [add_memory]}}}
steps:
  - turn: a
    do:
      - add_memory: {summary: One, kind: fact}
        gets: {record: {status: ACTIVE}}
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
        "missed.scenario.yml": MISSED,
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
    result.stdout.fnmatch_lines(
        [
            '*FAILED invalid.scenario.json::invalid - ST104: "scenario" is missing (and*',
            '*FAILED missed.scenario.yml::missed - expected a context that holds "Bonjour"',
        ]
    )
    assert "Traceback" not in result.stdout.str()
    (suite,) = junitparser.JUnitXml.fromfile(str(project.path / "report.xml"))
    assert {case.name for case in suite} == {"good", "missed", "invalid"}


def test_under_xdist(project: pytest.Pytester) -> None:
    run(project, "-n", "2").assert_outcomes(passed=1, failed=2)


def test_scenarios_are_chosen_by_tag_or_left_out(project: pytest.Pytester) -> None:
    result = run(project, "--scenario-tag", "calm")
    result.assert_outcomes(passed=1, failed=1)  # what is invalid may have meant to have the tag
    result.stdout.fnmatch_lines(["FAILED invalid.scenario.json::invalid*"])
    (project.path / "invalid.scenario.json").unlink()
    run(project, "--scenario-tag", "calm").assert_outcomes(passed=1)
    project.makepyfile("def test_other(): pass")
    run(project, "--scenario-tag", "calm", "--scenario-tag", "no-such").assert_outcomes(passed=2, deselected=1)
    (project.path / "test_scenarios_are_chosen_by_tag_or_left_out.py").unlink()
    assert run(project, "--no-scenarios").ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize("more", [[], ["-n", "2"]], ids=["here", "xdist"])
def test_scenarios_start_with_a_config_that_is_given(project: pytest.Pytester, more: list[str]) -> None:
    """One of no scenario is told, from whatever process its scenarios ran in; what ran as written says so."""
    (project.path / "sub").mkdir()
    (project.path / "sub" / "agent.yaml").write_text("harness: {}\n", encoding="utf-8")
    (project.path / "keeps.scenario.yaml").write_text(KEEPS, encoding="utf-8")
    (project.path / "clerk.scenario.yaml").write_text(KEEPS.replace("config: {", "config: {agent: clerk, "), "utf-8")
    given = ["--scenario-config", "sub/agent.yaml", "--scenario-config", "auditor=v1.yaml", "-rP"]
    result = run(project, *more, *given, "keeps.scenario.yaml", "clerk.scenario.yaml")
    result.assert_outcomes(passed=1, failed=1)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(
        [
            "scenarios start with: sub/agent.yaml, auditor=v1.yaml",
            "*keeps.scenario.yaml:7:9: /steps/0/do/0/gets",
        ]
    )
    result.stdout.fnmatch_lines(
        [
            "*it ran as written: no config was given for clerk",
            "ERROR: --scenario-config: auditor=v1.yaml is a config of auditor, which is an agent of no scenario*",
        ]
    )


def test_the_config_may_stand_in_the_settings_and_the_command_line_outweighs_it(project: pytest.Pytester) -> None:
    (project.path / "sub").mkdir()
    (project.path / "sub" / "agent.yaml").write_text("harness: {}\n", encoding="utf-8")
    (project.path / "keeps.scenario.yaml").write_text(KEEPS, encoding="utf-8")
    project.makeini("[pytest]\nscenario_config =\n    sub/agent.yaml\n")
    run(project, "keeps.scenario.yaml").assert_outcomes(failed=1)
    run(project, "keeps.scenario.yaml", "--scenario-config", "agent=v1.yaml").assert_outcomes(passed=1)


@pytest.mark.parametrize("more", [[], ["-n", "2"]], ids=["here", "xdist"])
def test_a_config_that_cannot_be_started_with_is_wrong_use(project: pytest.Pytester, more: list[str]) -> None:
    (project.path / "bad.yaml").write_text("harness: {memry: {}}\n", encoding="utf-8")
    result = run(project, *more, "--scenario-config", "bad.yaml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --scenario-config: a config with errors cannot be deployed", "*bad.yaml:1:11: ST101*"]
    )
    assert "Traceback" not in result.stderr.str()


def test_a_config_of_no_scenario_is_wrong_use_where_all_of_them_were_played(project: pytest.Pytester) -> None:
    """What is left out (-k, paths beside the settings) may be of its agent; so may what is no scenario."""
    for name in ("invalid.scenario.json", "missed.scenario.yml"):
        (project.path / name).unlink()
    for name in ("keeps", "again"):
        (project.path / f"{name}.scenario.yaml").write_text(KEEPS, encoding="utf-8")
    project.makepyfile("def test_other(): pass")
    unused, here = ["--scenario-config", "auditor=v1.yaml"], ["--scenario-config", "agent=v1.yaml"]
    wrong, fine = pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.OK
    assert run(project, *here).ret == fine
    for more, code in {("-k", "not again"): fine, ("-k", "other"): fine, ("--collect-only",): fine, (): wrong}.items():
        assert run(project, *unused, *more).ret == code, more
    assert run(project, *unused, "-n", "2").ret == wrong
    assert run(project, *unused, "--scenario-tag", "calm").ret == fine
    project.makeini("[pytest]\nscenario_config = auditor=v1.yaml\n")
    assert run(project, "keeps.scenario.yaml").ret == fine
    result = run(project)
    assert result.ret == wrong
    result.stdout.fnmatch_lines(["ERROR: scenario_config: auditor=v1.yaml is a config of auditor*there is agent*"])


@pytest.mark.parametrize("more", [[], ["-n", "2"]], ids=["here", "xdist"])
def test_a_tag_that_no_scenario_has_is_wrong_use(project: pytest.Pytester, more: list[str]) -> None:
    (project.path / "invalid.scenario.json").unlink()
    project.makepyfile("def test_other(): pass")
    result = run(project, *more, "--scenario-tag", "clam")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["ERROR: --scenario-tag: no scenario has clam; their tags: calm, other"])
    result = run(project, *more, "--scenario-tag", "clam", "--scenario-tag", "calm")
    assert result.ret != pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["warning: --scenario-tag: no scenario has clam; their tags: calm, other"])


@pytest.mark.parametrize("option", ["--scenario-config", "--memory-config"])
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("", "'' is not ?AGENT=?FILE: the file is missing"),
        (" ", "' ' is not ?AGENT=?FILE: the file is missing"),
        ("agent=", "'agent=' is not ?AGENT=?FILE: one of the two is missing"),
        ("=v1.yaml", "'=v1.yaml' is not ?AGENT=?FILE: one of the two is missing"),
        ("a\nb", r"a\x0ab: No such file or directory; paths are from *"),
    ],
)
def test_no_config_at_all_is_wrong_use(project: pytest.Pytester, option: str, given: str, told: str) -> None:
    result = run(project, option, given)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {option}: {told}*"])


def test_values_of_the_wrong_kind_and_options_that_contradict_each_other_are_wrong_use(
    project: pytest.Pytester,
) -> None:
    twice = ["--memory-config", "v1.yaml", "--memory-config", "agent=v1.yaml"]
    for given, told in {
        ("--scenario-tag", " "): "--scenario-tag: a tag is wanted*",
        tuple(twice): "--memory-config: one is wanted, not v1.yaml and agent=v1.yaml*",
        ("--no-scenarios", "--scenario-config", "gone.yaml"): "--scenario-config: gone.yaml: No such file*",
    }.items():
        result = run(project, *given)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([f"ERROR: {told}"])
    (project.path / "pyproject.toml").write_text("[tool.pytest.ini_options]\nscenario_config = [3]\n", encoding="utf-8")
    result = run(project)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: scenario_config: 3 is no text: ?AGENT=?FILE is wanted"])


def test_two_files_of_one_name_are_two_tests_that_words_and_the_last_failed_find(project: pytest.Pytester) -> None:
    """In junit, too; with the root elsewhere their ids start there."""
    for folder in ("north", "south"):
        (project.path / "suite" / folder).mkdir(parents=True)
        (project.path / "suite" / folder / "same.scenario.yaml").write_text(MISSED, encoding="utf-8")
    result = run(project, "suite", "--collect-only", "-q")
    ids = ["suite/north/same.scenario.yaml::same", "suite/south/same.scenario.yaml::same"]
    assert result.stdout.lines[:2] == ids
    run(project, "suite", "-k", "north and same", "--junitxml=report.xml").assert_outcomes(failed=1, deselected=1)
    run(project, "suite", "--lf").assert_outcomes(failed=1)
    (case,) = next(iter(junitparser.JUnitXml.fromfile(str(project.path / "report.xml"))))
    assert (case.classname, case.name) == ("suite.north.same.scenario.yaml", "same")
    result = run(project, "suite", "--rootdir", "suite", "--collect-only", "-q")
    assert result.stdout.lines[:2] == [each.removeprefix("suite/") for each in ids]  # from the root, as pytest's own


def test_anchors_are_read_and_help_has_the_options(project: pytest.Pytester) -> None:
    text = GOOD.replace("config: {", "config: &config {") + "  - deploy: {config: *config}\n"
    (project.path / "anchors.scenario.yaml").write_text(text, encoding="utf-8")
    run(project, "anchors.scenario.yaml").assert_outcomes(passed=1)
    run(project, "--help").stdout.fnmatch_lines(["seatrial:", "*--scenario-tag=TAG*", "*--scenario-config=*"])


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


def test_the_agent_of_a_config_that_names_none_is_the_one_of_its_file(project: pytest.Pytester) -> None:
    """As for scenarios: so the configs of two agents are no versions of one, and a name before `=` outweighs it."""
    labelled = "harness: {memory: {enabled: true, labels: {customer: {number: 1, description: Who it is about.}}}}\n"
    (project.path / "support.v1.yaml").write_text(labelled, encoding="utf-8")
    (project.path / "support.v2.yaml").write_text(labelled.replace("Who", "Whom"), encoding="utf-8")
    (project.path / "billing.yaml").write_text("harness: {memory: {enabled: true}}\n", encoding="utf-8")
    project.makepyfile(
        """
        def deployed(memory, agent):
            with memory.turn("a", agent=agent) as turn:
                return turn.result is None

        def test_it(memory, pytestconfig):
            (given,) = pytestconfig.getoption("memory_config")
            name = given.partition("=")[0].partition(".")[0]
            assert deployed(memory, name)
            assert memory.deploy("billing.yaml") == 1 and deployed(memory, "billing")
            assert memory.deploy("support.v2.yaml") == 2 and deployed(memory, "support")
            assert memory.deploy("support.v1.yaml", agent="desk") in (1, 2) and deployed(memory, "desk")
            assert memory.deploy({"harness": {}}) == 1 and deployed(memory, "agent")
        """
    )
    for given in ("support.v1.yaml", "desk=support.v1.yaml"):
        run(project, "--no-scenarios", "--memory-config", given).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("gone.yaml", "ERROR: --memory-config: gone.yaml: No such file or directory; paths are from *"),
        ("sub", "ERROR: --memory-config: sub: Is a directory; paths are from *"),
        ("bad.yaml", "*bad.yaml:1:11: ST101*"),
        ("desk=named.yaml", "ERROR: --memory-config: desk=named.yaml: the config says that it is helpdesk's*"),
    ],
)
def test_a_config_that_no_memory_can_run_is_wrong_use(project: pytest.Pytester, given: str, told: str) -> None:
    (project.path / "sub").mkdir()
    (project.path / "bad.yaml").write_text("harness: {memry: {}}\n", encoding="utf-8")
    (project.path / "named.yaml").write_text("agent: helpdesk\nharness: {}\n", encoding="utf-8")
    result = run(project, "--memory-config", given)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([told])
    assert "Traceback" not in result.stderr.str()


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
