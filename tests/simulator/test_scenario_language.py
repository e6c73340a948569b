"""The language is told once: its schema, its tables of words and the tools' definitions agree."""

from __future__ import annotations

from typing import Any

from seatrial.schemas import load as load_schema
from seatrial.simulator.words import ACTIONS, STEPS


def test_the_tables_of_words_and_the_schema_name_the_same_words() -> None:
    defs = load_schema("scenario")["$defs"]
    beside = {key for keys in STEPS.values() for key in keys}
    assert set(defs["step"]["properties"]) == {*STEPS, *beside}
    assert set(defs["action"]["properties"]) == {*ACTIONS, "sees", "gets"}


def test_the_harness_tools_take_in_a_script_what_a_model_is_told() -> None:
    tools = load_schema("tools")["$defs"]
    actions = load_schema("scenario")["$defs"]["action"]["properties"]
    for name, word in ACTIONS.items():
        if word.harness:
            parameters = set(actions[name]["properties"]) - {"as"}
            assert parameters == set(tools[name]["properties"])
            assert actions[name].get("required", []) == tools[name].get("required", [])
            assert set(word.ids) <= parameters


def keywords(schema: Any) -> list[dict[str, Any]]:
    """Every schema in a schema that a key of the language leads to."""
    inner = [schema]
    for part in ("properties", "$defs"):
        inner += [each for value in schema.get(part, {}).values() for each in keywords(value)]
    return inner


def test_every_key_of_the_language_has_a_title_a_description_and_an_example() -> None:
    for schema in keywords(load_schema("scenario")):
        if set(schema) != {"$ref"}:
            assert schema.get("title"), schema
            assert schema.get("description"), schema
            assert schema.get("examples"), schema
