"""ST208: memory needs a scope."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    if config.enabled and not config.read and not config.write:
        message = "memory is enabled, and no scope is read or written: name one, or set enabled: false"
        yield RULE.finding(config.document, (*MEMORY, "scope"), message, at="key")


RULE = Rule(
    code="ST208",
    name="memory-without-scopes",
    severity="warning",
    checks="enabled memory with neither a scope to read nor one to write",
    why="Nothing is kept and nothing recalled, and the agent is told all the same that it has a memory.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    scope: {read: [], write: []}
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
""",
        ),
    ),
    check=_check,
)
