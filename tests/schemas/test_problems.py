"""One cause gives one problem, in plain words, at the right place, with the rule of its constraint."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import referencing.exceptions
import yaml
from hypothesis import given
from hypothesis import strategies as st

from seatrial.schemas import config_problems, problems
from seatrial.schemas.wording import LONGEST, nearest, printable, quote


def memory(**settings: Any) -> dict[str, Any]:
    return {"harness": {"memory": settings}}


def label(name: str = "a", **settings: Any) -> dict[str, Any]:
    return memory(labels={name: settings})


CASES = yaml.safe_load((Path(__file__).parent / "problems.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rule']}-{case['message'][:50]}")
def test_one_cause_gives_one_problem(case: dict[str, Any]) -> None:
    """networknt#1090, sourcemeta: one fault, five messages."""
    (found,) = config_problems(case["config"])
    said = {
        "rule": found.rule,
        "where": found.where,
        "at": found.at,
        "message": found.message,
        "fix": (found.fix and found.fix.text) or None,
    }
    assert said == {key: case.get(key) for key in said}


def test_integers_are_compared_exactly() -> None:
    """networknt/json-schema-validator#132: maximum + 1 passed, as a double."""
    most = 2**53 - 1
    assert config_problems(label(number=most)) == []
    for number in (most + 1, most + 2, 10**400):
        (found,) = config_problems(label(number=number))
        assert (found.rule, found.keyword) == ("ST103", "maximum")
    two = memory(labels={"a": {"number": most}, "b": {"number": most - 1}})
    assert config_problems(two) == []


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_no_number(number: float) -> None:
    """python-jsonschema/jsonschema#1222: NaN satisfied minimum."""
    (found,) = config_problems(memory(search={"min_score": number}))
    assert found.rule == "ST102"


def test_nothing_is_ever_fetched() -> None:
    with pytest.raises(referencing.exceptions.Unresolvable):
        problems({"$ref": "http://example.com/schema.json"}, {})
    assert problems({"$ref": "urn:seatrial:schema:agent"}, {"harness": {}}) == []


ONE_OF = {
    "oneOf": [{"required": ["turn"]}, {"required": ["deploy"]}],
    "type": "object",
    "properties": {"turn": True, "deploy": {"$ref": "#/$defs/step"}},
    "additionalProperties": False,
    "x-rule": {"oneOf": "ST104", "type": "ST102", "additionalProperties": "ST101"},
    "$defs": {
        "step": {"type": "object", "properties": {"do": {"items": {"$ref": "#"}}}, "x-rule": {"type": "ST102"}},
    },
}


def test_alternatives_by_key_are_named() -> None:
    (found,) = problems(ONE_OF, {})
    assert (found.rule, found.message) == ("ST104", 'one of "turn" or "deploy" is expected')
    (found,) = problems(ONE_OF, {"trun": 1})
    assert found.message == 'unknown key "trun"; did you mean "turn"?'
    (found,) = problems(ONE_OF, {"turn": 1, "deploy": {}})
    assert found.message == 'only one of "turn" or "deploy" may be given'


def test_a_schema_that_contains_itself_still_tells_the_right_place() -> None:
    (found,) = problems(ONE_OF, {"deploy": {}, "do": []})
    assert found.message == '"do" does not belong here: it belongs in deploy'


@given(st.text())
def test_what_is_printed_is_printable(text: str) -> None:
    assert printable(text).isprintable()
    assert quote(text).isprintable()


def test_long_values_are_clipped() -> None:
    assert len(quote("x" * 1000)) == LONGEST + 2
    assert quote(list(range(1000))) == "a list"
    assert quote({1, 2}) == "a Python set"


def test_the_nearest_word_is_found_whatever_its_case() -> None:
    assert nearest("Hybird", ["lexical", "hybrid"]) == "hybrid"
    assert nearest("xyz", ["lexical", "hybrid"]) is None
