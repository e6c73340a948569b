"""The canonical form: one value, one text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.simulator.trace import Trace, encode, pointer_text, rfc3339

TEXTS = st.text(st.characters(codec=None))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_a_line_reads_back_as_the_value_it_was(value: object) -> None:
    text = encode(value)
    assert json.loads(text) == value
    assert "\n" not in text
    assert encode(json.loads(text)) == text


@given(st.dictionaries(TEXTS, VALUES, min_size=2, max_size=4))
def test_the_order_of_keys_does_not_show(value: dict[str, object]) -> None:
    assert encode(dict(reversed(value.items()))) == encode(value)


@given(VALUES)
def test_utf_8_holds_every_line_lone_surrogates_included(value: object) -> None:
    assert encode(value).encode("utf-8").decode("utf-8") == encode(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        ("é 金 😀", '"é 金 😀"'),
        ("\ud800!", '"\\ud800!"'),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e300, "1e+300"),
        (2**70, "1180591620717411303424"),
        (1.0, "1.0"),
    ],
)
def test_one_form_for_each_value(value: object, text: str) -> None:
    assert encode(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_json_cannot_hold_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(value)


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (1_767_225_600_000, "2026-01-01T00:00:00Z"),
        (1_767_225_600_250, "2026-01-01T00:00:00.250Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_times_are_rfc_3339_in_utc(at: int, text: str) -> None:
    assert rfc3339(at) == text


def test_pointers_are_escaped_as_rfc_6901_says() -> None:
    assert pointer_text(("steps", 2, "a/b~c")) == "/steps/2/a~1b~0c"
    assert pointer_text(()) == ""


def test_a_trace_ends_each_line_with_one_line_feed() -> None:
    assert Trace(({"type": "restart", "step": "/steps/0"}, {"b": "\u2028"})).text == (
        '{"step":"/steps/0","type":"restart"}\n{"b":"\u2028"}\n'
    )
