"""Patterns for files, relative to the folder of the settings that hold them. Knows no file system.

`*` and `?` stand for characters of one name, `[…]` for one of several, `**` for any number of folders. A pattern
without a slash fits a name at any depth; one with a slash fits from the folder of the settings on.
"""

from __future__ import annotations

import re
from functools import cached_property


class Glob:
    """One pattern; made of a pattern that `problem` finds nothing wrong with."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def fits(self, path: str) -> bool:
        """Whether the pattern fits the path itself, which is relative and has slashes."""
        return self._regex.fullmatch(path) is not None

    def covers(self, path: str) -> bool:
        """Whether the pattern fits the path or a folder that it lies in."""
        steps = path.split("/")
        return any(self.fits("/".join(steps[: count + 1])) for count in range(len(steps)))

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        pattern = self.pattern.removeprefix("./").rstrip("/")
        parts = pattern.split("/")
        made = "" if len(parts) > 1 or self.pattern.startswith("./") else "(?:.*/)?"
        for number, part in enumerate(parts, start=1):
            last = number == len(parts)
            if part == "**":
                made += ".*" if last else "(?:.*/)?"
            else:
                made += _name(part) + ("" if last else "/")
        return re.compile(made, re.DOTALL)


def problem(pattern: str) -> str | None:
    """What is wrong with a pattern, in words; None if nothing."""
    if not pattern:
        return "it fits nothing"
    if pattern.startswith("/"):
        return "it is absolute; patterns are relative to the settings' folder"
    if "\\" in pattern:
        return "folders are divided by /, also on Windows"
    if "{" in pattern or "}" in pattern:
        return "braces mean nothing here; write a pattern for each"
    parts = pattern.removeprefix("./").rstrip("/").split("/")
    return next((reason for part in parts if (reason := _part_problem(part)) is not None), None)


def _part_problem(part: str) -> str | None:
    if part in ("", ".", ".."):
        return f"no folder is called {part}" if part else "a folder without a name"
    if "**" in part and part != "**":
        return "** stands for whole folders, between slashes"
    if "[" in _CLASS.sub("", part):
        return "[ is not closed"
    for inner in _CLASS.findall(part):
        try:
            re.compile(_class(inner))
        except re.error:
            return f"{inner} is no range of characters"
    return None


_CLASS = re.compile(r"\[!?\]?[^\]]*\]")
_PIECE = re.compile(r"\[!?\]?[^\]]*\]|\*+|\?|[^*?\[]+|\[")


def _name(part: str) -> str:
    """One name as a regular expression. What a star takes is the least that fits what follows it: no backtracking."""
    chunks = [""]
    for piece in _PIECE.findall(part):
        if piece[0] == "*":
            chunks.append("")
        elif piece == "?":
            chunks[-1] += "[^/]"
        elif piece[0] == "[" and len(piece) > 1:
            chunks[-1] += _class(piece)
        else:
            chunks[-1] += re.escape(piece)
    first, *rest = chunks
    if not rest:
        return first
    return first + "".join(f"(?>[^/]*?{chunk})" for chunk in rest[:-1]) + f"[^/]*{rest[-1]}"


def _class(piece: str) -> str:
    inner = piece[1:-1]
    negated = inner.startswith("!")
    inner = re.sub(r"([\\\[\]^&~|])", r"\\\1", inner[1:] if negated else inner)
    return f"(?!/)[{'^' if negated else ''}{inner}]"
