"""JSON read as JSON: values, guards, positions (ST001, ST002, ST003, ST005)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.linter import Document, Span, read_bytes, read_text


def read(text: str) -> Document:
    return read_text(text, path="v1.json")


def codes(document: Document) -> list[str]:
    return [found.code for found in document.diagnostics]


def only(document: Document) -> tuple[str, Span, str]:
    (found,) = document.diagnostics
    return found.code, found.span, found.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=4)


@given(value=OBJECTS, indent=st.sampled_from([None, 0, 2]), ascii_only=st.booleans())
def test_any_object_is_read_as_the_standard_library_reads_it(value: Any, indent: int | None, ascii_only: bool) -> None:
    document = read(json.dumps(value, indent=indent, ensure_ascii=ascii_only))
    assert document.value == value
    assert document.diagnostics == ()


def walk(value: Any, pointer: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    found = [(pointer, value)]
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            found += walk(inner, (*pointer, key))
    return found


def cut(text: str, span: Span) -> str:
    """What a span covers, by its definition: lines and columns from 1, in code points."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    middle = lines[span.line : span.end_line - 1]
    return "\n".join(
        [lines[span.line - 1][span.column - 1 :], *middle, lines[span.end_line - 1][: span.end_column - 1]]
    )


@given(value=OBJECTS, indent=st.sampled_from([None, 0, 2]), ascii_only=st.booleans())
def test_every_span_covers_exactly_its_key_or_value(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    document = read(text)
    for pointer, inner in walk(value):
        assert json.loads(cut(text, document.span(pointer))) == inner
        if pointer and isinstance(pointer[-1], str):
            assert json.loads(cut(text, document.span(pointer, "key"))) == pointer[-1]


def test_a_pointer_to_nothing_stands_at_the_nearest_value() -> None:
    document = read('{"a": {"b": 1}}')
    assert document.span(("a", "c", 3)) == document.span(("a",)) == Span(1, 7, 1, 15)


def test_duplicate_keys_are_an_error_with_both_positions() -> None:
    """apache/ossie#336: decoded keys compare."""
    (found,) = read('{"a": 1,\n "\\u0061": 2}').diagnostics
    assert (found.code, found.span) == ("ST002", Span(2, 2, 2, 10))
    assert [place.span for place in found.related] == [Span(1, 2, 1, 5)]


def test_every_further_duplicate_names_the_first() -> None:
    document = read('{"a": 1, "a": 2, "a": 3}')
    assert [found.related[0].span for found in document.diagnostics] == [Span(1, 2, 1, 5)] * 2
    assert document.value == {"a": 3}


def test_keys_of_different_objects_are_no_duplicates() -> None:
    assert codes(read('{"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]}')) == []


def test_a_byte_order_mark_is_named_and_the_file_is_linted() -> None:
    """prantlf/jsonlint#15."""
    document = read_bytes(b'\xef\xbb\xbf{"a": 1, "a": 2}', path="v1.json")
    assert [(found.code, found.severity) for found in document.diagnostics] == [
        ("ST003", "warning"),
        ("ST002", "error"),
    ]
    assert "byte-order mark" in document.diagnostics[0].message
    assert document.diagnostics[1].span == Span(1, 10, 1, 13)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_what_is_not_finite_is_refused_when_parsed(word: str) -> None:
    """python-jsonschema/jsonschema#1222."""
    code, span, message = only(read(f'{{"a": [{word}]}}'))
    assert (code, span) == ("ST001", Span(1, 8, 1, 8 + len(word)))
    assert word in message


def test_integers_stay_exact() -> None:
    """networknt/json-schema-validator#132."""
    number = 2**53 + 1
    assert read(f'{{"a": {number}}}').value == {"a": number}
    assert read(f'{{"a": {10**4000}}}').value == {"a": 10**4000}


def test_a_number_too_long_to_read_is_told() -> None:
    assert only(read('{"a": 1' + "0" * 5000 + "}"))[0] == "ST005"


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_file_is_a_finding_at_its_start(text: str) -> None:
    code, span, _ = only(read(text))
    assert (code, span) == ("ST003", Span(1, 1, 1, 1))


@pytest.mark.parametrize(
    ("text", "said"), [("[1]", "[1]"), ("3", "the number 3"), ('"x"', 'the text "x"'), ("null", "null")]
)
def test_not_an_object_at_the_top(text: str, said: str) -> None:
    code, span, message = only(read(text))
    assert (code, span) == ("ST003", Span(1, 1, 1, 1 + len(text)))
    assert message.endswith(said)


def test_a_syntax_error_gives_the_parsers_reason_at_its_place() -> None:
    code, span, message = only(read('{"é😀": 1,\n "b" 2}'))
    assert (code, span, message) == ("ST001", Span(2, 6, 2, 7), "not JSON: expecting ':' delimiter")


@pytest.mark.parametrize("text", ['{"harness": {}\t,\n}', '{"harness": [1\t,\n]}', '{"harness": {"a": []\t,}}'])
def test_a_comma_too_many_is_told_at_the_comma_by_every_python(text: str) -> None:
    code, span, message = only(read(text))
    column = text.index(",") + 1
    assert (code, span) == ("ST001", Span(1, column, 1, column + 1))
    assert message == "not JSON: a comma after the last entry, where JSON allows none"


@pytest.mark.parametrize("text", ['{"harness": [1,}', '{"harness": 1,]', "{,}", '{"harness": [,]}', '{"harness",}'])
def test_a_comma_that_is_not_the_error_is_not_told(text: str) -> None:
    code, _, message = only(read(text))
    assert code == "ST001"
    assert "comma" not in message


def test_json_is_not_read_by_a_yaml_parser() -> None:
    """Surrogate pairs, keys over 1,024 characters and U+2028 are all JSON; a comment and a trailing comma are not."""
    assert read('{"a": "\\ud83d\\ude00"}').value == {"a": "😀"}
    assert read(json.dumps({"k" * 2000: 1})).value == {"k" * 2000: 1}
    assert read('{"a": "x\u2028y", "b": 1}').span(("b",), "key") == Span(1, 14, 1, 17)
    assert codes(read('{"a": 1,}')) == codes(read('{"a": 1 # one\n}')) == ["ST001"]


@pytest.mark.parametrize("text", ['{"a": "\\ud800"}', '{"\\udfff": 1}'])
def test_half_a_surrogate_pair_is_no_text(text: str) -> None:
    """REC-6."""
    assert only(read(text))[0] == "ST003"


def test_nesting_is_bounded() -> None:
    assert codes(read('{"a":' + "[" * 63 + "]" * 63 + "}")) == []
    code, span, _ = only(read('{"a":' + "[" * 64 + "]" * 64 + "}"))
    assert (code, span.column) == ("ST005", 69)
    assert codes(read("[" * 200_000)) == ["ST005"]
    assert codes(read('{"a": "' + "[" * 100 + '"}')) == []


def test_size_is_bounded() -> None:
    assert codes(read_bytes(b'{"a": 1}'.ljust(1 << 20), path="v1.json")) == []
    assert codes(read_bytes(b'{"a": 1}'.ljust((1 << 20) + 1), path="v1.json")) == ["ST005"]


def test_not_utf8_is_told_where() -> None:
    (found,) = read_bytes('{\n "é": "'.encode() + b'\xff"}', path="v1.json").diagnostics
    assert (found.code, found.span) == ("ST003", Span(2, 8, 2, 9))
    assert "0xff" in found.message
    (found,) = read_bytes('{"a": 1}'.encode("utf-16"), path="v1.json").diagnostics
    assert "UTF-16" in found.message


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_lines_end_as_editors_end_them(line_break: str) -> None:
    document = read(line_break.join(["{", '"a": 1,', '"b": NaN}']))
    assert only(document)[1] == Span(3, 6, 3, 9)
    assert document.line(3) == '"b": NaN}'


@given(text=st.text(alphabet='{}[]",:\\u0123 abtrueNn-+.eE\n\r\ud800é😀\x00\u2028'))
def test_no_text_crashes_the_reader_and_every_span_is_inside(text: str) -> None:
    inside(read(text))


def inside(document: Document) -> None:
    for found in document.diagnostics:
        span = found.span
        assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
        assert span.end_column <= len(document.line(span.end_line)) + 1
        assert "\n" not in found.message
        assert found.message.isprintable()
