"""`check` and `check_trace`: what passes, what is raised for the rest, and what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, note, settings
from hypothesis import strategies as st

from seatrial.engine import Turn
from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.load import Loader
from seatrial.simulator.report import text
from seatrial.simulator.suite import judge, read
from seatrial.testing import Failed, InvalidScenario, check, check_trace, scenario_settings

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "scenarios/isolation/two-accounts.scenario.yaml"
TRACES = ROOT / "docs/examples/traces"
DESK: dict[str, Any] = {"agent": "desk", "harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}
TWO: dict[str, Any] = {
    "scenario": "two accounts",
    "config": DESK,
    "steps": [
        {"turn": "a", "do": [{"add_memory": {"summary": "Wire 1 is fine", "kind": "fact"}}]},
        {"turn": "b", "user": "Wire 1?", "do": [{"reply": "Unknown."}]},
    ],
}  # fmt: skip


def test_a_document_a_text_and_a_file_are_the_same_scenario(tmp_path: Path) -> None:
    path = tmp_path / "two.scenario.json"
    path.write_text(json.dumps(TWO), encoding="utf-8")
    results = [check(TWO), check(json.dumps(TWO)), check(path)]
    assert len({str(result.trace) for result in results}) == 1


def test_it_says_what_was_checked() -> None:
    """VIEW-2"""
    result = check(TWO, require=["session-isolation"])
    assert result.verdicts["session-isolation"].status == "holds"
    assert result.probes("session-isolation") > 0
    assert result.probes("determinism") == 0
    assert result.trace[0]["scenario"] == "two accounts"


def test_what_a_session_observed() -> None:
    result = check(TWO)
    assert "Wire 1 is fine" in str(result.observed("a"))
    assert "Wire 1 is fine" not in str(result.observed("b"))
    assert {line["type"] for line in result.observed("b")} == {"context", "end"}
    assert result.observed() == (*result.observed("a"), *result.observed("b"))
    assert result.observed("a", plane="preview") == ()
    assert result.sessions == ("a", "b")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"session": "A"}, r"no turn is of the session 'A' \(str\); the sessions are a, b"),
        ({"agent": "dsek"}, r"no turn is of the agent 'dsek' \(str\); the agents are desk"),
        ({"plane": "prevew"}, r"no turn is of the plane 'prevew' \(str\); the planes are live, preview"),
        ({"session": ["a"]}, r"no turn is of the session \['a'\] \(list\)"),
    ],
)
def test_who_never_played_has_observed_nothing_and_that_is_told(asked: Any, told: str) -> None:
    """A name with a slip in it would pass every test over what it observed."""
    with pytest.raises(ValueError, match=told):
        check(TWO).observed(**asked)
    with pytest.raises(ValueError, match="there is no session"):
        check_trace([{"type": "trace", "format": 1, "scenario": "x"}]).observed("a")


def test_a_violation_reads_as_run_prints_it() -> None:
    """VIEW-2"""
    with altered(FAULTS["foreign-session-in-view"]), pytest.raises(Failed) as failed:
        check(SHIPPED, second_runs=True)
    with altered(FAULTS["foreign-session-in-view"]):
        printed = "\n".join(text.scenario(judge(read(SHIPPED, Loader()))))
    first, _, rest = str(failed.value).partition("\n")
    assert rest == printed
    assert first.startswith("expected []")
    assert "because it belongs to session account-17" in printed
    assert failed.value.result.verdicts["session-isolation"].status == "violated"


def test_a_document_that_fails_is_shown_and_can_be_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept.scenario.yaml"
    with altered(FAULTS["foreign-session-in-view"]):
        with pytest.raises(Failed, match=r"<scenario>:10:5: session-isolation is violated \(VIEW-2\)") as failed:
            check(TWO)
        failed.value.result.save(kept)
        with pytest.raises(Failed, match="session-isolation"):
            check(kept)
    assert kept.read_text(encoding="utf-8") in str(failed.value)
    assert kept.read_text(encoding="utf-8").splitlines()[9] == "  - {reply: Unknown.}"


MISSES: dict[str, Any] = {**TWO, "steps": [{"turn": "a", "do": [{"reply": "x", "sees": {"text": "Bonjour"}}]}]}
FINAL = scenario_settings(phases=[Phase.generate], max_examples=1, database=None)


def test_a_property_that_fails_is_told_once() -> None:
    """Not a second time as Hypothesis tells it, but for what else it drew; notes of the test stay."""

    @given(st.just(MISSES))
    @FINAL
    def alone(document: dict[str, Any]) -> None:
        note("state what you see")
        check(document)

    @given(document=st.just(MISSES), number=st.just(17))
    @FINAL
    def beside(document: dict[str, Any], number: int) -> None:
        check(document)

    with pytest.raises(Failed, match="Bonjour") as failed:
        alone()
    assert failed.value.__notes__ == ["state what you see"]
    with pytest.raises(Failed, match="Bonjour") as failed:
        beside()
    (told,) = failed.value.__notes__
    assert "document=<the scenario>,\n    number=17" in told


def test_an_assertion_of_a_test_is_told_with_the_scenario() -> None:
    @given(st.just(TWO))
    @FINAL
    def property_of_ours(document: dict[str, Any]) -> None:
        assert repr(check(document)) == "<two accounts: vacuous>"

    with pytest.raises(AssertionError, match="<two accounts: ok>") as failed:
        property_of_ours()
    text = failed.value.__notes__[-1].partition("for `seatrial run`:\n\n")[2]
    assert check(text).text == text


def test_an_expectation_that_misses_is_a_failure() -> None:
    with pytest.raises(Failed, match="Bonjour"):
        check(MISSES)


def test_an_invariant_that_is_required_must_have_had_something_to_check() -> None:
    with pytest.raises(Failed, match="agent-isolation: it is asked for, and had nothing to check"):
        check(TWO, require=["agent-isolation"])
    with pytest.raises(Failed, match="noninterference:preview: it is asked for"):
        check(TWO, require=["noninterference:preview"])


def test_a_memory_system_that_breaks_down_is_told_with_the_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, text: str) -> None:
        raise ZeroDivisionError("no reply today")

    monkeypatch.setattr(Turn, "reply", broken)
    with pytest.raises(ZeroDivisionError, match="no reply today") as failed:
        check(TWO)
    assert "- {reply: Unknown.}" in failed.value.__notes__[0]


def test_second_runs_are_made_where_they_are_asked_for() -> None:
    """VIEW-2"""
    assert "determinism" not in check(TWO).verdicts
    assert "commute" in check({**TWO, "tags": ["commute"]}).verdicts
    assert set(check(TWO, second_runs=["determinism"]).verdicts) - set(check(TWO).verdicts) == {"determinism"}
    with altered(FAULTS["ids-from-a-counter"]):
        check(TWO)
        with pytest.raises(Failed, match=r"determinism|noninterference"):
            check(TWO, second_runs=True)


def test_what_is_no_scenario_is_told_with_its_place() -> None:
    with pytest.raises(InvalidScenario) as invalid:
        check({**TWO, "steps": [{"trun": "a"}]})
    assert "<scenario>:4:3: ST101" in str(invalid.value)
    assert "- trun: a" in str(invalid.value)
    assert [found.code for found in invalid.value.diagnostics] == ["ST101"]


@pytest.mark.parametrize("document", [{}, {"steps": 3}, {"scenario": "x", "config": DESK, "steps": ["turn", 3]}])
def test_whatever_a_mapping_holds_is_told(document: Any) -> None:
    with pytest.raises(InvalidScenario, match="INVALID"):
        check(document)


def test_what_no_file_can_hold_is_refused() -> None:
    with pytest.raises(TypeError, match=r"the scenario, steps, 0: \{'turn'\} \(set\) is none"):
        check({**TWO, "steps": [{"turn"}]})
    with pytest.raises(TypeError, match=r"the scenario, steps, 0, at: .* write it as text, '2026-01-01'"):
        check({**TWO, "steps": [{"at": date(2026, 1, 1)}]})
    with pytest.raises(TypeError, match=r"the scenario, steps, 0: a key is text; this is 3 \(int\)"):
        check({**TWO, "steps": [{3: "turn"}]})


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: check(3), "a scenario is a document .*; this is 3"),  # type: ignore[arg-type]  # what is tried
        (lambda: check([TWO]), "a scenario is a document"),  # type: ignore[arg-type]  # what is tried
        (lambda: check(TWO, require="session-isolation"), r"write \['session-isolation'\]"),
        (lambda: check(TWO, require=[None]), "`require` takes names"),  # type: ignore[list-item]  # what is tried
        (lambda: check(TWO, second_runs="determinism"), r"write \['determinism'\]"),
        (lambda: check(TWO, second_runs=3), "`second_runs` is True, False or several names"),  # type: ignore[arg-type]  # what is tried
        (lambda: check(TWO, folder=3), "`folder` is where"),  # type: ignore[arg-type]  # what is tried
        (lambda: check(TWO, folder="gone"), "`folder`: there is no folder gone"),
        (lambda: check_trace({}), "a trace is a list"),
        (lambda: check_trace(3), "a trace is a list"),  # type: ignore[arg-type]  # what is tried
        (lambda: check_trace("a.trace.jsonl"), r"say Path\('a\.trace\.jsonl'\)"),
        (lambda: check_trace(Path("gone.jsonl")), "gone.jsonl: No such file"),
        (lambda: check(TWO).probes("session"), "there is no invariant session"),
    ],
)
def test_a_wrong_argument_is_told_with_what_is_wanted(wrong: Callable[[], Any], told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=told):
        wrong()


def test_a_second_run_that_is_required_is_made_again_of_a_shorter_scenario() -> None:
    """REC-2: what fails in an example of Hypothesis is made as short as it gets."""

    @given(st.just({**TWO, "steps": [*TWO["steps"], *TWO["steps"], TWO["steps"][0]]}))
    @settings(max_examples=1)
    def holds(document: dict[str, Any]) -> None:
        check(document, require=["noninterference:sessions"])

    with altered(FAULTS["ids-from-a-counter"]), pytest.raises(Failed, match="noninterference:sessions") as failed:
        holds()
    assert failed.value.result.judgement.turns == 2


def test_a_path_that_is_given_as_a_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"Path\('a/b\.scenario\.yaml'\)"):
        check("a/b.scenario.yaml")
    with pytest.raises(InvalidScenario, match="cannot be read"):
        check(tmp_path / "gone.scenario.yaml")


def test_configs_are_found_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "desk.json").write_text(json.dumps(DESK), encoding="utf-8")
    named = {**TWO, "config": "desk.json"}
    assert check(named, folder=tmp_path).trace == check(TWO).trace
    with pytest.raises(InvalidScenario, match="SC203"):
        check(named)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ({"require": ["session-isolatoin"]}, "no invariant session-isolatoin; did you mean session-isolation"),
        ({"second_runs": ["determinsm"]}, "no second run determinsm; did you mean determinism"),
        ({"second_runs": ["session-isolation"]}, "no second run session-isolation; there are determinism"),
    ],
)
def test_a_name_that_is_no_invariant(names: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        check(TWO, **names)


def test_a_trace_of_another_system() -> None:
    """VIEW-2"""
    sound, leak = TRACES / "sound.trace.jsonl", TRACES / "leak.trace.jsonl"
    assert check_trace(sound, require=["session-isolation"]).verdicts["session-isolation"].status == "holds"
    with pytest.raises(Failed, match=r"leak\.trace\.jsonl:7: session-isolation is violated \(VIEW-2\)"):
        check_trace(leak)
    written = leak.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in written.splitlines()]
    for form in (written, written.splitlines(), lines, iter(lines)):
        with pytest.raises(Failed, match="<trace>:7: session-isolation") as failed:
            check_trace(form)
        assert failed.value.result.trace == tuple(lines)
        with pytest.raises(ValueError, match="no scenario"):
            failed.value.result.save("x")


def test_the_trace_of_a_check_can_be_checked() -> None:
    result = check(TWO)
    assert check_trace(result.trace).probes("session-isolation") == result.probes("session-isolation")


def test_what_is_no_trace_is_told_with_its_line() -> None:
    for empty in ("", [], [""]):
        with pytest.raises(ValueError, match="line 1: the trace is empty"):
            check_trace(empty)
    with pytest.raises(ValueError, match="line 2: not a JSON object"):
        check_trace(['{"type": "trace", "format": 1}', "3"])
    with pytest.raises(ValueError, match="did you mean session-isolation"):
        check_trace(TRACES / "sound.trace.jsonl", require=["session_isolation"])
    with pytest.raises(ValueError, match="there is no invariant determinism"):
        check_trace(TRACES / "sound.trace.jsonl", require=["determinism"])
