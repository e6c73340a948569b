"""ST209: a review needs somewhere to write."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import alternatives

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule


def idle(config: Settled) -> list[str]:
    """The settings of a review that never comes, in order of the config."""
    if config.write:
        return []
    return [key for key in config.keys(*MEMORY) if key in ("extraction", "model")]


def _check(config: Settled) -> Iterator[Diagnostic]:
    if config.enabled and (keys := idle(config)):
        message = f"no scope may be written, so no turn is reviewed: nothing comes of {alternatives(keys, 'and')}"
        yield RULE.finding(config.document, (*MEMORY, keys[0]), message, at="key", about=keys)


RULE = Rule(
    code="ST209",
    name="review-without-writing",
    severity="warning",
    checks="`extraction` or `memory.model` while no scope may be written",
    why=(
        "They set how a turn is reviewed for what is worth remembering. Where nothing may be written there is no "
        "review: either a scope to write is missing, or the settings can go."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    scope: {read: [session], write: []}
    extraction: {prompt: Keep rulings and limits.}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    scope: {read: [session], write: [session]}
    extraction: {prompt: Keep rulings and limits.}
""",
        ),
    ),
    check=_check,
)
