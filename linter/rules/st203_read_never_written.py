"""ST203: what is read and what is written are set apart."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule
from .st209_review_without_writing import idle

_SCOPE = (*MEMORY, "scope")


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.enabled:
        return
    read, write = config.read, config.write
    unwritten = [scope for scope in read if scope not in write]
    if not unwritten or any(scope not in read for scope in write):  # the second is ST202, of the same two lists
        return
    if write:
        message = (
            f"{unwritten[0]} is read, and this version writes only {write[0]}: others wrote what is there, if any did"
        )
        yield RULE.finding(config.document, (*_SCOPE, "read", read.index(unwritten[0])), message)
    elif "add_memory" not in config.tools and not config.stated(*MEMORY, "pinned") and not idle(config):
        # else ST205, ST304 and ST209 say it
        yield RULE.finding(
            config.document,
            (*_SCOPE, "write"),
            "this version writes nothing: it reads what other versions wrote, if any did",
        )


RULE = Rule(
    code="ST203",
    name="read-never-written",
    severity="info",
    checks="a scope that is read but that this version never writes",
    why="It holds only what other versions wrote. If none did, reading it does nothing.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    scope: {read: [session, agent], write: [session]}
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
    scope: {read: [session], write: [session]}
""",
        ),
    ),
    check=_check,
)
