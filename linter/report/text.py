"""For people: each finding with its source line and a caret, and a summary."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from seatrial.schemas.wording import clip, printable

from ..diagnostic import Diagnostic, Span
from ..document import Document
from . import Report, fixable, summary

Paint: TypeAlias = Callable[[str, str], str]

_WIDEST = 100  # of a source line no more characters than this are shown, around what is meant
_BEFORE = 40
_STYLES = {"error": "1;31", "warning": "1;33", "info": "1;36", "bold": "1", "related": "36", "gutter": "2"}
_TAB = "    "


def render(report: Report, *, color: bool) -> str:
    """The findings, in ANSI styles with `color`, and the summary line. Nothing of a file reaches the terminal raw."""
    from ..rules import RULES

    paint = _ansi if color else _plain
    documents = {document.path: document for document in (*report.documents, *report.others)}
    lines: list[str] = []
    plain = fixable(report)
    for each in report.diagnostics:
        head = f"{paint(_where(each.path, each.span), 'bold')}: {paint(f'{each.severity} {each.code}', each.severity)}"
        lines.append(f"{head} {RULES[each.code].name}: {each.message}")
        remedy = _remedy(each, plain=each in plain)
        lines += _excerpt(documents[each.path], each.span, each.severity, paint, remedy)
        for other in each.related:
            lines.append(f"  {paint(_where(other.path, other.span), 'bold')}: {other.message}")
            lines += _excerpt(documents[other.path], other.span, "related", paint)
        lines.append("")
    lines.append(paint(summary(report, plain), "bold"))
    return "\n".join(lines) + "\n"


def _where(path: str, span: Span) -> str:
    return f"{printable(path)}:{span.line}:{span.column}"


def _remedy(each: Diagnostic, *, plain: bool) -> str:
    """What to do about it: what --fix does, or what was perhaps meant."""
    if each.fix is None:
        return ""
    what = f"write {printable(clip(each.fix.text))}" if each.fix.text else "remove it"
    return f" {'fix' if plain else 'perhaps'}: {what}"


def _excerpt(document: Document, span: Span, style: str, paint: Paint, remedy: str = "") -> list[str]:
    """The source line with carets under what is meant; of a longer stretch its first line, of a long line a window.

    `remedy` stands behind the carets.
    """
    line = document.line(span.line)
    if not line:
        return []
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    left = max(0, min(start - _BEFORE, len(line) - _WIDEST))
    right = left + _WIDEST
    clipped = "…" if left else ""
    before = _shown(line[left:start])
    marked = _shown(line[start : min(end, right)])
    after = _shown(line[max(start, min(end, right)) : right]) + ("…" if right < len(line) else "")
    gutter = f"{span.line:>6} |"
    carets = paint("^" * max(1, _width(marked)), style) + (paint(remedy, style) if remedy else "")
    return [
        f"{paint(gutter, 'gutter')} {clipped}{before}{marked}{after}",
        f"{paint('|'.rjust(len(gutter)), 'gutter')} {' ' * (len(clipped) + _width(before))}{carets}",
    ]


def _shown(text: str) -> str:
    return printable(text.replace("\t", _TAB))


def _width(text: str) -> int:
    """How many columns a terminal gives the text."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.category(char) in ("Mn", "Me") for char in text)


def _ansi(text: str, style: str) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def _plain(text: str, style: str) -> str:
    return text
