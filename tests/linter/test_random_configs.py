"""Whatever a config holds: findings that stand in it, and the same ones however it is written."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from random_configs import AGENT, quiet_configs, valid_configs
from written import Layout, Writer, node

from seatrial.linter import Diagnostic, Document, Pointer, lint, read_bytes, read_text
from seatrial.linter.rules import RULES
from seatrial.schemas.validator import named
from seatrial.schemas.wording import printable

BY_ORDER = {"ST209", "ST401", "ST403", "ST406"}  # told of the second of two, or at the first of several
LAYOUTS = st.builds(
    Layout,
    kind=st.sampled_from(["json", "yaml", "flow"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    indent=st.sampled_from(["", " ", "  "]),
    choices=st.lists(st.integers(0, 59), min_size=1, max_size=20),
)


def read(config: Any, path: str = "a/v1.json") -> Document:
    return read_text(json.dumps(config), path=path)


def told(config: Any) -> list[tuple[str, Pointer]]:
    return sorted(((each.code, each.pointer) for each in lint([read(config)])), key=repr)


def resolves(value: Any, pointer: Pointer) -> bool:
    for part in pointer:
        if part not in (range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ()):
            return False
        value = value[part]
    return True


def stands(document: Document, text: str, pointer: Pointer, span: tuple[int, int, int, int]) -> bool:
    """Whether the place is in the file, and what it names in the document."""
    lines = text.replace("\r\n", "\n").split("\n")
    line, column, end_line, end_column = span
    return (
        (1, 1) <= (line, column) <= (end_line, end_column)
        and end_line <= len(lines)
        and column <= len(lines[line - 1]) + 1
        and end_column <= len(lines[end_line - 1]) + 1
        and resolves(document.value, pointer)
    )


def places(found: Diagnostic) -> Iterator[tuple[str, Pointer, tuple[int, int, int, int], str]]:
    yield found.path, found.pointer, found.span, found.message
    for other in found.related:
        yield other.path, other.pointer, other.span, other.message


@given(config=valid_configs())
def test_what_is_made_from_the_schema_is_valid_by_it(config: Any) -> None:
    assert named("agent").is_valid(config)


@given(configs=st.lists(st.tuples(valid_configs(), LAYOUTS), min_size=1, max_size=3))
@settings(max_examples=60)
def test_every_finding_stands_in_its_file_and_says_one_line(configs: list[tuple[Any, Layout]]) -> None:
    documents, texts = dict[str, Document](), dict[str, str]()
    for number, (config, layout) in enumerate(configs, 1):
        path = f"a/v{number}.{'json' if layout.kind == 'json' else 'yaml'}"
        whole = {**config, "agent": "a", "version": number}
        texts[path] = Writer(node(whole), layout).text
        documents[path] = read_bytes(texts[path].encode(), path=path)
        assert documents[path].value == whole
    for found in lint(documents.values(), opt_in=RULES):
        assert found.code[:3] not in ("ST0", "ST1"), found
        for path, pointer, span, message in places(found):
            assert stands(documents[path], texts[path], pointer, span), (found, texts[path])
            assert message
            assert message == printable(message)


@given(config=quiet_configs())
@settings(max_examples=60)
def test_a_config_that_breaks_no_rule_is_silent(config: Any) -> None:
    assert lint([read(config)]) == []
    assert lint([read(config), read({**config, "version": config["version"] + 1}, path="a/v2.json")]) == []


def shuffled(draw: st.DrawFn, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shuffled(draw, value[key]) for key in draw(st.permutations(list(value)))}
    return [shuffled(draw, each) for each in value] if isinstance(value, list) else value


@given(data=st.data(), config=valid_configs())
def test_the_order_of_keys_changes_no_finding(data: st.DataObject, config: Any) -> None:
    other = data.draw(st.composite(shuffled)(config))
    one, two = told(config), told(other)
    assert [each for each in one if each[0] not in BY_ORDER] == [each for each in two if each[0] not in BY_ORDER]
    assert {code for code, _ in one} == {code for code, _ in two}


@given(config=valid_configs(), layout=LAYOUTS)
def test_json_and_yaml_of_one_value_give_the_same_findings(config: Any, layout: Layout) -> None:
    document = read_bytes(Writer(node(config), layout).text.encode(), path="a/v1.json", kind=
                          "json" if layout.kind == "json" else "yaml")  # fmt: skip
    said = [(each.code, each.severity, each.pointer, each.message, each.fix) for each in lint([document])]
    plain = [(each.code, each.severity, each.pointer, each.message, each.fix) for each in lint([read(config)])]
    assert said == plain


def with_defaults(value: Any, schema: Any = AGENT) -> Any:
    """The value with every default that stands in its place stated, in objects that it does not hold, too."""
    value = copy.copy(value)
    for key, inner in schema.get("properties", {}).items():
        if "default" in inner:
            value.setdefault(key, inner["default"])
        elif "properties" in inner and (key in value or not inner.get("required")) and key != "history":
            value[key] = with_defaults(value.get(key, {}), inner)
    return value


@given(config=valid_configs())
def test_to_state_a_default_adds_no_error(config: Any) -> None:
    """Nor a warning, but for what is stated and does nothing."""
    if config.get("sessions") is False:  # has to state another scope, and mostly has
        config["harness"].setdefault("memory", {})["scope"] = {"read": ["agent"], "write": ["agent"]}
    whole = with_defaults(config)
    before, after = {code for code, _ in told(config)}, {code for code, _ in told(whole)}
    assert after - before <= {"ST204", "ST209", "ST302"}
    assert before <= after
    later = lint(
        [read({**config, "agent": "a", "version": 1}), read({**whole, "agent": "a", "version": 2}, "a/v2.json")]
    )
    assert [each for each in later if each.code.startswith("ST50")] == []
