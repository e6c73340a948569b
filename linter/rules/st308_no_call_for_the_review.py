"""ST308: a review is a model call too."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import Settled
from .rule import Example, Rule

_CALLS = ("limits", "model_calls")


def _check(config: Settled) -> Iterator[Diagnostic]:
    if config.enabled and config.write and config.value(*_CALLS) < 2:
        message = "model_calls of 1 leaves none for the memory review: it never runs; allow 2 or more"
        yield RULE.finding(config.document, _CALLS, message)


RULE = Rule(
    code="ST308",
    name="no-call-for-the-review",
    severity="warning",
    checks="`limits.model_calls: 1` with memory that is written",
    why=(
        "The turn's own call takes it. The review at the end never fits and is put off for good, so that "
        "nothing is extracted (TXN-5)."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
limits: {model_calls: 1}
harness:
  memory:
    enabled: true
    scope: {read: [session], write: [session]}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
limits: {model_calls: 10}
harness:
  memory:
    enabled: true
    scope: {read: [session], write: [session]}
""",
        ),
    ),
    check=_check,
    clauses=("TXN-5", "EXT-1"),
)
