"""ST509: the versions of an agent decide."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import quote

from ..chain import Chain
from ..diagnostic import Diagnostic, Related
from .rule import Example, Rule


def _compare(chain: Chain) -> Iterator[Diagnostic]:
    for version, rival in chain.rivals:
        first = chain.versions[version]
        pointer = ("version",) if "version" in rival.value else ()
        there = ("version",) if "version" in first.value else ()
        message = f"{quote(chain.agent)} has another version {version} already"
        related = Related(first.path, first.span(there), there, f"version {version} is this one")
        yield Diagnostic("ST509", "error", rival.path, rival.span(pointer), pointer, message, related=(related,))


RULE = Rule(
    code="ST509",
    name="version-clash",
    severity="error",
    checks="two different documents that claim the same agent and version",
    why="A version never changes once it is deployed. Of two that claim its number only one can be it.",
    bad=(
        Example(
            "reconciler.v1.yaml",
            """\
harness:
  memory:
    enabled: true
""",
        ),
        Example(
            "reconciler.agent.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
""",
        ),
    ),
    good=(
        Example(
            "reconciler.v1.yaml",
            """\
harness:
  memory:
    enabled: true
""",
        ),
        Example(
            "reconciler.v2.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
""",
        ),
    ),
    compare=_compare,
)
