"""Reviews in the oracle's eyes: what they write, end and meet, and how their texts are replaced for second runs."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from isolation import ISOLATION

from seatrial.simulator.invariants import History
from seatrial.simulator.invariants.examples import HEADER, add, begin, deploy, end, record, search, stored
from seatrial.simulator.invariants.model import read
from seatrial.simulator.invariants.reruns import RERUNS
from seatrial.simulator.invariants.reruns.change import change
from seatrial.simulator.invariants.reruns.flows import flows
from seatrial.simulator.load import load_script
from seatrial.simulator.runner import run_script
from seatrial.simulator.script import Script, TurnStep

Line = dict[str, Any]
BOTH = ("session", "agent")


def decision(turn: str, outcome: str, name: str | None = None, target: str | None = None, **line: Any) -> Line:
    shown: Line = {
        "type": "decision",
        "turn": turn,
        "call": 1,
        "candidate": {"summary": "a fact"},
        "decision": None,
        "outcome": outcome,
        "target": target,
        "record": None if name is None else record(name),
        "reason": "",
        "step": f"/steps/{turn}/extract/0",
    }
    return {**shown, **line}


def violated(*lines: Line) -> dict[str, str]:
    history = History.parse([HEADER, *lines])
    verdicts = {invariant.name: invariant.check(history) for invariant in ISOLATION}
    return {name: verdict.violations[0].clause for name, verdict in verdicts.items() if verdict.violations}


def wrote(turn: str, session: str, outcome: str = "committed", **line: Any) -> list[Line]:
    return [begin(turn, session), decision(turn, "add", f"mem_of_{turn}", **line), end(turn, outcome)]


def test_what_a_review_wrote_is_the_sessions_own() -> None:
    lines = [deploy(), *wrote("s0", "a"), begin("s1", "b"), search("s1", "mem_of_s0"), end("s1")]
    assert violated(*lines) == {"session-isolation": "VIEW-2"}


def test_its_scope_is_the_candidates_and_the_ledger_is_checked_against_it() -> None:
    said: dict[str, Any] = {"candidate": {"summary": "a fact", "scope": "agent"}}
    lines = [deploy(read=BOTH, write=BOTH), *wrote("s0", "a", **said)]
    shown = [begin("s1", "b"), search("s1", "mem_of_s0"), end("s1")]
    assert violated(*lines, *shown, stored("mem_of_s0", "s0", "a", "agent")) == {}
    assert violated(*lines, stored("mem_of_s0", "s0", "a", "session")) == {"session-isolation": "SCO-2"}


def test_a_review_of_a_turn_that_rolled_back_leaves_nothing() -> None:
    lines = [deploy(), *wrote("s0", "a", "rolled_back")]
    assert violated(*lines, stored("mem_of_s0", "s0", "a")) == {"rollback-atomicity": "TXN-2"}


def test_a_committed_review_is_in_the_ledger() -> None:
    lines = [deploy(), *wrote("s0", "a"), begin("s1", "a"), add("s1", "mem_of_s1"), end("s1")]
    assert violated(*lines, stored("mem_of_s1", "s1", "a")) == {"rollback-atomicity": "TXN-1"}


@pytest.mark.parametrize(
    "met",
    [
        decision("s1", "skip", target="mem_of_s0"),
        decision("s1", "replace", "mem_of_s1", "mem_of_s0"),
        decision(
            "s1", "add", "mem_of_s1", reason="It corrects an amount of record mem_of_s0, which may not be written."
        ),
        decision("s1", "rejected", error={"code": "not_active", "message": "mem_of_s0 was replaced", "remedy": ""}),
    ],
    ids=["skip", "replace", "reason", "error"],
)
def test_what_a_review_meets_it_observes(met: Line) -> None:
    lines = [deploy(), *wrote("s0", "a"), begin("s1", "b"), met, end("s1")]
    assert violated(*lines) == {"session-isolation": "VIEW-2"}


def test_an_id_that_the_model_names_itself_proves_nothing() -> None:
    named: Line = {
        "decision": {"replace": "mem_of_s0"},
        "error": {"code": "not_found", "message": "there is no record mem_of_s0", "remedy": ""},
    }
    lines = [deploy(), *wrote("s0", "a"), begin("s1", "b"), decision("s1", "rejected", **named), end("s1")]
    assert violated(*lines) == {}


def test_a_refusal_because_of_an_undone_turn_is_one_of_its_traces() -> None:
    refused: Line = {
        "decision": {"delete": "mem_of_s0"},
        "error": {"code": "not_active", "message": "the record was replaced", "remedy": ""},
    }
    lines = [
        deploy(),
        *wrote("s0", "a"),
        begin("s1", "a"),
        decision("s1", "delete", "mem_of_s1", "mem_of_s0"),
        end("s1", "rolled_back"),
        begin("s2", "a"),
        decision("s2", "rejected", **refused),
        end("s2"),
    ]
    assert violated(*lines) == {"rollback-atomicity": "TXN-2"}


@pytest.mark.parametrize(("outcome", "ends"), [("replace", True), ("delete", True), ("skip", False), ("add", False)])
def test_only_replace_and_delete_end_their_target(outcome: str, ends: bool) -> None:
    lines = [deploy(), *wrote("s0", "a"), begin("s1", "a"), decision("s1", outcome, target="mem_of_s0"), end("s1")]
    endings = read(History.parse([HEADER, *lines])).endings
    assert [ending.record for ending in endings] == (["mem_of_s0"] if ends else [])


@pytest.mark.parametrize(
    "shared",
    [decision("s0", "add", "mem_new", candidate={"scope": "agent"}), decision("s0", "delete", target="mem_rule")],
)
def test_an_agent_record_that_a_review_writes_or_ends_is_a_flow(shared: Line) -> None:
    rule = [begin("s9", "c"), add("s9", "mem_rule", scope="agent"), end("s9")]
    lines = [deploy(read=BOTH, write=BOTH), *rule, begin("s0", "a"), shared, end("s0"), begin("s1", "b"), end("s1")]
    assert (("clerk", "a"), ("clerk", "b")) in flows(History.parse([HEADER, *lines]))


SCENARIO = """\
scenario: an example
config:
  harness:
    memory:
      enabled: true
      scope: {read: [session, agent], write: [session, agent]}
      labels: {customer: {number: 1, description: The customer it is about.}}
steps:
  - turn: a
    user: Something private.
    extract:
      - {summary: Refunds take a week, kind: fact, scope: agent, as: rule}
      - {summary: A private fact, content: A private page, kind: fact, labels: {customer: private}, as: mine}
      - {summary: Another private fact, kind: fact, decision: {replace: mine}}
  - turn: b
    user: Something else.
    extract:
      - {summary: Not mine, kind: fact, decision: {delete: mine}, gets: {outcome: rejected}}
      - {summary: Refunds take a week, kind: fact}
"""


def script(folder: Path) -> Script:
    path = folder / "a.scenario.yaml"
    path.write_text(dedent(SCENARIO), encoding="utf-8")
    return load_script(path)


def test_private_candidates_are_replaced_and_shared_ones_stay(tmp_path: Path) -> None:
    told = script(tmp_path)
    history = History.parse(run_script(told).trace.lines)
    changed = change(told, history, [], [("agent", "a")]).script
    first = next(step for step in changed.steps if isinstance(step, TurnStep))
    assert first.extract is not None
    rule, mine, other = (dict(action.arguments) for action in first.extract)
    assert rule["summary"] == "Refunds take a week"
    assert {*map(len, (mine["summary"], "A private fact"))} == {len("A private fact")}
    assert "private" not in str([mine, other["summary"]]).replace("'customer'", "")
    assert other["decision"] == {"replace": "mine"}


def test_a_foreign_name_in_a_decision_keeps_the_id_of_the_first_run(tmp_path: Path) -> None:
    told = script(tmp_path)
    trace = run_script(told).trace
    mine = next(
        line["record"]["id"]
        for line in trace.lines
        if line["type"] == "decision" and line["call"] and "content" in line["candidate"]
    )
    changed = change(told, History.parse(trace.lines), [("agent", "a")], []).script
    (kept,) = (step for step in changed.steps if isinstance(step, TurnStep))
    assert kept.extract is not None
    assert kept.extract[0].arguments["decision"] == {"delete": mine}


def test_reviews_interfere_with_nobody(tmp_path: Path) -> None:
    told = script(tmp_path)
    trace = run_script(told).trace
    judged = [
        second.check(told, trace, lambda changed: run_script(changed, expectations=False).trace) for second in RERUNS
    ]
    found = {verdict.name: verdict.status for verdict in judged}
    assert "violated" not in found.values()
    assert [found[name] for name in ("determinism", "noninterference:sessions", "restart-anywhere")] == ["holds"] * 3
