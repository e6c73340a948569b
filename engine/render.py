"""How values reach the model as text: a line each, that can neither end its block nor begin another (RCL-2).

Knows plain values only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from .values import Json

# What must not stand raw in a block: markup that could close it, controls and line separators of any kind, characters
# of category Cf (they reorder or hide text), tag characters, halves of characters. JSON itself escapes quotes,
# backslashes and C0. Written out, not asked of `unicodedata`, whose tables differ between Python versions: the bytes
# must not.
_UNSAFE = re.compile(
    "[<>&\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_MARKUP = re.compile("[<>&\x7f]")
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
)


def line(value: Json) -> str:
    """`value` as one line of JSON that any JSON reader decodes to `value`, and that holds no unsafe character."""
    text = _ENCODER.encode(value)
    if text.isascii() and not _MARKUP.search(text):  # the common case, and the cheap one
        return text
    return _UNSAFE.sub(_escape, text)


def block(name: str, lines: Iterable[str]) -> str:
    """`lines` between `<name>` and `</name>`, each on lines of its own."""
    return "\n".join((f"<{name}>", *lines, f"</{name}>"))


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
