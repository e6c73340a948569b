"""`checks`: a test over many scenarios fails where all of them together had nothing to check."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any
from unittest import TestCase

import pytest
from hypothesis import example, given, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule

from seatrial.testing import Failed, MemoryMachine, check, check_trace, checks, scenario_settings, scripts

pytest_plugins = ["pytester"]

PLUGIN = [] if entry_points(group="pytest11", name="seatrial") else ["-p", "seatrial.pytest_plugin"]
DESK: dict[str, Any] = {"agent": "desk", "harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}
ALONE: dict[str, Any] = {
    "scenario": "one account",
    "config": DESK,
    "steps": [{"turn": "a", "do": [{"add_memory": {"summary": "Wire 1 is fine", "kind": "fact"}}]}],
}
TWO: dict[str, Any] = {**ALONE, "steps": [*ALONE["steps"], {"turn": "b", "do": [{"reply": "Unknown."}]}]}
PROBES = check(TWO).probes("session-isolation")


def test_it_sums_over_what_is_checked_within_it() -> None:
    with checks("session-isolation", at_least=3 * PROBES) as outer:
        check(ALONE)
        with checks() as inner:
            check(TWO)
            check_trace(check(TWO).trace)
        assert (inner.scenarios, inner.turns, inner.probes("session-isolation")) == (3, 6, 3 * PROBES)
    check(TWO)
    assert (outer.scenarios, outer.turns, outer.probes("session-isolation")) == (4, 7, 3 * PROBES)
    assert outer.probes("plane-isolation") == 0


def test_too_little_fails_and_says_what_there_was() -> None:
    with pytest.raises(AssertionError) as failed, checks("session-isolation", "plane-isolation", at_least=2):
        check(TWO)
    told = str(failed.value)
    assert f"in 1 scenario with 2 turns session-isolation was checked {PROBES} time, of 2 asked for" in told
    assert "plane-isolation had nothing to check" in told
    assert f"session-isolation {PROBES}" in told
    assert "`seatrial rules session-isolation`" in told


def test_what_fails_within_it_is_what_is_told() -> None:
    with pytest.raises(Failed, match="Bonjour"), checks("plane-isolation"):
        check({**TWO, "steps": [{"turn": "a", "do": [{"reply": "x", "sees": {"text": "Bonjour"}}]}]})


def test_a_property_that_cannot_meet_it_fails_and_one_that_meets_it_passes() -> None:
    """VIEW-4: without previews nothing of another plane could be shown."""
    searching = scenario_settings(max_examples=30)

    @checks("session-isolation")
    @given(scripts(DESK))
    @searching
    def meets(document: dict[str, Any]) -> None:
        check(document)

    @checks("plane-isolation")
    @given(scripts(DESK, previews=False))
    @searching
    def misses(document: dict[str, Any]) -> None:
        check(document)

    meets()
    with pytest.raises(AssertionError, match=r"in 30 scenarios with .* plane-isolation had nothing to check"):
        misses()
    with pytest.raises(AssertionError, match="in 30 scenarios"):
        misses()  # each call counts for itself


def test_examples_settings_and_seeds_above_it_hold() -> None:
    """What Hypothesis says to paste stands on top of all."""
    played: list[int] = []

    @seed(5)
    @settings(max_examples=3, database=None)
    @example(TWO, 1000)
    @checks("session-isolation")
    @given(st.just(ALONE), st.integers(0, 9))
    def holds(document: dict[str, Any], number: int) -> None:
        played.append(number)
        check(document)

    holds()
    first = list(played)
    assert first[0] == 1000
    assert len(first) == 4
    holds()
    assert played[4:] == first


def test_below_given_it_is_told() -> None:
    @given(st.just(TWO))
    @checks("session-isolation")
    def wrong(document: dict[str, Any]) -> None:
        check(document)

    with pytest.raises(TypeError, match="write it above @given"):
        wrong()


class Desk(MemoryMachine):
    configs = DESK
    previews = False

    @rule()
    def nothing(self) -> None:
        """Something can always be played."""


@pytest.mark.parametrize("second_runs", [False, ("determinism",)])
def test_a_state_machine(second_runs: Any) -> None:
    def case(*wanted: str) -> TestCase:
        machine: Any = type("Counted", (Desk,), {"second_runs": second_runs})
        made = machine.TestCase
        made.settings = scenario_settings(max_examples=10, stateful_step_count=15, shrink=False)
        found: TestCase = checks(*wanted)(made)()
        return found

    case("provenance").runTest()  # type: ignore[attr-defined]  # as unittest does
    with pytest.raises(AssertionError, match=r"in 10 scenarios .* plane-isolation had nothing"):
        case("plane-isolation").runTest()  # type: ignore[attr-defined]  # as unittest does


async def later() -> None:
    """A test that goes on after the call."""


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: checks("session-isolatoin"), "did you mean session-isolation"),
        (lambda: checks(["session-isolation"]), "`checks` takes names"),  # type: ignore[arg-type]  # what is tried
        (lambda: checks(check), r"as in checks\('session-isolation'\); among them is <function"),  # type: ignore[arg-type]  # what is tried
        (lambda: checks("session-isolation", at_least=0), "`at_least` is a whole number from 1; this is 0"),
        (lambda: checks("session-isolation", at_least=True), "`at_least` is a whole number from 1"),
        (lambda: checks()(check), "names what the test must check"),
        (lambda: checks("session-isolation")(3), "decorates a test; this is 3"),  # type: ignore[type-var]  # what is tried
        (lambda: checks("session-isolation")(TestCase), "TestCase is no test"),
        (lambda: checks("session-isolation")(later), "write `with checks"),
    ],
)
def test_wrong_use_is_told(wrong: Any, told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=told):
        wrong()


@pytest.mark.parametrize("more", [[], ["-n", "2"]], ids=["here", "xdist"])
def test_with_fixtures_classes_and_parameters_in_any_process(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    pytester.makepyfile(
        f"""
        import unittest
        import pytest
        from hypothesis import given, HealthCheck, settings, strategies as st
        from seatrial.testing import check, checks

        ALONE, TWO = {ALONE!r}, {TWO!r}

        @pytest.fixture
        def both():
            return [ALONE, TWO]

        @checks("session-isolation")
        def test_a_fixture(both):
            for each in both:
                check(each)

        @pytest.mark.parametrize("scenario", [ALONE, TWO], ids=["alone", "two"])
        @checks("session-isolation")
        def test_a_parameter(scenario):
            check(scenario)

        @checks("session-isolation")
        @given(st.data())
        @settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
        def test_a_fixture_of_a_property(both, data):
            check(data.draw(st.sampled_from(both)))

        class TestOfPytest:
            @checks("session-isolation")
            @given(scenario=st.just(ALONE))
            def test_it(self, scenario):
                check(scenario)

        class TestOfUnittest(unittest.TestCase):
            @checks("session-isolation")
            @given(st.just(TWO))
            @settings(max_examples=2)
            def test_it(self, scenario):
                check(scenario)

        @checks("session-isolation")
        def test_that_is_skipped():
            pytest.skip("not today")
        """
    )
    result = pytester.runpytest_subprocess(*PLUGIN, "-p", "no:cacheprovider", *more)
    result.assert_outcomes(passed=4, failed=2, skipped=1)
    result.stdout.fnmatch_lines_random(
        [
            "FAILED *::test_a_parameter?alone? - AssertionError: in 1 scenario with 1 turn *",
            "FAILED *::TestOfPytest::test_it - AssertionError: in 1 scenario with 1 turn *",
        ]
    )
    result.stdout.fnmatch_lines(["E*session-isolation had nothing to check"])
    assert "counting.py" not in result.stdout.str()  # its own frames are no news
