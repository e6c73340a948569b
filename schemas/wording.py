"""How values are put into messages: one line, short, and safe on a terminal. Knows no schema and no document."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

LONGEST = 60


def printable(text: str) -> str:
    """`text` with every character that does not print as itself written as an escape.

    Controls (ANSI escapes begin with one), breaks of lines, marks that reorder text, halves of surrogate pairs.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(ord(char)) for char in text)


def reason(error: Exception) -> str:
    """Why a file could not be read or written: the operating system's words where it was that, else the error's own."""
    return getattr(error, "strerror", None) or str(error)


def shell(*words: str | os.PathLike[str]) -> str:
    """The command of these words as a shell takes it, safe on a terminal. A path is never taken for an option."""
    import shlex

    plain = [each if isinstance(each, str) else _no_option(os.fspath(each)) for each in words]
    return printable(shlex.join(plain))


def _no_option(path: str) -> str:
    return f"./{path}" if path.startswith("-") else path


def _escape(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def quote(value: Any) -> str:
    """`value` as JSON writes it, clipped to 60 characters; an object and a long list are only named."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        short = len(value) <= LONGEST and all(isinstance(item, str | int | float | None) for item in value)
        text = printable(json.dumps(value, ensure_ascii=False)) if short else ""
        return text if 0 < len(text) <= LONGEST else "a list"
    if not isinstance(value, str | int | float | None):
        return f"a Python {type(value).__name__}"
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


def alternatives(items: list[str], word: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def nearest(word: object, known: list[str]) -> str | None:
    """The word of `known` that `word` was probably meant to be, if it is a text and one is near enough."""
    if not isinstance(word, str):
        return None
    from difflib import get_close_matches

    found = get_close_matches(word.casefold(), [item.casefold() for item in known], n=1, cutoff=0.6)
    return next((item for item in known if item.casefold() == found[0]), None) if found else None


def only_misspelt(word: object, meant: str, known: Iterable[str]) -> bool:
    """Whether `word` surely is `meant`, with a few slips, and no other `known` word with as few."""
    if not isinstance(word, str):
        return False
    slips = _slips(word, meant)
    others = (_slips(word, other) for other in known if other != meant)
    return slips is not None and all(other is None or other > slips for other in others)


def _slips(word: str, meant: str) -> int | None:
    """How many letters are wrong, too many, missing or swapped; None for more than a few: one in four, and two at most.

    Capitals, and how words are separated, do not count.
    """
    one, other = _letters(word), _letters(meant)
    most = min(2, len(other) // 4)
    if abs(len(one) - len(other)) > most:
        return None
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(other, start=1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                least = min(least, earlier[j - 2] + 1)
            row.append(least)
    return row[-1] if row[-1] <= most else None


def _letters(word: str) -> str:
    return "".join(char for char in word.casefold() if char not in "_- .")
