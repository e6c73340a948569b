"""A key that another system does not tell is not judged, but for those whose absence says something: right traces of
the engine, each time without one key, violate nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seatrial.schemas import load as load_schema
from seatrial.simulator.invariants import INVARIANTS, History
from seatrial.simulator.load import load_script
from seatrial.simulator.runner import run_script

SUITE = Path(__file__).parents[3] / "scenarios"
NEEDED = {
    "trace": {"format"},
    "deploy": {"agent"},
    "begin": {"turn", "agent"},
    "context": {"turn", "call"},
    "say": {"turn", "kind", "value"},
    "call": {"turn", "call", "tool", "answer", "error"},
    "decision": {"turn", "call", "outcome"},
    "postponed": {"turn"},
    "end": {"turn", "outcome"},
    "review": {"agent", "action", "id"},
    "record": {"id"},
    "execution": {"turn", "outcome"},
    "use": {"turn", "call", "source"},
}
MEANT = {  # what it says that they are not there
    "begin": {"session", "plane"},
    "context": {"purpose"},
    "call": {"by", "arguments"},
    "decision": {"candidate", "record"},
    "record": {"would_replace", "would_delete"},
    "use": {"by", "records"},
}
SCENARIOS = [
    "context/a-large-result-is-set-aside",
    "extraction/a-preview-reviews-too",
    "history/history-across-planes",
    "isolation/three-agents-one-session-name",
    "pins/pins-that-come-together",
    "preview/live-goes-on-beside-previews",
    "review/an-operator-deletes",
    "scopes/a-scope-no-longer-read",
    "versions/labels-of-every-type",
    "writing/a-corrected-fact",
]
Line = dict[str, Any]


def optional() -> list[tuple[str, str]]:
    """The keys of each kind of line, by the schema, that are neither needed nor say something by their absence."""
    kinds = load_schema("trace")["$defs"]
    found = []
    for kind, needed in NEEDED.items():
        skipped = {"type"} | needed | MEANT.get(kind, set())
        found += [
            (kind, key)
            for key in kinds["ledger_record" if kind == "record" else kind]["properties"]
            if key not in skipped
        ]
    return found


@pytest.fixture(scope="module")
def traces() -> list[list[Line]]:
    scripts = [load_script(SUITE / f"{name}.scenario.yaml") for name in SCENARIOS]
    return [[dict(line) for line in run_script(script).trace.lines] for script in scripts]


def violations(lines: list[Line]) -> list[tuple[str, str]]:
    history = History.parse(lines)
    return [(each.name, found.because) for each in INVARIANTS for found in each.check(history).violations]


@pytest.mark.parametrize(("kind", "key"), optional())
def test_a_key_that_is_left_out_is_not_judged(traces: list[list[Line]], kind: str, key: str) -> None:
    for lines in traces:
        assert violations([{k: v for k, v in line.items() if line["type"] != kind or k != key} for line in lines]) == []


@pytest.mark.parametrize("kind", ["deploy", "context", "say", "execution", "postponed", "restart"])
def test_lines_that_are_left_out_are_not_judged(traces: list[list[Line]], kind: str) -> None:
    for lines in traces:
        assert violations([line for line in lines if line["type"] != kind]) == []


def test_without_a_ledger_nothing_is_known_of_it(traces: list[list[Line]]) -> None:
    for lines in traces:
        assert violations([line for line in lines if line["type"] not in ("record", "execution", "use")]) == []
