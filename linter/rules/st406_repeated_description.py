"""ST406: the agent tells labels apart by their descriptions."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import quote

from ..diagnostic import Diagnostic, Related
from ..settled import MEMORY, Settled
from .placeholder import is_placeholder, words
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.enabled:  # as in ST404
        return
    document = config.document
    first: dict[tuple[str, ...], str] = {}
    for name, text in config.descriptions.items():
        if text is None or is_placeholder(text):
            continue
        other = first.setdefault(tuple(words(text)), name)
        if other != name:
            there = (*MEMORY, "labels", other, "description")
            related = (Related(document.path, document.span(there), there, f"{quote(other)} has it here"),)
            message = f"label {quote(name)} has the description of label {quote(other)}: say how they differ"
            yield RULE.finding(document, (*MEMORY, "labels", name, "description"), message, related=related)


RULE = Rule(
    code="ST406",
    name="repeated-description",
    severity="warning",
    checks="a label's description that repeats another's",
    why="To the agent the two labels mean the same. Mostly one was copied and not changed.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
      account_id: {number: 6, description: The customer the memory is about.}
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
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
      account_id: {number: 6, description: The account the memory is about.}
""",
        ),
    ),
    check=_check,
)
