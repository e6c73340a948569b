"""Names of agents, sessions and executions, one-line texts, and the nearest of several words.

Names compare literally, code point by code point (REC-6: langgraph#8300, langgraphjs#2721). Knows no store.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from .plain import is_text
from .values import EngineError

MAX_SUMMARY = 500

# Every control character and every line separator: C0, DEL, C1 (NEL is among them), U+2028, U+2029.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def checked_name(name: object, what: str) -> str:
    """`name` if it may name a `what`, else `invalid_value` (REC-6)."""
    if not isinstance(name, str):
        raise EngineError("invalid_value", f"the name of {what} must be text")
    if not name:
        raise EngineError("invalid_value", f"the name of {what} is empty")
    if _CONTROL.search(name) or not is_text(name):
        raise EngineError("invalid_value", f"the name of {what} holds a control character or half a character")
    if name != name.strip():
        raise EngineError("invalid_value", f"the name of {what} begins or ends with white space")
    return name


def checked_summary(summary: str) -> str:
    """`summary` if it is one line of 1 to 500 characters, else `invalid_value` (REC-1)."""
    if not summary.strip():
        raise EngineError("invalid_value", "`summary` is blank", "Say in one line what is to be remembered.")
    if len(summary) > MAX_SUMMARY:
        raise EngineError(
            "invalid_value",
            f"`summary` has {len(summary)} characters; {MAX_SUMMARY} are allowed",
            "Keep the summary to one line and put the rest in `content`.",
        )
    if _CONTROL.search(summary):
        raise EngineError(
            "invalid_value",
            "`summary` holds a control character or a line separator",
            "Write it as one line and put the rest in `content`.",
        )
    return summary


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of `words` that `word` most likely meant, or None."""
    found = difflib.get_close_matches(word, list(words), n=1)
    return found[0] if found else None


def meant(word: str, words: Iterable[str]) -> str:
    """A remedy that lists `words` and names the nearest to `word` (REC-4, REC-5)."""
    words = list(words)
    if not words:
        return "None is declared."
    close = nearest(word, words)
    listed = f"Declared: {', '.join(words)}."
    return listed if close is None else f"{listed} The nearest is {close}."
