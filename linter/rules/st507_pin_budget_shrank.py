"""ST507: the pin budget of each version against that of the one before."""

from __future__ import annotations

from collections.abc import Iterator

from ..chain import Chain
from ..changes import changes
from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_BUDGET = (*MEMORY, "pinned", "max_tokens")


def _budget(config: Settled) -> int | None:
    """In tokens; 0 is no pins, None no memory."""
    return int(config.value(*_BUDGET) or 0) if config.enabled else None


def _compare(chain: Chain) -> Iterator[Diagnostic]:
    for change in changes(chain, _budget):
        if change.new >= change.old:
            continue
        if change.new:
            message = (
                f"the pin budget shrinks from {change.old:,} to {change.new:,} tokens in {change.after.name}: "
                "pins that fitted may be left out, SESSION before AGENT and newest first"
            )
        else:
            message = (
                f"{change.after.name} has no pins, and {change.before.name} had {change.old:,} tokens for them: "
                "what is pinned is recalled like any other record, and no longer listed in every turn"
            )
        pointer, at = change.place(*_BUDGET)
        related = change.earlier(f"{change.old:,} tokens here", *_BUDGET)
        yield RULE.finding(change.after.document, pointer, message, at=at, related=(related,))


RULE = Rule(
    code="ST507",
    name="pin-budget-shrank",
    severity="warning",
    checks="a pin budget smaller than in the version before, or pins that are gone",
    why=(
        "The listing never exceeds the budget of the version that runs. What an earlier version could pin may not fit: "
        "then it is left out, SESSION before AGENT and newest first, and one line says how many. A rule that was "
        "pinned so that every turn follows it, some turns no longer see."
    ),
    bad=(
        Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n    pinned: {max_tokens: 2000}\n"),
        Example("v2.yaml", "harness:\n  memory:\n    enabled: true\n    pinned: {max_tokens: 1000}\n"),
    ),
    good=(
        Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n    pinned: {max_tokens: 2000}\n"),
        Example("v2.yaml", "harness:\n  memory:\n    enabled: true\n    pinned: {max_tokens: 3000}\n"),
    ),
    compare=_compare,
    clauses=("VER-5", "PIN-4"),
)
