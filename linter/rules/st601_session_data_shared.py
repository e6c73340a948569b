"""ST601: looks at the scopes first; the graph is drawn only for a path to print."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostic import Diagnostic, Related
from ..settled import MEMORY, Settled
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not (config.sessions and config.enabled and "session" in config.read and "agent" in config.write):
        return
    from ..flow import flow, said

    document = config.document
    scope = (*MEMORY, "scope")
    if config.stated(*scope, "read"):
        where = (*scope, "read", config.read.index("session"))
        why = Related(document.path, document.span(where), where, "session records are read here")
    else:
        why = Related(document.path, document.span(scope, "key"), scope, "session records are read by default")
    path = said(flow(config).path("session record"))
    message = f"session data can reach other sessions: {path}"
    yield RULE.finding(document, (*scope, "write", config.write.index("agent")), message, related=(why,))


RULE = Rule(
    code="ST601",
    name="session-data-shared",
    severity="warning",
    checks="session data that can reach other sessions by design: `session` is read and `agent` is written",
    why=(
        "What the agent recalls of one session it may write down for all of them, one customer's data among it. Where "
        "that is what you want, keep it, say so beside the setting, and tell the agent what belongs in which scope. "
        "Where `agent` alone is read and written, sharing is all there is, and this rule is silent; "
        "`seatrial flow` shows those paths, too."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    scope: {read: [session, agent], write: [session, agent]}
    tools: [add_memory]
    extraction: {prompt: Keep as agent what holds for all accounts. The rest belongs to the session.}
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
    tools: [add_memory]
""",
        ),
    ),
    check=_check,
    clauses=("VIEW-2",),
)
