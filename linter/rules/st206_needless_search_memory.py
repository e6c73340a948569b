"""ST206: one tool is always there."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.problem import Fix

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    if config.enabled and "search_memory" in config.tools:
        pointer = (*MEMORY, "tools", config.tools.index("search_memory"))
        message = "search_memory comes with memory and needs no listing: it can be taken out"
        yield RULE.finding(config.document, pointer, message, fix=Fix("remove", safe=True))


RULE = Rule(
    code="ST206",
    name="needless-search-memory",
    severity="info",
    checks="`search_memory` listed in `tools`",
    why="It comes with memory. Who reads the list may think that leaving it out takes it away.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    tools: [add_memory, search_memory]
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
    tools: [add_memory]
""",
        ),
    ),
    check=_check,
)
