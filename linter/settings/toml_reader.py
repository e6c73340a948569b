"""Reads TOML by the standard library, and finds where things stand in it. Loads tomllib: import it only to read TOML.

The scan for places runs only when there is something to report, over a text that tomllib took: it asks no questions.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from typing import Any

from ..places import Entry, Fault, Node

_SPACE = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:[^\\"]|\\.|"(?!""))*"{3,5}|\'\'\'(?:[^\']|\'(?!\'\'))*\'{3,5}|"(?:[^"\\]|\\.)*"|\'[^\']*\'', re.DOTALL
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]+|[^\s,\]}#]+")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class TomlReading:
    """A TOML text as read: its value (None where it cannot be), and the fault of the reading, if there is one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._root: Node | None = None
        self.value: Any = None
        self.faults: list[Fault] = []
        try:
            self.value = tomllib.loads(text)
        except RecursionError:
            self.faults.append(Fault("settings", 0, 0, (), "not TOML: nested too deeply"))
        except ValueError as error:  # also a number of more digits than Python converts
            said = str(error)
            place = _PLACE.search(said)
            at = len(text)
            if place is not None and place.group(1):
                lines = text.split("\n")  # tomllib, too, knows no other break
                at = sum(len(line) + 1 for line in lines[: int(place.group(1)) - 1]) + int(place.group(2)) - 1
            reason = _PLACE.sub("", said) if place is not None else "a number of too many digits"
            start = at if place is not None else 0
            self.faults.append(Fault("settings", start, start + 1, (), f"not TOML: {reason[:1].lower()}{reason[1:]}"))

    @property
    def root(self) -> Node:
        """The places of everything in the text, scanned when first asked for."""
        if self._root is None:
            self._root = Node(0, len(self._text))
            if self.value is not None:
                with suppress(RecursionError):  # what tomllib took may be a level too deep from here
                    self._root = _Scan(self._text).root
        return self._root


class _Table(Node):
    """A node that entries are still added to. `listed`: an array of tables, where a header means its last one."""

    __slots__ = ("held", "listed")

    def __init__(self, start: int, end: int, *, listed: bool = False) -> None:
        self.held: dict[str | int, Entry] = {}
        self.listed = listed
        super().__init__(start, end, self.held)

    def inner(self, key: str, start: int, end: int) -> _Table:
        """The table at `key`, made where there is none: its name is here first."""
        if key not in self.held:
            self.held[key] = Entry(start, end, _Table(start, end))
        node = self.held[key].node
        assert isinstance(node, _Table)  # tomllib took it for one
        if node.listed:
            last = node.held[len(node.held) - 1].node
            assert isinstance(last, _Table)
            return last
        return node


class _Scan:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.root = _Table(0, len(text))
        table = self.root
        self._space()
        while self._at < len(text):
            if text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._space()

    def _space(self) -> None:
        match = _SPACE.match(self._text, self._at)
        assert match is not None  # it may be empty
        self._at = match.end()

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        assert match is not None  # tomllib took it
        self._at = match.end()
        return match.group()

    def _keys(self) -> list[tuple[str, int, int]]:
        """A key with dots: its parts with their places."""
        found = []
        while True:
            self._space()
            start = self._at
            if self._text[start] in "\"'":
                key = str(tomllib.loads(f"key = {self._take(_STRING)}")["key"])
            else:
                key = self._take(_BARE)
            found.append((key, start, self._at))
            self._space()
            if self._text[self._at] != ".":
                return found
            self._at += 1

    def _header(self) -> _Table:
        start = self._at
        many = self._text.startswith("[[", start)
        self._at += 2 if many else 1
        *path, (key, key_start, key_end) = self._keys()
        self._at += 2 if many else 1
        table = self.root
        for step in path:
            table = table.inner(*step)
        if not many:
            inner = table.inner(key, key_start, key_end)
            inner.start, inner.end = start, self._at
            table.held[key] = Entry(key_start, key_end, inner)  # a table inside may have named it before
            return inner
        if key not in table.held:
            table.held[key] = Entry(key_start, key_end, _Table(start, self._at, listed=True))
        rows = table.held[key].node
        assert isinstance(rows, _Table)
        row = _Table(start, self._at)
        rows.held[len(rows.held)] = Entry(start, self._at, row)
        return row

    def _pair(self, table: _Table) -> None:
        *path, (key, start, end) = self._keys()
        for step in path:
            table = table.inner(*step)
        self._at += 1  # the sign of equality
        self._space()
        table.held[key] = Entry(start, end, self._value())

    def _value(self) -> Node:
        start = self._at
        mark = self._text[start]
        if mark in "\"'":
            self._take(_STRING)
        elif mark == "[":
            return self._list()
        elif mark == "{":
            table = _Table(start, start)
            self._at += 1
            self._space()
            while self._text[self._at] != "}":
                self._pair(table)
                self._divider()
            self._at += 1
            table.end = self._at
            return table
        else:
            self._take(_PLAIN)
        return Node(start, self._at)

    def _list(self) -> Node:
        entries: dict[str | int, Entry] = {}
        node = Node(self._at, self._at, entries)
        self._at += 1
        self._space()
        while self._text[self._at] != "]":
            item = self._value()
            entries[len(entries)] = Entry(item.start, item.end, item)
            self._divider()
        self._at += 1
        node.end = self._at
        return node

    def _divider(self) -> None:
        self._space()
        if self._text[self._at] == ",":
            self._at += 1
            self._space()
