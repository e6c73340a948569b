"""Whatever stands inside the lines of a trace: it is refused with its line, or judged; nothing breaks."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.simulator.invariants import INVARIANTS, History, TraceError
from seatrial.simulator.load import load_script
from seatrial.simulator.runner import run_script

SUITE = Path(__file__).parents[3] / "scenarios"
SCENARIOS = [
    "extraction/a-preview-reviews-too",
    "history/history-across-planes",
    "pins/pins-that-come-together",
    "review/an-operator-deletes",
    "versions/labels-of-every-type",
    "writing/a-corrected-fact",
]
JUNK: list[Any] = [None, True, 0, -1, 1.5, 1e300, "", "x", "2026", [], {}, ["x"], [[]], [{}], [None], {"id": 3}]
Where = tuple[str | int, ...]


@lru_cache
def lines(name: str) -> tuple[dict[str, Any], ...]:
    return tuple(dict(line) for line in run_script(load_script(SUITE / f"{name}.scenario.yaml")).trace.lines)


def places(value: Any, at: Where = ()) -> Iterator[Where]:
    """Where each value within `value` stands."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*at, key)
        yield from places(each, (*at, key))


@settings(max_examples=400)
@given(name=st.sampled_from(SCENARIOS), junk=st.lists(st.sampled_from(JUNK), min_size=1, max_size=3), data=st.data())
def test_values_of_any_kind(name: str, junk: list[Any], data: st.DataObject) -> None:
    trace = copy.deepcopy([*lines(name)])
    for value in junk:
        line = data.draw(st.sampled_from(trace[1:]))
        *path, last = data.draw(st.sampled_from([place for place in places(line) if place != ("type",)]))
        for key in path:
            line = line[key]
        line[last] = copy.deepcopy(value)
    try:
        history = History.parse(trace)
    except TraceError:
        return
    for invariant in INVARIANTS:
        for violation in invariant.check(history).violations:
            assert violation.because.startswith("because ")
            assert violation.line is not None
