"""MemoryMachine: what it plays is a scenario, what it finds is shown as one, and a subclass decides what is drawn."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test
from hypothesis.strategies import SearchStrategy

from seatrial.simulator.faults import FAULTS, altered
from seatrial.testing import (
    Failed,
    InvalidScenario,
    MemoryMachine,
    OpenTurn,
    check,
    scenario_settings,
)
from seatrial.testing.checking import read

BOTH = ["session", "agent"]
DESK: dict[str, Any] = {
    "agent": "desk",
    "harness": {
        "history": {"index": "messages_and_tools"},
        "memory": {
            "enabled": True,
            "scope": {"read": BOTH, "write": BOTH},
            "tools": ["add_memory", "read_memory", "delete_memory"],
            "pinned": {"max_tokens": 150},
        },
    },
}
DESK_2 = {**DESK, "harness": {"memory": DESK["harness"]["memory"]}}
RATES: dict[str, Any] = {
    "agent": "rates",
    "sessions": False,
    "harness": {"memory": {"enabled": True, "scope": {"read": ["agent"], "write": ["agent"]}, "tools": ["add_memory"]}},
}


def played(machine: type[MemoryMachine], examples: int = 30, steps: int = 25) -> None:
    settings = scenario_settings(max_examples=examples, stateful_step_count=steps, shrink=False)
    run_state_machine_as_test(machine, settings=settings)


class Desk(MemoryMachine):
    configs = DESK


class Crew(MemoryMachine):
    configs: ClassVar[Any] = [DESK, DESK_2, RATES]


def test_what_is_played_is_a_scenario_and_every_rule_is_played() -> None:
    """Played while it is drawn it is what it is when it is run: the machine's trace is that of its document."""
    kinds: Counter[str] = Counter()

    class Counted(Crew):
        def teardown(self) -> None:
            lines, text = list(self.trace), self.scenario
            super().teardown()
            if not kinds["turn"]:
                assert [line for line in check(text).trace if line in lines] == lines
            loaded = read(text)
            for step in loaded.document.value["steps"]:
                kinds.update(key for key in step if key in ("turn", "deploy", "review", "restart", "extract"))
                kinds.update(key for action in step.get("do", ()) for key in action)
                kinds.update([step["outcome"]] if "outcome" in step else [])
                kinds.update(["replaces"] if "replaces" in str(step) else [])

    played(Counted, examples=30)
    assert {
        "turn", "deploy", "review", "restart", "extract", "open", "rollback", "crash", "replaces",
        "add_memory", "read_memory", "delete_memory", "search_memory", "search_history",
        "reply", "set_state", "tool", "fail",
    } <= {*kinds}  # fmt: skip
    assert {*kinds} & {"subagent", "program", "read_result"}  # which of the rarer ones is chance


@pytest.mark.parametrize(
    ("fault", "wrong"),
    [
        ("foreign-session-in-view", "session-isolation is violated (VIEW-2)"),
        ("preview-in-live-view", "plane-isolation is violated (VIEW-4)"),
        ("rollback-keeps", "rollback-atomicity is violated (TXN-2)"),
    ],
)
def test_it_finds_faults_and_shows_a_scenario_that_fails_alike(fault: str, wrong: str) -> None:
    with altered(FAULTS[fault]):
        with pytest.raises(Failed) as failed:
            played(Desk, examples=400)
        assert wrong in str(failed.value)
        assert not hasattr(failed.value, "__notes__")  # what Hypothesis played, before it was made shorter
        assert failed.value.result.judgement.turns <= 3
        with pytest.raises(Failed) as again:
            check(failed.value.result.text)
    assert str(again.value) == str(failed.value)
    assert check(failed.value.result.text).judgement.state == "ok"  # it is the fault that fails


def test_second_runs_find_what_no_single_run_shows() -> None:
    """REC-2"""

    class Twice(Desk):
        second_runs = ("noninterference:sessions",)

    with altered(FAULTS["ids-from-a-counter"]):
        played(Desk, examples=10)
        with pytest.raises(Failed, match="noninterference:sessions is violated"):
            played(Twice, examples=100)


def test_a_subclass_adds_rules_and_invariants() -> None:
    seen: list[int] = []

    class Own(Desk):
        @precondition(lambda self: self.turns)
        @rule(turn=MemoryMachine.open_turns, record=MemoryMachine.records, session=MemoryMachine.sessions)
        def reads_and_asks(self, turn: OpenTurn, record: str, session: str) -> None:
            answer = self.do(turn, {"read_memory": {"id": record}})
            if answer is not None:
                seen.append(1)
                assert answer.get("error") or answer["answer"]["record"]["id"] == self.ids(record)
            assert session in self.session_names

        @invariant()
        def all_that_is_observed_is_observed_in_a_session(self) -> None:
            named = [line for session in self.session_names for line in self.observed(session)]
            assert len(named) == len(self.observed())

    played(Own, examples=40)
    assert seen


def test_an_invariant_of_a_subclass_that_fails_is_shown_with_the_scenario() -> None:
    class Forbidden(Desk):
        @invariant()
        def no_record_is_ever_kept(self) -> None:
            assert not self.engine.console.memories("desk", grants=None)["records"], "a record is kept"

    with pytest.raises(AssertionError, match="a record is kept") as failed:
        played(Forbidden, examples=100)
    told, *steps = failed.value.__notes__
    assert any("state.teardown()" in step for step in steps)
    text = told.partition("for `seatrial run`:\n\n")[2]
    assert check(text, require=["provenance"]).trace


def test_an_expectation_of_a_rule_that_misses_is_shown_with_the_scenario_once() -> None:
    class Expecting(MemoryMachine):
        configs = DESK

        @precondition(lambda self: self.turns)
        @rule(turn=MemoryMachine.open_turns)
        def is_greeted(self, turn: OpenTurn) -> None:
            self.do(turn, {"reply": "x", "sees": {"text": "Bonjour"}})

    with pytest.raises(Failed, match="Bonjour") as failed:
        played(Expecting)
    assert not hasattr(failed.value, "__notes__")


def test_a_subclass_decides_what_is_drawn() -> None:
    class Quiet(Desk):
        session_names = ("north",)
        previews = rollbacks = restarts = operators = False

        def messages(self) -> SearchStrategy[str]:
            return st.just("Hello.")

        def summaries(self) -> SearchStrategy[str]:
            return st.just("The desk opens at nine")

        def fetch(self) -> None:  # type: ignore[override]  # no rule: it is taken away
            """Nothing is fetched."""

        def teardown(self) -> None:
            document = self._stage.live.document
            super().teardown()
            for step in document["steps"]:
                assert set(step) <= {"turn", "continue", "user", "id", "do", "outcome", "extract"}
                assert step.get("outcome", "open") == "open"
                assert step.get("turn", "north") == "north"
                assert step.get("user", "Hello.") == "Hello."
                assert "fetch" not in str(step)
                assert re.findall("'summary': (?!'The desk opens at nine')", str(step)) == []
                assert re.findall("'content': (?!'The desk opens at nine')", str(step)) == []

    played(Quiet)


def test_a_rule_that_is_taken_away_is_in_no_part_either() -> None:
    """And a record is what the subclass says, whichever rule adds it."""
    seen: Counter[str] = Counter()

    class Careful(Crew):
        def delete(self) -> None:
            """Nothing is deleted."""

        def restart(self) -> None:
            """Nothing is restarted."""

        replace = search_history = None  # type: ignore[assignment]  # so they are taken away, too

        def new_records(self, turn: OpenTurn) -> SearchStrategy[dict[str, Any]]:
            return st.just({"summary": f"A ruling of {turn.agent}", "kind": "fact"})

        def teardown(self) -> None:
            document = self._stage.live.document
            super().teardown()
            for step in document["steps"]:
                agent = step["turn"].get("agent") if "turn" in step else None
                for action in step.get("do", ()):
                    seen.update(list(action))
                    if "add_memory" in action and agent is not None:
                        assert action["add_memory"]["summary"] == f"A ruling of {agent}"
                        assert set(action["add_memory"]) == {"summary", "kind", "as"}
                seen.update(list(step))

    played(Careful, examples=15)
    assert seen["add_memory"]
    assert not {"delete_memory", "search_history", "restart"} & set(seen)


def test_a_step_that_is_none_is_told_with_its_place() -> None:
    machine = Desk()
    with pytest.raises(InvalidScenario, match=r"<scenario>:\d+:3: ST101"):
        machine.play({"trun": "north"})
    machine.teardown()


def test_an_expectation_that_misses_fails_at_once() -> None:
    machine = Desk()
    with pytest.raises(Failed, match="Bonjour"):
        machine.play({"turn": "north", "do": [{"reply": "x", "sees": {"text": "Bonjour"}}]})
    machine._stage.close()


def test_a_turn_that_has_ended_is_not_open() -> None:
    """TXN-3, TXN-5"""

    class Short(MemoryMachine):
        configs: ClassVar[Any] = {**DESK, "limits": {"model_calls": 1}}

    machine = Short()
    machine.play({"turn": "north", "id": "t", "outcome": "open"})
    turn = machine.turns[0]
    assert repr(turn) == "<t: desk, north, live>"
    assert machine.turns_with("search_history") == [turn]
    assert machine.do(turn, {"search_memory": {"query": "x"}}) is not None
    assert machine.do(turn, {"search_memory": {"query": "x"}}) is None
    assert len(machine.turns) == 0
    machine.play({"turn": "north", "id": "u", "outcome": "open"})
    machine.play({"turn": "north", "id": "v", "outcome": "open"})  # busy
    assert [turn.name for turn in machine.turns] == ["u"]
    machine.play({"restart": True})
    assert len(machine.turns) == 0
    machine.teardown()
