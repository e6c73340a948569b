"""The search: what it finds in a faulty engine, how it is shrunk and written, and how it stops."""

from __future__ import annotations

from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from seatrial.cli.run import command as run_command
from seatrial.simulator.faults import FAULTS, altered
from seatrial.simulator.fuzzing import hunt as module
from seatrial.simulator.fuzzing import roles, trial
from seatrial.simulator.fuzzing.files import placed
from seatrial.simulator.fuzzing.findings import saved
from seatrial.simulator.fuzzing.intents import Turn
from seatrial.simulator.fuzzing.search import Budget, Outcome, search
from seatrial.simulator.fuzzing.shorten import shortened
from seatrial.simulator.fuzzing.wording import Document
from seatrial.simulator.fuzzing.writer import write
from seatrial.simulator.report.fuzz import lines, report

DESK: dict[str, Any] = {
    "agent": "desk",
    "harness": {"memory": {"enabled": True, "tools": ["add_memory", "read_memory"], "pinned": {"max_tokens": 200}}},
}
ROLES = roles([DESK])


def look(seed: int = 0, examples: int = 60, **more: Any) -> Outcome:
    return search(ROLES, seed, Budget(examples, more.pop("seconds", None), more.pop("clock", lambda: 0.0)), **more)


def test_a_sound_engine_passes_and_the_same_seed_tries_the_same() -> None:
    one, two, other = look(3, 15), look(3, 15), look(4, 15)
    assert (one.stopped, one.examples, one.found) == ("examples", 15, None)
    assert one.tally == two.tally
    assert one.tally != other.tally


@pytest.mark.parametrize(
    ("fault", "problem", "steps"),
    [
        ("foreign-session-in-view", "session-isolation", 2),
        ("preview-in-live-view", "plane-isolation", 2),
        ("conversation-lost", "expectations", 2),
        pytest.param("ids-from-a-counter", "", 4, marks=pytest.mark.slow),
    ],
)
def test_a_fault_is_found_shrunk_and_written(fault: str, problem: str, steps: int, tmp_path: Path) -> None:
    with altered(FAULTS[fault]):
        outcome = look(seed=1, examples=400)
        assert outcome.found is not None
        assert problem in outcome.found.problem.name
        assert outcome.found.steps <= steps
        file = saved(outcome, ROLES, tmp_path / "out")
        assert file is not None
        assert file.fails_alike
        told = CliRunner().invoke(run_command, [str(file.path)])
        assert told.exit_code == 1
    text = file.path.read_text(encoding="utf-8")
    assert text.startswith(f"# {outcome.found.problem.lines[0]}")
    assert CliRunner().invoke(run_command, [str(file.path)]).exit_code == 0  # it is the fault that fails


def test_what_failed_is_tried_first_the_next_time(tmp_path: Path) -> None:
    with altered(FAULTS["foreign-session-in-view"]):
        first = look(examples=400, database=tmp_path / "kept")
        again = look(seed=99, examples=400, database=tmp_path / "kept")
    assert first.found is not None
    assert again.found is not None
    assert again.examples <= 2
    assert again.found.document == first.found.document
    assert (first.found.kept, again.found.kept) == (False, True)
    files = [saved(each, ROLES, tmp_path / "out") for each in (first, again)]
    assert files[0] == files[1] != None  # noqa: E711 - the same file, and there is one
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_what_failed_before_and_passes_now_is_told(tmp_path: Path) -> None:
    with altered(FAULTS["foreign-session-in-view"]):
        assert look(examples=400, database=tmp_path, clock=count(0.0, 9.0).__next__).found is not None
    mended, anew = look(examples=3, database=tmp_path), look(examples=3, database=tmp_path / "new")
    assert (mended.mended, anew.mended) == (True, False)
    assert "what an earlier search kept as failing passes now" in " ".join(lines(mended, None, ROLES))
    assert "passes now" not in " ".join(lines(anew, None, ROLES))
    assert report(mended, None, ROLES)["mended"]


def test_what_failed_with_other_agents_is_kept_for_them(tmp_path: Path) -> None:
    """With these it would be another scenario, which passes and is dropped."""
    others = roles([{**DESK, "agent": "router"}])
    with altered(FAULTS["foreign-session-in-view"]):
        assert look(examples=400, database=tmp_path, clock=count(0.0, 9.0).__next__).found is not None
        kept = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert search(others, 0, Budget(3, None, lambda: 0.0), database=tmp_path).found is None
    assert kept
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == kept
    with altered(FAULTS["foreign-session-in-view"]):
        again = look(seed=7, examples=2, database=tmp_path, shrink=False)
    assert again.found is not None
    assert again.found.kept


def test_a_scenario_is_not_written_again_whatever_its_file_is_called_and_says_in_front(tmp_path: Path) -> None:
    document = write(ROLES, [Turn()])

    def save(comment: str) -> Path:
        file = placed(document, "flow", [comment], tmp_path)
        file.write()
        assert file.path.read_text(encoding="utf-8") == file.text
        return file.path

    path = save("one")
    assert save("two") == path
    kept = path.rename(tmp_path / "mine.scenario.yaml")
    assert save("three") == kept
    assert kept.read_text(encoding="utf-8").startswith("# one\n")
    kept.write_text("# one\nsteps: []\n", encoding="utf-8")
    assert save("four") == path
    assert path.read_text(encoding="utf-8").startswith("# four\n")


def test_a_failure_is_judged_by_every_second_run(tmp_path: Path) -> None:
    """What they say is told beside what was met first, in every form."""
    ticks = count(0.0, 2.0)  # so shrinking ends soon
    with altered(FAULTS["foreign-session-in-view"]):
        outcome = look(seed=1, examples=400, clock=lambda: next(ticks))
        file = saved(outcome, ROLES, tmp_path)
    assert outcome.found is not None
    assert file is not None
    assert outcome.found.problem.name == "session-isolation"
    (other,) = [each for each in outcome.found.others if each.name == "noninterference:sessions"]
    assert list(lines(outcome, file, ROLES)).count(f"  also {other.lines[0]}") == 1
    told = report(outcome, file, ROLES)["found"]["others"]
    assert {"problem": other.name, "lines": list(other.lines)} in told
    (comment,) = [each for each in file.path.read_text(encoding="utf-8").splitlines() if "# Also wrong: " in each]
    assert "noninterference:sessions" in comment


def test_what_breaks_down_in_a_second_run_only_is_shrunk_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, *_: Any) -> None:
        raise ZeroDivisionError("no second run today")

    monkeypatch.setattr(trial, "_again", broken)
    outcome = look(examples=100)
    assert outcome.found is not None
    assert outcome.found.problem.name == "crash"
    said = "the memory system broke down in the second run of {}: ZeroDivisionError: no second run today"
    assert outcome.found.problem.lines[0] == said.format(outcome.found.problem.second)
    assert outcome.found.steps <= 2
    assert {each.second for each in outcome.found.others} >= {"determinism"} - {outcome.found.problem.second}


def test_the_time_bounds_the_search() -> None:
    ticks = iter(range(1000))
    outcome = look(examples=500, seconds=8.0, clock=lambda: float(next(ticks)))
    assert outcome.stopped == "time"
    assert 1 < outcome.examples < 8


def test_an_interrupt_ends_it_with_what_it_has() -> None:
    def interrupt(examples: int) -> None:
        if examples == 7:
            raise KeyboardInterrupt

    outcome = look(examples=500, progress=interrupt)
    assert (outcome.stopped, outcome.examples, outcome.found) == ("interrupt", 7, None)
    assert outcome.tally.counts["turns"] > 0


def test_an_interrupt_while_shrinking_keeps_the_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    real, judgements = trial.judged, Counter[str]()

    def judged(*given: Any, **named: Any) -> Any:
        found = real(*given, **named)
        judgements["failing"] += bool(found.problems)
        if judgements["failing"] == 3:
            judgements["failing"] += 1
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(module, "judged", judged)
    with altered(FAULTS["foreign-session-in-view"]):
        outcome = look(examples=400)
    assert outcome.stopped == "interrupt"
    assert outcome.found is not None
    assert not outcome.found.shrunk


def test_an_interrupt_while_parts_are_left_out_keeps_the_shortest(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(document: Any, fails: Any, **_: Any) -> Any:
        assert fails({**document, "scenario": "shorter"})
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "shortened", interrupted)
    with altered(FAULTS["conversation-lost"]):
        outcome = look(examples=400)
    assert outcome.stopped == "interrupt"
    assert outcome.found is not None
    assert outcome.found.document["scenario"] == "shorter"
    assert not outcome.found.shrunk


def test_a_crash_of_the_engine_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    from seatrial.engine import Turn

    def broken(self: Any, text: str) -> None:
        raise ZeroDivisionError("no reply today")

    monkeypatch.setattr(Turn, "reply", broken)
    outcome = look(examples=100)
    assert outcome.found is not None
    assert (outcome.found.problem.name, outcome.found.steps) == ("crash", 1)
    assert outcome.found.problem.lines[0] == "the memory system broke down: ZeroDivisionError: no reply today"


def test_what_was_never_reached_is_told() -> None:
    outcome = look(examples=1)
    never = outcome.tally.unreached(ROLES)
    assert "turns in conflict" in never
    assert "deploys" in never  # what an agent starts with is none
    assert "turns without a session" not in never  # this agent has none
    assert outcome.tally.unchecked(ROLES, ["flow", "agent-isolation"]) == ["flow"]  # there is one agent only


def test_agents_without_sessions_are_not_told_of_what_only_sessions_show() -> None:
    stay = {"agent": "desk", "sessions": False, "harness": {}}
    alone = report(search(roles([stay]), 0, Budget(2, None, lambda: 0.0)), None, roles([stay]))
    assert {"session-isolation", "flow", "commute"} & {*alone["unchecked"]} == set()
    assert "flow" in report(look(examples=1), None, ROLES)["unchecked"]


def test_texts_that_do_not_matter_become_plain_words() -> None:
    """The failing one rests on the words of the summary, but not on its canary."""
    said = {"summary": "wire 4471 canary20f372260848b050", "kind": "fact"}
    steps = [{"turn": "a", "user": "wire 4471 and more", "do": [{"add_memory": said}, {"reply": "Yes, wire 4471"}]}]

    def fails(document: Document) -> bool:
        return all("user" in each and len(each.get("do", ())) == 2 and "wire 4471" in str(each["do"][0])
                   for each in document["steps"])  # fmt: skip

    (step,) = shortened({"steps": steps}, fails)["steps"]
    assert step["user"] == "Hello."
    assert step["do"] == [{"add_memory": {"summary": "wire 4471", "kind": "fact"}}, {"reply": "Noted."}]


def test_leaving_parts_out() -> None:
    """A turn that goes on for nothing is closed, and what nothing needs is left out."""
    steps = [
        {"turn": "b", "user": "x"},
        {"turn": "a", "user": "y", "id": "slow", "outcome": "open", "do": [{"reply": "1"}, {"reply": "2"}]},
        {"continue": "slow", "do": [{"reply": "3"}]},
    ]
    document = {"scenario": "x", "config": DESK, "steps": steps}
    kept = shortened(document, lambda each: "'2'" in str(each["steps"]))
    assert kept["steps"] == [{"turn": "a", "do": [{"reply": "2"}]}]


@pytest.mark.parametrize(
    "harness",
    [
        {"memory": {"enabled": True, "tools": ["add_memory"], "search": {"max_results": 1}}},
        {
            "history": {"index": "messages_and_tools"},
            "context": {"summarize_at": 1, "keep_messages": 1, "offload_threshold": 1},
        },
    ],
    ids=["one result at most", "results set aside at once"],
)
def test_small_bounds_are_no_failure(harness: dict[str, Any]) -> None:
    assert search(roles([{"agent": "small", "harness": harness}]), 0, Budget(120, None, lambda: 0.0)).found is None
