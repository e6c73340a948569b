"""Turns that end with a review, for the engine's tests."""

from __future__ import annotations

from typing import Any

from world import BOTH, World, config, scopes

from seatrial.engine import Decided, Turn

CUSTOMER = {"customer_id": {"number": 5, "description": "The customer the memory is about."}}
LABELLED: dict[str, Any] = {"labels": {"customer_id": "c-17"}}
LIMIT = {"summary": "The limit is 20,000 EUR", **LABELLED}
HIGHER = {"summary": "The limit is 25,000 EUR", **LABELLED}


def labelled(**memory: Any) -> World:
    return World(document=config(labels=CUSTOMER, **memory))


def shared(read_scopes: list[str] | None = None, write: list[str] | None = None) -> World:
    return World(document=config(scope=scopes(read_scopes or BOTH, write or BOTH)))


def reviewed(turn: Turn, *candidates: dict[str, Any]) -> list[Decided]:
    """Review `turn` with what the review finds; what became of each."""
    assert turn.review() is not None
    return [turn.decide({"kind": "fact", **candidate}) for candidate in candidates]


def extract(world: World, *candidates: dict[str, Any], session: str | None = "s", **begin: Any) -> list[Decided]:
    """A turn that only reviews, and commits; what became of each candidate."""
    turn = world.begin(session, **begin)
    reviewed(turn, *candidates)
    assert turn.commit().outcome == "committed"
    return list(turn.extraction.decisions)


def written(decided: Decided) -> str:
    """The id of the record that a candidate became."""
    assert decided.record is not None, decided
    return str(decided.record["id"])


def outcomes(decisions: list[Decided]) -> list[str]:
    return [decided.outcome for decided in decisions]
