"""TOML's places: everything that tomllib reads is found, where it stands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.linter import Pointer, read_text
from seatrial.linter.document import Document

EVERYTHING = '''
# a comment with "quotes" and [brackets]
title = "TOML \\" example" # [not.a.table]
"quoted key" = 'lit # eral'
dotted . "key".x = 1_000
dotted.key2 = {a = [1, 2, {b = "}"}], "c" = 1979-05-27 07:32:00Z, d.e = true}
multi = """
x = "1" # no comment
\\""" [y]"""
raw = \'\'\'
'x' = [\'\'\'
date = 1979-05-27
list = [ # a comment ]
  "a",  # ]
  [], [[-0.5e3]],
  07:32:00,
]
[servers]
[servers."al pha".inner]
ip = "10.0.0.1"
[[products]]
name = "a"
[products.size]
cm = inf
[[products]]
name = "b"
[[products.parts]]
n = 0x1F
[servers.beta]
'''


def pointers(value: Any, at: Pointer = ()) -> Iterator[tuple[Pointer, Any]]:
    yield at, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from pointers(inner, (*at, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from pointers(inner, (*at, index))


def there(document: Document, at: Pointer, part: Any) -> str:
    """The text that stands at a key or a value."""
    span = document.span(at, part)
    lines = document.text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def check(text: str) -> None:
    document = read_text(text, kind="toml")
    assert document.value == tomllib.loads(text)
    for at, value in pointers(document.value):
        if at and isinstance(at[-1], str):
            assert tomllib.loads(f"{there(document, at, 'key')} = 0") == {at[-1]: 0}
        if not isinstance(value, dict | list):
            assert tomllib.loads(f"x = {there(document, at, 'value')}") == {"x": value}


def test_everything_that_toml_has() -> None:
    check(EVERYTHING)
    check(EVERYTHING.replace("inf", "1\r").replace("\n", "\r\n").replace("1\r\r", "1\r"))


def test_a_table_stands_at_its_header() -> None:
    document = read_text(EVERYTHING, kind="toml")
    assert there(document, ("servers",), "value") == "[servers]"
    assert there(document, ("servers", "al pha", "inner"), "value") == '[servers."al pha".inner]'
    assert there(document, ("products", 1), "value") == "[[products]]"
    assert there(document, ("list",), "value").endswith("07:32:00,\n]")


scalars = st.one_of(
    st.integers(-(2**40), 2**40).map(str),
    st.booleans().map(lambda value: str(value).lower()),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=6)
    .map(lambda text: text.replace("\\", "\\\\").replace('"', '\\"'))
    .map(lambda text: f'"{text}"'),
    st.text('a#[]{}=," ', max_size=6).map(lambda text: f"'{text}'"),
    st.sampled_from(["1979-05-27", "1979-05-27 07:32:00", "1.5e3", '"""a\n"b"""', "'''\n'''"]),
)
keys = st.one_of(st.text("ab-_1", min_size=1, max_size=3), st.text("a.# ]", max_size=3).map(lambda text: f'"{text}"'))
spaces = st.sampled_from(["", " ", "\t"])
breaks = st.sampled_from(["", " ", "\n", " # ]\n", "\r\n"])
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.tuples(st.lists(inner, max_size=3), breaks).map(lambda it: f"[{it[1]}{f',{it[1]}'.join(it[0])}{it[1]}]"),
        st.tuples(st.dictionaries(keys, inner, max_size=3), spaces).map(
            lambda it: "{" + f",{it[1]}".join(f"{key}{it[1]}={it[1]}{value}" for key, value in it[0].items()) + "}"
        ),
    ),
    max_leaves=6,
)
lines = st.one_of(
    st.tuples(st.lists(keys, min_size=1, max_size=2), spaces, values, breaks).map(
        lambda it: f"{f'{it[1]}.{it[1]}'.join(it[0])}{it[1]}={it[1]}{it[2]}{it[3]}"
    ),
    st.tuples(st.lists(keys, min_size=1, max_size=2), spaces).map(lambda it: f"[{it[1]}{'.'.join(it[0])}{it[1]}]"),
    st.lists(keys, min_size=1, max_size=2).map(lambda it: f"[[{'.'.join(it)}]]"),
)


@given(st.lists(lines, max_size=6).map("\n".join))
def test_every_text_that_tomllib_takes(text: str) -> None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        document = read_text(text, kind="toml")
        assert document.value is None
        assert len(document.diagnostics) == 1
    else:
        check(text)


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("a = 1\nb = = 2\n", (2, 5), "not TOML: invalid value"),
        ("a = 1\na = 2\n", (2, 6), "not TOML: cannot overwrite a value"),
        ("[a", (1, 3), "not TOML: expected ']' at the end of a table declaration"),
        ("a = " + "9" * 5000, (1, 1), "not TOML: a number of too many digits"),
        ("a = " + "[" * 100_000, (1, 1), "not TOML: nested too deeply"),
    ],
)
def test_what_is_no_toml_is_told_with_its_place(text: str, place: tuple[int, int], reason: str) -> None:
    (found,) = read_text(text, kind="toml").diagnostics
    assert (found.span.line, found.span.column) == place
    assert found.message == reason


@pytest.mark.parametrize("kind", ["[{}]", "{{a = {}}}"])
def test_no_depth_that_is_read_is_too_deep_to_find_a_place_in(kind: str) -> None:
    text = "0"
    read = set()
    for _ in range(600):
        text = kind.format(text)
        document = read_text(f"x = {text}", kind="toml")
        read.add(document.value is not None)
        assert document.span(("x",), "key").line == 1
    assert read == {True, False}
