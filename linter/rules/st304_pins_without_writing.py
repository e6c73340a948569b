"""ST304: a pin is made by a write."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    if config.enabled and config.stated(*MEMORY, "pinned") and not config.write:
        message = "nothing can be pinned: no scope may be written"
        yield RULE.finding(config.document, (*MEMORY, "pinned"), message, at="key")


RULE = Rule(
    code="ST304",
    name="pins-without-writing",
    severity="warning",
    checks="`pinned` while nothing can write a record",
    why="A record is pinned when it is written. This version can only list pins that earlier ones made.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    scope: {read: [session], write: []}
    pinned: {max_tokens: 2000}
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
    pinned: {max_tokens: 2000}
""",
        ),
    ),
    check=_check,
    clauses=("PIN-1",),
)
