"""ST602: asked for by name only. It tells of every config with memory, and loads networkx."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.enabled:
        return
    from ..flow import flow, said

    whole = flow(config)
    if not config.sessions:
        message = "no sessions: what one turn writes, every turn may read"
    elif escapes := whole.escapes():
        message = f"what is one session's can reach others: {'; '.join(said(path) for path in escapes)}"
    else:
        message = "what is one session's stays in that session"
    yield RULE.finding(config.document, MEMORY, f"{message} (`seatrial flow` draws it)", at="key")


RULE = Rule(
    code="ST602",
    name="whole-flow",
    severity="info",
    checks="the whole flow between the scopes of an agent with memory; only where it is selected by name",
    why=(
        "A reviewer of a new version wants to know at a glance what can reach other sessions, also where that is "
        "plainly intended."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    scope: {read: [agent], write: [agent]}
    tools: [add_memory]
""",
        ),
    ),
    good=(Example("v1.yaml", "harness:\n  history: {index: messages}\n"),),
    check=_check,
    opt_in=True,
)
