"""Annotations of a workflow run of GitHub: one workflow command a finding. GitHub shows ten of each level a step."""

from __future__ import annotations

from seatrial.schemas.wording import printable

from ..diagnostic import Diagnostic, Span
from ..relative import STDIN
from . import Report, said

LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: Report, *, color: bool) -> str:
    """The commands, a line each, with paths from the report's root; `color` makes no difference."""
    from ..rules import RULES

    lines = [_annotation(each, RULES[each.code].name, report) for each in report.diagnostics]
    lines += [command("error", {"title": "seatrial"}, problem) for problem in report.problems]
    return "".join(f"{line}\n" for line in lines)


def _annotation(each: Diagnostic, name: str, report: Report) -> str:
    place = {} if each.path == STDIN else {"file": report.named(each.path), **region(each.span)}
    message = said(each)
    lines = [message if place else f"{each.span.line}:{each.span.column}: {message}"]
    for other in each.related:
        where = f"{report.named(other.path)}:{other.span.line}:{other.span.column}"
        lines.append(f"{where}: {other.message}")
    properties = {**place, "title": f"{each.code} {name}"}
    return command(LEVELS[each.severity], properties, *lines)


def region(span: Span) -> dict[str, str]:
    """The lines; the columns, too, where it is one line: GitHub takes no others. Its end is the last one covered."""
    lines = {"line": str(span.line), "endLine": str(span.end_line)}
    if span.line != span.end_line:
        return lines
    return {**lines, "col": str(span.column), "endColumn": str(max(span.column, span.end_column - 1))}


def command(level: str, properties: dict[str, str], *lines: str) -> str:
    """A workflow command whose message has `lines`."""
    listed = ",".join(
        f"{key}={_escaped(value).replace(':', '%3A').replace(',', '%2C')}" for key, value in properties.items()
    )
    return f"::{level} {listed}::{'%0A'.join(_escaped(line) for line in lines)}"


def _escaped(text: str) -> str:
    """The text as data of a command. Breaks of lines and other controls are shown as escapes."""
    return printable(text).replace("%", "%25")
