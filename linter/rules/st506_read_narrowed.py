"""ST506: what each version reads against what the one before read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from seatrial.schemas.wording import alternatives, quote

from ..chain import Chain
from ..changes import changes
from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_LOST = "records of earlier versions stay in the store, and are no longer recalled, searched, read or listed as pins"


class _Read(NamedTuple):
    enabled: bool
    sessions: bool
    scopes: list[str]


def _read(config: Settled) -> _Read:
    return _Read(config.enabled, config.sessions, config.read if config.enabled else [])


def _compare(chain: Chain) -> Iterator[Diagnostic]:
    for change in changes(chain, _read):
        # Where sessions went, nothing can read their records any more: that is ST510.
        lost = [quote(scope) for scope in change.old.scopes
                if scope not in change.new.scopes and (scope == "agent" or change.new.sessions)]  # fmt: skip
        if not lost:
            continue
        if change.new.enabled:
            path: tuple[str, ...] = (*MEMORY, "scope", "read")
            which = alternatives([scope.strip('"').upper() for scope in lost], "and")
            message = f"scope.read has no {alternatives(lost)} any more in {change.after.name}: {which} {_LOST}"
        else:
            path = (*MEMORY, "enabled")
            message = f"memory is off in {change.after.name}: {_LOST}"
        pointer, at = change.place(*path)
        related = change.earlier(f"{change.before.name} reads {alternatives(lost, 'and')}", *path)
        yield RULE.finding(change.after.document, pointer, message, at=at, related=(related,), about=lost)


RULE = Rule(
    code="ST506",
    name="read-narrowed",
    severity="warning",
    checks="a scope that the version before read and this one does not, also because memory is off",
    why=(
        "Nothing is erased, but as far as the agent is concerned it is gone: what it learned in that scope is neither "
        "recalled nor found, its pins are not listed, and it can be neither replaced nor deleted by the agent."
    ),
    bad=(
        Example(
            "v1.yaml",
            "harness:\n  memory:\n    enabled: true\n    # seatrial: ignore[ST203] -- an earlier version wrote it\n"
            "    scope: {read: [session, agent], write: [session]}\n",
        ),
        Example("v2.yaml", "harness:\n  memory:\n    enabled: true\n    scope: {read: [session], write: [session]}\n"),
    ),
    good=(
        Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n    scope: {read: [session], write: [session]}\n"),
        Example("v2.yaml", "harness:\n  memory:\n    enabled: true\n"),
    ),
    compare=_compare,
    clauses=("VER-5",),
)
