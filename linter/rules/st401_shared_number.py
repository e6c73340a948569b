"""ST401: JSON Schema cannot compare the numbers of two labels."""

from __future__ import annotations

from seatrial.schemas import shared_numbers

from ..diagnostic import Diagnostic
from ..schema_check import settled
from ..settled import Settled
from .rule import Example, Rule


def _check(config: Settled) -> list[Diagnostic]:
    config.ask_for_labels()
    return settled(config.document, shared_numbers(config.document.value))


RULE = Rule(
    code="ST401",
    name="shared-number",
    severity="error",
    checks="two labels with one number",
    why="A record stores its labels by number: the values of the two would be mixed for good.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
      currency: {number: 5, description: The currency of the amount.}
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
      currency: {number: 6, description: The currency of the amount.}
""",
        ),
    ),
    check=_check,
    clauses=("REC-5",),
)
