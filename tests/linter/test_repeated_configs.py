"""A config that says the same as a sound one before it is judged faster, and alike."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.linter import Diagnostic, Document, lint, read_text
from seatrial.linter.repeated import Sound
from seatrial.linter.rules import RULES

SOUND: dict[str, Any] = {"harness": {"memory": {"enabled": True, "labels": {"customer_id": {
    "number": 5, "description": "The customer the memory is about."}}}}}  # fmt: skip
NAMES = st.sampled_from(
    [{}, {"agent": "b"}, {"agent": ""}, {"agent": " b"}, {"agent": 5}, {"agent": None}, {"version": 2}, {"version": 0},
     {"version": 1.0}, {"version": "2"}, {"version": True}, {"agent": "b", "version": 2**70}, {"sessions": False},
     {"agent\u00a0": "b"}, {"$comment": 1}]
)  # fmt: skip
EXAMPLES = [example for rule in RULES.values() for example in (*rule.bad, *rule.good)]


def told(found: list[Diagnostic]) -> list[tuple[str, ...]]:
    return sorted((each.path, each.code, str(each.span), str(each.pointer), each.message, each.severity)
                  for each in found if not each.code.startswith("ST5"))  # fmt: skip


@given(st.lists(NAMES, min_size=2, max_size=5))
def test_a_twin_of_a_sound_config_is_judged_as_it_is_alone(names: list[dict[str, Any]]) -> None:
    def document(number: int, name: dict[str, Any]) -> Document:
        return read_text(json.dumps(copy.deepcopy(SOUND) | name), path=f"agent{number}.json")

    together = lint(document(number, name) for number, name in enumerate(names))
    alone = [each for number, name in enumerate(names) for each in lint([document(number, name)])]
    assert told(together) == told(alone)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_example_is_told_again_of_its_twin(example: Any) -> None:
    def twin(folder: str) -> Document:
        return read_text(example.text, path=f"{folder}/{example.name}")

    one, other = told(lint([twin("a")])), told(lint([twin("b")]))
    assert told(lint([twin("a"), twin("b")])) == sorted(one + other)


def test_equal_is_what_is_written_alike() -> None:
    """True is not 1, and 1.0 is not 1; an object used twice is as good as two of the same."""
    sound = Sound()
    assert not sound.surely({"harness": {}})
    sound.add({"harness": {}, "x": 1})
    assert sound.surely({"harness": {}, "x": 1, "agent": "b"})
    assert not sound.surely({"harness": {}, "x": True})
    assert not sound.surely({"harness": {}, "x": 1.0})
    scope = ["session"]
    sound.add({"harness": {"a": scope, "b": scope}})
    assert sound.surely({"harness": {"a": ["session"], "b": ["session"]}})
