"""What makes a scenario fail, one finding each, for formats that list findings and not scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from seatrial.linter import Span
from seatrial.linter.report import said
from seatrial.schemas.wording import printable

from ..crash import CRASH
from ..invariants.grouping import grouped
from ..suite import Judgement
from ..trace import pointer_text
from .facts import LOST, SHOWN, facts


class Finding(NamedTuple):
    """`title` says what it is in a few words, `lines` all of it; the first line can stand alone. No text is escaped."""

    level: Literal["error", "warning", "info"]
    path: str
    span: Span | None
    title: str
    lines: tuple[str, ...]


def findings(judgement: Judgement) -> Iterator[Finding]:
    """In the order in which they are told elsewhere: the file's, the expectations', the invariants'."""
    path = str(judgement.path)
    for each in judgement.diagnostics:
        yield Finding(each.severity, each.path, each.span, each.code, (said(each),))
    for crash in judgement.crashes:
        yield Finding("error", path, judgement.place(pointer_text(crash.step)), CRASH, crash.lines)
    for failure in judgement.failures:
        step = pointer_text(failure.pointer)
        told = (f"expected {failure.expected}", f"seen {failure.seen}", f"at {step}")
        yield Finding("error", path, judgement.place(step), "expectation", told)
    for name, groups in grouped(judgement.verdicts).items():
        for group in groups[:SHOWN]:
            violation = group[0]
            about = facts(group)
            lines = [f"observed {about.pop('observed')}", about.pop("why")]
            lines += [f"{word} {what}" for word, what in about.items()]
            title = f"{violation.invariant} ({violation.clause})"
            yield Finding("error", path, judgement.place(violation.step), title, tuple(lines))
        if len(groups) > SHOWN:
            yield Finding("error", path, None, name, (f"{len(groups) - SHOWN} more violations of {name}",))
    for name in judgement.vacuous:
        yield Finding("error", path, None, "vacuous", (f"{name} is asked for, and had nothing to check",))
    if judgement.state == "lost":
        yield Finding("error", path, None, "lost", (LOST,))


def headline(judgement: Judgement) -> str:
    """What makes it fail, in one line: what is wrong first, and how much more is. It is not ok."""
    found = [each for each in findings(judgement) if each.level == "error"]
    title = "" if found[0].title in ("expectation", "vacuous") else f"{found[0].title}: "
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return printable(f"{title}{found[0].lines[0]}{more}")


def notes(judgement: Judgement) -> Iterator[Finding]:
    """What is told and fails nothing."""
    for each in judgement.notes:
        span = judgement.place(each.step) if each.step else None
        yield Finding("info", str(judgement.path), span, "note", (each.message,))
