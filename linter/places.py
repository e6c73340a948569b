"""Where things stand in a text: a tree of offsets beside the values, and offsets turned into lines and columns.

Offsets count code points from 0. Knows neither JSON nor YAML: the readers fill the tree.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

from seatrial.schemas.problem import Fix

from .diagnostic import Pointer, Severity, Span

# Not U+2028, U+2029 or U+0085: neither YAML 1.2 nor JSON nor an editor breaks a line there.
LINE_BREAK = re.compile(r"\r\n|\n|\r")


class Node:
    """The place of one value. `entries` maps a key or an index to where it stands; empty for a scalar."""

    __slots__ = ("end", "entries", "start")

    def __init__(self, start: int, end: int, entries: Mapping[str | int, Entry] | None = None) -> None:
        self.start = start
        self.end = end
        self.entries: Mapping[str | int, Entry] = {} if entries is None else entries


class Entry(NamedTuple):
    """One entry of an object or list: the key's offsets (of a list's item: the item's) and the value's place."""

    start: int
    end: int
    node: Node


class Mark(NamedTuple):
    """Another place that a fault names."""

    start: int
    end: int
    pointer: Pointer
    message: str


class Fault(NamedTuple):
    """What a reader found, by offsets. `severity` is given where it is not the rule's own."""

    code: str
    start: int
    end: int
    pointer: Pointer
    message: str
    fix: Fix | None = None
    related: tuple[Mark, ...] = ()
    severity: Severity | None = None


class Lines:
    """The lines of one text, found when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]
        self._last = len(text.rstrip(" \t\r\n"))

    def span(self, start: int, end: int) -> Span:
        """The span of the offsets `start` to `end`: of white space at the end of the file and of breaks nothing."""
        start = min(start, self._last)
        end = max(start, min(end, self._last))
        line, column = self._place(start)
        end_line, end_column = self._place(end)
        if end_column == 1 and end > start:  # the last character covered is a break
            end_line, end_column = self._place(end - 1)
        return Span(line, column, end_line, end_column)

    def exactly(self, start: int, end: int) -> Span:
        """The span of all from `start` to `end`: with a break at its end it ends where the next line begins."""
        return Span(*self._place(start), *self._place(end))

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column that a span names; past the end of the line or the text, that end."""
        if line > len(self._starts):
            return len(self._text)
        start, end = self._bounds(line)
        return min(start + column - 1, end)

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        start, end = self._bounds(line)
        return line, min(offset, end) - start + 1

    def _bounds(self, number: int) -> tuple[int, int]:
        """The offsets of line `number` without its break."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self._text)
        while end > start and self._text[end - 1] in "\r\n":
            end -= 1
        return start, end

    def line(self, number: int) -> str:
        """Line `number`, from 1, without its break; empty past the end."""
        if not 1 <= number <= len(self._starts):
            return ""
        start, end = self._bounds(number)
        return self._text[start:end]


def path(root: Node, pointer: Pointer) -> list[Entry] | None:
    """The entries that lead from the top to `pointer`; None where nothing stands there."""
    entries, node = [], root
    for step in pointer:
        if step not in node.entries:
            return None
        entries.append(node.entries[step])
        node = entries[-1].node
    return entries


def find(root: Node, pointer: Pointer, part: str) -> tuple[int, int]:
    """The offsets of the key or the value at `pointer`; of the nearest value around it where nothing stands there.

    The top and a list's items have no key: their value stands for it.
    """
    node, place = root, (root.start, root.end)
    for depth, step in enumerate(pointer):
        entry = node.entries.get(step)
        if entry is None:
            break
        node = entry.node
        is_key = part == "key" and depth == len(pointer) - 1
        place = (entry.start, entry.end) if is_key else (node.start, node.end)
    return place
