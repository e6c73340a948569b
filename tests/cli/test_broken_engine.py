"""What `seatrial run` says of a memory system that is broken: what broke, where, what was seen, what should have been,
and the way there."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from seatrial.cli import main
from seatrial.cli.mutate import command as mutate_command
from seatrial.cli.run import command
from seatrial.engine import Turn
from seatrial.schemas import load
from seatrial.simulator.events import Broke, Consumer
from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.load import Loader
from seatrial.simulator.runner import Run, run_script
from seatrial.simulator.script import Script
from seatrial.simulator.spec import CLAUSES
from seatrial.simulator.suite import judge, read

ROOT = Path(__file__).parents[2]
VIOLATION = re.compile(
    r"^  (?P<path>\S+):(?P<line>\d+):\d+: (?P<invariant>[a-z:-]+) is violated \((?P<clause>[A-Z]+-\d+)\)\n"
    r"    observed (?P<observed>.+)\n"
    r"(?:    record   (?P<record>.+)\n)?"
    r"    because (?P<because>.+)\n"
    r"    expected (?P<expected>.+)\n"
    r"    path     (?P<witness>.+)$",
    re.MULTILINE,
)


def violations(monkeypatch: pytest.MonkeyPatch, fault: str, scenario: str) -> list[dict[str, str]]:
    """Each violation that is told in full, by its parts; there is no other."""
    monkeypatch.chdir(ROOT)
    with altered(FAULTS[fault]):
        told = CliRunner().invoke(command, [f"scenarios/{scenario}.scenario.yaml"])
    assert told.exit_code == 1, told.output
    found = [match.groupdict() for match in VIOLATION.finditer(told.output)]
    assert len(found) == told.output.count(" is violated ") > 0, told.output
    return found


@pytest.mark.parametrize(
    ("fault", "scenario", "invariant"),
    [
        ("foreign-session-in-view", "isolation/two-accounts", "session-isolation"),
        ("state-of-another-session", "isolation/a-state-of-another-session", "session-isolation"),
        ("conversation-of-another-session", "isolation/same-words-in-two-sessions", "noninterference:sessions"),
        ("conversation-of-another-session", "isolation/same-words-in-two-sessions", "commute"),
        ("frequencies-of-all", "isolation/scores-do-not-move", "noninterference:sessions"),
    ],
)
def test_a_leak_names_both_sessions(monkeypatch: pytest.MonkeyPatch, fault: str, scenario: str, invariant: str) -> None:
    found = [each for each in violations(monkeypatch, fault, scenario) if each["invariant"] == invariant]
    assert found
    for each in found:
        assert {"account-17", "account-22"} <= set(re.findall(r"account-\d+", each["witness"])), each
        assert each["expected"] == CLAUSES[each["clause"]].holds


def test_the_place_is_that_of_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    (first, *_) = violations(monkeypatch, "foreign-session-in-view", "isolation/two-accounts")
    lines = (ROOT / first["path"]).read_text(encoding="utf-8").splitlines()
    assert lines[int(first["line"]) - 1].strip().startswith("- search_memory")


@pytest.mark.parametrize(
    ("fault", "scenario"),
    [
        ("source-always-tool", "extraction/reviews-every-few-messages"),
        ("preview-ends-live", "preview/would-have-replaced"),
        ("rollback-keeps", "rollback/a-turn-that-rolls-back"),
        ("uses-of-pins-lost", "pins/a-pin-is-taken-off"),
    ],
)
def test_what_the_ledger_shows_stands_at_the_step_behind_it(
    monkeypatch: pytest.MonkeyPatch, fault: str, scenario: str
) -> None:
    """Also where no step observed it, there is a line to go to."""
    assert all(int(each["line"]) > 1 for each in violations(monkeypatch, fault, scenario))


def test_the_example_of_the_readme_is_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```text\n(scenarios/isolation/two-accounts\.scenario\.yaml:.*?)```", readme, re.DOTALL)
    monkeypatch.chdir(ROOT)
    with altered(FAULTS["foreign-session-in-view"]):
        told = CliRunner().invoke(command, ["scenarios/isolation/two-accounts.scenario.yaml"]).output
    assert "".join(f"  {line}\n" for line in shown.splitlines()) in told


BREAKS = """\
scenario: it breaks down
config: {harness: {}}
steps:
- turn: s
  do:
  - reply: boom
    sees: {text: Bonjour}
  - reply: never reached
"""


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A memory system that breaks down when it is told `boom`, a scenario that tells it, and one that does not."""
    real = Turn.reply

    def reply(self: Turn, text: str) -> object:
        if text == "boom":
            raise ZeroDivisionError("no reply today")
        return real(self, text)

    monkeypatch.setattr(Turn, "reply", reply)
    monkeypatch.chdir(tmp_path)
    Path("a.scenario.yaml").write_text(BREAKS, encoding="utf-8")
    Path("b.scenario.yaml").write_text(BREAKS.replace("boom", "hello").replace("Bonjour", "it"), encoding="utf-8")


@pytest.mark.usefixtures("breaks")
def test_a_memory_system_that_breaks_down_fails_the_scenario_and_the_others_go_on() -> None:
    told = CliRunner().invoke(command, [])
    assert told.exit_code == 1, told.output
    head, rest = told.output.split("ok       b.scenario.yaml")
    crash, where, *missed = head.splitlines()[1:]
    assert crash == "  a.scenario.yaml:6:5: crash: the memory system broke down: ZeroDivisionError: no reply today"
    assert re.fullmatch(r"    raised in \S*test_broken_engine, line \d+", where)
    assert missed[0] == "  a.scenario.yaml:7:12: /steps/0/do/0/sees/text"
    assert rest.endswith("2 scenarios, 2 turns: 1 ok, 1 failed\n")


@pytest.mark.usefixtures("breaks")
def test_a_break_down_is_told_in_every_form() -> None:
    said = "the memory system broke down: ZeroDivisionError: no reply today"
    forms = {form: CliRunner().invoke(command, ["--format", form]) for form in ("json", "junit", "github", "html")}
    assert {told.exit_code for told in forms.values()} == {1}
    report = json.loads(forms["json"].output)
    jsonschema.validate(report, load("run"))
    (crash,) = report["scenarios"][0]["crashes"]
    assert (crash["step"], crash["line"], crash["raised"]) == (
        "/steps/0/do/0",
        6,
        "ZeroDivisionError: no reply today",
    )
    assert f'<failure type="crash, expectation" message="{said} (and 1 more)">' in forms["junit"].output
    assert f"::error file=a.scenario.yaml,line=6,endLine=7,title=crash::{said}%0A" in forms["github"].output
    assert said in forms["html"].output


@pytest.mark.usefixtures("breaks")
def test_what_a_worker_hands_back_of_a_break_down_is_the_same() -> None:
    told = judge(read(Path("a.scenario.yaml"), Loader()))
    assert told.crashes
    assert pickle.loads(pickle.dumps(told)) == told


def test_a_break_down_in_a_second_run_says_in_which(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = count(1)

    def played(script: Script, *, consumers: Sequence[Consumer], **named: Any) -> Run:
        if next(runs) > 1:
            error = KeyError("wire")
            consumers[0](Broke((), error))
            raise error
        return run_script(script, consumers=consumers, **named)

    monkeypatch.setattr("seatrial.simulator.suite.run_script", played)
    monkeypatch.chdir(ROOT)
    told = judge(read(Path("scenarios/isolation/two-accounts.scenario.yaml"), Loader()))
    assert {crash.second for crash in told.crashes} >= {"determinism", "noninterference:sessions"}
    assert told.crashes[0].lines[0].startswith("the memory system broke down in the second run of determinism: ")
    assert told.trace is not None
    assert any(verdict.name == "session-isolation" for verdict in told.verdicts)


@pytest.mark.usefixtures("breaks")
def test_a_scenario_that_breaks_down_shows_no_fault() -> None:
    told = CliRunner().invoke(mutate_command, ["."])
    assert told.exit_code == 2
    assert "a.scenario.yaml fails without a fault: `seatrial run a.scenario.yaml` says why" in told.output


def test_a_judge_that_breaks_down_is_our_fault_and_names_what_it_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError("no verdict today")

    monkeypatch.setattr("seatrial.simulator.suite.history_of", broken)
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.argv", ["seatrial", "run", "scenarios/isolation/two-accounts.scenario.yaml"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3
    assert capsys.readouterr().err.splitlines()[:2] == [
        "seatrial: internal fault: ZeroDivisionError: no verdict today",
        "while scenarios/isolation/two-accounts.scenario.yaml was judged",
    ]
