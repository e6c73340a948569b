"""ST306: history is what its index keeps."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import Settled
from .rule import Example, Rule

_HISTORY = ("harness", "history")


def _check(config: Settled) -> Iterator[Diagnostic]:
    if config.stated(*_HISTORY) and config.value(*_HISTORY, "index") is None and config.sessions:  # else ST301
        message = "history keeps nothing without an index: set it to messages or messages_and_tools"
        yield RULE.finding(config.document, _HISTORY, message, at="key")


RULE = Rule(
    code="ST306",
    name="history-without-index",
    severity="warning",
    checks="`history` without an `index`",
    why="Nothing is kept and the agent has no `search_history`: the index says what is kept.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  history: {}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
harness:
  history: {index: messages}
""",
        ),
    ),
    check=_check,
    clauses=("HIS-1",),
)
