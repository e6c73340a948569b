"""ST301: history belongs to a session."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import Settled
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    if config.stated("harness", "history") and not config.sessions:
        message = "an agent without sessions has no history: nothing is kept; take `history` out"
        yield RULE.finding(config.document, ("harness", "history"), message, at="key")


RULE = Rule(
    code="ST301",
    name="history-without-sessions",
    severity="warning",
    checks="`history` on an agent without sessions",
    why="History is what earlier turns of the session said. Without sessions there is none, and no `search_history`.",
    bad=(
        Example(
            "v1.yaml",
            """\
sessions: false
harness:
  history: {index: messages}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
sessions: true
harness:
  history: {index: messages}
""",
        ),
    ),
    check=_check,
    clauses=("VIEW-7",),
)
