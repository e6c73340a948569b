"""ST403: names that are hard to tell apart."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from seatrial.schemas.problem import Fix
from seatrial.schemas.wording import quote

from ..diagnostic import Diagnostic, Pointer, Related
from ..settled import MEMORY, Settled
from .likeness import likeness, slip
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    kinds = [((*MEMORY, "kinds", index), kind) for index, kind in enumerate(config.kinds)]
    if config.stated(*MEMORY, "kinds"):
        yield from _alike(config, "kind", kinds)
        yield from _nearly_default(config, config.kinds)
    yield from _alike(config, "label", [((*MEMORY, "labels", name), name) for name in config.label_names])


MOST = 300  # names that are compared, each with all before it: nobody reads longer lists for slips


def _alike(config: Settled, what: str, names: Sequence[tuple[Pointer, str]]) -> Iterator[Diagnostic]:
    document = config.document
    for index, (pointer, name) in enumerate(names[:MOST]):
        for there, other in names[:index]:
            how = likeness(other, name)
            if how is not None:
                related = (Related(document.path, document.span(there, "key"), there, f"{quote(other)} is here"),)
                message = f"{what} {quote(name)} differs from {quote(other)} only by {how}"
                yield RULE.finding(document, pointer, message, at="key", related=related)
                break


def _nearly_default(config: Settled, kinds: list[str]) -> Iterator[Diagnostic]:
    """A kind that nearly spells one of the default kinds, which is not among them."""
    missing = [kind for kind in config.default(*MEMORY, "kinds") if kind not in kinds]
    for index, kind in enumerate(kinds):
        meant = next((default for default in missing if slip(kind, default)), None)
        if meant is not None:
            message = f"kind {quote(kind)} differs from the default kind {quote(meant)} only by {slip(kind, meant)}"
            fix = Fix("write", json.dumps(meant))
            yield RULE.finding(config.document, (*MEMORY, "kinds", index), message, fix=fix)


RULE = Rule(
    code="ST403",
    name="near-names",
    severity="warning",
    checks=(
        "a label or kind that differs from another only by case, a plural or a slip of one or two letters; a kind that "
        "nearly spells a default one"
    ),
    why="The agent mixes them up, and a filter on one misses the records of the other.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    kinds: [guidance, fact, facts]
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
    kinds: [guidance, fact, event]
""",
        ),
    ),
    check=_check,
)
