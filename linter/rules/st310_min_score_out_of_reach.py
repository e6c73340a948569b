"""ST310: a threshold must be within reach."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_SEARCH = (*MEMORY, "search")
_REACH = 0.95


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.enabled or config.value(*_SEARCH, "mode") != "vector":
        return
    least = config.value(*_SEARCH, "min_score")
    if least >= _REACH:
        usual = config.default(*_SEARCH, "min_score")
        message = (
            f"only a record that repeats the query almost word for word reaches a min_score of {least}; the default is "
            f"{usual}"
        )
        yield RULE.finding(config.document, (*_SEARCH, "min_score"), message)


RULE = Rule(
    code="ST310",
    name="min-score-out-of-reach",
    severity="warning",
    checks="`mode: vector` with a `min_score` of 0.95 or more",
    why=(
        "Only a record that says the query almost word for word is found. `min_score` is a similarity, not a "
        "distance: higher is stricter."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    search: {mode: vector, min_score: 1}
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
    search: {mode: vector, min_score: 0.35}
""",
        ),
    ),
    check=_check,
    clauses=("SCH-2",),
)
