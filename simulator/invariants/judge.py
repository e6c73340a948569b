"""From sightings to violations: one for each sighting that a clause of the invariant forbids."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from .history import History
from .sightings import Sighting, sightings, traced
from .verdict import Violation
from .witness import witness


def forbidden(name: str, history: History, clauses: Collection[str]) -> list[Violation]:
    """A violation of invariant `name` for each sighting that one of `clauses` forbids, by the first that does."""
    found = []
    for sighting in _objected(history):
        objection = next((each for each in sighting.objections if each.clause in clauses), None)
        if objection is not None:
            found.append(
                Violation(
                    invariant=name,
                    clause=objection.clause,
                    step=sighting.step,
                    line=sighting.line,
                    observation=sighting.where,
                    record=sighting.record,
                    summary=sighting.summary,
                    because=objection.because,
                    witness=witness(history, sighting),
                )
            )
    return found


def seen(history: History) -> dict[str, int]:
    """How many records, messages, events and references were traced to where they stem from."""
    items = traced(history)
    return {
        "records": items["record"],
        "messages": items["message"],
        "events": items["event"],
        "references": items["reference"],
    }


@lru_cache(maxsize=1)
def _objected(history: History) -> list[Sighting]:
    return [sighting for sighting in sightings(history) if sighting.objections]
