"""`seatrial check`: verdicts on traces that no engine made, exit codes, wrong use."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from seatrial.cli.check import command
from seatrial.schemas import load as load_schema
from seatrial.simulator.invariants import INVARIANTS, Invariant
from seatrial.simulator.load import load_script
from seatrial.simulator.runner import run_script

ROOT = Path(__file__).parents[2]
TRACES = ROOT / "docs" / "examples" / "traces"


def check(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(command, arguments, input=given)


def written(folder: Path, lines: object) -> str:
    path = folder / "a.trace.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")  # type: ignore[attr-defined]
    return str(path)


def test_a_leak_is_told_with_its_witness() -> None:
    told = check(str(TRACES / "leak.trace.jsonl"))
    assert told.exit_code == 1
    assert "session-isolation is violated (VIEW-2)" in told.output
    assert (
        "account-17 turn t1 -> add_memory memory-0001 (session) -> recall in account-22 turn t2 call 1" in told.output
    )


def test_a_sound_trace_and_what_is_required_of_it() -> None:
    sound = str(TRACES / "sound.trace.jsonl")
    assert check(sound, "--require", "session-isolation").exit_code == 0
    told = check(sound, "--require", "pin-budget")
    assert (told.exit_code, told.output.startswith("VACUOUS")) == (1, True)


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda each: each.name)
def test_hand_written_traces(tmp_path: Path, invariant: Invariant) -> None:
    """The good and the bad example of each invariant, written by hand, through the command."""
    good = json.loads(check(written(tmp_path, invariant.good), "--format", "json").output)
    bad = check(written(tmp_path, invariant.bad), "--format", "json")
    status = [
        {each["name"]: each["status"] for each in told["scenarios"][0]["verdicts"]}[invariant.name]
        for told in (good, json.loads(bad.output))
    ]
    assert status == ["holds", "violated"]
    assert bad.exit_code == 1


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda each: each.name)
def test_a_violation_names_the_line_of_its_observation(tmp_path: Path, invariant: Invariant) -> None:
    path = written(tmp_path, invariant.bad)
    report = json.loads(check(path, "--format", "json").output)
    assert [error.message for error in Draft202012Validator(load_schema("run")).iter_errors(report)] == []
    (found,) = (each for each in report["scenarios"][0]["verdicts"] if each["name"] == invariant.name)
    text = check(path).output
    for violation in found["violations"]:
        line = invariant.bad[violation["line"] - 1]
        ledger = line["type"] in ("record", "execution", "use")
        assert violation["observation"].startswith("ledger: ") or not ledger
        place = f"{path}:{violation['line']}"
        headed = f"{place}: {invariant.name} is violated ({violation['clause']})" in text
        blocks = [each for each in text.split(f"\n  {path}") if violation["observation"] in each]
        also = [re.search(rf"^    also .*\b{invariant.name}\b", each, re.MULTILINE) for each in blocks]
        assert headed or any(also) or f"{violation['observation']} ({place})" in text


def test_a_trace_of_our_own(tmp_path: Path) -> None:
    script = load_script(ROOT / "scenarios" / "isolation" / "two-accounts.scenario.yaml")
    path = tmp_path / "own.jsonl"
    run_script(script).trace.write(path)
    assert check(str(path), "--require", "session-isolation", "--require", "uses-recorded").exit_code == 0


def test_a_folder_stands_for_the_traces_below_it(tmp_path: Path) -> None:
    told = check(str(TRACES))
    assert (told.exit_code, "2 traces, 4 turns: 1 ok, 1 failed" in told.output) == (1, True), told.output
    empty = check(str(tmp_path))
    assert (empty.exit_code, "no trace in this folder: one is named *.trace.jsonl" in empty.output) == (2, True)


def test_standard_input() -> None:
    told = check("-", given=(TRACES / "leak.trace.jsonl").read_text(encoding="utf-8"))
    assert (told.exit_code, "<stdin>:7: session-isolation is violated" in told.output) == (1, True)


def test_standard_input_that_is_empty() -> None:
    told = check("-")
    assert (told.exit_code, told.output.splitlines()[-1]) == (2, "Error: <stdin>:1: the trace is empty")


HEADER = '{"type": "trace", "format": 1}\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a.jsonl:1: the trace is empty"),
        ("[]\n", "a.jsonl:1: not a JSON object"),
        ('{"type": "trace", "format": 2}\n', "a.jsonl:1: format 2 cannot be read"),
        (HEADER + "{\n", "a.jsonl:2: not JSON: Expecting property name enclosed in double quotes, column 2"),
        (HEADER + '{"type": "guess"}\n', "a.jsonl:2: unknown type 'guess'"),
        (HEADER + '{"type": "end", "turn": "t1", "outcome": "committed"}\n', "a.jsonl:2: turn 't1' did not begin"),
        (HEADER + '{"type": "begin", "turn": "t1"}\n', "a.jsonl:2: a begin needs 'agent', a string"),
        (HEADER + '{"type": "call", "x": NaN}\n', "a.jsonl:2: not JSON"),
    ],
)
def test_what_is_no_trace_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    told = check(str(path))
    assert (told.exit_code, said in told.output) == (2, True), told.output


def test_a_file_that_cannot_be_read_and_an_unknown_invariant(tmp_path: Path) -> None:
    missing = check(str(tmp_path / "none.jsonl"))
    assert (missing.exit_code, "No such file" in missing.output) == (2, True)
    (tmp_path / "latin.jsonl").write_bytes(b'{"type": "trace", "scenario": "\xe9"}')
    assert check(str(tmp_path / "latin.jsonl")).exit_code == 2
    unknown = check(str(TRACES / "sound.trace.jsonl"), "--require", "sesion-isolation")
    assert (unknown.exit_code, "did you mean session-isolation?" in unknown.output) == (2, True)
