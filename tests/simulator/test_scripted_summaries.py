"""CTX-3 in scripts: the model's answer to a call for a summary, what it sees, and how the trace tells it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from jsonschema import Draft202012Validator

from seatrial.schemas import load
from seatrial.simulator.load import load_script
from seatrial.simulator.runner import Run, run_script

HEAD = """\
scenario: a long talk
config: {harness: {context: {summarize_at: 30, keep_messages: 1}}}
steps:
"""


def played(tmp_path: Path, steps: str) -> Run:
    path = tmp_path / "a.scenario.yaml"
    path.write_text(HEAD + indent(dedent(steps), "  "), encoding="utf-8")
    return run_script(load_script(path))


def told(run: Run) -> list[tuple[str, str]]:
    """Each expectation that did not hold: where, and what was seen."""
    return [("/".join(map(str, failure.pointer[2:])), failure.seen) for failure in run.failures]


def test_a_step_says_what_the_model_answers(tmp_path: Path) -> None:
    run = played(
        tmp_path,
        """
        - turn: a
          user: Match all entries of May and of June, and say which are left over.
          id: matching
          summary: Asked to match.
          do:
            - reply: All entries of May are matched.
              sees: {summary: null}
            - reply: All entries of June are matched.
              sees: {summary: [Asked, to match]}
          outcome: open
        - continue: matching
          summary: Matched May.
          do:
            - reply: Done.
              sees: {summary: Matched May., text: June, lacks_text: Asked to match.}
        """,
    )
    assert told(run) == []
    contexts: list[Any] = [line for line in run.trace.lines if line["type"] == "context"]
    assert [(line["purpose"], line["call"]) for line in contexts] == [
        ("turn", 1),
        ("summary", 2),
        ("turn", 3),
        ("summary", 4),
        ("turn", 5),
    ]
    asked = contexts[1]
    assert asked["step"] == contexts[2]["step"] == "/steps/0/do/1"
    assert [message["text"] for message in asked["messages"]] == [
        "Match all entries of May and of June, and say which are left over."
    ]
    validator = Draft202012Validator(load("trace"))
    assert all(validator.is_valid(line) for line in run.trace.lines)


def test_without_an_answer_the_engine_extracts(tmp_path: Path) -> None:
    run = played(
        tmp_path,
        """
        - turn: a
          user: Match. Then say which entries of May and of June are left over, and why.
          do:
            - reply: All entries are matched, but for the fee.
            - reply: Done.
              sees: {summary: "user: Match."}
        """,
    )
    assert told(run) == []


def test_an_answer_that_was_never_asked_for_fails(tmp_path: Path) -> None:
    run = played(
        tmp_path,
        """
        - turn: a
          user: Match.
          summary: Asked to match.
          do:
            - reply: Done.
        """,
    )
    assert told(run) == [("summary", "the conversation never had more tokens than context.summarize_at")]


def test_a_summary_that_is_not_as_expected_is_told(tmp_path: Path) -> None:
    run = played(
        tmp_path,
        """
        - turn: a
          user: Match all entries of May and of June, and say which are left over.
          summary: Asked to match.
          do:
            - reply: All entries are matched, but for the fee of May.
              sees: {summary: Asked}
            - reply: Done.
              sees: {summary: null}
            - reply: Done.
              sees: {summary: [to match, July]}
        """,
    )
    assert told(run) == [
        ("do/0/sees/summary", "no summary"),
        ("do/1/sees/summary", 'the summary "Asked to match."'),
        ("do/2/sees/summary", 'the summary "Asked to match."'),
    ]
