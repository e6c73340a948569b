"""The agent schema: complete, documented, and in agreement with the document the project was founded on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from seatrial import schemas

AGENT = schemas.load("agent")
PAGE = """
agent: reconciler
version: 3
sessions: true
model: {name: large-model, context_tokens: 200000}
limits: {model_calls: 50}
harness:
  context: {offload_threshold: 2000, summarize_at: 60000, keep_messages: 8}
  history: {index: messages_and_tools}
  memory:
    enabled: true
    scope: {read: [session], write: [session]}
    tools: [add_memory, read_memory, delete_memory]
    pinned: {max_tokens: 2000}
    model: small-model
    extraction: {prompt: "Keep rulings and limits.", every: turn}
    search: {mode: hybrid, max_results: 8, min_score: 0.35}
    kinds: [guidance, fact, event, reference]
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
"""
# Every key that the founding document names, by its path.
FOUNDING = {
    "harness", "harness.context", "harness.history", "harness.history.index", "harness.memory",
    "harness.memory.enabled", "harness.memory.scope", "harness.memory.scope.read", "harness.memory.scope.write",
    "harness.memory.tools", "harness.memory.pinned", "harness.memory.pinned.max_tokens", "harness.memory.model",
    "harness.memory.extraction", "harness.memory.extraction.prompt", "harness.memory.extraction.every",
    "harness.memory.search", "harness.memory.search.mode", "harness.memory.search.max_results",
    "harness.memory.search.min_score", "harness.memory.kinds", "harness.memory.labels",
    "harness.memory.labels.*.number", "harness.memory.labels.*.description",
}  # fmt: skip
CONSTRAINTS = {
    "type", "enum", "const", "minimum", "maximum", "minLength", "pattern", "minItems", "uniqueItems", "required",
    "anyOf", "not",
}  # fmt: skip


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref", "")
    base = AGENT["$defs"][reference.removeprefix("#/$defs/")] if reference else {}
    return {**base, **schema}


def keys(schema: dict[str, Any] = AGENT, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every key a config may hold: its path, and what the schema says of it."""
    for name, written in schema.get("properties", {}).items():
        inner = resolved(written)
        yield f"{path}{name}", inner
        yield from keys(inner, f"{path}{name}.")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from keys(schema["additionalProperties"], f"{path}*.")
    for branch in schema.get("anyOf", ()):
        yield from keys(branch, path)


def subschemas(schema: Any, inside: str = "") -> Iterator[dict[str, Any]]:
    """Every schema in the schema whose constraints are reported: all but the conditions."""
    if isinstance(schema, dict) and inside not in ("examples", "default", "enum", "const", "x-rule"):
        if inside not in ("properties", "$defs"):
            yield schema
        for name, inner in schema.items():
            if name not in ("if", "not") or inside == "properties":
                yield from subschemas(inner, "" if inside in ("properties", "$defs") else name)
    elif isinstance(schema, list):
        for inner in schema:
            yield from subschemas(inner, "")


@pytest.mark.parametrize("name", schemas.names())
def test_every_shipped_schema_is_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schemas.load(name))


def test_every_key_has_a_title_a_description_and_examples_that_are_valid() -> None:
    found = dict(keys())
    assert len(found) > 35
    for path, schema in found.items():
        assert {"title", "description", "examples"} <= set(schema), path
        assert schema["description"].endswith("."), path
        alone = {**schema, "$defs": AGENT["$defs"]}
        for example in schema["examples"] + ([schema["default"]] if "default" in schema else []):
            assert schemas.problems(alone, example) == [], path


def test_the_page_about_configs_names_every_key_with_its_default() -> None:
    page = (Path(__file__).parents[2] / "docs" / "config-files.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `")]
    known = {name: row for row in rows for name in re.findall(r"`([^`]+)`", row[0])}
    for path, schema in keys():
        if path.split(".")[-1].startswith("$") or "every." in path or "labels." in path:
            continue
        if schema.get("type") == "object" and path != "harness.memory.labels":
            assert any(name.startswith(f"{path}.") for name in known), path
        else:
            assert path in known
            assert "default" not in schema or f"`{json.dumps(schema['default'])}`" in known[path][-1], path


def test_x_origin_marks_exactly_the_keys_that_the_founding_document_does_not_name() -> None:
    ours = {path for path, schema in keys() if schema.get("x-origin") == "seatrial"}
    assert ours | FOUNDING == {path for path, _ in keys()}
    assert not ours & FOUNDING


def test_every_constraint_carries_the_code_of_its_rule() -> None:
    seen = set()
    for schema in subschemas(AGENT):
        constraints = CONSTRAINTS & set(schema)
        if schema.get("additionalProperties") is False:
            constraints.add("additionalProperties")
        assert set(schema.get("x-rule", {})) == constraints, schema
        seen |= constraints
        assert all(re.fullmatch("ST[0-9]{3}", code) for code in schema.get("x-rule", {}).values())
    assert seen == CONSTRAINTS | {"additionalProperties"}


def test_every_object_refuses_unknown_keys_and_allows_a_comment() -> None:
    objects = [schema for schema in subschemas(AGENT) if schema.get("type") == "object"]
    assert len(objects) > 10
    for schema in objects:
        assert schema["additionalProperties"] is False or "propertyNames" in schema
        assert "$comment" in schema["properties"]


def test_defaults_are_those_of_the_documentation() -> None:
    defaults = {path: schema["default"] for path, schema in keys() if "default" in schema}
    assert defaults == {
        "sessions": True,
        "limits.model_calls": 50,
        "harness.context.offload_threshold": 2000,
        "harness.context.summarize_at": 60000,
        "harness.context.keep_messages": 8,
        "harness.memory.enabled": False,
        "harness.memory.scope.read": ["session"],
        "harness.memory.scope.write": ["session"],
        "harness.memory.tools": [],
        "harness.memory.extraction.every": "turn",
        "harness.memory.search.mode": "hybrid",
        "harness.memory.search.max_results": 8,
        "harness.memory.search.min_score": 0.35,
        "harness.memory.kinds": ["guidance", "fact", "event", "reference"],
        "harness.memory.labels": {},
    }


@pytest.mark.parametrize(
    "text",
    [
        '{ "harness": { "history": { "index": "messages_and_tools" } } }',
        """{
          "harness": {
            "memory": {
              "enabled": true,
              "scope": { "read": ["session"], "write": ["session"] },
              "tools": ["add_memory", "read_memory", "delete_memory"],
              "pinned": { "max_tokens": 2000 }
            }
          }
        }""",
        '{"harness": {"memory": {"labels": '
        '{ "customer_id": { "number": 5, "description": "The customer the memory is about." } }}}}',
    ],
)
def test_the_founding_documents_snippets_are_valid_as_they_are(text: str) -> None:
    assert schemas.config_problems(json.loads(text)) == []


def test_the_documented_config_is_valid() -> None:
    import yaml

    config = yaml.safe_load(PAGE)
    assert schemas.config_problems(config) == []
    named = {path for path, _ in keys() if "$" not in path} - {"harness.memory.extraction.every.messages"}
    assert {re.sub("customer_id", "*", path) for path in paths(config)} == named | {"harness.memory.labels.*"}


def paths(config: Any, path: str = "") -> Iterator[str]:
    for key, inner in config.items():
        yield path + key
        if isinstance(inner, dict):
            yield from paths(inner, f"{path}{key}.")


def test_unknown_names_are_key_errors() -> None:
    with pytest.raises(KeyError):
        schemas.text("../agent")
