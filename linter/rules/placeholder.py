"""Texts that stand where a description was meant to be. Knows no config."""

from __future__ import annotations

import re
from functools import lru_cache

_SAY_NOTHING = frozenset(
    {
        "add a description", "add description", "asdf", "bar", "blah", "blah blah", "change me", "changeme",
        "coming soon", "desc", "describe me", "describe this", "description", "description goes here",
        "description here", "description of label", "description of the label", "fill in", "fill me in", "fixme", "foo",
        "foo bar", "insert description", "insert description here", "insert prompt here", "instructions", "label",
        "label description", "lorem ipsum", "n a", "na", "nil", "no description", "none", "null", "placeholder",
        "prompt", "prompt goes here", "prompt here", "sample", "some description", "some text", "string", "tba", "tbd",
        "temp", "test", "text", "text here", "the description", "the label", "tmp", "to be added", "to be defined",
        "to be determined", "to be done", "to be filled in", "to do", "todo", "undefined", "unknown", "value", "wip",
        "x", "xx", "xxx", "xxxx", "your description", "your description here", "your prompt", "your prompt here",
    }
)  # fmt: skip
_MARKS = frozenset({"todo", "tbd", "tba", "fixme", "xxx", "lorem"})
_ORDERS = frozenset(
    {"add", "complete", "describe", "document", "explain", "fill", "improve", "ipsum", "update", "write"}
)
_ENDS = (":", "(", ".", "!", "?", ")", "]", ">", "*", "- ")
_DASHES = ("- ", "– ", "— ")  # noqa: RUF001 - as people type them
_ARTICLES = frozenset({"a", "an", "the"})


@lru_cache(maxsize=512)  # several rules ask, and versions of one agent say the same
def words(text: str) -> tuple[str, ...]:
    """The words of a text without case and punctuation."""
    return tuple(re.findall(r"[^\W_]+", text.casefold()))


def is_placeholder(text: str) -> bool:
    """Whether the text says nothing: it has no word, is one that templates leave, or promises to be written."""
    found = words(text)
    if not found or " ".join(found) in _SAY_NOTHING:
        return True
    text = text.strip()
    if any(text.startswith(start) and text.endswith(end) for start, end in (("<", ">"), ("{{", "}}"), ("${", "}"))):
        return True
    if len(text) == 1 and text.isascii():
        return True
    if found[0] not in _MARKS:
        return False
    rest = text.casefold().partition(found[0])[2]
    return rest.startswith(_ENDS) or rest.lstrip().startswith(_DASHES) or len(found) == 1 or found[1] in _ORDERS


def only_names(text: str, name: str) -> bool:
    """Whether the text says no more than the name does: `customer_id`, "The customer ID"."""
    said, meant = words(text), "".join(words(name))
    return meant in ("".join(said), "".join(word for word in said if word not in _ARTICLES))
