"""ST508: the session history of each version against that of the one before."""

from __future__ import annotations

from collections.abc import Iterator

from ..chain import Chain
from ..changes import Change, changes
from ..diagnostic import Diagnostic
from ..settled import Settled
from .rule import Example, Rule

_INDEX = ("harness", "history", "index")


def _index(config: Settled) -> str | None:
    """What is kept; empty: nothing. None: there are no sessions to have a history."""
    return str(config.value(*_INDEX) or "") if config.sessions else None


def _compare(chain: Chain) -> Iterator[Diagnostic]:
    for change in changes(chain, _index):
        pointer, at = change.place(*_INDEX)
        related = change.earlier(f'it is "{change.old}" here' if change.old else "there is no history here", *_INDEX)
        yield RULE.finding(change.after.document, pointer, _message(change), at=at, related=(related,))


def _message(change: Change[str]) -> str:
    here = change.after.name
    if not change.new:
        return (
            f"history is gone in {here}: there is no search_history, and nothing is kept of new turns; what is kept of "
            "earlier ones only a later version with history finds again"
        )
    if not change.old:
        return f"history is new in {here}, and not retroactive: nothing was kept of the turns that ran without it"
    if change.new == "messages":
        return (
            f'history.index is "messages" in {here}: tool results of new turns are not kept; those kept of earlier '
            "turns are still found"
        )
    return (
        f'history.index is "{change.new}" in {here}, and not retroactive: no tool results were kept of the turns '
        "that ran before it"
    )


RULE = Rule(
    code="ST508",
    name="history-changed",
    severity="warning",
    checks="`history.index` that is not what it was in the version before; also history that came or went",
    why=(
        "What is kept of a turn is decided by the version that runs it, when it commits. A later version neither adds "
        "to it nor takes away from it, so the agent searches a history with a seam in it: it is told to search before "
        "it guesses, and finds nothing of what was said before."
    ),
    bad=(
        Example("v1.yaml", "harness:\n  history: {index: messages}\n"),
        Example("v2.yaml", "harness:\n  history: {index: messages_and_tools}\n"),
    ),
    good=(
        Example("v1.yaml", "harness:\n  history: {index: messages_and_tools}\n"),
        Example("v2.yaml", "harness:\n  context: {offload_threshold: 1000}\n  history: {index: messages_and_tools}\n"),
    ),
    compare=_compare,
    clauses=("VER-5", "HIS-5"),
)
