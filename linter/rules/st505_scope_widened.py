"""ST505: the scopes of each version against those of the one before."""

from __future__ import annotations

from collections.abc import Iterator

from ..chain import Chain
from ..changes import changes
from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_SAYS = {
    "read": "what any session writes for all may from now on inform every session, also what is there already",
    "write": "what a session writes may from now on inform every other session",
}


def _scopes(config: Settled) -> dict[str, list[str]] | None:
    if not config.enabled or not config.sessions:  # that sessions came or went is ST510
        return None
    return {"read": config.read, "write": config.write}


def _compare(chain: Chain) -> Iterator[Diagnostic]:
    for change in changes(chain, _scopes):
        for key, says in _SAYS.items():
            if "agent" in change.new[key] and "agent" not in change.old[key]:
                path = (*MEMORY, "scope", key)
                pointer, at = change.place(*path)
                if pointer == path:  # the list is stated: the one word that matters
                    pointer = (*path, change.new[key].index("agent"))
                message = f'scope.{key} has "agent" in {change.after.name}, and had not in {change.before.name}: {says}'
                related = change.earlier(f'scope.{key} is without "agent" here', *path)
                yield RULE.finding(change.after.document, pointer, message, at=at, related=(related,))


RULE = Rule(
    code="ST505",
    name="scope-widened",
    severity="warning",
    checks="`read` or `write` that has `agent`, and in the version before had not",
    why=(
        "AGENT records cross from one session to all others. It is one word in the config, and from then on one "
        "account's session may inform another's: that is to be meant, and reviewed."
    ),
    bad=(
        Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n    scope: {read: [session], write: [session]}\n"),
        Example(
            "v2.yaml",
            "harness:\n  memory:\n    enabled: true\n    # seatrial: ignore[ST203] -- version 3 will write it\n"
            "    scope: {read: [session, agent], write: [session]}\n",
        ),
    ),
    good=(
        Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n    scope: {read: [session], write: [session]}\n"),
        Example("v2.yaml", "harness:\n  memory:\n    enabled: true\n"),
    ),
    compare=_compare,
    clauses=("VER-5",),
)
