"""ST302: a threshold needs what it measures."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_SEARCH = (*MEMORY, "search")


def _check(config: Settled) -> Iterator[Diagnostic]:
    if config.enabled and config.stated(*_SEARCH, "min_score") and config.value(*_SEARCH, "mode") == "lexical":
        message = (
            "min_score does nothing with mode: lexical, it bounds matches by meaning; take it out, or match by hybrid"
        )
        yield RULE.finding(config.document, (*_SEARCH, "min_score"), message, at="key")


RULE = Rule(
    code="ST302",
    name="min-score-without-meaning",
    severity="warning",
    checks="`min_score` with `mode: lexical`",
    why=(
        "It bounds matches by meaning, and lexical search makes none: every match by keyword is returned, however weak."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    search: {mode: lexical, min_score: 0.35}
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
    search: {mode: hybrid, min_score: 0.35}
""",
        ),
    ),
    check=_check,
    clauses=("SCH-2",),
)
