"""ST204: one setting decides whether the others matter."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import alternatives

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    if config.enabled:
        return
    off = config.stated(*MEMORY, "enabled")
    told_elsewhere = ("enabled", "tools", "labels") if off else ("enabled", "tools")  # the tools by ST205
    idle = [key for key in config.keys(*MEMORY) if key not in told_elsewhere]
    if not idle:
        return
    said = "memory is off (enabled: false)" if off else "memory is off, because it has no enabled: true"
    message = f"{said}: nothing comes of {alternatives(idle, 'and')}"
    if off:
        yield RULE.finding(config.document, (*MEMORY, "enabled"), message, about=idle)
    else:
        yield RULE.finding(config.document, MEMORY, message, at="key", about=idle)


RULE = Rule(
    code="ST204",
    name="settings-without-memory",
    severity="warning",
    checks="memory settings while `enabled` is false or absent",
    why=(
        "They do nothing: the agent has no memory. Mostly `enabled: true` was forgotten. Labels beside "
        "`enabled: false` are fine, for every later version has to keep them."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    scope: {read: [session], write: [session]}
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
