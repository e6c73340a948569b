"""For machines: one JSON document, as schemas/report.schema.json describes it."""

from __future__ import annotations

import json
from typing import Any

from ..diagnostic import Diagnostic, Pointer, Span, pointer_text
from ..document import Document
from . import Report


def render(report: Report, *, color: bool) -> str:
    """The document, in ASCII: any terminal and any reader takes it. `color` makes no difference."""
    severities = [each.severity for each in report.diagnostics]
    documents = {document.path: document for document in report.documents}
    document = {
        "format": 1,
        "configs": len(report.documents),
        "fixed": report.fixed or 0,
        "summary": {kind: severities.count(kind) for kind in ("error", "warning", "info")},
        "diagnostics": [diagnostic(each, documents.get(each.path)) for each in report.diagnostics],
        "problems": list(report.problems),
    }
    return json.dumps(document, indent=2) + "\n"


def diagnostic(each: Diagnostic, document: Document | None) -> dict[str, Any]:
    """One finding, as every JSON of the linter tells it; `document` is the one it stands in."""
    from ..rules import RULES

    return {
        "code": each.code,
        "name": RULES[each.code].name,
        "severity": each.severity,
        **_place(each.path, each.span, each.pointer),
        "message": each.message,
        "fix": each.fix.text or None if each.fix else None,
        "edit": _edit(each, document) if each.fix and document else None,
        "related": [
            {**_place(other.path, other.span, other.pointer), "message": other.message} for other in each.related
        ],
    }


def _edit(each: Diagnostic, document: Document) -> dict[str, Any] | None:
    from ..edits import edit

    made = edit(document, each)
    if made is None:
        return None
    assert each.fix is not None  # else there would be no edit
    return {**document.exactly(made.start, made.end)._asdict(), "text": made.text, "safe": each.fix.safe}


def _place(path: str, span: Span, pointer: Pointer) -> dict[str, Any]:
    return {"path": path, **span._asdict(), "pointer": pointer_text(pointer)}
