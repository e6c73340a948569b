"""YAML read as what it means in JSON: scalars, keys, merges, caps, positions (ST001 to ST006)."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from seatrial.linter import Document, Span, lint, read_text


def read(text: str) -> Document:
    return read_text(text, path="v1.yaml")


def codes(document: Document) -> list[str]:
    return [found.code for found in document.diagnostics]


def only(document: Document) -> tuple[str, Span, str]:
    (found,) = document.diagnostics
    return found.code, found.span, found.message


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("12", 12),
        ("-7", -7),
        ("0x1F", 31),
        (str(2**80), 2**80),
        ("0.35", 0.35),
        (".5", 0.5),
        ("'12'", "12"),
        ('"true"', "true"),
        ("!!str 12", "12"),
        ("! 12", "12"),
        ("!!float 1", 1.0),
        ("!!int 7", 7),
        ("tRUE", "tRUE"),
        ("x:y", "x:y"),
        ("|-\n  x\n  y", "x\ny"),
        (">-\n  x\n  y", "x y"),
    ],
)
def test_scalars_follow_the_core_schema_of_yaml_1_2(scalar: str, value: Any) -> None:
    document = read(f"a: {scalar}\n")
    assert document.value == {"a": value}
    assert type(document.value["a"]) is type(value)
    assert document.diagnostics == ()


@pytest.mark.parametrize(
    ("scalar", "value", "other"),
    [
        ("no", "no", "false"),
        ("Yes", "Yes", "true"),
        ("y", "y", "true"),
        ("off", "off", "false"),
        ("017", 17, "15"),
        ("-017", -17, "-15"),
        ("08", 8, 'the text "08"'),
        ("0o17", 15, 'the text "0o17"'),
        ("1_000", "1_000", "a number"),
        ("0b11", "0b11", "a number"),
        ("12:30", "12:30", "a number"),
        ("1e3", 1000.0, 'the text "1e3"'),
    ],
)
def test_a_warning_where_yaml_1_1_would_differ(scalar: str, value: Any, other: str) -> None:
    """linkml#1883: YAML 1.2 core schema."""
    document = read(f"a: {scalar}\n")
    assert document.value == {"a": value}
    (found,) = document.diagnostics
    assert (found.code, found.severity, found.span) == ("ST006", "warning", Span(1, 4, 1, 4 + len(scalar)))
    assert found.message.endswith(f"YAML 1.1 as {other}")


# PyYAML reads YAML 1.1 but for y and n, so where it differs from us and we do not warn, the warning has a hole.
@given(scalar=st.text(alphabet="yYnNoOfFeEsSt0123456789_:.+-xb", min_size=1, max_size=6))
def test_no_difference_to_yaml_1_1_goes_unwarned(scalar: str) -> None:
    document = read(f"a: {scalar}\n")
    if document.diagnostics or document.value is None:
        return
    theirs = yaml.load(f"a: {scalar}\n", Loader=yaml.CSafeLoader)
    assert theirs == document.value
    assert type(theirs["a"]) is type(document.value["a"])


@pytest.mark.parametrize(
    "scalar",
    [".nan", ".inf", "-.INF", "1e400", "2026-01-31", "2026-01-31T09:00:00Z", "2026-1-3 9:00:00",
     "!!timestamp 2026-01-31", "!mine x", "!!binary aGk=", "!!int x", "!!float .nan", "!mine {b: 1}", "!!set {b}"],
)  # fmt: skip
def test_what_json_cannot_hold_is_a_finding(scalar: str) -> None:
    code, span, _ = only(read(f"a: {scalar}\n"))
    assert (code, span.line, span.column) == ("ST004", 1, 4)


@pytest.mark.parametrize("key", ["12", "true", "~", "0.5", "[x]", "{x: 1}", "2026-01-31", ".nan", "!mine x"])
def test_a_key_that_is_no_text_is_a_finding_at_the_key(key: str) -> None:
    """check-jsonschema#89."""
    document = read(f"b: 1\n? {key}\n: c\n")
    code, span, _ = only(document)
    assert (code, span) == ("ST004", Span(2, 3, 2, 3 + len(key)))
    assert document.value == {"b": 1}


def test_a_word_that_yaml_1_1_reads_otherwise_is_told_with_the_error_that_it_makes() -> None:
    (found,) = lint([read_text("harness: {memory: {enabled: yes}}\n", path="v1.yaml")])
    assert (found.code, found.message) == (
        "ST102",
        'expected true or false, found the text "yes"; write true; YAML 1.2 reads yes as the text "yes", YAML 1.1 as '
        "true",
    )


def test_duplicate_keys_are_an_error_with_both_positions() -> None:
    """apache/ossie#336."""
    (found,) = read('a: 1\n"\\x61": 2\n').diagnostics
    assert (found.code, found.span) == ("ST002", Span(2, 1, 2, 7))
    assert [place.span for place in found.related] == [Span(1, 1, 1, 2)]


def test_overriding_a_merged_key_is_legal() -> None:
    """cfn-lint#2993."""
    document = read("b: &b {x: 1, z: 2}\nc: {<<: *b, x: 3}\nd:\n  <<: [*b, {x: 5, q: 4}]\n")
    assert document.diagnostics == ()
    assert document.value["c"] == {"x": 3, "z": 2}
    assert document.value["d"] == {"x": 1, "z": 2, "q": 4}
    assert document.span(("c", "z"), "key") == Span(1, 14, 1, 15)


def test_a_quoted_merge_key_is_a_key_like_any_other() -> None:
    assert read('"<<": 1\n').value == {"<<": 1}


def test_merging_what_is_no_object_is_a_finding() -> None:
    assert only(read("a: {<<: 5}\n"))[0] == "ST004"
    assert only(read("a: {<<: [5]}\n"))[0] == "ST004"


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "--- # nothing\n...\n"])
def test_an_empty_file_is_a_finding_at_its_start(text: str) -> None:
    """check-jsonschema#153, eslint-plugin-json-schema-validator#347."""
    code, span, _ = only(read(text))
    assert (code, span) == ("ST003", Span(1, 1, 1, 1))


def test_a_tab_as_indent_is_named() -> None:
    code, span, message = only(read("a:\n\tb: 1\n"))
    assert (code, span.line, span.column, message) == ("ST001", 2, 1, "not YAML: a tab cannot indent; write spaces")


@pytest.mark.parametrize("end", ["\n\t", "\n\t\n"])
def test_tabs_alone_at_the_end_are_told_to_be_there(end: str) -> None:
    (found,) = read_text(f"a: 1{end}", path="v1.yaml").diagnostics
    assert found.message == "not YAML: a tab cannot indent; write spaces (below the last line that holds anything)"


def test_a_second_document_is_a_finding_where_it_starts() -> None:
    """santhosh-tekuri/jsonschema#194, check-jsonschema#561."""
    document = read("a: 1\n---\nb: 2\n")
    assert only(document)[:2] == ("ST003", Span(2, 1, 2, 4))
    assert document.value == {"a": 1}


def test_an_alias_bomb_is_capped() -> None:
    """yaml-language-server#463, vscode-yaml#916."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    code, span, _ = only(read("\n".join(lines)))
    assert (code, span.line) == ("ST005", 5)


def test_a_bomb_of_merges_is_capped() -> None:
    lines = ["a0: &a0 {" + ", ".join(f"k{n}: 1" for n in range(100)) + "}"]
    lines += [f"b{n}: {{<<: *a0}}" for n in range(60)]
    assert only(read("\n".join(lines)))[0] == "ST005"


@pytest.mark.parametrize("text", ["a: &x [*x]\n", "a: &x {b: {c: *x}}\n", "a: &x\n  <<: *x\n", "a: &x 1\nb: &x [*x]\n"])
def test_a_recursive_anchor_is_a_finding(text: str) -> None:
    """yaml-language-server#463, vscode-yaml#916."""
    assert only(read(text))[0] == "ST005"


def test_nesting_is_bounded_also_through_aliases() -> None:
    assert codes(read("a: " + "[" * 63 + "]" * 63)) == []
    assert codes(read("a: " + "[" * 64 + "]" * 64)) == ["ST005"]
    assert codes(read("[" * 100_000)) == ["ST005"]
    deep = "[" * 40 + "]" * 40
    assert codes(read(f"a: &a {deep}\nb: {'[' * 23}*a{']' * 23}\n")) == []
    assert codes(read(f"a: &a {deep}\nb: {'[' * 24}*a{']' * 24}\n")) == ["ST005"]


def test_an_unknown_alias_is_told_where() -> None:
    assert only(read("a: *nowhere\n"))[:2] == ("ST001", Span(1, 4, 1, 12))


def test_an_aliased_value_stands_where_it_is_named_and_its_inside_where_it_is_written() -> None:
    document = read("a: &x {b: 1}\nc: *x\n")
    assert document.span(("c",)) == Span(2, 4, 2, 6)
    assert document.span(("c", "b")) == Span(1, 11, 1, 12)


def test_a_syntax_error_gives_the_parsers_reason_at_its_place() -> None:
    code, span, message = only(read("é: 😀\nb: c: d\n"))
    assert (code, span) == ("ST001", Span(2, 5, 2, 6))
    assert "mapping values are not allowed" in message


def test_a_character_yaml_refuses_is_named_where_it_stands() -> None:
    code, span, message = only(read("é: 😀\nb: é\x07\n"))
    assert (code, span) == ("ST001", Span(2, 5, 2, 6))
    assert "U+0007" in message


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_lines_end_as_editors_end_them(line_break: str) -> None:
    document = read(line_break.join(["é: 'x\u2028y\x85z' # \u2029", "b: 1", "b: 2", ""]))
    assert document.value == {"é": "x\u2028y\x85z", "b": 2}
    assert only(document)[1] == Span(3, 1, 3, 2)


def test_a_byte_order_mark_is_allowed_and_takes_no_column() -> None:
    document = read("\ufeffa: 1\na: 2\n")
    assert only(document)[:2] == ("ST002", Span(2, 1, 2, 2))


def test_spans_of_blocks_end_with_their_text() -> None:
    document = read("a:\n  b: |\n    x\n    y\n\n  c:\n    - 1\n    - z\n\n# end\n")
    assert document.span(("a", "b")) == Span(2, 6, 4, 6)
    assert document.span(("a", "c")) == Span(7, 5, 8, 8)
    assert document.span(("a",)) == Span(2, 3, 8, 8)


# PyYAML writes YAML 1.1, which breaks lines at these.
TEXT = st.text(alphabet=st.characters(exclude_characters="\x85\u2028\u2029", exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@given(value=st.dictionaries(TEXT, JSON, max_size=4), flow=st.booleans(), unicode=st.booleans())
def test_any_object_comes_back_from_yaml(value: Any, flow: bool, unicode: bool) -> None:
    document = read(yaml.safe_dump(value, default_flow_style=flow, allow_unicode=unicode))
    assert document.value == value


@given(value=st.dictionaries(TEXT, JSON, min_size=1, max_size=4))
def test_every_key_is_found_where_it_is_written(value: dict[str, Any]) -> None:
    text = yaml.safe_dump(value, default_style='"', width=math.inf, sort_keys=False)
    document = read(text)
    for key in value:
        span = document.span((key,), "key")
        assert read(text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1] + ": 1").value == {key: 1}


@given(text=st.text(alphabet="{}[]\"',:&*!<|>-?#%@` \n\r\tab12.~x\x00\x85\u2028é😀"))
def test_no_text_crashes_the_reader_and_every_span_is_inside(text: str) -> None:
    document = read(text)
    for found in document.diagnostics:
        span = found.span
        assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
        assert span.end_column <= len(document.line(span.end_line)) + 1
        assert found.message.isprintable()
    if document.value is not None and not document.diagnostics:
        json.dumps(document.value, allow_nan=False)
