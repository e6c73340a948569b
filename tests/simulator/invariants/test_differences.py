"""Comparing two runs byte for byte, and saying where they part."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.simulator.invariants.reruns.second_run import difference

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.0, 1.0, 0.5]) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("kl"), inner, max_size=2),
    max_leaves=6,
)
LONG = "Pinned records, and the number of those that do not fit:"
LINES = st.lists(st.dictionaries(st.sampled_from("xyz"), JSON, max_size=2), max_size=3)


@pytest.mark.parametrize(
    ("before", "after", "place", "told"),
    [
        ({"a": 1}, {"a": True}, "/a", ("1", "true")),
        ({"a": 1}, {"a": 1.0}, "/a", ("1", "1.0")),
        ({"a": [1, 2]}, {"a": [1]}, "/a/1", ("2", "nothing")),
        ({"a": [1]}, {"a": [1, None]}, "/a/1", ("nothing", "null")),
        ({"a": {"b": 1}}, {"a": {}}, "/a/b", ("1", "nothing")),
        ({"a": {}}, {"a": []}, "/a", ("{}", "[]")),
        ({"a": "x" * 90 + "1"}, {"a": "x" * 90 + "2"}, "/a", ('"…' + "x" * 20 + '1"', '"…' + "x" * 20 + '2"')),
        (
            {"a": f'{LONG}\n{{"id":"mem_1 a b"}}'},
            {"a": LONG},
            "/a",
            ('"…that do not fit: {"id":"mem_1 a b"}"', '"…that do not fit:"'),
        ),
        (
            {"a": f"1 {LONG} four"},
            {"a": ""},
            "/a",
            ('"1 Pinned records, and the number of those that do not fit:…"', '""'),
        ),
        ({"a": "1\n2"}, {"a": "1 2"}, "/a", ('"1\n2"', '"1 2"')),
        ({"a": {"b": "c" * 90}}, {"a": {}}, "/a/b", (f'"{"c" * 56}…"', "nothing")),
    ],
)
def test_the_first_value_that_differs(before: Any, after: Any, place: str, told: tuple[str, str]) -> None:
    found = difference([{}, before], [{}, after])
    assert found is not None
    assert (found.place, (found.before, found.after)) == (place, told)


@given(LINES, LINES)
def test_there_is_a_difference_exactly_where_the_values_differ(first: list[Any], second: list[Any]) -> None:
    assert (difference(first, second) is None) == (repr(_sorted(first)) == repr(_sorted(second)))
    assert difference(first, first) is None


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(each) for each in value] if isinstance(value, list) else value


def test_a_line_that_only_one_run_has() -> None:
    for first, second, told in (([{}, {"a": 1}], [{}], '{"a":1}'), ([{}], [{}, {"a": 1}], "nothing")):
        found = difference(first, second)
        assert found is not None
        assert (found.line, found.path, found.before) == ({"a": 1}, (), told)


def test_the_record_is_the_innermost_around_the_value() -> None:
    hit = {"id": "mem_1", "summary": "Wire 4471", "score": 0.5}
    found = difference([{"id": "x", "recalled": [hit]}], [{"id": "x", "recalled": [{**hit, "score": 0.4}]}])
    assert found is not None
    assert found.record() == ("mem_1", "Wire 4471")
    gone = difference([{"recalled": [hit]}], [{"recalled": []}])
    assert gone is not None
    assert gone.record() == ("mem_1", "Wire 4471")
    none = difference([{"tokens": 1}], [{"tokens": 2}])
    assert none is not None
    assert none.record() == (None, None)
