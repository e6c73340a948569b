"""What counts as cover of a clause."""

from __future__ import annotations

from typing import Any

import pytest

from seatrial.simulator.spec import cover
from seatrial.simulator.spec.cover import Citation, Kind, Survey, survey


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> list[Citation]:
    """What the tables cite: nothing, until a test says so."""
    cited = list[Citation]()
    monkeypatch.setattr(cover, "_of_tables", lambda: iter(cited))
    return cited


def lacks(found: Survey, clause: str) -> tuple[str, ...]:
    return next(each.lacks for each in found.covers if each.clause.id == clause)


@pytest.mark.parametrize(
    ("kinds", "lacking"),
    [
        ([], ("test", "check")),
        (["tests"], ("check",)),
        (["rules"], ("test",)),
        (["tests", "rules"], ()),
        (["tests", "scenarios"], ()),
        (["tests", "invariants"], ("fault",)),
        (["tests", "invariants", "faults"], ()),
        (["tests", "faults"], ("check",)),
        (["invariants", "rules", "scenarios"], ("test", "fault")),
    ],
)
def test_a_clause_needs_a_test_a_check_and_a_fault_where_an_invariant_checks_it(
    tables: list[Citation], kinds: list[Kind], lacking: tuple[str, ...]
) -> None:
    tables += [Citation("REC-1", kind, "x") for kind in kinds if kind not in ("scenarios", "tests")]
    scenarios = [("a", ["REC-1"])] if "scenarios" in kinds else []
    tests = [("REC-1", "t")] if "tests" in kinds else []
    assert lacks(survey(scenarios, tests), "REC-1") == lacking


def test_where_tests_are_not_looked_at_none_is_missed(tables: list[Citation]) -> None:
    assert lacks(survey([("a", ["REC-1"])], None), "REC-1") == ()
    assert lacks(survey([("a", ["REC-1"])], []), "REC-1") == ("test",)


def test_a_suite_lacks_a_scenario_and_nothing_else(tables: list[Citation]) -> None:
    tables += [Citation("REC-1", kind, "x") for kind in ("rules", "invariants")]
    found = survey([("a", ["REC-2"])], [], of_a_suite=True)
    assert (lacks(found, "REC-1"), lacks(found, "REC-2")) == (("scenario",), ())


def test_what_cites_a_clause_twice_counts_once_and_in_order(tables: list[Citation]) -> None:
    found = survey([("b", ["REC-1"]), ("a", ["REC-1", "REC-1"])], [("REC-1", "t"), ("REC-1", "t")])
    by: Any = next(each.by for each in found.covers if each.clause.id == "REC-1")
    assert (by["scenarios"], by["tests"]) == (("b", "a"), ("t",))


def test_a_clause_that_does_not_exist_is_told_with_who_cites_it(tables: list[Citation]) -> None:
    found = survey([("a", ["VIEW-20"])], [("PIN-9", "t")])
    assert found.unknown == (Citation("VIEW-20", "scenarios", "a"), Citation("PIN-9", "tests", "t"))
