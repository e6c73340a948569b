"""Reads JSON as JSON: the standard library's decoder with guards, and a scanner for positions.

The decoder alone runs over a file that is in order. The scanner runs only when there is something to report.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from seatrial.schemas.wording import clip, kind_of, quote

from .diagnostic import Pointer
from .places import Entry, Fault, Mark, Node

DEEPEST = 64
_TOKEN = re.compile(r'("(?:[^"\\]*+(?:\\.[^"\\]*+)*+)"?)|([{}\[\],:])|([^\s{}\[\],:"]+)', re.DOTALL)
_OUTSIDE = {"NaN", "Infinity", "-Infinity"}


class JsonReading:
    """A JSON text as read: its value (None where there is none to use) and the faults of the reading."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._root: Node | None = None
        self._suspect = False
        self.value: Any = None
        self.faults: list[Fault] = []
        self._read()

    @property
    def root(self) -> Node:
        """The places of everything in the text, scanned when first asked for."""
        if self._root is None:
            self._root = Node(0, len(self._text)) if self.value is None else _Scan(self._text).root
        return self._root

    def _read(self) -> None:
        text = self._text
        if not text.strip(" \t\r\n"):
            self.faults.append(Fault("ST003", 0, 0, (), "the file is empty: an object is expected"))
            return
        if text.count("{") + text.count("[") > DEEPEST and (at := _too_deep(text)) is not None:
            self.faults.append(Fault("ST005", at, at + 1, (), f"nested deeper than {DEEPEST} levels"))
            return
        try:
            value = self._decoded(text)
        except json.JSONDecodeError as error:
            if (comma := _comma_too_many(text, error)) is not None:
                message = "not JSON: a comma after the last entry, where JSON allows none"
                self.faults.append(Fault("ST001", comma, comma + 1, (), message))
                return
            reason = error.msg[0].lower() + error.msg[1:]
            if reason.endswith(" at"):  # the decoder would name the column next
                reason = reason.removesuffix("at") + "here"
            self.faults.append(Fault("ST001", error.pos, error.pos + 1, (), f"not JSON: {reason}"))
            return
        if self._suspect:
            scan = _Scan(text)
            self._root = scan.root
            self.faults += scan.faults
        if not isinstance(value, dict):
            start = len(text) - len(text.lstrip(" \t\r\n"))
            message = f"an object is expected at the top, found {kind_of(value)}"
            self.faults.append(Fault("ST003", start, len(text), (), message))
            return
        self.value = value

    def _decoded(self, text: str) -> Any:
        """The value, by hooks that only raise suspicion: the scanner says what is wrong and where."""
        # A lone surrogate can only come from an escape: raw text was UTF-8.
        self._suspect = "\\ud" in text or "\\uD" in text
        hooked = partial(
            json.JSONDecoder,
            object_pairs_hook=self._object,
            parse_constant=self._constant,
            parse_float=self._float,
        )
        try:
            return hooked().decode(text)
        except json.JSONDecodeError:
            raise
        except ValueError:  # a whole number has more digits than Python converts; a hook for each number is slow
            return hooked(parse_int=self._int).decode(text)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            self._suspect = True
        return value

    def _constant(self, word: str) -> float:
        self._suspect = True
        return float(word)

    def _float(self, digits: str) -> float:
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            self._suspect = True
        return value

    def _int(self, digits: str) -> int:
        try:
            return int(digits)
        except ValueError:  # more digits than Python converts; the scanner reports them
            self._suspect = True
            return 0


def _comma_too_many(text: str, error: json.JSONDecodeError) -> int | None:
    """Where a comma stands before a closing bracket, if that is the error. Pythons differ in its place and words."""
    if error.msg.startswith("Illegal trailing comma"):
        return error.pos
    before = text[: error.pos].rstrip(" \t\r\n")
    expected = {"}": "Expecting property name", "]": "Expecting value"}.get(text[error.pos : error.pos + 1])
    return len(before) - 1 if expected and error.msg.startswith(expected) and before.endswith(",") else None


def _too_deep(text: str) -> int | None:
    """The offset of the first bracket that opens level 65, if there is one."""
    depth = 0
    for match in _TOKEN.finditer(text):
        if match.group(2) in ("{", "["):
            depth += 1
            if depth > DEEPEST:
                return match.start()
        elif match.group(2) in ("}", "]"):
            depth -= 1
    return None


class _Open:
    """An object or list that the scan is inside of."""

    __slots__ = ("entries", "first", "index", "is_object", "key", "node", "pointer")

    def __init__(self, node: Node, entries: dict[str | int, Entry], pointer: Pointer, *, is_object: bool) -> None:
        self.node = node
        self.entries = entries
        self.pointer = pointer
        self.is_object = is_object
        self.key: tuple[str, int, int] | None = None
        self.first: dict[str, tuple[int, int]] = {}
        self.index = 0


class _Scan:
    """One pass over a text that the decoder accepted: the places, and what the decoder's hooks grew suspicious of."""

    def __init__(self, text: str) -> None:
        self.faults: list[Fault] = []
        self.root = Node(0, len(text))
        self._stack: list[_Open] = []
        for match in _TOKEN.finditer(text):
            string, mark, word = match.groups()
            if string is not None:
                self._string(string, match.start(), match.end())
            elif word is not None:
                pointer = self._place(Node(match.start(), match.end()))
                self._number(word, match.start(), match.end(), pointer)
            elif mark in "{[":
                entries: dict[str | int, Entry] = {}
                node = Node(match.start(), match.end(), entries)
                self._stack.append(_Open(node, entries, self._place(node), is_object=mark == "{"))
            elif mark in "}]":
                self._stack.pop().node.end = match.end()

    def _string(self, token: str, start: int, end: int) -> None:
        decoded: str = json.loads(token)
        inside = self._stack[-1] if self._stack else None
        if inside is not None and inside.is_object and inside.key is None:
            pointer: Pointer = (*inside.pointer, decoded)
            if decoded in inside.first:
                self._duplicate(decoded, inside.first[decoded], start, end, pointer)
            else:
                inside.first[decoded] = (start, end)
            inside.key = (decoded, start, end)
        else:
            pointer = self._place(Node(start, end))
        if any("\ud800" <= char <= "\udfff" for char in decoded):
            message = f"{quote(decoded)} holds half a surrogate pair: no UTF-8 text can hold it"
            self.faults.append(Fault("ST003", start, end, pointer, message))

    def _duplicate(self, key: str, first: tuple[int, int], start: int, end: int, pointer: Pointer) -> None:
        related = (Mark(*first, pointer, f"{quote(key)} is first given here"),)
        message = f"{quote(key)} is given twice in this object"
        self.faults.append(Fault("ST002", start, end, pointer, message, related=related))

    def _number(self, word: str, start: int, end: int, pointer: Pointer) -> None:
        if word in _OUTSIDE:
            self.faults.append(Fault("ST001", start, end, pointer, f"not JSON: {word} is not a JSON value"))
        elif word.lstrip("-").isdigit():
            if (fault := huge(word, start, end, pointer)) is not None:
                self.faults.append(fault)
        elif word not in ("true", "false", "null") and float(word) in (float("inf"), float("-inf")):
            message = f"{clip(word)} is too large for a number: it would be read as infinity"
            self.faults.append(Fault("ST001", start, end, pointer, message))

    def _place(self, node: Node) -> Pointer:
        """Puts a value where it belongs, and says its pointer. Of a key given twice the last value counts."""
        if not self._stack:
            self.root = node
            return ()
        inside = self._stack[-1]
        if inside.key is not None:
            key, start, end = inside.key
            inside.key = None
            inside.entries[key] = Entry(start, end, node)
            return (*inside.pointer, key)
        index = inside.index
        inside.index += 1
        inside.entries[index] = Entry(node.start, node.end, node)
        return (*inside.pointer, index)


def huge(digits: str, start: int, end: int, pointer: Pointer) -> Fault | None:
    """A fault where a whole number has more digits than Python converts (4,300 unless the interpreter is told else)."""
    try:
        int(digits)
    except ValueError:
        return Fault("ST005", start, end, pointer, f"a number of {len(digits)} digits")
    return None
