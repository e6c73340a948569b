"""ST207: a choice needs a word on how to choose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

# Words that tell one session's from everyone's. Guidance that names neither scope is hard to follow, so most do.
_WHO = "(customer|account|client|user|tenant|case|conversation|subject|company|team|project)"
_SAYS = (
    r"\b(sessions?|agents?|scopes?|shared?|globally|global|across|everywhere|everyone|everybody)\b"
    rf"|\b(every|each|any|all|other|another|per|single)[\s-]+(other\s+)?{_WHO}"
    rf"|\b{_WHO}[\s-]+(specific|wide|alone|only)\b"
)


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.enabled or len(set(config.write)) < 2:
        return
    prompt = config.value(*MEMORY, "extraction", "prompt")
    texts = [prompt, *config.descriptions.values()]
    if not any(_guides(text) for text in texts if isinstance(text, str)) and not config.lacked:
        message = (
            "both scopes may be written, and no extraction prompt or label says when to use session and when agent"
        )
        yield RULE.finding(config.document, (*MEMORY, "scope", "write"), message)


def _guides(text: str) -> bool:
    """Whether the text may say which scope to use. One that is not in Latin letters is taken to."""
    letters = [char for char in text if char.isalpha()]
    foreign = sum(not char.isascii() for char in letters)
    return foreign * 2 > len(letters) or re.search(_SAYS, text, re.IGNORECASE) is not None


RULE = Rule(
    code="ST207",
    name="unguided-scope",
    severity="warning",
    checks="both scopes in `write`, and no extraction prompt or label description that says when to use which",
    why=(
        "The agent chooses the scope of each record. Left to guess, it will one day put one customer's data "
        "where every session reads it."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    # seatrial: ignore[ST601] -- this example is about guidance
    scope: {read: [session, agent], write: [session, agent]}
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
    # seatrial: ignore[ST601] -- this example is about guidance
    scope: {read: [session, agent], write: [session, agent]}
    extraction: {prompt: Keep rulings and limits. Scope agent only for what holds for every customer.}
""",
        ),
    ),
    check=_check,
)
