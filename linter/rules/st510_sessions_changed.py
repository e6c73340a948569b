"""ST510: whether an agent works in sessions, in each version against the one before."""

from __future__ import annotations

from collections.abc import Iterator

from ..chain import Chain
from ..changes import changes
from ..diagnostic import Diagnostic
from .rule import Example, Rule


def _compare(chain: Chain) -> Iterator[Diagnostic]:
    for change in changes(chain, lambda config: config.sessions):
        if change.new:
            message = (
                f"the agent works in sessions from {change.after.name} on: a turn without one is refused, and each "
                "session starts without conversation, state and records of its own"
            )
        else:
            message = (
                f"the agent has no sessions from {change.after.name} on: records, history, conversation and state of "
                "its sessions stay in the store, and no turn reaches them"
            )
        pointer, at = change.place("sessions")
        related = change.earlier(f"the agent works {'without' if change.new else 'in'} sessions here", "sessions")
        yield RULE.finding(change.after.document, pointer, message, at=at, related=(related,))


RULE = Rule(
    code="ST510",
    name="sessions-changed",
    severity="warning",
    checks="`sessions` that is not what it was in the version before",
    why=(
        "SESSION records are seen in their own session only, and an agent has sessions or has none: where it has none "
        "any more, all that its sessions kept is out of reach. Whoever starts its turns has to name a session, or "
        "has to stop doing so, or the turns are refused."
    ),
    bad=(
        Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n"),
        Example(
            "v2.yaml",
            "sessions: false\nharness:\n  memory:\n    enabled: true\n    scope: {read: [agent], write: [agent]}\n",
        ),
    ),
    good=(
        Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n"),
        Example("v2.yaml", "sessions: true\nharness:\n  memory:\n    enabled: true\n"),
    ),
    compare=_compare,
    clauses=("VIEW-7",),
)
