"""ST404: the agent reads the description."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import quote

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .placeholder import is_placeholder, only_names
from .rule import Example, Rule

_REMEDY = "say what the label tells of a record"


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.enabled:  # nobody reads it, and unlike a name it may change
        return
    for name, text in config.descriptions.items():
        pointer = (*MEMORY, "labels", name)
        if text is None:
            message = f"label {quote(name)} has no description: the agent has to guess what it means from its name"
            yield RULE.finding(config.document, pointer, message, at="key")
        elif is_placeholder(text):
            said = f"the description of label {quote(name)} is " + (quote(text) if text.strip() else "empty")
            yield RULE.finding(config.document, (*pointer, "description"), f"{said}: {_REMEDY}")
        elif only_names(text, name):
            message = f"the description of label {quote(name)} says no more than its name: {_REMEDY}"
            yield RULE.finding(config.document, (*pointer, "description"), message)


RULE = Rule(
    code="ST404",
    name="placeholder-description",
    severity="warning",
    checks="a label whose description is missing, empty, a placeholder or only its name again",
    why=(
        "The agent reads the description to know when to give the label and what to write in it. Without one the "
        "config is valid, and the agent reads the empty text: each session then has its own idea of it, and a filter "
        "for one value misses the rest."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 5, description: TODO}
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
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
""",
        ),
    ),
    check=_check,
)
