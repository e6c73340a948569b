"""Scripts run: what is told of them, in what form, and that the form does not depend on the machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from scripts import CONFIG, lines, missed, one, run, script

from seatrial.schemas import load as load_schema
from seatrial.simulator.events import Event
from seatrial.simulator.load import load_script
from seatrial.simulator.runner import run_script
from seatrial.simulator.script import RestartStep, Script

# Every step and action of the language, with refusals of every kind.
EVERYTHING = f"""
scenario: everything that can happen
config: {CONFIG}
steps:
  - turn: account-17
    user: Wire 4471 is approved up to 9,000 USD. 金額は九千ドルです。
    do:
      - tool: {{name: fetch, result: "12 entries", as: entries}}
      - read_result: {{ref: entries, offset: 3}}
      - add_memory: {{summary: "Wire 4471 is approved up to 9,000 USD", kind: guidance, as: ruling}}
      - add_memory: {{summary: "Wire 4471 is refused", kind: nonsense, as: never}}
        gets: {{error: undeclared_kind}}
      - set_state: {{open: [1, 0.5, null], über: "\\u2028"}}
      - reply: Noted.
  - turn: account-22
    id: slow
    user: Is wire 4471 approved?
    do:
      - subagent:
          do:
            - search_memory: {{query: wire 4471}}
            - delete_memory: {{id: ruling}}
      - program: {{do: [{{read_memory: {{id: ruling}}}}]}}
    outcome: open
  - turn: account-22
    user: And this one waits.
  - turn: {{session: account-17, mode: preview}}
    user: And if it were not?
    do:
      - add_memory: {{summary: "Wire 4471 is stopped", kind: guidance, replaces: ruling, as: stopped}}
      - delete_memory: {{id: stopped}}
      - read_memory: {{id: never}}
        gets: {{error: not_found}}
  - continue: slow
    do:
      - fail: the statement does not add up
  - deploy: {{config: {{harness: {{memory: {{enabled: true}}}}}}}}
  - turn: account-17
    user: Does it?
    outcome: rollback
  - turn: account-17
    user: Does it still?
    outcome: crash
  - review: {{list: true}}
  - review: {{read: ruling, grants: []}}
    gets: {{error: missing_grant}}
  - review: {{delete: ruling}}
  - turn: account-30
    user: Left open.
    outcome: open
  - restart: true
  - turn: account-17
    user: What is approved?
    do:
      - search_memory: {{query: wire 4471}}
        gets: {{records: []}}
      - reply: Nothing.
        sees: {{recalled: [], state: {{open: [1, 0.5, null], über: "\\u2028"}}}}
  - turn: account-22
    user: The cut-off is 16:00. No, 17:00.
    extract:
      - {{summary: "The cut-off is 16:00", kind: fact, as: cutoff}}
      - {{summary: "the cut-off is 16:00.", kind: fact, decision: add, gets: {{outcome: skip}}}}
      - {{summary: "The cut-off is 17:00", kind: fact, decision: {{replace: cutoff}}, as: later}}
      - {{summary: "Nothing is cut off", kind: fact, decision: {{delete: never}}, gets: {{error: not_found}}}}
  - deploy: {{config: {{limits: {{model_calls: 1}}, harness: {{memory: {{enabled: true}}}}}}}}
  - turn: account-30
    user: There is one call.
    do:
      - reply: It is spent.
"""


def test_everything_runs_as_the_script_says(tmp_path: Path) -> None:
    told = run(tmp_path, EVERYTHING)
    assert missed(told) == []
    assert [(line["turn"], line["outcome"], line["step"]) for line in lines(told, "end")] == [
        ("s0", "committed", "/steps/0"),
        ("s3", "committed", "/steps/3"),
        ("s1", "failed", "/steps/4/do/0"),
        ("s6", "rolled_back", "/steps/6"),
        ("s7", "crashed", "/steps/7"),
        ("s11", "crashed", "/steps/12"),
        ("s13", "committed", "/steps/13"),
        ("s14", "committed", "/steps/14"),
        ("s16", "committed", "/steps/16"),
    ]
    assert [line["outcome"] for line in lines(told, "decision")] == ["add", "skip", "replace", "rejected"]
    assert [line["step"] for line in lines(told, "postponed")] == ["/steps/16"]
    assert [line["error"]["code"] for line in lines(told, "begin") if "error" in line] == ["busy"]
    assert [(line["by"], line["tool"]) for line in lines(told, "call") if line["turn"] == "s1"] == [
        ("subagent", "search_memory"),
        ("subagent", "delete_memory"),
        ("program", "read_memory"),
    ]


def test_one_model_call_before_each_item_of_do_and_none_inside_helpers(tmp_path: Path) -> None:
    told = run(tmp_path, EVERYTHING)
    calls = [line for line in lines(told, "context") if line["purpose"] == "turn"]
    steps = [line["step"] for line in calls if line["turn"] in {"s0", "s1"}]
    assert steps == [*(f"/steps/0/do/{index}" for index in range(6)), "/steps/1/do/0", "/steps/1/do/1", "/steps/4/do/0"]
    kinds = [line["type"] for line in told.trace.lines if line.get("turn") == "s3" and "outcome" not in line]
    assert kinds[:7] == ["begin", "context", "call", "context", "call", "context", "call"]


def test_every_line_is_one_that_the_schema_describes(tmp_path: Path) -> None:
    validator = Draft202012Validator(load_schema("trace"))
    told = run(tmp_path, EVERYTHING)
    text = told.trace.text
    assert {line["type"] for line in told.trace.lines} == set(load_schema("trace")["properties"]["type"]["enum"])
    for line in text.split("\n")[:-1]:
        assert [error.message for error in validator.iter_errors(json.loads(line))] == [], line


def test_the_trace_schema_refuses_what_is_no_line() -> None:
    validator = Draft202012Validator(load_schema("trace"))
    kinds = [value for value in load_schema("trace")["$defs"].values() if "examples" in value]
    assert len(kinds) == len(load_schema("trace")["properties"]["type"]["enum"])
    for kind in kinds:
        (example,) = kind["examples"]
        assert validator.is_valid(example)
        assert not validator.is_valid({**example, "type": "other"})
        for key in kind["required"]:
            assert not validator.is_valid({name: value for name, value in example.items() if name != key}), key


def test_a_file_and_memory_give_the_same_trace(tmp_path: Path) -> None:
    """TXN-4: where the store is kept changes nothing."""
    whole = script(tmp_path, EVERYTHING)
    short = Script(
        whole.scenario, None, (), (), tuple(step for step in whole.steps if not isinstance(step, RestartStep))
    )
    in_memory = run_script(short)
    in_file = run_script(short, store=tmp_path / "a.sqlite")
    assert in_file.trace.text == in_memory.trace.text
    assert (tmp_path / "a.sqlite").exists()
    assert run_script(whole, store=tmp_path / "b.sqlite").trace.text == run_script(whole).trace.text


def test_fresh_processes_with_other_hash_seeds_and_time_zones_give_the_same_bytes(tmp_path: Path) -> None:
    """SCH-7, mem0#4402: same script, same bytes; times are UTC, wherever the machine stands."""
    (tmp_path / "a.scenario.yaml").write_text(EVERYTHING, encoding="utf-8")
    traces = []
    for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo")):
        done = subprocess.run(
            [sys.executable, "-m", "seatrial", "run", "a.scenario.yaml", "--trace", f"{seed}.jsonl"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        traces.append((tmp_path / f"{seed}.jsonl").read_bytes())
    assert traces[0] == traces[1]
    assert traces[0] == run_script(load_script(tmp_path / "a.scenario.yaml")).trace.text.encode()


def test_a_run_tells_its_events_as_they_happen_and_the_trace_is_made_of_them(tmp_path: Path) -> None:
    heard: list[Event] = []
    told = run_script(script(tmp_path, EVERYTHING), consumers=[heard.append])
    assert [event.line() for event in heard if hasattr(event, "line")] == list(told.trace.lines)


def test_names_become_ids_wherever_a_tool_takes_ids(tmp_path: Path) -> None:
    do = (
        "      - add_memory: {summary: One, kind: fact, as: one}\n"
        "      - add_memory: {summary: Two, kind: fact, as: two}\n"
        "      - search_memory: {ids: [one, two]}\n        gets: {records: {only: [one, two]}}\n"
        "      - add_memory: {summary: Both, kind: fact, replaces: [one, two], as: both}\n"
        "      - delete_memory: {id: both}\n"
    )
    told = one(tmp_path, do)
    assert missed(told) == []
    one_id, two_id = (line["answer"]["record"]["id"] for line in lines(told, "call")[:2])
    assert lines(told, "call")[3]["arguments"]["replaces"] == [one_id, two_id]
    assert lines(told, "call")[4]["arguments"] == {"id": lines(told, "call")[3]["answer"]["record"]["id"]}


def test_the_store_of_a_script_with_a_restart_is_gone_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    told = run(tmp_path, f"scenario: x\nconfig: {CONFIG}\nsteps:\n  - turn: a\n  - restart: true\n")
    assert [line["step"] for line in lines(told, "restart")] == ["/steps/1"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.scenario.yaml"]
