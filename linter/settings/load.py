"""Reads a settings file. What is wrong in it is told with its place; the schema `settings` says what it may hold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from seatrial.schemas import problems
from seatrial.schemas.problem import Problem
from seatrial.schemas.wording import printable, quote, reason

from ..diagnostic import Diagnostic, Pointer
from ..document import LARGEST, Document, read_bytes
from ..schema_check import settled
from ..selection import Choice, code_of, unknown_code
from . import SHARED, Exemption, Settings, UnusableError
from .globs import Glob, problem

_TABLE = ("tool", "seatrial")


def load(path: str, *, demanded: bool = False) -> Settings | None:
    """The settings in the file `path`; None for a pyproject.toml without a table [tool.seatrial].

    Raises UnusableError where the file cannot be read, is no TOML, or holds what settings may not; and, where the
    settings of this very file are `demanded`, if there are none.
    """
    shown = _shown(path)
    shared = os.path.basename(path) == SHARED
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a path that holds a null character
        raise UnusableError([f"{printable(shown)}: cannot be read: {reason(error)}"]) from error
    whole = read_bytes(data, path=shown, kind="toml")
    if whole.value is None:
        raise UnusableError(_told(whole.diagnostics))
    document = _table(whole, shared=shared)
    if document is not None:
        return _settings(document, os.path.dirname(os.path.abspath(path)))
    if demanded:
        raise UnusableError([f"{printable(shown)}: holds no table [tool.seatrial]"])
    return None


def _shown(path: str) -> str:
    """The path as people are told it: from the current folder where that is shorter."""
    relative = os.path.relpath(path)
    return relative if len(relative) < len(path) else path


def _table(document: Document, *, shared: bool) -> Document | None:
    if not shared:
        return document
    value = document.value
    for step in _TABLE:
        value = value.get(step) if isinstance(value, dict) else None
        if value is None:
            return None
    return document.part(_TABLE)


def _told(found: Iterable[Diagnostic]) -> list[str]:
    return [f"{printable(each.path)}:{each.span.line}:{each.span.column}: {each.message}" for each in found]


def _settings(document: Document, root: str) -> Settings:
    value = document.value
    wrong = problems("settings", value) or list(_wrong(value))
    if wrong:
        raise UnusableError(_told(settled(document, wrong)))
    return Settings(
        root=root,
        choice=Choice(_codes(value.get("select", ())), _codes(value.get("ignore", ()))),
        include=_globs(value["include"]) if "include" in value else None,
        exclude=_globs(value.get("exclude", ())),
        severity={code: severity for word, severity in value.get("severity", {}).items() for code in _codes([word])},
        exemptions=tuple(_exemptions(value.get("per-file-ignores", {}))),
        document=document,
    )


def _codes(words: Any) -> tuple[str, ...]:
    return tuple(code for word in words if (code := code_of(word)) is not None)


def _globs(patterns: Any) -> tuple[Glob, ...]:
    return tuple(Glob(pattern) for pattern in patterns)


def _exemptions(table: Mapping[str, list[str]]) -> Iterator[Exemption]:
    for pattern, entries in table.items():
        for index, entry in enumerate(entries):
            word, _, pointer = entry.partition(":")
            steps = tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])
            for code in _codes([word]):
                yield Exemption(Glob(pattern), code, steps, ("per-file-ignores", pattern, index))


def _wrong(value: Mapping[str, Any]) -> Iterator[Problem]:
    """What the schema cannot say: codes of no rule, patterns that mean nothing, pointers that are none."""
    for key in ("select", "ignore"):
        for index, word in enumerate(value.get(key, ())):
            yield from _code((key, index), "value", word)
    for word in value.get("severity", {}):
        yield from _code(("severity", word), "key", word)
    for key in ("include", "exclude"):
        for index, pattern in enumerate(value.get(key, ())):
            yield from _glob((key, index), "value", pattern)
    for pattern, entries in value.get("per-file-ignores", {}).items():
        yield from _glob(("per-file-ignores", pattern), "key", pattern)
        for index, entry in enumerate(entries):
            yield from _entry(("per-file-ignores", pattern, index), entry)


def _code(at: Pointer, part: Literal["key", "value"], word: str) -> Iterator[Problem]:
    if code_of(word) is None:
        yield Problem(at, part, "settings", unknown_code(word), "code")


def _glob(at: Pointer, part: Literal["key", "value"], pattern: str) -> Iterator[Problem]:
    if (reason := problem(pattern)) is not None:
        yield Problem(at, part, "settings", f"the pattern {quote(pattern)}: {reason}", "glob")


def _entry(at: Pointer, entry: str) -> Iterator[Problem]:
    word, colon, pointer = entry.partition(":")
    yield from _code(at, "value", word)
    if colon and (not pointer.startswith("/") or "~" in pointer.replace("~0", "").replace("~1", "")):
        said = f"{quote(pointer)} is no JSON Pointer: one begins with /, and ~ is written ~0"
        yield Problem(at, "value", "settings", said, "pointer")
