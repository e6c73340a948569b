"""What a new version changes for memory that is there already, in words (VER-5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from seatrial.linter import read_text, settled_config
from seatrial.linter.difference import Effect, differences, findings
from seatrial.linter.settled import Settled
from seatrial.schemas import load

MEMORY = ("harness", "memory")


def config(changes: dict[str, Any] | None = None, *, on: bool = True, path: str = "a.agent.json") -> Settled:
    """A sound config with what `changes` says, by JSON Pointer."""
    document: dict[str, Any] = {"harness": {"memory": {"enabled": True}}} if on else {"harness": {}}
    for pointer, value in (changes or {}).items():
        *around, last = pointer.strip("/").split("/")
        inner = document
        for key in around:
            inner = inner.setdefault(key, {})
        inner[last] = value
    made = settled_config(read_text(json.dumps(document), path=path))
    assert not made._errors
    return made


def told(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [each.change for each in differences(config(old), config(new))]


# A value that is not the default, and another one, for every setting that may differ between versions.
VALUES: dict[str, tuple[Any, Any]] = {
    "sessions": (True, False),
    "model/name": ("large", "small"),
    "model/context_tokens": (200000, 100000),
    "limits/model_calls": (50, 9),
    "harness/context/offload_threshold": (2000, 999),
    "harness/context/summarize_at": (60000, 50000),
    "harness/context/keep_messages": (8, 4),
    "harness/history/index": ("messages", "messages_and_tools"),
    "harness/memory/enabled": (True, False),
    "harness/memory/scope/read": (["session"], ["session", "agent"]),
    "harness/memory/scope/write": (["session", "agent"], ["session"]),
    "harness/memory/tools": (["add_memory"], ["read_memory"]),
    "harness/memory/pinned/max_tokens": (500, 400),
    "harness/memory/model": ("small", "smaller"),
    "harness/memory/extraction/prompt": ("Keep rulings.", "Keep limits."),
    "harness/memory/extraction/every": ("turn", {"messages": 20}),
    "harness/memory/search/mode": ("hybrid", "lexical"),
    "harness/memory/search/max_results": (8, 3),
    "harness/memory/search/min_score": (0.35, 0.5),
    "harness/memory/kinds": (["fact", "event"], ["event", "fact"]),
    "harness/memory/labels": ({"a": {"number": 1}}, {"a": {"number": 1, "description": "What it is."}}),
}


def settings(schema: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    for key, inner in schema["properties"].items():
        if key not in ("$comment", "$schema", "agent", "version"):
            if "properties" in inner and key != "labels":
                yield from settings(inner, (*path, key))
            else:
                yield "/".join((*path, key))


def test_every_setting_of_the_schema_is_tried() -> None:
    assert set(VALUES) == set(settings(load("agent")))


@pytest.mark.parametrize("setting", VALUES)
def test_a_setting_that_differs_is_told_both_ways_and_one_that_does_not_is_not(setting: str) -> None:
    old, new = ({setting: value} for value in VALUES[setting])
    if setting == "sessions":
        scopes = {"harness/memory/scope/read": ["agent"], "harness/memory/scope/write": ["agent"]}
        old, new = {**old, **scopes}, {**new, **scopes}
    assert differences(config(old), config(old)) == []
    for effects in (differences(config(old), config(new)), differences(config(new), config(old))):
        assert effects
        for each in effects:
            assert "/".join(map(str, each.pointer)).startswith(setting)
            assert "\n" not in each.change + each.means
            assert each.clauses or setting.startswith("model/")


def test_defaults_count_as_stated() -> None:
    assert told({}, {"harness/memory/scope/read": ["session"], "harness/memory/search/max_results": 8}) == []
    assert told({"harness/memory/kinds": ["fact"]}, {}) == ['kinds "guidance", "event" and "reference" are new']


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (None, 500, "pins are allowed, within 500 tokens"),
        (500, None, "pins are not allowed any more"),
        (500, 300, "the budget of pins shrinks from 500 to 300 tokens"),
        (300, 500, "the budget of pins grows from 300 to 500 tokens"),
    ],
)
def test_pins(old: int | None, new: int | None, change: str) -> None:
    def with_budget(budget: int | None) -> dict[str, Any]:
        return {} if budget is None else {"harness/memory/pinned/max_tokens": budget}

    assert told(with_budget(old), with_budget(new)) == [change]


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ({"a": 1}, {}, ['label "a" is gone']),
        ({}, {"a": 1}, ['label "a" is new, number 1']),
        ({"a": 1}, {"a": 2}, ['label "a" has number 2 in place of 1']),
        ({"a": 1}, {"b": 1}, ['label "b" is new, and has number 1 of "a"']),
        ({"a": 1}, {"a": 1, "b": 2}, ['label "b" is new, number 2']),
    ],
)
def test_labels(old: dict[str, int], new: dict[str, int], changes: list[str]) -> None:
    """VER-2: also while memory is off, for a label once declared is kept."""

    def with_labels(labels: dict[str, int], *, on: bool = True) -> Settled:
        return config({f"harness/memory/labels/{name}": {"number": number} for name, number in labels.items()}, on=on)

    for on in (True, False):
        assert [each.change for each in differences(with_labels(old, on=on), with_labels(new, on=on))] == changes


def test_settings_of_memory_that_is_off_count_for_nothing() -> None:
    off = config({"harness/memory/enabled": False, "harness/memory/search/mode": "lexical"})
    assert differences(off, config({"harness/memory/enabled": False})) == []
    (effect,) = differences(config(), off)
    assert effect.change == "memory is switched off"
    assert "all records stay stored" in effect.means


def test_an_effect_says_where_why_and_by_which_clause() -> None:
    assert differences(config(), config({"harness/memory/scope/read": ["session", "agent"]})) == [
        Effect(
            (*MEMORY, "scope", "read"),
            'scope.read gains "agent"',
            "AGENT records that are there already inform every session from now on",
            ("VIEW-3",),
        )
    ]


def found(old: dict[str, Any], new: dict[str, Any], old_path: str, new_path: str) -> list[tuple[str, str]]:
    both = config(old, path=old_path), config(new, path=new_path)
    return [(each.code, each.message) for each in findings(*both)]


@pytest.mark.parametrize(
    ("old_path", "new_path", "numbers"),
    [
        ("old.json", "new.json", (1, 2)),  # neither states a number
        ("a/v3.json", "b/v4.json", (3, 4)),
        ("a/v3.json", "b/draft.json", (3, 4)),
    ],
)
def test_findings_are_those_of_the_new_one_after_the_old_one_whatever_their_names(
    old_path: str, new_path: str, numbers: tuple[int, int]
) -> None:
    before, after = ({"harness/memory/labels/a": {"number": number}} for number in (5, 6))
    ((code, message),) = found(before, after, old_path, new_path)
    assert code == "ST502"
    assert message == f'label "a" has number 5 since version {numbers[0]}, and 6 in version {numbers[1]}'


@pytest.mark.parametrize(("old_path", "new_path", "higher"), [("v3.json", "x/v3.json", 4), ("v3.json", "v2.json", 4)])
def test_a_number_that_does_not_follow_is_told(old_path: str, new_path: str, higher: int) -> None:
    """ST509: and the same config under the same number is the same version."""
    ((code, message),) = found({}, {"limits/model_calls": 9}, old_path, new_path)
    assert code == "ST509"
    assert message.endswith(f"make {'this one' if 'x/' in new_path else 'it'} version {higher}")
    assert found({}, {}, "v3.json", "x/v3.json") == []


def test_a_comment_in_the_new_one_holds_a_finding_back() -> None:
    old = settled_config(read_text("harness: {memory: {enabled: true}}\n", path="v1.yaml"))
    text = "harness:\n  memory:\n    enabled: true\n    scope:\n      # seatrial: ignore[ST505]\n      read: [agent]\n"
    assert "ST505" not in codes(old, text)
    assert "ST505" in codes(old, text.replace("ignore", "keep"))


def codes(old: Settled, new: str) -> list[str]:
    return [each.code for each in findings(old, settled_config(read_text(new, path="v2.yaml")))]
