"""ST202: what is read and what is written are set apart."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import alternatives

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_SCOPE = (*MEMORY, "scope")


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.enabled:
        return
    read, write = config.read, config.write
    unread = [scope for scope in write if scope not in read]
    if not unread:
        return
    lost = f"what is written to {alternatives(unread, 'and')} is never recalled"
    if read and config.stated(*_SCOPE, "write"):
        pointer = (*_SCOPE, "write", write.index(unread[0]))
        said = f"{lost}: only {read[0]} is read; read it too, or do not write it"
        yield RULE.finding(config.document, pointer, said, about=unread)
    else:  # nothing is read, or only the default of what is written is at odds with it
        said = (
            f"only {read[0]} is read, and {unread[0]} is written unless `write` says otherwise"
            if read
            else "nothing is read"
        )
        yield RULE.finding(config.document, (*_SCOPE, "read"), f"{lost}: {said}", about=unread)


RULE = Rule(
    code="ST202",
    name="written-never-read",
    severity="warning",
    checks="a scope that is written but never read",
    why="What is kept there no turn recalls, finds, corrects or deletes: it only grows.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    # seatrial: ignore[ST601] -- this example is about what is never read
    scope: {read: [session], write: [session, agent]}
    extraction: {prompt: Scope agent only for what holds for every customer.}
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
    # seatrial: ignore[ST601] -- this example is about what is read
    scope: {read: [session, agent], write: [session, agent]}
    extraction: {prompt: Scope agent only for what holds for every customer.}
""",
        ),
    ),
    check=_check,
)
