"""Every mistake that the schema cannot see, put into a random sound config, is found: its code and its place.

What besides it may be told is named with the mistake: it follows from the same change.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_configs import quiet_configs
from seeded import SCOPE, TOOLS, Change, Choose, Config, M, found, mistake, other_scope, read

from seatrial.linter import Pointer
from seatrial.linter.rules import RULES

ALONE: dict[str, tuple[Change, str]] = {}  # by name: the change, and the codes that may follow from it


@mistake(ALONE, also="ST205 ST207 ST601")
def st202_also_written(config: Config, memory: Config, choose: Choose) -> Pointer:
    at = choose([0, 1])
    memory["scope"]["write"].insert(at, other_scope(memory))
    return (*SCOPE, "write", at)


@mistake(ALONE, also="ST205")
def st202_nothing_read(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"]["read"] = []
    return (*SCOPE, "read")


@mistake(ALONE, also="ST601")
def st203_also_read(config: Config, memory: Config, choose: Choose) -> Pointer:
    at = choose([0, 1])
    memory["scope"]["read"].insert(at, other_scope(memory))
    return (*SCOPE, "read", at)


@mistake(ALONE)
def st203_nothing_written(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"]["write"], memory["tools"] = [], ["read_memory"]
    for key in ("pinned", "model", "extraction"):
        del memory[key]
    return (*SCOPE, "write")


@mistake(ALONE, also="ST205")
def st204_off(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["enabled"] = False
    return (*M, "enabled")


@mistake(ALONE, also="ST205")
def st204_never_on(config: Config, memory: Config, choose: Choose) -> Pointer:
    del memory["enabled"]
    return M


@mistake(ALONE, also="ST204")
def st205_tool_without_memory(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["enabled"], memory["tools"] = False, [choose([*TOOLS, "search_memory"])]
    return (*M, "tools")


@mistake(ALONE, also="ST209 ST304")
def st205_nowhere_to_write(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"]["write"], memory["tools"] = [], ["read_memory", choose(["add_memory", "delete_memory"])]
    return (*M, "tools", 1)


@mistake(ALONE, also="ST202")
def st205_nothing_to_read(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"]["read"], memory["tools"] = [], ["add_memory", choose(["read_memory", "delete_memory"])]
    return (*M, "tools", 1)


@mistake(ALONE)
def st206_listed(config: Config, memory: Config, choose: Choose) -> Pointer:
    at = choose([0, len(memory["tools"])])
    memory["tools"].insert(at, "search_memory")
    return (*M, "tools", at)


@mistake(ALONE, also="ST601")
def st207_no_guidance(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"] = {"read": ["session", "agent"], "write": ["agent", "session"]}
    memory["extraction"]["prompt"] = choose(["Keep rulings.", "Keep what a tool cannot tell."])
    return (*SCOPE, "write")


@mistake(ALONE, also="ST205 ST209 ST304")
def st208_no_scope(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"] = {"write": [], "read": []}
    return SCOPE


@mistake(ALONE, also="ST205 ST304")
def st209_no_review(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"]["write"] = []
    kept = choose(["model", "extraction"])
    del memory["model" if kept == "extraction" else "extraction"]
    return (*M, kept)


@mistake(ALONE)
def st302_lexical(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["search"] = {"min_score": choose([0, 0.35, 1]), "mode": "lexical"}
    return (*M, "search", "min_score")


@mistake(ALONE)
def st303_much_of_the_window(config: Config, memory: Config, choose: Choose) -> Pointer:
    window = config["model"]["context_tokens"] = choose([32_000, 1_000_000])
    memory["pinned"]["max_tokens"] = choose([window // 10 + 1, window + 1])
    return (*M, "pinned", "max_tokens")


@mistake(ALONE, also="ST205 ST209")
def st304_nowhere_to_write(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"]["write"] = []
    return (*M, "pinned")


@mistake(ALONE)
def st305_whole_results(config: Config, memory: Config, choose: Choose) -> Pointer:
    context = config["harness"]["context"]
    context["offload_threshold"] = context["summarize_at"] + choose([1, 1_000_000])
    return ("harness", "context", "offload_threshold")


@mistake(ALONE)
def st305_too_many_kept(config: Config, memory: Config, choose: Choose) -> Pointer:
    context = config["harness"]["context"]
    context["keep_messages"] = context["summarize_at"] // 6 + choose([1, 900_000])
    return ("harness", "context", "keep_messages")


@mistake(ALONE)
def st307_late(config: Config, memory: Config, choose: Choose) -> Pointer:
    config["model"]["context_tokens"] = 40_000
    config["harness"]["context"]["summarize_at"] = choose([40_000, 1_000_000])
    return ("harness", "context", "summarize_at")


@mistake(ALONE)
def st307_late_by_default(config: Config, memory: Config, choose: Choose) -> Pointer:
    config["model"]["context_tokens"] = choose([32_000, 60_000])
    config["harness"]["context"] = {}
    return ("model", "context_tokens")


@mistake(ALONE)
def st308_one_call(config: Config, memory: Config, choose: Choose) -> Pointer:
    config["limits"]["model_calls"] = 1
    return ("limits", "model_calls")


@mistake(ALONE)
def st309_no_room(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["pinned"]["max_tokens"] = choose([1, 12])
    return (*M, "pinned", "max_tokens")


@mistake(ALONE)
def st310_out_of_reach(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["search"] = {"mode": "vector", "min_score": choose([0.95, 1])}
    return (*M, "search", "min_score")


@mistake(ALONE)
def st401_one_number(config: Config, memory: Config, choose: Choose) -> Pointer:
    first, *more = memory["labels"]
    second = choose(more)
    memory["labels"][second]["number"] = memory["labels"][first]["number"]
    return (*M, "labels", second, "number")


@mistake(ALONE)
def st403_near_labels(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["labels"]["balance"] = {"number": 100, "description": "What is left."}
    near = choose(["balances", "balence", "balanc", "_balance", "blaance"])
    near = near.lstrip("_") if near != "_balance" else "bal_ance"
    memory["labels"][near] = {"number": 101, "description": "What is owed."}
    return (*M, "labels", near)


@mistake(ALONE)
def st403_near_kinds(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["kinds"] += ["house rule", choose(["house rules", "House rule", "house_rule", "huose rule"])]
    return (*M, "kinds", len(memory["kinds"]) - 1)


@mistake(ALONE)
def st403_nearly_a_default(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["kinds"].append(choose(["guidence", "refrence", "evnet"]))
    return (*M, "kinds", len(memory["kinds"]) - 1)


@mistake(ALONE)
def st404_says_nothing(config: Config, memory: Config, choose: Choose) -> Pointer:
    label = choose(list(memory["labels"]))
    memory["labels"][label]["description"] = choose(["", "TODO", "tbd.", f"{label.upper()}.", "-", "Lorem"])
    return (*M, "labels", label, "description")


@mistake(ALONE)
def st404_undescribed(config: Config, memory: Config, choose: Choose) -> Pointer:
    label = choose(list(memory["labels"]))
    del memory["labels"][label]["description"]
    return (*M, "labels", label)


@mistake(ALONE)
def st405_no_prompt(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["extraction"]["prompt"] = choose([" ", "\n", "TODO", "${PROMPT}", "Prompt goes here."])
    return (*M, "extraction", "prompt")


@mistake(ALONE)
def st406_copied(config: Config, memory: Config, choose: Choose) -> Pointer:
    first, *more = memory["labels"]
    second = choose(more)
    memory["labels"][second]["description"] = memory["labels"][first]["description"].upper()
    return (*M, "labels", second, "description")


@mistake(ALONE, also="ST207")
def st601_shared(config: Config, memory: Config, choose: Choose) -> Pointer:
    memory["scope"] = {"read": choose([["session", "agent"], ["agent", "session"]]), "write": ["session", "agent"]}
    return (*SCOPE, "write", 1)


@pytest.mark.parametrize("name", ALONE)
@given(data=st.data(), config=quiet_configs(sessions=True))
@settings(max_examples=15)
def test_a_contradiction_in_one_config_is_found(name: str, data: st.DataObject, config: Config) -> None:
    change, also = ALONE[name]
    where = change(config, config["harness"]["memory"], lambda items: data.draw(st.sampled_from(items)))
    told = found([read(config, "a.json")], "a.json")
    code = name[:5].upper()
    assert [each for each in told if each[0] == code] == [(code, where)]
    assert {each for each, _ in told} <= {code, *also.split()}


@given(config=quiet_configs(sessions=False))
def test_what_only_sessions_make_sense_of_is_found_without_them(config: Config) -> None:
    memory = config["harness"]["memory"]
    config["harness"]["history"] = {"index": "messages"}
    memory["extraction"]["every"] = {"messages": 3}
    told = found([read(config, "a.json")], "a.json")
    assert sorted(told) == [
        ("ST301", ("harness", "history")),
        ("ST311", (*M, "extraction", "every", "messages")),
    ]


def test_every_rule_that_looks_at_the_values_of_one_config_is_tried() -> None:
    tried = {name[:5].upper() for name in ALONE} | {"ST301", "ST311"}
    judging = {code for code in RULES if code[:3] in ("ST2", "ST3", "ST4", "ST6")}
    decided_by_the_schema = {"ST201", "ST402"}  # test_seeded_mistakes.py, test_schema_check.py
    assert judging - tried - decided_by_the_schema == {"ST306", "ST602"}  # no value to contradict; asked for
