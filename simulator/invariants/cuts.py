"""Texts that are shown cut: whatever a system leaves out, what stands there was said so. Knows no trace."""

from __future__ import annotations

import re

_LONG = 8  # a shorter text may be part of another by accident
_CUT = re.compile(r"\[?(?:…|\.\.\.)\]?")


def stems(said: str, text: str) -> bool:
    """Whether `text` is what was said, or is cut from it: at its ends or within, with or without dots for what is left
    out. A beginning of it may be short, or be white space alone: so a system cuts what it sets aside."""
    if text and said.startswith(text):
        return True
    parts = [part.strip() for part in _CUT.split(text)]
    if sum(map(len, parts)) < _LONG:
        return said == text
    at = 0
    for part in parts:
        at = said.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def shows(said: str, text: str) -> bool:
    """Whether `text` is what was said, or says with dots where it leaves something out of it."""
    return said == text or (_CUT.search(text) is not None and stems(said, text))
