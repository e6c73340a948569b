"""What settings say that has no effect in a run, and is no suppression of a finding: told beside the report."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator

from seatrial.schemas.wording import printable, quote

from ..diagnostic import Diagnostic, Pointer
from ..selection import severity_of
from . import Settings


def idle_patterns(settings: Settings, searched: Iterable[str], linted: Iterable[str]) -> Iterator[str]:
    """The patterns of per-file-ignores that fit none of the `linted` files, a line each with its place.

    Only where the settings' folder was `searched` as a whole: a run over a few files says nothing of the others.
    """
    whole = [os.path.realpath(folder) for folder in searched]
    root = os.path.realpath(settings.root)
    if not settings.exemptions or not any(os.path.commonpath([root, folder]) == folder for folder in whole):
        return
    names = [settings.relative(path) for path in linted]
    for pattern, glob in {each.at[1]: each.glob for each in settings.exemptions}.items():
        if not any(map(glob.covers, names)):
            yield _said(settings, ("per-file-ignores", pattern), f"no config fits the pattern {quote(pattern)}")


def idle_severities(settings: Settings, found: Iterable[Diagnostic], unreadable: Collection[str]) -> Iterator[str]:
    """The severities that do not hold because what keeps a file from being read is always an error, a line each."""
    kept = {each.code for each in found if each.path in unreadable}
    for code in sorted(kept):
        if severity_of(code, settings.severity) not in (None, "error"):
            message = f"what keeps a file from being read ({code}) is an error, whatever is said here"
            yield _said(settings, ("severity",), message)


def _said(settings: Settings, pointer: Pointer, message: str) -> str:
    document = settings.document
    assert document is not None  # else there would be no pattern and no severity
    span = document.span(pointer, "key")
    return f"{printable(document.path)}:{span.line}:{span.column}: {message}"
