"""A config with its defaults, and what of it is not to be judged."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from seatrial.linter import Settled, lint, read_text, settled_config
from seatrial.linter.rules import RULES
from seatrial.linter.settled import Unsound

ENABLED = ("harness", "memory", "enabled")


def config(value: Any) -> Settled:
    return settled_config(read_text(json.dumps(value), path="v1.json"))


def test_what_is_not_stated_has_the_default_of_the_schema() -> None:
    settled = config({"harness": {"memory": {"search": {}}}})
    assert settled.value("harness", "memory", "search", "min_score") == 0.35
    assert settled.value("limits", "model_calls") == 50
    assert settled.value("harness", "history", "index") is None
    assert (settled.sessions, settled.enabled, settled.read, settled.tools) == (True, False, ["session"], [])
    assert not settled.stated(*ENABLED)
    assert settled.stated("harness", "memory", "search")


def test_what_is_stated_is_told_as_it_is() -> None:
    settled = config({"harness": {"memory": {"enabled": True, "scope": {"write": []}, "kinds": ["fact"]}}})
    assert (settled.enabled, settled.read, settled.write, settled.kinds) == (True, ["session"], [], ["fact"])
    assert settled.stated(*ENABLED)


@pytest.mark.parametrize(
    "harness",
    [
        {"memory": {"enabled": "true"}},  # wrong type
        {"memory": {"enabld": True}},  # misspelt
        {"memry": {"enabled": True}},  # around it misspelt
        {"enabled": True, "memory": {}},  # at the wrong place
        {"memory": True},  # around it wrong
        5,
    ],
    ids=str,
)
def test_where_an_error_stands_nothing_is_judged(harness: Any) -> None:
    with pytest.raises(Unsound):
        _ = config({"harness": harness}).enabled


def test_a_key_given_twice_is_not_judged() -> None:
    text = '{"harness": {"memory": {"enabled": true}, "memory": {"enabled": false}}}'
    with pytest.raises(Unsound):
        _ = settled_config(read_text(text, path="v1.json")).enabled


def test_what_is_beside_a_key_that_is_no_text_is_not_judged() -> None:
    """The schema has not judged it: null would reach the rules as a list of scopes."""
    document = read_text("harness: {memory: {enabled: true, scope: {read: , [agent]}}}", path="v1.yaml")
    with pytest.raises(Unsound):
        _ = settled_config(document).read
    assert [each.code for each in lint([document])] == ["ST004"]


def test_an_error_elsewhere_does_not_silence() -> None:
    settled = config({"harness": {"context": {"keep_mesages": 3}, "memory": {"tools": 5}}, "limits": 7, "colour": 1})
    assert settled.enabled is False
    assert settled.value("harness", "memory", "search", "mode") == "hybrid"


def test_only_sound_labels_are_told() -> None:
    labels = {"$comment": "x", "a": {"number": 1}, "b": {"number": "2"}, "c": 3, "D": {"number": 4}}
    assert config({"harness": {"memory": {"labels": labels}}}).labels == {"a": {"number": 1}, "D": {"number": 4}}
    assert config({"harness": {"memory": {"labels": []}}}).labels == {}


def test_a_label_whose_name_alone_is_wrong_is_judged_by_the_other_rules() -> None:
    """A name to change is no reason to keep still about the description."""
    labels = {"BAD": {"number": 1, "description": "TODO"}, "bad": {"number": 2, "description": "Who is to blame."}}
    document = read_text(json.dumps({"harness": {"memory": {"enabled": True, "labels": labels}}}), path="v1.json")
    assert [(each.code, each.pointer[3:]) for each in lint([document])] == [
        ("ST402", ("BAD",)),
        ("ST404", ("BAD", "description")),
        ("ST403", ("bad",)),
    ]


def test_a_rule_that_must_be_asked_for_runs_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    document = read_text(RULES["ST401"].bad[0].text, path="v1.yaml")
    monkeypatch.setitem(RULES, "ST401", replace(RULES["ST401"], opt_in=True))
    assert lint([document]) == []
    assert [each.code for each in lint([document], opt_in=["ST401"])] == ["ST401"]
