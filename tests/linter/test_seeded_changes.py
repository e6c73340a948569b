"""Every change between versions that costs something, made in a random sound config, is found: code and place."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_configs import quiet_configs
from seeded import SCOPE, Change, Choose, Config, M, found, mistake, other_scope, read

from seatrial.linter import Pointer
from seatrial.linter.rules import RULES

LATER: dict[str, tuple[Change, str]] = {}  # by name: the change, and the codes that may follow from it


@mistake(LATER)
def st501_gone(config: Config, memory: Config, choose: Choose) -> Pointer:
    del memory["labels"][choose(list(memory["labels"]))]
    return (*M, "labels")


@mistake(LATER)
def st502_renumbered(config: Config, memory: Config, choose: Choose) -> Pointer:
    label = choose(list(memory["labels"]))
    memory["labels"][label]["number"] = 1000
    return (*M, "labels", label, "number")


@mistake(LATER)
def st503_renamed(config: Config, memory: Config, choose: Choose) -> Pointer:
    label = choose(list(memory["labels"]))
    memory["labels"]["renamed"] = memory["labels"].pop(label)
    return (*M, "labels", "renamed", "number")


@mistake(LATER)
def st504_fewer(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["kinds"].remove(choose(memory["kinds"]))
    return (*M, "kinds")


@mistake(LATER)
def st504_the_defaults_instead(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["kinds"].insert(0, "act")
    del memory["kinds"]
    return M


@mistake(LATER, also="ST202 ST203 ST205 ST207 ST505 ST506 ST601")
def st505_wider(config: Config, memory: Config, choose: Choose) -> Pointer:
    key = choose(["read", "write"])
    memory["scope"][key] = ["session", "agent"]
    return (*SCOPE, key, 1)


@mistake(LATER, also="ST202 ST205 ST505 ST601")
def st506_narrower(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"]["read"] = choose([[], [other_scope(memory)]])
    return (*SCOPE, "read")


@mistake(LATER, also="ST204 ST205")
def st506_off(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["enabled"] = False
    return (*M, "enabled")


@mistake(LATER)
def st507_smaller(config: Config, memory: Config, choose: Choose) -> Pointer:
    if memory["pinned"]["max_tokens"] > 13 and choose([True, False]):
        memory["pinned"]["max_tokens"] -= 1
        return (*M, "pinned", "max_tokens")
    del memory["pinned"]
    return M


@mistake(LATER)
def st508_otherwise(config: Config, memory: Config, choose: Choose) -> Pointer:
    history = config["harness"]["history"]
    history["index"] = "messages" if history["index"] == "messages_and_tools" else "messages_and_tools"
    return ("harness", "history", "index")


@mistake(LATER)
def st508_gone(config: Config, memory: Config, choose: Choose) -> Pointer:
    del config["harness"]["history"]
    return ("harness",)


@mistake(LATER)
def st509_same_version(config: Config, memory: Config, choose: Choose) -> Pointer:
    config["version"] -= 1
    config["limits"]["model_calls"] += 1
    return ("version",)


@mistake(LATER, also="ST311 ST505 ST506")
def st510_no_sessions(config: Config, memory: Config, choose: Choose) -> Pointer:
    config["sessions"], memory["scope"] = False, {"read": ["agent"], "write": ["agent"]}
    del config["harness"]["history"]
    return ("sessions",)


@pytest.mark.parametrize("name", LATER)
@given(data=st.data(), first=quiet_configs(sessions=True))
@settings(max_examples=15)
def test_a_change_that_costs_something_is_found(name: str, data: st.DataObject, first: Config) -> None:
    change, also = LATER[name]
    config = copy.deepcopy(first)
    config["version"] += 1
    where = change(config, config["harness"]["memory"], lambda items: data.draw(st.sampled_from(items)))
    told = found([read(first, "1.json"), read(config, "2.json")], "2.json")
    code = name[:5].upper()
    if code == "ST505" and first["harness"]["memory"]["scope"]["read"] == ["agent"]:  # it is wide already
        assert code not in [each for each, _ in told]
    else:
        assert (code, where) in told
    assert {each for each, _ in told} <= {code, *also.split()}


def test_every_rule_that_compares_versions_is_tried() -> None:
    assert {name[:5].upper() for name in LATER} == {code for code in RULES if code.startswith("ST5")}
