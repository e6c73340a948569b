"""ST309: a pin has a least size."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_BUDGET = (*MEMORY, "pinned", "max_tokens")
LEAST_TOKENS = 13  # of a pin with a summary of one character, as it is listed


def _check(config: Settled) -> Iterator[Diagnostic]:
    budget = config.value(*_BUDGET)
    if config.enabled and budget is not None and budget < LEAST_TOKENS:
        message = f"no pin fits into max_tokens of {budget}: the shortest takes {LEAST_TOKENS}"
        yield RULE.finding(config.document, _BUDGET, message)


RULE = Rule(
    code="ST309",
    name="budget-below-one-pin",
    severity="warning",
    checks="a pin budget that is too small for any pin",
    why=(
        "The listing counts ids too. Every pin is refused, and the agent told to shorten what cannot be short enough."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    pinned: {max_tokens: 10}
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
    pinned: {max_tokens: 2000}
""",
        ),
    ),
    check=_check,
    clauses=("PIN-2",),
)
