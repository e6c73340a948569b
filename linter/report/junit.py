"""JUnit's XML, which test reports of CI systems read: a test case a config, and what could not be read as an error.

No time and no host is in it: the same findings give the same bytes. It is ASCII: any stream can carry it.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from seatrial.schemas.wording import printable

from ..diagnostic import Diagnostic
from . import Report, said

_SUITE = "seatrial lint"


def render(report: Report, *, color: bool) -> str:
    """The document; `color` makes no difference.

    A config fails by the findings that fail the run, and the others are its output. It has one `failure` that holds
    all, because readers that follow the schema take no second one.
    """
    found: dict[str, list[Diagnostic]] = {document.path: [] for document in report.documents}
    for each in report.diagnostics:
        found.setdefault(each.path, []).append(each)
    failed = {path for path, inside in found.items() if any(each.severity in report.failing for each in inside)}
    counts = {"tests": len(found) + len(report.problems), "failures": len(failed), "errors": len(report.problems)}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(element("testsuites", name=_SUITE, **counts))
    lines.append("  " + element("testsuite", name=_SUITE, **counts))
    for path, inside in found.items():
        lines += _case(path, inside, report)
    for problem in report.problems:
        lines += _broken(problem)
    lines += ["  </testsuite>", "</testsuites>"]
    return "".join(f"{line}\n" for line in lines).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _case(path: str, found: list[Diagnostic], report: Report) -> Iterator[str]:
    name = report.named(path)
    failing = [each for each in found if each.severity in report.failing]
    passing = [each for each in found if each.severity not in report.failing]
    opened = element("testcase", name=name, classname="seatrial.lint", file=name)
    if not found:
        yield f"    {opened.removesuffix('>')}/>"
        return
    yield f"    {opened}"
    if failing:
        codes = ", ".join(dict.fromkeys(each.code for each in failing))
        first = failing[0]
        more = f" (and {len(failing) - 1} more)" if len(failing) > 1 else ""
        message = f"{first.span.line}:{first.span.column}: {said(first)}{more}"
        yield f"      {element('failure', type=codes, message=message)}{_told(failing, report)}</failure>"
    if passing:
        yield f"      <system-out>{_told(passing, report)}</system-out>"
    yield "    </testcase>"


def _broken(problem: str) -> Iterator[str]:
    yield f"    {element('testcase', name=problem, classname='seatrial.lint')}"
    yield f"      {element('error', type='unreadable', message=problem)}{escaped(problem)}</error>"
    yield "    </testcase>"


def _told(found: list[Diagnostic], report: Report) -> str:
    lines = []
    for each in found:
        lines.append(f"{_where(each, report)}: {each.severity} {each.code}: {said(each)}")
        lines += [
            f"  {report.named(other.path)}:{other.span.line}:{other.span.column}: {other.message}"
            for other in each.related
        ]
    return "\n".join(escaped(line) for line in lines)


def _where(each: Diagnostic, report: Report) -> str:
    return f"{report.named(each.path)}:{each.span.line}:{each.span.column}"


def element(tag: str, **attributes: str | int) -> str:
    listed = "".join(f' {name}="{escaped(str(value))}"' for name, value in attributes.items())
    return f"<{tag}{listed}>"


def escaped(text: str) -> str:
    """The text for an element or an attribute: XML has no form for most controls (schemathesis#4794)."""
    return escape(printable(text), {'"': "&quot;"})
