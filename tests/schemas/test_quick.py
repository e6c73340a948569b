"""What is surely valid is valid by jsonschema, and the quick look decides our own schema as exactly as jsonschema."""

from __future__ import annotations

import copy
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from seatrial import schemas
from seatrial.schemas.quick import surely_valid
from seatrial.schemas.validator import named, validator

AGENT = schemas.load("agent")
CONFIG: dict[str, Any] = {
    "$schema": "agent.schema.json",
    "agent": "reconciler",
    "version": 3,
    "sessions": True,
    "model": {"name": "large-model", "context_tokens": 200000},
    "limits": {"model_calls": 50},
    "harness": {
        "context": {"offload_threshold": 2000, "summarize_at": 60000, "keep_messages": 8},
        "history": {"index": "messages"},
        "memory": {
            "enabled": True,
            "scope": {"read": ["agent"], "write": ["agent"]},
            "tools": ["add_memory", "read_memory"],
            "pinned": {"max_tokens": 2000},
            "extraction": {"prompt": "Keep rulings.", "every": {"messages": 20}},
            "search": {"mode": "hybrid", "max_results": 8, "min_score": 0.35},
            "kinds": ["guidance", "fact"],
            "labels": {"customer_id": {"number": 5, "description": "x"}, "$comment": "y"},
        },
    },
}
ODD = st.sampled_from([
    None, True, False, 0, 1, 1.0, 1.5, -1, 5, 10**30, math.nan, math.inf, "", "turn", " x", "a\n", "agent", "session",
    [], ["agent"], ["agent", "agent"], [1, 1.0], [True, 1], {}, {"number": 1}, {"kind": {"number": 2}}, {"messages": 3},
    {"$comment": "z"}, {"max_tokens": 1.0},
])  # fmt: skip


def objects(value: Any) -> list[dict[str, Any]]:
    found = [value] if isinstance(value, dict) else []
    return found + [each for inner in value.values() for each in objects(inner)] if found else found


@st.composite
def configs(draw: st.DrawFn) -> Any:
    """The config with up to three of its values replaced, removed or added to."""
    config = copy.deepcopy(CONFIG)
    for _ in range(draw(st.integers(0, 3))):
        inside = draw(st.sampled_from(objects(config)))
        key = draw(st.sampled_from([*inside, "extra", "scope"]))
        if draw(st.booleans()):
            inside[key] = copy.deepcopy(draw(ODD))
        else:
            inside.pop(key, None)
    return config


def test_a_whole_config_is_surely_valid() -> None:
    assert surely_valid(AGENT, CONFIG)


@given(configs())
def test_the_agent_schema_is_decided_as_jsonschema_decides_it(config: Any) -> None:
    assert surely_valid(AGENT, config) == named("agent").is_valid(config)


TYPES = ["integer", "number", "string", "array", "object", "boolean", "null"]
SCHEMAS = st.recursive(
    st.booleans()
    | st.fixed_dictionaries({"type": st.sampled_from(TYPES)})
    | st.fixed_dictionaries({"const": ODD})
    | st.fixed_dictionaries({"enum": st.lists(ODD, min_size=1, max_size=3)})
    | st.fixed_dictionaries({"minimum": st.sampled_from([0, 1, 1.5]), "maximum": st.sampled_from([1, 5, 10.0])})
    | st.fixed_dictionaries({"minLength": st.integers(0, 2), "pattern": st.sampled_from(["^a", "x"])})
    | st.fixed_dictionaries({"uniqueItems": st.booleans(), "minItems": st.integers(0, 2)})
    | st.fixed_dictionaries({"required": st.lists(st.sampled_from(["number", "kind"])), "minProperties": st.just(1)}),
    lambda inner: st.fixed_dictionaries({}, optional={
        "not": inner,
        "items": inner,
        "anyOf": st.lists(inner, min_size=1, max_size=2),
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "oneOf": st.lists(inner, min_size=1, max_size=3),
        "if": inner, "then": inner, "else": inner,
        "properties": st.dictionaries(st.sampled_from(["number", "kind"]), inner),
        "additionalProperties": inner,
        "propertyNames": inner,
        "$ref": st.just("#/$defs/x"),
    }),
    max_leaves=6,
)  # fmt: skip


@given(schema=SCHEMAS, value=ODD)
def test_every_keyword_is_decided_as_jsonschema_decides_it(schema: Any, value: Any) -> None:
    whole = {"$defs": {"x": {"type": ["object", "number"]}}, "allOf": [schema]}
    assert surely_valid(whole, value) == validator(whole).is_valid(value)


@given(st.dictionaries(st.sampled_from("abc"), st.integers(1, 3), max_size=3))
def test_successor_schemas_are_decided_as_jsonschema_decides_them(numbers: dict[str, int]) -> None:
    def labelled(labels: dict[str, int]) -> Any:
        return {"harness": {"memory": {"labels": {name: {"number": number} for name, number in labels.items()}}}}

    labels = schemas.Labels()
    labels.add(1, labelled({"a": 1, "b": 2}))
    config = labelled(numbers)
    assert surely_valid(labels.schema(), config) == validator(labels.schema()).is_valid(config)


def test_what_is_not_known_is_not_sure() -> None:
    assert not surely_valid({"dependentRequired": {}}, {})
    assert not surely_valid({"type": "array"}, (1, 2))
    nested: Any = {}
    nested["$ref"] = "#"
    assert not surely_valid(nested, 1)
