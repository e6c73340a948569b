"""How values are put into messages: one line, short, and safe on a terminal. Knows no schema and no document."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from typing import Any

LONGEST = 60

# Controls (ANSI escapes begin with one), separators of lines, marks that reorder text, and halves of surrogate pairs.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """`text` with everything that could move a cursor, break a line or reorder text written as an escape."""
    return _UNSAFE.sub(lambda match: _escape(ord(match.group())), text)


def _escape(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def quote(value: Any) -> str:
    """`value` as JSON writes it, clipped to 60 characters; a list or an object is only named."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, str):
        return printable(json.dumps(clip(value), ensure_ascii=False))
    return clip(json.dumps(value))


def clip(text: str) -> str:
    """`text`, or its first 59 characters and an ellipsis."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def article(kind: str) -> str:
    """A JSON Schema type in plain words, with its article."""
    return {
        "array": "a list",
        "boolean": "true or false",
        "integer": "a whole number",
        "null": "null",
        "number": "a number",
        "object": "an object",
        "string": "a text",
    }[kind]


def kind_of(value: Any) -> str:
    """What `value` is, in plain words with the value where it is short enough to say."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return quote(value)
    if isinstance(value, int | float):
        return f"the number {quote(value)}"
    if isinstance(value, str):
        return f"the text {quote(value)}"
    return quote(value)


def alternatives(items: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + " or " + items[-1]


def nearest(word: str, known: list[str]) -> str | None:
    """The word of `known` that `word` was probably meant to be, if one is near enough."""
    found = get_close_matches(word.casefold(), [item.casefold() for item in known], n=1, cutoff=0.6)
    return next((item for item in known if item.casefold() == found[0]), None) if found else None
