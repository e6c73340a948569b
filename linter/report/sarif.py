"""SARIF 2.1.0, the format of code scanning. The same findings give the same bytes on every machine.

The rules it describes are those that found something. What it cannot tell from the findings (times, hosts, the place of
the repository on this disk) is not in it. It is ASCII: any stream can carry it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from seatrial import __version__
from seatrial.schemas.problem import Fix
from seatrial.schemas.wording import printable

from ..diagnostic import Diagnostic, Related, Span, pointer_text
from ..document import Document
from ..edits import Edit, edit
from ..fingerprint import FORMAT, fingerprints
from ..relative import STDIN
from ..rules import RULES, Rule
from ..rules.page import as_markdown, as_text
from . import Report, said

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_BASE = "%SRCROOT%"
_FINGERPRINT = f"seatrial/v{FORMAT}"


def render(report: Report, *, color: bool) -> str:
    """The log, with paths from the report's root; `color` makes no difference."""
    used = sorted({each.code for each in report.diagnostics})
    documents = {document.path: document for document in report.documents}
    known = {document.path: document for document in (*report.others, *report.documents)}
    prints = fingerprints(report.diagnostics, report.root, known)
    results = [
        _result(each, used.index(each.code), print_, report, documents.get(each.path))
        for each, print_ in zip(report.diagnostics, prints, strict=True)
    ]
    run = {
        "tool": {
            "driver": {
                "name": "seatrial",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(RULES[code]) for code in used],
            }
        },
        "invocations": [_invocation(report.problems)],
        # Without a `uri`: where the repository is on this disk is its owner's business, and differs by machine.
        "originalUriBaseIds": {_BASE: {"description": {"text": "The repository, or the folder the linter ran in."}}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "defaultEncoding": "utf-8",
        "results": results,
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _invocation(problems: Sequence[str]) -> dict[str, Any]:
    told = [{"level": "error", "message": _message(problem)} for problem in problems]
    return {"executionSuccessful": not problems, "toolExecutionNotifications": told}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.name.replace("-", " ")},
        "fullDescription": {"text": f"Finds {rule.checks}."},
        "help": {"text": as_text(rule), "markdown": as_markdown(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(each: Diagnostic, rule: int, fingerprint: str, report: Report, document: Document | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": each.code,
        "ruleIndex": rule,
        "level": _LEVELS[each.severity],
        "message": _message(said(each)),
        "locations": [_location(each, report)],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }
    if each.related:
        result["relatedLocations"] = [
            {"id": number, **_location(other, report), "message": _message(other.message)}
            for number, other in enumerate(each.related, start=1)
        ]
    if each.fix is not None and document is not None and (made := edit(document, each)) is not None:
        result["fixes"] = [_fix(each.fix, document, made, report)]
    return result


def _fix(fix: Fix, document: Document, made: Edit, report: Report) -> dict[str, Any]:
    region = _region(document.exactly(made.start, made.end))
    replacement: dict[str, Any] = {"deletedRegion": region}
    if made.text:
        replacement["insertedContent"] = {"text": made.text}
    change = {"artifactLocation": _artifact(document.path, report), "replacements": [replacement]}
    said = f"Write {printable(made.text)}" if fix.text else "Remove it"
    return {
        "description": _message(said if fix.safe else f"{said}, if that was meant"),
        "artifactChanges": [change],
        "properties": {"safe": fix.safe},
    }


def _location(place: Diagnostic | Related, report: Report) -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(place.path, report), "region": _region(place.span)}
    }
    if place.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": printable(pointer_text(place.pointer)), "kind": "value"}]
    return location


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _artifact(path: str, report: Report) -> dict[str, Any]:
    """Below the root a relative reference (SwiftLint#5699), outside of it a file URI: it has no name from the root."""
    if path == STDIN:
        return {"uri": _uri(path), "description": {"text": "standard input"}}
    name = report.named(path)
    if path in report.past:
        return {"uri": _uri(path), "description": {"text": "a file as it is at a revision of git"}}
    if name.startswith("../") or os.path.isabs(name):
        whole = os.path.abspath(path).replace(os.sep, "/")
        return {"uri": "file://" + _uri(whole if whole.startswith("/") else f"/{whole}")}
    return {"uri": _uri(name), "uriBaseId": _BASE}


def _uri(path: str) -> str:
    """The path percent-encoded, by its bytes on disk where it is no UTF-8; a colon, too, or it would be a scheme."""
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a name that only Windows can give
        raw = path.encode("utf-8", "surrogatepass")
    return quote(raw, safe="/")


def _message(text: str) -> dict[str, str]:
    """A plain text message that means itself: what a value quoted in it looks like is no placeholder and no link."""
    return {"text": re.sub(r"\{(\d+)\}", r"{{\1}}", printable(text)).replace("](", "\\](")}
