"""Every clause of the memory system has cover, and nothing cites one that is not there. docs/spec.md: what counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from seatrial.linter.rules import RULES, Rule
from seatrial.simulator.discover import discover
from seatrial.simulator.faults import FAULTS
from seatrial.simulator.load import load_script
from seatrial.simulator.spec import CLAUSES, GROUPS, Clause
from seatrial.simulator.spec.cover import Survey, survey
from seatrial.simulator.spec.in_tests import cited_below

ROOT = Path(__file__).parents[3]
SCENARIOS = [(str(path), load_script(path).clauses) for path in discover([ROOT / "scenarios"])]


@pytest.fixture(scope="module")
def found() -> Survey:
    return survey(SCENARIOS, cited_below(ROOT / "tests", "tests"))


def test_every_clause_has_cover(found: Survey) -> None:
    assert {cover.clause.id: cover.lacks for cover in found.covers if cover.lacks} == {}


def test_every_clause_is_shown_by_a_shipped_scenario() -> None:
    found = survey(SCENARIOS, None, of_a_suite=True)
    assert [cover.clause.id for cover in found.covers if cover.lacks] == []


def test_every_clause_has_a_fault_that_deviates_from_it() -> None:
    assert {*CLAUSES} - {fault.clause for fault in FAULTS.values()} == set()


def test_nothing_cites_a_clause_that_does_not_exist(found: Survey) -> None:
    assert found.unknown == ()


def test_the_table_numbers_the_clauses_of_each_group_from_1() -> None:
    numbered = [f"{group}-{number + 1}" for group in GROUPS for number in range(count(group))]
    assert list(CLAUSES) == numbered
    assert len(CLAUSES) == 73


def count(group: str) -> int:
    return sum(clause.group == group for clause in CLAUSES.values())


@pytest.mark.parametrize("clause", CLAUSES.values(), ids=lambda clause: clause.id)
def test_what_holds_is_one_short_sentence(clause: Clause) -> None:
    assert re.fullmatch(r"[A-Z`][^\n|]{10,90}\.", clause.holds)


def test_the_page_of_the_memory_system_tells_the_table() -> None:
    page = (ROOT / "docs" / "memory-system.md").read_text(encoding="utf-8")
    rows: list[Sequence[str]] = re.findall(r"^\| ([A-Z]+-\d+) \| (.*?) \|", page, re.MULTILINE)
    assert sorted(tuple(row) for row in rows) == sorted((clause.id, clause.holds) for clause in CLAUSES.values())


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_a_rule_that_speaks_of_a_clause_guards_it(rule: Rule) -> None:
    said = [each for each in CLAUSES if re.search(rf"{each}\b", f"{rule.checks} {rule.why}")]
    assert set(said) <= set(rule.clauses)
