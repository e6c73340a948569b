"""ST305: three settings share one window."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import Settled
from .rule import Example, Rule

_CONTEXT = ("harness", "context")
LEAST_TOKENS = 6  # of a message as a context shows it, with its line end: who says it takes that alone


def _check(config: Settled) -> Iterator[Diagnostic]:
    offload, summarize, keep = (
        config.value(*_CONTEXT, key) for key in ("offload_threshold", "summarize_at", "keep_messages")
    )
    pointers = []
    if offload > summarize:
        pointers.append(_stated(config, "offload_threshold"))
        message = (
            f"a result of up to {offload:,} tokens (offload_threshold) stays whole, "
            f"and above {summarize:,} (summarize_at) the conversation is summarized"
        )
        yield RULE.finding(config.document, pointers[0], message)
    pointer = _stated(config, "keep_messages")
    if keep * LEAST_TOKENS > summarize and pointer not in pointers:
        message = (
            f"the latest {keep:,} messages (keep_messages) are kept word for word, and never fit into {summarize:,} "
            "tokens (summarize_at)"
        )
        yield RULE.finding(config.document, pointer, message)


def _stated(config: Settled, key: str) -> tuple[str, ...]:
    """The setting itself, or where it is the default, the one that is at odds with it."""
    return (*_CONTEXT, key if config.stated(*_CONTEXT, key) else "summarize_at")


RULE = Rule(
    code="ST305",
    name="context-out-of-proportion",
    severity="warning",
    checks="`offload_threshold` above `summarize_at`, or more `keep_messages` than can fit below it",
    why=(
        "One result that is not set aside already makes the conversation too long. And where the kept messages "
        "alone are too long, no summary helps: none is made until there are more messages, and from then on one "
        "before almost every call, each a model call."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  context: {offload_threshold: 8000, summarize_at: 4000}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
harness:
  context: {offload_threshold: 2000, summarize_at: 40000}
""",
        ),
    ),
    check=_check,
    clauses=("CTX-2", "CTX-3"),
)
