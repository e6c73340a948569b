"""ST405: the review follows the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import quote

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .placeholder import is_placeholder
from .rule import Example, Rule

_PROMPT = (*MEMORY, "extraction", "prompt")


def _check(config: Settled) -> Iterator[Diagnostic]:
    prompt = config.value(*_PROMPT)
    if config.enabled and prompt is not None and is_placeholder(prompt):
        said = quote(prompt) if prompt.strip() else "blank"
        message = (
            f"the prompt is {said}, and takes the place of the default instructions: say what to keep, or take it out"
        )
        yield RULE.finding(config.document, _PROMPT, message)


RULE = Rule(
    code="ST405",
    name="placeholder-prompt",
    severity="warning",
    checks="an extraction prompt that is blank or a placeholder",
    why="It takes the place of the default instructions for what to keep: the review is told nothing.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    extraction: {prompt: TODO}
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
    extraction: {prompt: Keep rulings and limits.}
""",
        ),
    ),
    check=_check,
)
