"""What `seatrial run` says of a memory system that is broken: what broke, where, what was seen, what should have been,
and the way there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from seatrial.cli.run import command
from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.spec import CLAUSES

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
