"""ST307: the conversation stands in the window."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import Settled
from .rule import Example, Rule

_AT = ("harness", "context", "summarize_at")
_WINDOW = ("model", "context_tokens")


def _check(config: Settled) -> Iterator[Diagnostic]:
    at, window = config.value(*_AT), config.value(*_WINDOW)
    if window is None or at < window:
        return
    stated = config.stated(*_AT)
    by_default = "" if stated else ", the default"
    message = f"the model's window holds {window:,} tokens, and summarize_at is {at:,}{by_default}: set it lower"
    yield RULE.finding(config.document, _AT if stated else _WINDOW, message)


RULE = Rule(
    code="ST307",
    name="summary-too-late",
    severity="warning",
    checks="`summarize_at` that is not below `model.context_tokens`",
    why="The conversation outgrows the model's window before it is summarized, and the model call fails.",
    bad=(
        Example(
            "v1.yaml",
            """\
model: {context_tokens: 32000}
harness:
  context: {summarize_at: 60000}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
model: {context_tokens: 32000}
harness:
  context: {summarize_at: 20000}
""",
        ),
    ),
    check=_check,
    clauses=("CTX-3",),
)
