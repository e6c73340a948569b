"""One seeded mistake in a valid config gives one finding, with the right code, exactly where the mistake stands.

kubeconform#156, kube-linter#45, check-jsonschema#359: file, line, column, always. sarif-vscode-extension#582,
gitleaks#1962, lintr#2550: columns in code points, from 1.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from layouts import CONFIG

from seatrial.linter import Diagnostic, Document, Pointer, Span, lint, read_text


class Style(NamedTuple):
    """How a config is written down."""

    kind: str  # json or yaml
    block: bool  # YAML in block style
    indent: int | None  # None: all on one line
    line_break: str
    ascii_only: bool


STYLES = st.builds(
    Style,
    kind=st.sampled_from(["json", "yaml"]),
    block=st.booleans(),
    indent=st.sampled_from([None, 0, 2, 7]),
    line_break=st.sampled_from(["\n", "\r\n", "\r"]),
    ascii_only=st.booleans(),
)


class Writer:
    """Writes a value and notes where each key and value stands, counting as the definition of a column says."""

    def __init__(self, style: Style, twice: Pointer | None = None) -> None:
        self.style = style
        self.twice = twice  # a key that is written a second time
        self.text = ""
        self.line = self.column = 1
        self.spans: dict[tuple[Pointer, str], Span] = {}
        self.first: Span | None = None

    def document(self, value: Any) -> str:
        if self.style.kind == "yaml" and self.style.block:
            self.put("# 😀 a comment\u2028 still the comment")
            self.end_line()
            self.block(value, (), 0)
        else:
            self.flow(value, (), 0)
        return self.text

    def put(self, text: str) -> Span:
        start = (self.line, self.column)
        self.text += text
        self.column += len(text)
        return Span(*start, self.line, self.column)

    def end_line(self) -> None:
        self.text += self.style.line_break
        self.line, self.column = self.line + 1, 1

    def scalar(self, value: Any) -> Span:
        return self.put(json.dumps(value, ensure_ascii=self.style.ascii_only and self.style.kind == "json"))

    def key(self, key: str, pointer: Pointer) -> None:
        span = self.scalar(key)
        if pointer == self.twice and (pointer, "key") in self.spans:
            self.first = self.spans[pointer, "key"]
        self.spans[pointer, "key"] = span

    def entries(self, value: Any, pointer: Pointer) -> list[tuple[Any, Any]]:
        if isinstance(value, list):
            return list(enumerate(value))
        found = list(value.items())
        if self.twice and self.twice[:-1] == pointer:
            found.append((self.twice[-1], value[self.twice[-1]]))
        return found

    def flow(self, value: Any, pointer: Pointer, depth: int) -> None:
        if not isinstance(value, dict | list) or not value:
            self.spans[pointer, "value"] = self.scalar(value)
            return
        start = self.put("{" if isinstance(value, dict) else "[")
        for place, (key, inner) in enumerate(self.entries(value, pointer)):
            if place:
                self.put(", ")
            self.separate(depth + 1)
            if isinstance(value, dict):
                self.key(key, (*pointer, key))
                self.put(": ")
            self.flow(inner, (*pointer, key), depth + 1)
        self.separate(depth)
        end = self.put("}" if isinstance(value, dict) else "]")
        self.spans[pointer, "value"] = Span(start.line, start.column, end.end_line, end.end_column)

    def separate(self, depth: int) -> None:
        if self.style.indent is not None:
            self.end_line()
            self.put(" " * (self.style.indent * depth))

    def block(self, value: Any, pointer: Pointer, depth: int) -> None:
        if not isinstance(value, dict | list) or not value:
            self.spans[pointer, "value"] = self.scalar(value)
            self.end_line()
            return
        start: Span | None = None
        for key, inner in self.entries(value, pointer):
            self.put("  " * depth)
            start = start or Span(self.line, self.column, 0, 0)
            if isinstance(value, dict):
                self.key(key, (*pointer, key))
                self.put(":")
            else:
                self.put("-")
            nested = isinstance(inner, dict | list) and bool(inner)
            if nested:
                self.end_line()
            else:
                self.put(" ")
            self.block(inner, (*pointer, key), depth + 1)
            last = self.spans[(*pointer, key), "value"]
        assert start is not None
        self.spans[pointer, "value"] = Span(start.line, start.column, last.end_line, last.end_column)


class Mistake(NamedTuple):
    """A mistake: what it does to the config, the code that tells it, and where it stands."""

    change: Callable[[Any], None]
    code: str
    pointer: Pointer
    part: str


def objects(value: Any = CONFIG, pointer: Pointer = ()) -> list[Pointer]:
    found = [pointer] if isinstance(value, dict) else []
    for key, inner in value.items() if isinstance(value, dict) else ():
        found += objects(inner, (*pointer, key))
    return found


def leaves(value: Any = CONFIG, pointer: Pointer = ()) -> list[Pointer]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*pointer, key))]
    return [pointer]


def at(value: Any, pointer: Pointer) -> Any:
    for step in pointer:
        value = value[step]
    return value


def setting(pointer: Pointer, new: Any) -> Callable[[Any], None]:
    def change(config: Any) -> None:
        at(config, pointer[:-1])[pointer[-1]] = new

    return change


def removing(pointer: Pointer) -> Callable[[Any], None]:
    def change(config: Any) -> None:
        del at(config, pointer[:-1])[pointer[-1]]

    return change


def other_type(value: Any) -> Any:
    """The value as an author might mistype it."""
    if isinstance(value, bool):
        return "true"
    if isinstance(value, int | float):
        return str(value)
    return value[0] if isinstance(value, list) else 5


MEMORY: Pointer = ("harness", "memory")
LABELS: Pointer = (*MEMORY, "labels")
COUNTED = [pointer for pointer in leaves() if isinstance(at(CONFIG, pointer), int | float) and pointer != ("sessions",)]
MISTAKES: list[Mistake] = [
    *(Mistake(setting((*pointer, "zzqq"), 1), "ST101", (*pointer, "zzqq"), "key")
      for pointer in objects() if pointer != LABELS),
    *(Mistake(setting((*pointer, "max_results"), 1), "ST101", (*pointer, "max_results"), "key")
      for pointer in objects() if pointer != LABELS and pointer != (*MEMORY, "search")),
    *(Mistake(setting(pointer, other_type(at(CONFIG, pointer))), "ST102", pointer, "value") for pointer in leaves()),
    *(Mistake(setting(pointer, 5), "ST102", pointer, "value") for pointer in objects() if pointer),
    *(Mistake(setting(pointer, -1), "ST103", pointer, "value")
      for pointer in COUNTED if pointer != (*MEMORY, "enabled")),
    *(Mistake(setting((*MEMORY, *pointer), "hybird"), "ST103", (*MEMORY, *pointer), "value")
      for pointer in (("search", "mode"), ("scope", "read", 0), ("tools", 1), ("extraction", "every"))),
    *(Mistake(removing((*pointer, key)), "ST104", pointer, "key")
      for pointer, key in (((*LABELS, "currency"), "number"), ((*MEMORY, "pinned"), "max_tokens"), ((), "harness"),
                           ((*MEMORY, "extraction", "every"), "messages"))),
    *(Mistake(setting((*pointer, 1), at(CONFIG, (*pointer, 0))), "ST105", (*pointer, 1), "value")
      for pointer in ((*MEMORY, "tools"), (*MEMORY, "kinds"), (*MEMORY, "scope", "read"))),
    Mistake(setting((*LABELS, "currency", "number"), 5), "ST401", (*LABELS, "currency", "number"), "value"),
    *(Mistake(setting((*LABELS, name), {"number": 9, "description": "Whose it is."}), "ST402", (*LABELS, name), "key")
      for name in ("Account", "kind", "a-b", "é")),
]  # fmt: skip


def written(config: Any, style: Style, twice: Pointer | None = None) -> Writer:
    writer = Writer(style, twice)
    writer.document(config)
    return writer


def told(documents: list[Document]) -> list[Diagnostic]:
    """What is wrong; that the config reads a scope which it does not write is no mistake."""
    return [each for each in lint(documents) if each.severity != "info"]


@given(style=STYLES)
def test_the_config_itself_is_clean_and_every_place_is_known(style: Style) -> None:
    writer = written(CONFIG, style)
    document = read_text(writer.text, path=f"a.{style.kind}")
    assert told([document]) == []
    for (pointer, part), span in writer.spans.items():
        assert document.span(pointer, "key" if part == "key" else "value") == span


@given(mistake=st.sampled_from(MISTAKES), style=STYLES)
def test_one_mistake_is_one_finding_where_it_stands(mistake: Mistake, style: Style) -> None:
    config = copy.deepcopy(CONFIG)
    mistake.change(config)
    writer = written(config, style)
    (found,) = told([read_text(writer.text, path=f"a.{style.kind}")])
    assert (found.code, found.pointer) == (mistake.code, mistake.pointer)
    part = mistake.part if (mistake.pointer, mistake.part) in writer.spans else "value"
    assert found.span == writer.spans[mistake.pointer, part]


@given(pointer=st.sampled_from([(*pointer, key) for pointer in objects() for key in at(CONFIG, pointer)]), style=STYLES)
def test_a_key_written_twice_is_found_at_both_places(pointer: Pointer, style: Style) -> None:
    writer = written(CONFIG, style, twice=pointer)
    (found,) = told([read_text(writer.text, path=f"a.{style.kind}")])
    assert (found.code, found.pointer, found.span) == ("ST002", pointer, writer.spans[pointer, "key"])
    assert [each.span for each in found.related] == [writer.first]


@given(cut=st.floats(0, 1), style=STYLES)
def test_a_file_cut_short_never_crashes_and_points_inside(cut: float, style: Style) -> None:
    text = written(CONFIG, style).text
    document = read_text(text[: int(len(text) * cut)], path=f"a.{style.kind}")
    for found in told([document]):
        assert (1, 1) <= (found.span.line, found.span.column) <= (found.span.end_line, found.span.end_column)
        assert found.span.end_column <= len(document.line(found.span.end_line)) + 1


@given(
    old=st.sampled_from(["5", "number", ":", '"', "{", "}", "[", ",", "true", "labels"]),
    new=st.text(max_size=3),
    place=st.integers(0, 30),
    style=STYLES,
)
def test_no_edit_crashes_the_linter(old: str, new: str, place: int, style: Style) -> None:
    parts = written(CONFIG, style).text.split(old)
    place = min(place, len(parts) - 1)
    text = old.join(parts[:place]) + new + old.join(parts[place:])
    document = read_text(text, path=f"a.{style.kind}")
    for found in told([document]):
        assert found.message.isprintable()
        assert found.span.end_column <= len(document.line(found.span.end_line)) + 1
