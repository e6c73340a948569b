"""What a schema says of a document, with the places. Serves any of our schemas and knows none in particular."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from seatrial.schemas.problem import Problem

from . import limit
from .diagnostic import Diagnostic, Pointer, Related
from .document import Document


def schema_diagnostics(document: Document, schema: str | Mapping[str, Any]) -> list[Diagnostic]:
    """What `schema`, or the shipped schema of that name, finds wrong with the document, in order of place.

    Empty where reading left no value: then `document.diagnostics` says why. What reading refused already (a NaN, a key
    that is no text) is not judged again, and what an alias stands for is judged once.
    """
    if document.value is None:
        return []
    from seatrial.schemas import problems

    return settled(document, problems(schema, document.value, limit.LOOKED_FOR))


def settled(
    document: Document, found: Iterable[Problem], earlier: Mapping[int | str, Document] | None = None
) -> list[Diagnostic]:
    """Problems of the document's value as diagnostics, in order of place, without what reading refused already.

    `earlier` are the documents of the versions that a problem may name.
    """
    refused = {diagnostic.pointer for diagnostic in document.diagnostics if _unsound(diagnostic)}
    diagnostics: dict[object, Diagnostic] = {}
    for problem in found:
        if not any(problem.pointer[:length] in refused for length in range(len(problem.pointer) + 1)):
            diagnostic = _placed(document, problem, earlier or {})
            # The same place and cause through an alias is one finding.
            diagnostics.setdefault((diagnostic.code, diagnostic.span, diagnostic.message), diagnostic)
            if len(diagnostics) > limit.LOOKED_FOR:
                break
    return sorted(limit.cut(list(diagnostics.values())), key=lambda diagnostic: diagnostic.order)


def _unsound(diagnostic: Diagnostic) -> bool:
    """Whether reading could not take the value at the diagnostic's place as it was written."""
    return bool(diagnostic.pointer) and diagnostic.severity == "error" and diagnostic.code != "ST002"


def _placed(document: Document, problem: Problem, earlier: Mapping[int | str, Document]) -> Diagnostic:
    from .rules import severity

    related = []
    for place in problem.elsewhere:
        other = document if place.version is None else earlier.get(place.version)
        if other is not None:
            pointer: Pointer = place.pointer
            related.append(Related(other.path, other.span(pointer, place.at), pointer, place.message))
    return Diagnostic(
        problem.rule,
        severity(problem.rule),
        document.path,
        document.span(problem.pointer, problem.at),
        problem.pointer,
        problem.message,
        problem.fix,
        tuple(related),
        problem.about,
    )
