"""Second runs against the engine: as it is, and with one decision of it altered that no single run shows."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from seatrial.engine import engine, messages, rows
from seatrial.engine.engine import Engine
from seatrial.engine.turn import Turn, TurnResult
from seatrial.simulator.invariants import Verdict
from seatrial.simulator.invariants.history import History
from seatrial.simulator.invariants.reruns.restart_anywhere import _restarted
from seatrial.simulator.invariants.reruns.without import without
from seatrial.simulator.load import InvalidScript, Loader
from seatrial.simulator.runner import run_script
from seatrial.simulator.script import RestartStep, ReviewStep, Script, TurnStep
from seatrial.simulator.suite import judge, read

CONFIG = """
scenario: a trial
agents:
  clerk:
    harness:
      memory: {enabled: true, tools: [add_memory, read_memory, delete_memory]}
      history: {index: messages}
  auditor:
    harness: {memory: {enabled: true, tools: [add_memory]}}
steps:
"""
TURNS = """
- turn: {agent: auditor, session: x}
  user: What is to be audited?
  do:
    - add_memory: {summary: Refunds are audited, kind: fact}
- turn: {agent: clerk, session: a}
  user: Refunds take a week.
  do:
    - add_memory: {summary: Refunds take a week, kind: fact, as: week}
- turn: {agent: clerk, session: b}
  user: Refunds take a day.
  do:
    - add_memory: {summary: Refunds take a day, kind: fact, as: day}
- turn: {agent: clerk, session: a, mode: preview}
  user: What if they took a month?
  do:
    - add_memory: {summary: Refunds take a month, kind: fact, replaces: week, as: month}
- turn: {agent: clerk, session: a}
  user: Or a year?
  outcome: rollback
  do:
    - add_memory: {summary: Refunds take a year, kind: fact, as: year}
- review: {agent: clerk, read: year}
- turn: {agent: clerk, session: a}
  user: How long do refunds take?
  do:
    - search_memory: {query: refunds}
    - search_history: {query: refunds}
    - read_memory: {id: month}
    - read_memory: {id: day}
- turn: {agent: clerk, session: b}
  user: How long do refunds take?
  do:
    - search_memory: {query: refunds}
"""


def write(folder: Path, steps: str = TURNS) -> Path:
    path = folder / "a.scenario.yaml"
    path.write_text(f"{CONFIG.strip()}\n{indent(dedent(steps).strip(), '  ')}\n", encoding="utf-8")
    return path


def verdicts(folder: Path, steps: str = TURNS) -> dict[str, Verdict]:
    told = judge(read(write(folder, steps), Loader()))
    assert not told.diagnostics, told.diagnostics
    return {verdict.name: verdict for verdict in told.verdicts}


def violated(folder: Path, steps: str = TURNS) -> list[str]:
    return [name for name, verdict in verdicts(folder, steps).items() if verdict.status == "violated"]


def loaded(folder: Path, steps: str = TURNS) -> Script:
    scenario = read(write(folder, steps), Loader())
    assert not isinstance(scenario, InvalidScript)
    return scenario.script


def test_the_engine_as_it_is_gives_every_second_run_something_to_check(tmp_path: Path) -> None:
    second = {
        name: each for name, each in verdicts(tmp_path).items() if ":" in name or name in ("commute", "determinism")
    }
    assert {name: each.status for name, each in second.items()} == dict.fromkeys(second, "holds")


def test_view_1_ids_from_one_counter_of_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an agent is told counts the turns of all agents."""
    real = Engine.begin
    begun: list[str] = []
    opened = Engine.__init__

    def fresh(self: Engine, *given: Any, **named: Any) -> None:
        begun.clear()
        opened(self, *given, **named)

    def counted(self: Engine, agent: str, *, user: str, **more: Any) -> Turn:
        begun.append(agent)
        return real(self, agent, user=f"{user} ({len(begun)})", **more)

    monkeypatch.setattr(Engine, "__init__", fresh)
    monkeypatch.setattr(Engine, "begin", counted)
    found = violated(tmp_path)
    assert {"noninterference:agents", "noninterference:preview", "noninterference:rollback", "commute"} <= {*found}
    assert "determinism" not in found


OPERATORS = """
- turn: {agent: auditor, session: x}
  do:
    - add_memory: {summary: Refunds are audited, kind: fact, as: audited}
- turn: {agent: clerk, session: a}
  do:
    - add_memory: {summary: Refunds take a week, kind: fact}
- review: {agent: clerk, read: audited}
- review: {agent: clerk, delete: audited}
- review: {agent: clerk, list: true}
"""


def test_view_1_an_operator_who_names_another_agents_record_is_told_of_nothing(tmp_path: Path) -> None:
    assert verdicts(tmp_path, OPERATORS)["noninterference:agents"].status == "holds"


def test_view_1_an_operator_reads_another_agents_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = rows.agent_record

    def anybodys(sql: Any, agent: str, record: str) -> Any:
        return next(filter(None, (real(sql, each, record) for each in (agent, "auditor"))), None)

    monkeypatch.setattr(rows, "agent_record", anybodys)
    assert "noninterference:agents" in violated(tmp_path, OPERATORS)


def test_pre_4_a_preview_that_leaves_a_mark_on_live_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns are counted over both planes."""
    real = messages.since

    def shorter(sql: Any, agent: str, session: str, planes: Any, marks: Any) -> Any:
        previews = sql.execute("SELECT count(*) FROM turn WHERE plane = 'preview'").fetchone()[0]
        return real(sql, agent, session, planes, marks)[previews:]

    monkeypatch.setattr(messages, "since", shorter)
    assert "noninterference:preview" in violated(tmp_path)


def test_txn_2_a_rollback_that_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Turn.rollback

    def keeping(self: Turn, reason: str | None = None) -> TurnResult:
        engine._rolled_back = True  # type: ignore[attr-defined]
        return real(self, reason)

    opened = Engine.__init__

    def fresh(self: Engine, *given: Any, **named: Any) -> None:
        engine._rolled_back = False  # type: ignore[attr-defined]
        opened(self, *given, **named)

    begin = Engine.begin

    def told(self: Engine, agent: str, *, user: str, **more: Any) -> Turn:
        mark = " (again)" if engine._rolled_back else ""  # type: ignore[attr-defined]
        return begin(self, agent, user=user + mark, **more)

    monkeypatch.setattr(engine, "_rolled_back", False, raising=False)
    monkeypatch.setattr(Turn, "rollback", keeping)
    monkeypatch.setattr(Engine, "__init__", fresh)
    monkeypatch.setattr(Engine, "begin", told)
    found = verdicts(tmp_path)
    assert found["noninterference:rollback"].violations[0].clause == "TXN-2"


def test_txn_4_something_kept_in_memory_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Engine.begin
    begun: dict[int, int] = {}
    opened = Engine.__init__

    def fresh(self: Engine, *given: Any, **named: Any) -> None:
        begun[id(self)] = 0
        opened(self, *given, **named)

    def told(self: Engine, agent: str, *, user: str, **more: Any) -> Turn:
        begun[id(self)] += 1
        return begin(self, agent, user=f"{user} ({begun[id(self)]})", **more)

    monkeypatch.setattr(Engine, "__init__", fresh)
    monkeypatch.setattr(Engine, "begin", told)
    found = violated(tmp_path)
    assert "restart-anywhere" in found
    assert "determinism" not in found


def test_without_drops_turns_and_what_operators_did_to_what_they_defined(tmp_path: Path) -> None:
    script = loaded(tmp_path)
    history = History.parse(run_script(script).trace.lines)
    changed = without(script, history, {"s4"})
    assert [step.execution for step in changed.steps if isinstance(step, TurnStep)] == [
        "s0",
        "s1",
        "s2",
        "s3",
        "s6",
        "s7",
    ]
    assert not any(isinstance(step, ReviewStep) for step in changed.steps)


def test_without_puts_ids_in_place_of_names(tmp_path: Path) -> None:
    script = loaded(tmp_path)
    run = run_script(script)
    changed = without(script, History.parse(run.trace.lines), {"s3"})
    ids = {line["summary"]: line["id"] for line in run.trace.lines if line["type"] == "record"}
    asked = next(step for step in changed.steps if isinstance(step, TurnStep) and step.execution == "s6")
    assert [action.arguments.get("id") for action in asked.do[2:]] == [
        ids["Refunds take a month"],
        ids["Refunds take a day"],
    ]


def test_a_restart_never_falls_into_an_open_turn(tmp_path: Path) -> None:
    steps = """
    - turn: {agent: clerk, session: a}
      id: long
      outcome: open
      user: one
      do: [{reply: Noted.}]
    - turn: {agent: clerk, session: b}
      user: two
      do: [{fail: no}]
    - review: {agent: clerk, list: true}
    - continue: long
      do: [{reply: Done.}]
    - turn: {agent: clerk, session: a}
      user: three
      do: [{reply: Noted.}]
    """
    script = loaded(tmp_path, steps)
    history = History.parse(run_script(script).trace.lines)
    kinds = [type(step).__name__ for step in _restarted(script, history) if step.place >= 0]
    assert kinds == [
        "TurnStep", "TurnStep", "ReviewStep", "ContinueStep", "RestartStep", "TurnStep", "RestartStep",
    ]  # fmt: skip
    assert isinstance([*_restarted(script, history)][-1], RestartStep)
