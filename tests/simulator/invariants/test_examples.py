"""Each invariant against its own good and bad example, and the shape of the two tables."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from seatrial.simulator.invariants import INVARIANTS, RERUNS, History, Invariant, SecondRun, Verdict
from seatrial.simulator.invariants.verdict import Spot, broken

DOCS = Path(__file__).parents[3] / "docs" / "invariants.md"


def well_told(verdict: Verdict) -> None:
    for violation in verdict.violations:
        assert violation.invariant == verdict.name
        assert re.fullmatch(r"[A-Z]{3,4}-\d+", violation.clause)
        assert violation.because.startswith("because ")
        assert violation.observation
        assert violation.witness[-1] == violation.observation


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda each: each.name)
def test_it_holds_on_its_good_trace(invariant: Invariant) -> None:
    verdict = invariant.check(History.parse(invariant.good))
    assert (verdict.name, verdict.status, verdict.violations) == (invariant.name, "holds", ())
    assert [*verdict.checked] == [*invariant.counts]


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda each: each.name)
def test_its_bad_trace_violates_it(invariant: Invariant) -> None:
    verdict = invariant.check(History.parse(invariant.bad))
    assert verdict.status == "violated"
    assert verdict.probes
    assert {violation.clause for violation in verdict.violations} <= set(invariant.clauses)
    well_told(verdict)


@pytest.mark.parametrize("second", RERUNS, ids=lambda each: each.name)
def test_a_second_run_holds_on_its_good_runs(second: SecondRun) -> None:
    verdict = second.check(second.good.script, second.good.first, lambda _: second.good.second)
    assert (verdict.name, verdict.status, verdict.violations) == (second.name, "holds", ())
    assert [*verdict.checked] == [*second.counts]


@pytest.mark.parametrize("second", RERUNS, ids=lambda each: each.name)
def test_a_second_run_is_violated_on_its_bad_runs(second: SecondRun) -> None:
    verdict = second.check(second.bad.script, second.bad.first, lambda _: second.bad.second)
    assert verdict.status == "violated"
    assert verdict.probes
    assert {violation.clause for violation in verdict.violations} <= set(second.clauses)
    well_told(verdict)


@pytest.mark.parametrize("each", [*INVARIANTS, *RERUNS], ids=lambda each: each.name)
def test_the_page_names_it_with_its_clauses_and_counts(each: Invariant | SecondRun) -> None:
    section = re.split(r"^## ", DOCS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    page = next(part for part in section if part.startswith(f"`{each.name}`"))
    assert each.holds_when in page
    for clause in each.clauses:
        assert clause in page
    for count, meaning in each.counts.items():
        assert f"| `{count}` | {meaning} |" in page


def test_what_showed_a_violation_is_a_probe() -> None:
    """Whatever else counts: of three violations in two places two observations could show one, for they did."""
    first = broken(
        "session-isolation", "VIEW-4", Spot(4, "/steps/0"), "recall in a turn s1 call 0", "because it is of a preview"
    )
    found = [first, replace(first, record="mem_other"), replace(first, line=5)]
    assert Verdict.of("session-isolation", {}, found, 0).probes == 2
    assert Verdict.of("session-isolation", {}, found, 7).probes == 7
    assert (Verdict.of("session-isolation", {}, [], 0).probes, Verdict.of("session-isolation", {}, [], 0).status) == (
        0,
        "unknown",
    )


def test_names_are_unique() -> None:
    names = [*(each.name for each in INVARIANTS), *(each.name for each in RERUNS)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda each: each.name)
def test_nothing_checked_is_unknown(invariant: Invariant) -> None:
    verdict = invariant.check(History.parse(invariant.good[:1]))
    assert verdict.status == "unknown"
    assert set(verdict.checked.values()) == {0}
