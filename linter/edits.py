"""What a fix does to a file's text: where, and what stands there then. Formatting and comments stay as they are.

An edit is made with care for how the file is written, but not proven: `fixes.py` reads what comes out and compares.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import NamedTuple

from seatrial.schemas.problem import Fix

from .diagnostic import Diagnostic
from .document import Document
from .places import Entry, Node
from .selection import SIGNAL

_ANCHOR = re.compile(r"(?:![^\s]*\s+)?&([^\s,\[\]{}]+)")
_ALIAS = re.compile(r"\*([^\s,\[\]{}]+)")
_ANCHORS = re.compile(r"(?:&[^\s,\[\]{}]+\s+)*")
_DASH = re.compile(r"[ \t]*-[ \t]+")
_REST = re.compile(r"[ \t]*(,?)[ \t]*(#[^\r\n]*)?(\r\n|\n|\r|\Z)")  # of a line, after an item
_BREAK_BEFORE = re.compile(r"(\r\n|\n|\r)\Z")
_COMMA = re.compile(r"\s*,?\s*")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Edit(NamedTuple):
    """`text` in place of what stands from offset `start` to `end`, in code points from 0."""

    start: int
    end: int
    text: str


def edit(document: Document, found: Diagnostic) -> Edit | None:
    """What the fix of a finding does to the document's text.

    None where it has no fix, and where the text is written in a way that leaves it to people: tags, blocks, what an
    alias or a merge key repeats, an item below a comment that suppresses something.
    """
    fix = found.fix
    if fix is None or document.value is None or document.kind == "toml":
        return None
    if document.kind == "yaml" and _is_repeated(document, found):
        return None
    if fix.does == "remove":
        return _removal(document, found)
    start = document.offset(found.span.line, found.span.column)
    end = document.offset(found.span.end_line, found.span.end_column)
    return Edit(start, end, fix.text) if document.kind == "json" else _rewritten(document.text, start, end, fix)


def _is_repeated(document: Document, found: Diagnostic) -> bool:
    """Whether what is to be changed stands, by an alias or a merge key, in several places of the value."""
    text = document.text
    if not (names := _aliased(text)):
        return False
    way = document.entries(found.pointer) or []
    around = None
    for depth, entry in enumerate(way):
        if around is not None and not around.start <= entry.node.start <= around.end:
            return True  # it was reached by an alias, and stands elsewhere
        is_key = depth == len(way) - 1 and found.fix is not None and found.fix.does == "rename"
        anchor = _ANCHOR.match(text, entry.start if is_key else entry.node.start)
        if anchor and anchor[1] in names:
            return True
        around = entry.node
    return False


@lru_cache(maxsize=4)
def _aliased(text: str) -> frozenset[str]:
    """The names that aliases may name."""
    return frozenset(_ALIAS.findall(text)) if "*" in text else frozenset()


def _rewritten(text: str, start: int, end: int, fix: Fix) -> Edit | None:
    """A YAML scalar in the style of the one before, as far as that can hold it; an anchor stays."""
    match = _ANCHORS.match(text, start, end)
    start = match.end() if match else start
    head = text[start:end][:1]
    if head in ("", "!", "*", "|", ">"):
        return None
    value = json.loads(fix.text)
    if isinstance(value, str):
        if head == "'" and "'" not in value and value.isprintable():
            return Edit(start, end, f"'{value}'")
        if head not in "\"'[{" and _may_be_plain(value):
            return Edit(start, end, value)
    return Edit(start, end, fix.text)


def _may_be_plain(value: str) -> bool:
    """Whether the text is the same without quotes, to YAML 1.1 and 1.2 alike."""
    from .yaml_scalars import read_as_in_11, resolve

    return _PLAIN.fullmatch(value) is not None and resolve(value) == value and read_as_in_11(value) is None


def _removal(document: Document, found: Diagnostic) -> Edit | None:
    """A list's item with its comma, or with its line where it has one of its own."""
    way = document.entries(found.pointer)
    if way is None or len(way) < 2:
        return None
    around, index = way[-2], found.pointer[-1]
    assert isinstance(index, int)
    text, start = document.text, around.node.entries[index].node.start
    if document.kind == "yaml" and _is_below_suppression(text, start):
        return None  # it would speak of what comes next
    if document.kind == "yaml" and _DASH.fullmatch(text, _line(text, start), start):
        return _block_item(text, around, index)
    return _flow_item(text, around.node, index, comments=document.kind == "yaml")


def _is_below_suppression(text: str, offset: int) -> bool:
    """Whether there is one among the lines of comments directly above."""
    start = _line(text, offset)
    while start:
        above = _line(text, start - (2 if text.endswith("\r\n", 0, start) else 1))
        comment = text[above:start].strip()
        if not comment.startswith("#"):
            return False
        if SIGNAL in comment:
            return True
        start = above
    return False


def _block_item(text: str, around: Entry, index: int) -> Edit | None:
    item = around.node.entries[index].node
    start = _line(text, item.start)
    rest = _REST.match(text, item.end)
    if rest is None or rest[1]:
        return None
    if len(around.node.entries) == 1:  # without a dash the list would be null
        dash = text.index("-", start)
        colon = re.compile(r"\s*:\s*").fullmatch(text, around.end, dash)
        if colon:
            return Edit(text.index(":", around.end) + 1, item.end, " []")
        is_deeper = dash - start > around.start - _line(text, around.start)  # a dash need not be, brackets must
        return Edit(dash, item.end, "[]" if is_deeper else "  []")
    if not rest[3]:  # the last line, without a break: the one before it goes
        before = _BREAK_BEFORE.search(text, 0, start)
        return Edit(before.start() if before else start, rest.end(), "")
    return Edit(start, rest.end(), "")


def _flow_item(text: str, around: Node, index: int, *, comments: bool) -> Edit | None:
    items = around.entries
    item = items[index].node
    anchors = _ANCHORS.match(text, around.start, around.end)
    begin, end = (anchors.end() if anchors else around.start) + 1, around.end - 1
    if text[begin - 1] != "[":
        return None
    last = index == len(items) - 1
    before = begin if index == 0 else items[index - 1].node.end
    after = end if last else items[index + 1].node.start
    between = _COMMA.fullmatch(text, before, item.start)
    start = _line(text, item.start)
    rest = _REST.match(text, item.end, end) if not text[start : item.start].strip(" \t") else None
    if rest is not None and (not rest[3] or not (rest[1] or last)):
        rest = None
    if len(items) == 1 and between and _COMMA.fullmatch(text, item.end, end):
        return Edit(begin, end, "")
    if index and between and not (comments and rest and rest[2]):
        return Edit(before, item.end, "")
    if rest is not None:
        return Edit(start, rest.end(), "")
    if not last and _COMMA.fullmatch(text, item.end, after):
        return Edit(item.start, after, "")
    return None


def _line(text: str, offset: int) -> int:
    """Where the line begins that `offset` is in."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
