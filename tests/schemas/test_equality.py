"""Equal items are found as JSON Schema defines equality, in one pass."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from seatrial.schemas import problems
from seatrial.schemas.equality import repetitions

SCALARS = st.sampled_from([0, 1, 1.0, True, False, None, "", "1", "a", 2**53, 2**53 + 1, float(2**53), 10**22, 1e22])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner), max_leaves=3
)


def equal(one: Any, other: Any) -> bool:
    return Draft202012Validator({"const": one}).is_valid(other)


@given(st.lists(VALUES, max_size=5))
def test_items_are_equal_exactly_where_jsonschema_says_so(items: list[Any]) -> None:
    first = [next(index for index, other in enumerate(items) if equal(other, item)) for item in items]
    assert list(repetitions(items)) == [(earlier, index) for index, earlier in enumerate(first) if earlier != index]


def test_a_long_list_of_objects_is_compared_in_one_pass() -> None:
    """Compared pairwise, as jsonschema does, this takes minutes."""
    schema = {"uniqueItems": True, "x-rule": {"uniqueItems": "ST105"}}
    items: list[Any] = [{"a": number} for number in range(20_000)]
    assert problems(schema, items) == []
    assert [found.pointer for found in problems(schema, [*items, {"a": 7}])] == [(20_000,)]


def test_python_values_that_are_no_json_are_told_and_not_raised() -> None:
    for value in ({1: 2}, {"harness": {1, 2}}, {"harness": {"memory": {"kinds": [{1}, {1}], 5: 6}}}, object()):
        assert problems("agent", value)
