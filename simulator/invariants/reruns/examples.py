"""Steps of small scripts, for the good and bad examples of second runs."""

from __future__ import annotations

from typing import Literal

from ...script import Action, Outcome, Script, Step, TurnStep


def turn_step(
    place: int,
    session: str | None,
    *,
    agent: str = "clerk",
    plane: Literal["live", "preview"] = "live",
    outcome: Outcome = "commit",
) -> TurnStep:
    """A turn in which the agent replies once."""
    at = ("steps", place)
    reply = Action("reply", {"text": "Noted."}, (*at, "do", 0))
    return TurnStep(place, at, f"s{place}", None, agent, session, plane, place, "Refunds?", (reply,), outcome)


def script_of(*steps: Step) -> Script:
    return Script("an example", None, (), (), steps)
