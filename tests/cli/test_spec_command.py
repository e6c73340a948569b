"""`seatrial spec`: the table, the pages, what is missing, JSON, and wrong use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from seatrial import schemas
from seatrial.cli import cli
from seatrial.simulator.spec import CLAUSES, GROUPS

SCENARIO = "scenario: mine\nconfig: {harness: {}}\nclauses: [CLAUSE]\nsteps:\n  - turn: a\n"
ROOT = Path(__file__).parents[2]


def seatrial(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["spec", *arguments])


def told(*arguments: str) -> Any:
    done = json.loads(seatrial(*arguments, "--format", "json").output)
    jsonschema.Draft202012Validator(schemas.load("spec")).validate(done)
    return done


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a suite of one scenario that cites VIEW-2, and one test that cites PIN-1."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/a.scenario.yaml").write_text(SCENARIO.replace("CLAUSE", "VIEW-2"), encoding="utf-8")
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks/test_a.py").write_text("def test_pin_1(): ...", encoding="utf-8")
    return tmp_path


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where there is no checkout."""
    monkeypatch.setattr("seatrial.simulator.spec.in_tests.checkout", lambda: None)


def test_the_table_has_every_clause_in_its_group(here: Path) -> None:
    done = seatrial("--suite", "mine", "--tests", "checks")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert [line.split()[0] for line in lines if line.split("-")[0] in GROUPS] == list(CLAUSES)
    assert [line for line in lines if line in GROUPS.values()] == list(GROUPS.values())
    pin_1 = next(line for line in lines if line.startswith("PIN-1"))
    assert pin_1.split()[-len(CLAUSES["PIN-1"].holds.split()) - 2 :][:2] == ["-", "1"]


def test_a_clause_has_a_page_with_names(here: Path) -> None:
    done = seatrial("view-2", "--suite", "mine", "--tests", "checks")
    assert done.exit_code == 0
    for part in (
        f"VIEW-2 (The view): {CLAUSES['VIEW-2'].holds}",
        "  ST601",
        "  session-isolation",
        "  foreign-session-in-view",
        "Scenarios: 1\n  mine/a.scenario.yaml",
        "Tests: none",
        "Lacks nothing.",
    ):
        assert part in done.output


def test_the_shipped_scenarios_and_the_tests_of_the_checkout_are_counted_by_themselves(here: Path) -> None:
    done = seatrial("VER-2", "ADM-4")
    assert done.exit_code == 0
    assert "  scenarios/versions/a-renumbered-label.scenario.yaml\n" in done.output
    assert "  tests/engine/test_deploy.py::test_ver_" in done.output
    assert "ADM-4 (Operators)" in done.output


def test_a_group_is_a_table(here: Path) -> None:
    done = seatrial("SCO", "--suite", "mine", "--tests", "checks")
    assert [line.split(" ")[0] for line in done.output.splitlines()] == [
        "clause", "", "Scopes", "SCO-1", "SCO-2", "", "2",
    ]  # fmt: skip
    assert done.output.endswith("2 clauses: 2 without cover (SCO-1, SCO-2)\n")


def test_missing_of_a_suite_lists_what_no_scenario_of_it_cites(here: Path) -> None:
    done = seatrial("--suite", "mine", "--missing", "VIEW-1", "VIEW-2")
    assert done.exit_code == 1
    assert done.output == (
        "VIEW-1  lacks a scenario: A turn sees nothing of another agent.\n2 clauses: 1 without cover (VIEW-1)\n"
    )


def test_nothing_missing_is_exit_0(here: Path) -> None:
    done = seatrial("--suite", "mine", "--missing", "VIEW-2")
    assert (done.exit_code, done.output) == (0, "1 clause, all with cover\n")


def test_what_is_missing_does_not_fail_without_missing(here: Path) -> None:
    assert seatrial("--suite", "mine", "VIEW-1").exit_code == 0


def test_tests_of_another_folder_are_counted_in_place_of_ours(here: Path) -> None:
    (clause,) = told("PIN-1", "--tests", "checks")["clauses"]
    assert clause["tests"] == ["checks/test_a.py::test_pin_1"]
    (clause,) = told("PIN-2", "--tests", "checks")["clauses"]
    assert "test" in clause["lacks"]


def test_outside_of_a_checkout_tests_are_not_looked_at_and_it_says_so(here: Path, installed: None) -> None:
    done = seatrial("PIN")
    assert " ?  A record is pinned" in done.output
    assert "Tests were not looked at: they come with a checkout only." in done.output
    assert "Tests: not looked at" in seatrial("PIN-2").output
    whole = told("PIN-2")
    assert (whole["tests"], whole["clauses"][0]["tests"], whole["clauses"][0]["lacks"]) == (None, None, [])


def test_a_clause_that_does_not_exist_is_told_and_fails_what_asks_for_what_is_missing(here: Path) -> None:
    (here / "mine/b.scenario.yaml").write_text(SCENARIO.replace("CLAUSE", "VEW-2"), encoding="utf-8")
    done = seatrial("--suite", "mine", "VIEW-2")
    assert done.exit_code == 0
    assert "mine/b.scenario.yaml cites VEW-2, and there is no such clause; did you mean VIEW-2?" in done.output
    assert seatrial("--suite", "mine", "VIEW-2", "--missing").exit_code == 1
    assert told("--suite", "mine", "VIEW-2")["unknown"] == [
        {"clause": "VEW-2", "cited_by": "mine/b.scenario.yaml", "nearest": "VIEW-2"}
    ]


def test_json(here: Path) -> None:
    whole = told()
    assert [each["id"] for each in whole["clauses"]] == list(CLAUSES)
    assert (whole["suite"], whole["tests"], whole["unknown"]) == (None, "tests", [])
    missing = told("--suite", "mine", "--missing")
    assert [each["id"] for each in missing["clauses"]] == [each for each in CLAUSES if each != "VIEW-2"]
    assert missing["summary"] == {"clauses": 72, "without_cover": 72}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["VIEW-20"], 'there is no clause "VIEW-20"; the nearest are VIEW-2'),
        (["REVIEWS"], "the nearest are VIEW"),
        (["?"], "the groups are VIEW, CTX"),
        (["--suite", "nowhere"], "nowhere: no such file or folder"),
        (["--suite", "checks"], "no scenario in checks"),
        (["--suite", "bad.scenario.yaml"], "bad.scenario.yaml is no valid scenario"),
        (["--tests", "nowhere"], "no tests in nowhere"),
        (["--tests", "bad"], "bad/test_a.py: cannot be read"),
    ],
)
def test_wrong_use_is_exit_2(here: Path, arguments: list[str], said: str) -> None:
    (here / "bad").mkdir()
    (here / "bad/test_a.py").write_text("def", encoding="utf-8")
    (here / "bad.scenario.yaml").write_text("scenario: [", encoding="utf-8")
    done = seatrial(*arguments)
    assert done.exit_code == 2
    assert said in done.output


def test_help_has_examples() -> None:
    assert "  seatrial spec VIEW-2" in seatrial("--help").output


def test_a_closed_pipe_is_no_fault() -> None:
    line = '"$0" -m seatrial spec; echo $? >&2'
    ended = subprocess.run(
        ["sh", "-c", f"({line}) | true", sys.executable], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.stderr == "141\n"
