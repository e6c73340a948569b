"""ST311: messages add up in a session."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_EVERY = (*MEMORY, "extraction", "every")
ANY_TURN = 2  # messages that a turn with a reply has


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.enabled or config.sessions or not config.stated(*_EVERY, "messages"):
        return
    messages = config.value(*_EVERY)["messages"]
    if messages > ANY_TURN and config.write:
        message = (
            f"without sessions the messages of different turns do not add up: a turn of fewer than {messages:,} is "
            "never reviewed"
        )
        yield RULE.finding(config.document, (*_EVERY, "messages"), message)


RULE = Rule(
    code="ST311",
    name="count-without-sessions",
    severity="warning",
    checks="`extraction.every: {messages: n}` on an agent without sessions",
    why=(
        "Messages are counted along a session. Without sessions each turn begins at none, so that nothing is ever "
        "extracted from short turns, however many there are. `every: turn` reviews them all."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
sessions: false
harness:
  memory:
    enabled: true
    scope: {read: [agent], write: [agent]}
    extraction: {every: {messages: 20}}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
sessions: false
harness:
  memory:
    enabled: true
    scope: {read: [agent], write: [agent]}
    extraction: {every: turn}
""",
        ),
    ),
    check=_check,
)
