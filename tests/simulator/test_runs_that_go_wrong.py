"""Scripts whose expectations miss, whose turns are refused, and whose names stand for nothing: what is told of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scripts import CONFIG, lines, missed, one, run, script

from seatrial.simulator.naming import never_an_id
from seatrial.simulator.runner import run_script
from seatrial.simulator.script import DeployStep, Script, TurnStep


@pytest.mark.parametrize(
    ("do", "expected"),
    [
        (
            "      - search_memory: {query: wire}\n        gets: {error: blank_query}\n",
            [("steps/0/do/0/gets/error", "the error blank_query", "the records []")],
        ),
        (
            "      - reply: Hello.\n        sees: {text: Bonjour}\n",
            [("steps/0/do/0/sees/text", 'a context that holds "Bonjour"', "a context without it")],
        ),
        (
            "      - subagent: {do: [{search_memory: {}, gets: {records: []}}]}\n",
            [("steps/0/do/0/subagent/do/0/gets", "an answer", "the error blank_query")],
        ),
    ],
)
def test_an_expectation_that_does_not_hold_is_told_with_its_place(
    tmp_path: Path, do: str, expected: list[tuple[str, str, str]]
) -> None:
    found = [(where, wanted, seen.split(": ")[0]) for where, wanted, seen in missed(one(tmp_path, do))]
    assert found == expected


def test_a_run_goes_on_after_an_expectation_that_does_not_hold(tmp_path: Path) -> None:
    do = "      - reply: One.\n        sees: {text: no such}\n      - reply: Two.\n        sees: {text: nor such}\n"
    told = one(tmp_path, do)
    assert len(told.failures) == 2
    assert lines(told, "end")[0]["outcome"] == "committed"


def test_second_runs_evaluate_no_expectations(tmp_path: Path) -> None:
    text = (
        f"scenario: x\nconfig: {CONFIG}\nsteps:\n  - turn: a\n    do:\n      - reply: x\n        sees: {{text: none}}\n"
    )
    read = script(tmp_path, text)
    assert len(run_script(read).failures) == 1
    quiet = run_script(read, expectations=False)
    assert quiet.failures == ()
    assert quiet.trace.text == run_script(read).trace.text


def test_a_name_whose_record_was_refused_stands_for_an_id_that_never_existed(tmp_path: Path) -> None:
    """VIEW-6: the answer is that of any unknown id."""
    do = (
        "      - add_memory: {summary: x, kind: nonsense, as: never}\n"
        "      - read_memory: {id: never}\n"
        "      - read_memory: {id: mem_0}\n        gets: {error: not_found}\n"
    )
    told = one(tmp_path, do)
    refused, named, literal = lines(told, "call")
    assert refused["error"]["code"] == "undeclared_kind"
    assert named["arguments"] == {"id": never_an_id("never")}
    assert literal["arguments"] == {"id": "mem_0"}
    assert named["error"] == literal["error"]
    assert len(never_an_id("never")) == len("mem_") + 24
    assert never_an_id("never") != never_an_id("other")


def test_a_limit_that_is_reached_fails_the_turn_and_what_was_not_reached_is_told(tmp_path: Path) -> None:
    """TXN-5."""
    config = "{limits: {model_calls: 1}, harness: {}}"
    do = "      - reply: One.\n      - reply: Two.\n        sees: {text: One}\n    gets: {error: limit_exceeded}\n"
    told = one(tmp_path, do, config)
    assert lines(told, "end")[0]["outcome"] == "failed"
    assert missed(told) == [("steps/0/do/1/sees", "`reply` to happen", "the turn had ended before it")]


def test_expectations_of_a_turn_that_never_ran_do_not_pass(tmp_path: Path) -> None:
    text = f"""
        scenario: x
        config: {CONFIG}
        steps:
          - turn: {{}}
            do:
              - reply: Hello.
                sees: {{recalled: []}}
            gets: {{error: invalid_value}}
        """
    assert missed(run(tmp_path, text)) == [("steps/0/do/0/sees", "`reply` to happen", "the turn was refused before it")]


def test_a_refusal_that_was_expected_and_did_not_come_is_told(tmp_path: Path) -> None:
    text = f"""
        scenario: x
        config: {CONFIG}
        steps:
          - turn: a
            gets: {{error: busy}}
          - turn: b
            id: slow
            outcome: open
            gets: {{error: busy}}
          - continue: slow
            gets: {{error: conflict}}
          - deploy: {{config: {{harness: {{}}}}}}
            gets: {{error: deploy_refused}}
        """
    assert [where for where, _, _ in missed(run(tmp_path, text))] == [
        "steps/0/gets/error",
        "steps/1/gets/error",
        "steps/2/gets/error",
        "steps/3/gets/error",
    ]


def test_a_scenario_whose_agent_cannot_be_deployed_fails(tmp_path: Path) -> None:
    read = script(tmp_path, f"scenario: x\nconfig: {CONFIG}\nsteps:\n  - turn: a\n")
    first = read.steps[0]
    assert isinstance(first, DeployStep)
    told = run_script(replace(read, steps=(replace(first, config={"harness": 5}), *read.steps[1:])))
    assert [(where, wanted) for where, wanted, _ in missed(told)] == [("config", "the config to be deployed")]


def test_a_turn_left_open_ends_as_crashed_with_the_script(tmp_path: Path) -> None:
    told = run(tmp_path, f"scenario: x\nconfig: {CONFIG}\nsteps:\n  - turn: a\n    outcome: open\n")
    assert [(line["outcome"], line["step"]) for line in lines(told, "end")] == [("crashed", "/steps/0")]
    assert [line["outcome"] for line in lines(told, "execution")] == ["crashed"]


def test_what_no_engine_takes_is_told_and_not_a_fault(tmp_path: Path) -> None:
    huge = "9" * 2000
    do = (
        f"      - set_state: {{n: {huge}}}\n      - search_memory: {{query: x, limit: {huge}}}\n"
        "        gets: {error: invalid_value}\n"
    )
    told = one(tmp_path, do)
    assert [(where, wanted) for where, wanted, _ in missed(told)] == [("steps/0/do/0", "`set_state` to be taken")]
    assert lines(told, "say") == []


def test_a_step_that_goes_on_with_a_turn_that_is_not_there_does_nothing(tmp_path: Path) -> None:
    """Second runs drop turns; what continues them then has nothing to do."""
    text = f"scenario: x\nconfig: {CONFIG}\nsteps:\n  - turn: a\n    id: s\n    outcome: open\n  - continue: s\n"
    whole = script(tmp_path, text)
    kept = tuple(step for step in whole.steps if not isinstance(step, TurnStep))
    told = run_script(Script(whole.scenario, None, (), (), kept))
    assert [line["type"] for line in told.trace.lines] == ["trace", "deploy"]


def test_what_a_step_gets_fails_where_its_turn_is_not_open(tmp_path: Path) -> None:
    """An expectation that was never reached is no pass."""
    text = f"""
        scenario: x
        config: {CONFIG}
        steps:
          - turn: a
            id: first
            outcome: open
          - turn: a
            id: second
            outcome: open
            gets: {{error: busy}}
          - continue: second
            gets: {{error: conflict}}
          - continue: first
        """
    assert [failure.pointer for failure in run(tmp_path, text).failures] == [("steps", 2, "gets")]


def test_nothing_is_shown_of_a_record_that_was_never_added(tmp_path: Path) -> None:
    """A refusal that the script does not speak of must not make what follows pass in silence."""
    do = (
        "      - add_memory: {summary: x, kind: nonsense, as: it}\n"
        "      - read_memory: {id: it}\n        gets: {error: not_found}\n"
        "      - search_memory: {query: x}\n        gets: {records: {lacks: [it]}}\n"
        "        sees: {recalled: {lacks: [it]}}\n"
    )
    told = one(tmp_path, do)
    assert {failure.pointer[3:] for failure in told.failures} == {
        (1, "gets"),
        (2, "gets", "records", "lacks"),
        (2, "sees", "recalled", "lacks"),
    }
    assert {(failure.expected, failure.seen) for failure in told.failures} == {
        ("something called it", "nothing ever was")
    }


def test_a_name_may_stand_for_what_the_script_says_is_refused(tmp_path: Path) -> None:
    do = (
        "      - add_memory: {summary: x, kind: nonsense, as: it}\n        gets: {error: undeclared_kind}\n"
        "      - read_memory: {id: it}\n        gets: {error: not_found}\n"
    )
    assert one(tmp_path, do).failures == ()
