"""ST504: the kinds of each version against those of the one before."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import alternatives, quote

from ..chain import Chain
from ..changes import changes
from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_KINDS = (*MEMORY, "kinds")


def _kinds(config: Settled) -> list[str] | None:
    return config.kinds if config.enabled else None


def _compare(chain: Chain) -> Iterator[Diagnostic]:
    for change in changes(chain, _kinds):
        kept = set(change.new)
        gone = [quote(kind) for kind in change.old if kind not in kept]
        if not gone:
            continue
        kinds, be, their = ("kind", "is", "its") if len(gone) == 1 else ("kinds", "are", "their")
        message = (
            f"{kinds} {alternatives(gone, 'and')} of {change.before.name} {be} gone in {change.after.name}: "
            f"{their} records stay and are found, and no new one can be written"
        )
        pointer, at = change.place(*_KINDS)
        declared = (
            "declared here" if change.before.config.stated(*_KINDS) else "of the default kinds, and `kinds` is absent"
        )
        related = change.earlier(f"{alternatives(gone, 'and')} {be} {declared}", *_KINDS)
        yield RULE.finding(change.after.document, pointer, message, at=at, related=(related,), about=gone)


RULE = Rule(
    code="ST504",
    name="kind-gone",
    severity="warning",
    checks="a kind that the version before had and this one has not, also where it was one of the four defaults",
    why=(
        "Records of that kind stay, are recalled and are found by it, but no new one can be written: whoever looks for "
        "what is new under the old kind finds nothing, and what belongs together ends up under two kinds."
    ),
    bad=(
        Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n    kinds: [ruling, fact]\n"),
        Example("v2.yaml", "harness:\n  memory:\n    enabled: true\n    kinds: [fact]\n"),
    ),
    good=(
        Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n    kinds: [ruling, fact]\n"),
        Example("v2.yaml", "harness:\n  memory:\n    enabled: true\n    kinds: [ruling, fact, reference]\n"),
    ),
    compare=_compare,
    clauses=("VER-5",),
)
