"""Candidates of reviews in scripts: how they are read, what is wrong with them, how they run."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from seatrial.simulator.load import InvalidScript, Loader, load_script
from seatrial.simulator.runner import Run, run_script
from seatrial.simulator.script import Action, ContinueStep, TurnStep
from seatrial.simulator.suite import judge, read

HEAD = "scenario: an example\nconfig: {harness: {memory: {enabled: true, tools: [add_memory]}}}\nsteps:\n"
WIRE = '{summary: "Wire 4471 is approved", kind: fact'


def path(folder: Path, text: str) -> Path:
    file = folder / "a.scenario.yaml"
    file.write_text(HEAD + dedent(text), encoding="utf-8")
    return file


def run(folder: Path, text: str) -> Run:
    return run_script(load_script(path(folder, text)))


def lines(told: Run, kind: str) -> list[Any]:
    return [line for line in told.trace.lines if line["type"] == kind]


def missed(told: Run) -> list[str]:
    return ["/".join(map(str, each.pointer)) for each in told.failures]


def found(folder: Path, text: str) -> list[tuple[str, str]]:
    """The code of each diagnostic, and where it points."""
    try:
        diagnostics = Loader().load(path(folder, text)).warnings
    except InvalidScript as invalid:
        diagnostics = invalid.diagnostics
    return [(each.code, "/".join(map(str, each.pointer))) for each in diagnostics]


def test_an_item_is_read_as_a_candidate_with_its_decision(tmp_path: Path) -> None:
    script = load_script(
        path(
            tmp_path,
            f"""\
            - turn: a
              extract:
                - {WIRE}, as: wire, gets: {{outcome: add}}}}
                - {WIRE}, decision: {{replace: wire}}}}
            - turn: a
              extract: []
            - turn: a
            """,
        )
    )
    first, second, third = (step for step in script.steps if isinstance(step, TurnStep))
    wire = {"summary": "Wire 4471 is approved", "kind": "fact"}
    assert first.extract == (
        Action("extract", wire, ("steps", 0, "extract", 0), "wire", gets={"outcome": "add"}),
        Action("extract", {**wire, "decision": {"replace": "wire"}}, ("steps", 0, "extract", 1)),
    )
    assert (second.extract, third.extract) == ((), None)


@pytest.mark.parametrize(
    ("item", "code", "at"),
    [
        ("{summary: x}", "ST104", "steps/0/extract/0"),
        ("{summary: x, kind: fact, replaces: z}", "ST101", "steps/0/extract/0/replaces"),
        ("{summary: x, kind: fact, decision: perhaps}", "ST103", "steps/0/extract/0/decision"),
        ("{summary: x, kind: fact, decision: {merge: z}}", "ST101", "steps/0/extract/0/decision/merge"),
        ("{summary: x, kind: fact, decision: {}}", "SC001", "steps/0/extract/0/decision"),
        (
            "{summary: x, kind: fact, as: x, decision: {replace: z, delete: z}}",
            "SC001",
            "steps/0/extract/0/decision/delete",
        ),
        ("{summary: x, kind: fact, decision: {replace: z}}", "SC101", "steps/0/extract/0/decision/replace"),
        ("{summary: x, kind: fact, gets: {outcome: dropped}}", "ST103", "steps/0/extract/0/gets/outcome"),
        ("{summary: x, kind: fact, gets: {records: []}}", "SC004", "steps/0/extract/0/gets/records"),
        (
            "{summary: x, kind: fact, gets: {outcome: rejected, record: {kind: fact}}}",
            "SC004",
            "steps/0/extract/0/gets/record",
        ),
    ],
)
def test_what_is_wrong_with_an_item_is_told_where_it_stands(tmp_path: Path, item: str, code: str, at: str) -> None:
    assert found(tmp_path, f"- turn: a\n  extract:\n    - {item}\n") == [(code, at)]


def test_a_name_is_given_once_and_known_from_then_on(tmp_path: Path) -> None:
    named = "{summary: x, kind: fact, as: x}"
    assert found(tmp_path, f"- turn: a\n  extract: [{named}, {named}]\n") == [("SC102", "steps/0/extract/1/as")]
    known = "{summary: z, kind: fact, decision: {delete: x}}"
    assert found(tmp_path, f"- turn: a\n  extract: [{named}, {known}]\n- review: {{read: x}}\n") == []
    refused = "{summary: z, kind: fact, decision: {delete: mem_0}, gets: {outcome: rejected}}"
    assert found(tmp_path, f"- turn: a\n  extract: [{refused}]\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "- {turn: a, id: slow, outcome: open, extract: []}\n- continue: slow\n",
        "- turn: a\n  do: [{fail: stop}]\n  extract: []\n",
    ],
)
def test_sc306_candidates_of_a_review_that_never_happens(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == [("SC306", "steps/0/extract")]


def test_sc306_an_agent_that_keeps_no_memory_reviews_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.scenario.yaml"
    file.write_text("scenario: x\nconfig: {harness: {}}\nsteps: [{turn: a, extract: []}]\n", encoding="utf-8")
    with pytest.raises(InvalidScript, match="keeps memory"):
        load_script(file)


def test_the_review_is_a_model_call_and_a_line_for_each_candidate(tmp_path: Path) -> None:
    told = run(
        tmp_path,
        f"""\
        - turn: a
          user: Wire 4471 is approved.
          do: [{{reply: Noted.}}]
          extract: [{WIRE}, as: wire}}, {WIRE}, decision: {{delete: wire}}}}]
        """,
    )
    seen = [line for line in told.trace.lines if line.get("turn") == "s0" and line["type"] not in ("say", "record")]
    assert [(line["type"], line.get("purpose"), line["step"]) for line in seen[:6]] == [
        ("begin", None, "/steps/0"),
        ("context", "turn", "/steps/0/do/0"),
        ("context", "memory", "/steps/0"),
        ("decision", None, "/steps/0/extract/0"),
        ("decision", None, "/steps/0/extract/1"),
        ("end", None, "/steps/0"),
    ]
    added, skipped = lines(told, "decision")
    wire = added["record"]["id"]
    assert (added["outcome"], added["decision"], added["call"]) == ("add", None, 2)
    assert (skipped["outcome"], skipped["decision"], skipped["target"]) == ("skip", {"delete": wire}, wire)
    assert added["candidate"] == skipped["candidate"] == {"summary": "Wire 4471 is approved", "kind": "fact"}


def test_a_turn_without_extract_has_a_review_that_finds_nothing(tmp_path: Path) -> None:
    told = run(tmp_path, "- turn: a\n- {turn: a, outcome: rollback}\n")
    assert [(line["turn"], line["purpose"], line["model"]) for line in lines(told, "context")] == [
        ("s0", "memory", None)
    ]
    assert lines(told, "decision") == []


def test_a_turn_that_is_undone_is_reviewed_where_the_script_says_what_is_found(tmp_path: Path) -> None:
    told = run(tmp_path, f"- {{turn: a, outcome: crash, extract: [{WIRE}, gets: {{outcome: add}}}}]}}\n")
    assert missed(told) == []
    assert [line["outcome"] for line in lines(told, "decision")] == ["add"]
    assert lines(told, "record") == []


def test_what_does_not_hold_of_a_candidate_is_told(tmp_path: Path) -> None:
    told = run(
        tmp_path,
        f"""\
        - turn: a
          extract:
            - {WIRE}, as: wire, gets: {{outcome: skip}}}}
            - {WIRE}, gets: {{record: {{kind: fact}}}}}}
            - {{summary: x, kind: nonsense, gets: {{outcome: add}}}}
            - {{summary: x, kind: nonsense, gets: {{outcome: rejected, text: declared}}}}
            - {{summary: x, kind: nonsense, gets: {{error: not_found}}}}
            - {{summary: z, kind: fact, gets: {{record: {{status: ACTIVE}}, text: No record}}}}
        """,
    )
    assert missed(told) == [
        "steps/0/extract/0/gets/outcome",
        "steps/0/extract/1/gets/record",
        "steps/0/extract/2/gets",
        "steps/0/extract/4/gets/error",
    ]


def test_expectations_of_a_review_that_is_not_made_fail(tmp_path: Path) -> None:
    text = "steps: [{turn: a, extract: [{summary: x, kind: fact, gets: {outcome: add}}]}]\n"
    file = tmp_path / "a.scenario.yaml"
    seldom = "{harness: {memory: {enabled: true, extraction: {every: {messages: 9}}}}}"
    file.write_text(f"scenario: x\nconfig: {seldom}\n{text}", encoding="utf-8")
    told = run_script(load_script(file))
    assert missed(told) == ["steps/0/extract/0/gets"]
    assert lines(told, "decision") == lines(told, "postponed") == []


def test_a_postponed_review_and_a_rejected_candidate_are_told_as_notes(tmp_path: Path) -> None:
    file = tmp_path / "a.scenario.yaml"
    file.write_text(
        dedent("""\
        scenario: an example
        config: {limits: {model_calls: 1}, harness: {memory: {enabled: true}}}
        steps:
          - turn: a
            do: [{reply: Noted.}]
          - turn: a
            extract: [{summary: x, kind: nonsense}, {summary: x, kind: never, gets: {outcome: rejected}}]
        """),
        encoding="utf-8",
    )
    told = judge(read(file, Loader()))
    assert told.state == "ok"
    assert [note.step for note in told.notes] == ["/steps/0", "/steps/1/extract/0"]
    assert told.trace is not None
    assert [line["step"] for line in told.trace.lines if line["type"] == "postponed"] == ["/steps/0"]


def test_a_continued_turn_is_reviewed_when_it_ends(tmp_path: Path) -> None:
    text = f"- {{turn: a, id: slow, outcome: open}}\n- {{continue: slow, extract: [{WIRE}}}]}}\n"
    script = load_script(path(tmp_path, text))
    assert isinstance(script.steps[-1], ContinueStep)
    (decided,) = lines(run_script(script), "decision")
    assert (decided["outcome"], decided["step"]) == ("add", "/steps/1/extract/0")


def test_txn_3_the_line_says_what_held_at_the_commit(tmp_path: Path) -> None:
    file = tmp_path / "a.scenario.yaml"
    rule = "{summary: Refunds take a week, kind: fact, scope: agent"
    file.write_text(
        dedent(f"""\
        scenario: an example
        config: {{harness: {{memory: {{enabled: true, scope: {{read: [agent], write: [agent]}}}}}}}}
        steps:
          - {{turn: a, id: slow, outcome: open}}
          - {{turn: b, extract: [{rule}, as: rule}}]}}
          - {{continue: slow, extract: [{rule}, gets: {{outcome: skip, text: meanwhile}}}}]}}
        """),
        encoding="utf-8",
    )
    told = run_script(load_script(file))
    assert missed(told) == []
    assert [line["outcome"] for line in lines(told, "decision")] == ["add", "skip"]
    assert len(lines(told, "record")) == 1
