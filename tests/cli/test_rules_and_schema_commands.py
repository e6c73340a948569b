"""`seatrial rules` and `seatrial schema`: what they print, and how they answer what they do not know."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from seatrial import schemas
from seatrial.cli import cli
from seatrial.linter.rules import RULES
from seatrial.simulator import rules as scenarios
from seatrial.simulator.invariants import INVARIANTS, RERUNS, Invariant, SecondRun

V1 = '{"harness": {"memory": {"labels": {"customer_id": {"number": 5}}}}}'


def seatrial(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_rules_lists_every_rule() -> None:
    done = seatrial("rules")
    assert done.exit_code == 0
    lines = [line.split() for line in done.output.splitlines()]
    assert [line[:3] for line in lines if line and line[0][:2] in ("ST", "SC") and line[0][2:].isdigit()] == [
        [rule.code, rule.severity, rule.name] for rule in (*RULES.values(), *scenarios.RULES.values())
    ]


def test_the_list_has_headings_and_ends_with_the_invariants() -> None:
    first, *blocks = seatrial("rules").output.split("\n\n")
    assert first == "Reading a config (ST0…)"
    assert "From one version to the next (ST5…)" in blocks
    invariants: list[Invariant | SecondRun] = [*INVARIANTS, *RERUNS]
    assert [line.split()[0] for line in blocks[-2].splitlines()] == [each.name for each in invariants]
    assert "explains one" in blocks[-1]


def test_the_beginning_of_codes_lists_their_rules() -> None:
    done = seatrial("rules", "st40")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()] == [code for code in RULES if code.startswith("ST40")]
    assert seatrial("rules", "").exit_code == 2


@pytest.mark.parametrize("name", ["ST502", "st502", "number-changed"])
def test_a_rule_has_a_page(name: str) -> None:
    done = seatrial("rules", name)
    assert done.exit_code == 0
    for part in ("ST502 number-changed (error)", "Why: ", "Bad:", "Good:", "    # v2.yaml"):
        assert part in done.output


@pytest.mark.parametrize("invariant", [*INVARIANTS, *RERUNS], ids=lambda each: each.name)
def test_an_invariant_has_a_page(invariant: Invariant | SecondRun) -> None:
    done = seatrial("rules", invariant.name)
    assert done.exit_code == 0
    for part in (f"{invariant.name} (invariant)", f"Holds when: {invariant.holds_when}", *invariant.clauses):
        assert part in done.output
    for name in invariant.counts:
        assert f"  {name.replace('_', ' ')}: " in done.output


def test_a_misspelt_invariant_is_answered_with_the_nearest() -> None:
    done = seatrial("rules", "sesion-isolation")
    assert done.exit_code == 2
    assert "did you mean session-isolation?" in done.output


def test_every_page_prints() -> None:
    for code in RULES:
        assert seatrial("rules", code).output.isascii()


def test_an_unknown_rule_is_answered_with_the_nearest() -> None:
    done = seatrial("rules", "ST5O2")
    assert done.exit_code == 2
    assert 'there is no rule "ST5O2"; did you mean ST502?' in done.output


@pytest.mark.parametrize("name", schemas.names())
def test_a_schema_is_printed_as_it_is_shipped_and_can_be_used_alone(name: str) -> None:
    done = seatrial("schema", name)
    assert done.exit_code == 0
    printed = json.loads(done.output)
    assert {**printed, "$defs": {}} == {**schemas.load(name), "$defs": {}}
    named = set(re.findall(r'"\$ref": *"([^"#]+)', done.output))
    assert named <= printed.get("$defs", {}).keys()


def test_the_schema_of_a_difference_judges_its_findings_alone() -> None:
    alone = jsonschema.Draft202012Validator(json.loads(seatrial("schema", "diff").output))
    told = {"format": 1, "old": "a", "new": "b", "effects": [], "diagnostics": [{}]}
    assert any("'code' is a required property" in error.message for error in alone.iter_errors(told))


def test_schemas_are_listed() -> None:
    assert [line.split()[0] for line in seatrial("schema").output.splitlines()] == list(schemas.names())


def test_an_unknown_schema_is_answered_with_the_nearest() -> None:
    done = seatrial("schema", "agnt")
    assert done.exit_code == 2
    assert "did you mean agent?" in done.output


def test_the_schema_after_earlier_versions_flags_a_renumbered_label(here: Path) -> None:
    (here / "v1.json").write_text(V1)
    (here / "v2.json").write_text(V1.replace("}}}}}", '}, "account": {"number": 6}}}}}'))
    done = seatrial("schema", "agent", "--after", "v2.json", "--after", "v1.json")
    assert done.exit_code == 0
    validator = jsonschema.Draft202012Validator(json.loads(done.output))
    assert validator.is_valid(json.loads((here / "v2.json").read_text()))
    assert not validator.is_valid(json.loads(V1))
    errors = [error.schema["errorMessage"] for error in validator.iter_errors(json.loads(V1.replace("5", "7")))
              if "errorMessage" in error.schema]  # fmt: skip
    assert errors == ['label "customer_id" has number 5 since version 1, and keeps it']


def test_earlier_versions_must_be_in_order_themselves(here: Path) -> None:
    (here / "v1.json").write_text('{"harness": 5}')
    done = seatrial("schema", "agent", "--after", "v1.json")
    assert done.exit_code == 2
    assert "ST102" in done.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["report", "--after", "v1.json"], "--after extends the schema agent, not report"),
        (["--after", "v1.json"], "--after needs the schema"),
        (["agent", "--after", "gone.json"], "gone.json"),
        (["agent", "--after", "a.v1.json", "--after", "b.v1.json"], "these are of a, b"),
    ],
)
def test_wrong_use_is_told(here: Path, arguments: list[str], said: str) -> None:
    for name in ("v1.json", "a.v1.json", "b.v1.json"):
        (here / name).write_text(V1)
    done = seatrial("schema", *arguments)
    assert done.exit_code == 2
    assert said in done.output


@pytest.mark.parametrize("command", ["lint", "rules", "schema"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = seatrial(command, "--help")
    assert done.exit_code == 0
    assert "Examples:" in done.output
    assert f"  seatrial {command}" in done.output
