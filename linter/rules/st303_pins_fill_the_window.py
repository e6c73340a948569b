"""ST303: the pins stand in the window."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic, Related
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_BUDGET = (*MEMORY, "pinned", "max_tokens")
_WINDOW = ("model", "context_tokens")


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.enabled:
        return
    budget, window = config.value(*_BUDGET), config.value(*_WINDOW)
    if budget is None or window is None or budget * 10 <= window:
        return
    document = config.document
    there = (Related(document.path, document.span(_WINDOW), _WINDOW, f"the window holds {window:,}"),)
    if budget > window:
        message = f"the pins may take {budget:,} tokens (max_tokens), more than the model's window of {window:,}"
        yield RULE.finding(document, _BUDGET, message, related=there, severity="error")
    else:
        message = f"the pins may take {budget:,} tokens (max_tokens), more than a tenth of the model's {window:,}"
        yield RULE.finding(document, _BUDGET, message, related=there)


RULE = Rule(
    code="ST303",
    name="pins-fill-the-window",
    severity="warning",
    checks="a pin budget of more than a tenth of `model.context_tokens`; an error where it exceeds the whole window",
    why="Every turn's instructions list the pins. What they take is gone for the conversation.",
    bad=(
        Example(
            "v1.yaml",
            """\
model: {context_tokens: 200000}
harness:
  memory:
    enabled: true
    pinned: {max_tokens: 50000}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
model: {context_tokens: 200000}
harness:
  memory:
    enabled: true
    pinned: {max_tokens: 2000}
""",
        ),
    ),
    check=_check,
)
