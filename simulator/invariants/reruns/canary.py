"""Texts that stand in for private ones: as long, equal where those are equal, and nobody else's.

A stand-in has as many characters and as many bytes in UTF-8 as its text, so that limits and budgets count it alike.
What makes a text valid, blank or longer when it is encoded stays where it is: control characters, white space at the
ends, quotes and markup.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_KEPT = frozenset('"\\<>&\x7f\u2028\u2029')
# One alphabet for each length in UTF-8. Lower case only: folding case must not make two stand-ins equal.
_ALPHABETS = {
    1: "abcdefghijklmnopqrstuvwxyz0123456789",
    2: "".join(map(chr, range(0x430, 0x450))),
    3: "".join(map(chr, range(0x4E00, 0x4F00))),
    4: "".join(map(chr, range(0x20000, 0x20100))),
}
_ATTEMPTS = 200


class Canaries:
    """Stand-ins for texts. `public` texts stand for themselves; no stand-in equals one of `taken`."""

    def __init__(self, public: Iterable[str], taken: Iterable[str]) -> None:
        self._standins: dict[str, str] = {text: text for text in public}
        self._taken = {*taken, *self._standins}

    @property
    def replaced(self) -> int:
        """How many different texts have got a stand-in."""
        return sum(text != standin for text, standin in self._standins.items())

    def of(self, text: str) -> str:
        """The stand-in of `text`: always the same. A text too short for one that is free stands for itself."""
        if text not in self._standins:
            drawn = (_draw(text, attempt) for attempt in range(_ATTEMPTS))
            standin = next((each for each in drawn if each not in self._taken), text)
            self._taken.add(standin)
            self._standins[text] = standin
        return self._standins[text]

    def inside(self, value: Any) -> Any:
        """`value` (plain JSON) with a stand-in for every text in it, keys included."""
        return mapped(value, self.of)


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """`value` (plain JSON) with every text in it changed, keys included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(key): mapped(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [mapped(item, change) for item in value]
    return value


def texts(value: Any) -> list[str]:
    """Every text in `value` (plain JSON), keys included."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    mapped(value, note)
    return found


def _draw(text: str, attempt: int) -> str:
    """`text` with every character that may change changed to one of the same length, by a hash of the whole text."""
    seed = hashlib.sha256(f"{attempt}:".encode() + text.encode("utf-8", "surrogatepass")).digest()
    stream = hashlib.shake_256(seed).digest(len(text))
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    return "".join(
        char if _stays(char) or not first <= place < last else _other(char, stream[place])
        for place, char in enumerate(text)
    )


def _stays(char: str) -> bool:
    return char in _KEPT or unicodedata.category(char).startswith("C")


def _other(char: str, number: int) -> str:
    alphabet = _ALPHABETS[len(char.encode())]
    return alphabet[number % len(alphabet)]
