"""Configs as trees that are written out in many layouts, with the place of every key and value.

What is written is made here, character by character, so that where a finding must point is known without asking the
linter, a parser or a dumper.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Place = tuple[int, int]  # offsets in code points


@dataclass(eq=False)
class Node:
    """A value. `entries` of an object, `items` of a list, else `scalar`; `raw` is written as it stands."""

    scalar: Any = None
    entries: list[Entry] | None = None
    items: list[Node] | None = None
    raw: str | None = None


@dataclass(eq=False)
class Entry:
    key: str
    value: Node


def node(value: Any) -> Node:
    if isinstance(value, dict):
        return Node(entries=[Entry(key, node(inner)) for key, inner in value.items()])
    if isinstance(value, list):
        return Node(items=[node(inner) for inner in value])
    return Node(scalar=value)


def entry(root: Node, *keys: str) -> Entry:
    """The entry that the keys lead to."""
    found: Entry | None = None
    for key in keys:
        inside = (root if found is None else found.value).entries
        assert inside is not None
        found = next(each for each in inside if each.key == key)
    assert found is not None
    return found


@dataclass
class Layout:
    """How a tree is written. `indent` empty: on one line. `choices` decides small things, in turn, over and over."""

    kind: str  # json, yaml (block), flow (YAML)
    newline: str = "\n"
    indent: str = "  "
    choices: list[int] = field(default_factory=lambda: [0])


class Writer:
    """Writes one tree. `keys` and `values` say where each Entry's key and each Node stands."""

    def __init__(self, root: Node, layout: Layout) -> None:
        self.keys: dict[Entry, Place] = {}
        self.values: dict[Node, Place] = {}
        self._layout = layout
        self._pieces: list[str] = []
        self._length = 0
        self._turn = 0
        self._anchors = 0
        if layout.kind == "yaml":
            self._comment("")
            self._block(root, "")
        else:
            self._value(root, "")
        self._put(layout.newline)
        self.text = "".join(self._pieces)

    def span(self, place: Place) -> tuple[int, int, int, int]:
        return (*self._line_and_column(place[0]), *self._line_and_column(place[1]))

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    def _put(self, text: str) -> Place:
        start = self._length
        self._pieces.append(text)
        self._length += len(text)
        return start, self._length

    def _choice(self, of: int) -> int:
        choices = self._layout.choices
        self._turn += 1
        return choices[self._turn % len(choices)] % of

    def _comment(self, indent: str) -> None:
        if self._choice(3) == 1:
            self._put(f'{indent}# a comment: {{"harness": [x, }}{self._layout.newline}')

    def _block(self, what: Node, indent: str) -> None:
        """An object as YAML's indented lines; its place is from the first key to the last value."""
        assert what.entries
        for each in what.entries:
            self._comment(indent)
            self._put(indent)
            self._key(each)
            self._put(":")
            if each.value.entries and self._choice(4):
                self._put(" # so" if self._choice(2) else "")
                self._put(self._layout.newline)
                self._block(each.value, indent + (self._layout.indent or " "))
            else:
                self._put(" ")
                self._value(each.value, None)
                self._put("  # so" if self._choice(4) == 1 else "")
                self._put(self._layout.newline)
        self.values[what] = (self.keys[what.entries[0]][0], self.values[what.entries[-1].value][1])

    def _value(self, what: Node, indent: str | None) -> None:
        """A value in flow style, which is JSON's; `indent` None keeps it on one line."""
        start = self._length
        if what.entries is None and what.items is None:
            self._scalar(what)
        else:
            opening, closing = "{}" if what.entries is not None else "[]"
            inner = None if indent is None or not self._layout.indent else indent + self._layout.indent
            self._put(opening)
            inside: Sequence[Entry | Node] = what.entries if what.entries is not None else what.items or []
            for number, each in enumerate(inside):
                self._put("," if number else "")
                self._put(" " if inner is None else self._layout.newline + inner)
                if isinstance(each, Entry):
                    self._key(each)
                    self._put(": ")
                    self._value(each.value, inner)
                else:
                    self._value(each, inner)
            self._put(" " if inner is None else self._layout.newline + (indent or ""))
            self._put(closing)
        self.values[what] = (start, self._length)

    def _key(self, each: Entry) -> None:
        self.keys[each] = self._put(self._text(each.key))

    def _scalar(self, what: Node) -> None:
        if self._layout.kind != "json" and self._choice(5) == 1:
            self._anchors += 1
            self._put(f"&a{self._anchors} ")
        if what.raw is not None:
            self._put(what.raw)
        else:
            self._put(self._text(what.scalar) if isinstance(what.scalar, str) else json.dumps(what.scalar))

    def _text(self, text: str) -> str:
        form = self._choice(4)
        if self._layout.kind != "json":
            if form < 2 and re.fullmatch("[a-z][a-z_]{5,}", text):
                return text
            if form == 2 and "'" not in text and text.isprintable():
                return f"'{text}'"
        if form == 3 and "\x20" <= text[:1] <= "\uffff":  # the first character as an escape
            return f'"\\u{ord(text[0]):04x}{json.dumps(text[1:], ensure_ascii=False)[1:]}'
        return json.dumps(text, ensure_ascii=False)
