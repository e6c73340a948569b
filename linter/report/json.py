"""For machines: one JSON document, as schemas/report.schema.json describes it."""

from __future__ import annotations

import json
from typing import Any

from ..diagnostic import Diagnostic, Pointer, Span, pointer_text
from . import Report


def render(report: Report, *, color: bool) -> str:
    """The document, in ASCII: any terminal and any reader takes it. `color` makes no difference."""
    severities = [each.severity for each in report.diagnostics]
    document = {
        "format": 1,
        "configs": len(report.documents),
        "summary": {kind: severities.count(kind) for kind in ("error", "warning", "info")},
        "diagnostics": [diagnostic(each) for each in report.diagnostics],
        "problems": list(report.problems),
    }
    return json.dumps(document, indent=2) + "\n"


def diagnostic(each: Diagnostic) -> dict[str, Any]:
    """One finding, as every JSON of the linter tells it."""
    from ..rules import RULES

    return {
        "code": each.code,
        "name": RULES[each.code].name,
        "severity": each.severity,
        **_place(each.path, each.span, each.pointer),
        "message": each.message,
        "fix": each.fix,
        "related": [
            {**_place(other.path, other.span, other.pointer), "message": other.message} for other in each.related
        ],
    }


def _place(path: str, span: Span, pointer: Pointer) -> dict[str, Any]:
    return {"path": path, **span._asdict(), "pointer": pointer_text(pointer)}
