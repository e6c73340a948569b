"""ST205: a tool needs what it works on."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import alternatives

from ..diagnostic import Diagnostic
from ..settled import MEMORY, Settled
from .rule import Example, Rule

_TOOLS = (*MEMORY, "tools")


def _check(config: Settled) -> Iterator[Diagnostic]:
    if not config.stated(*_TOOLS):
        return
    tools = config.tools
    if not config.enabled:
        if tools:
            message = f"memory is off: the agent has no {alternatives(tools)}"
            yield RULE.finding(config.document, _TOOLS, message, about=tools)
        return
    read, write = config.read, config.write
    for reason, idle in _idle(read, write):
        listed = [tool for tool in tools if tool in idle]
        if listed:
            message = f"{alternatives(listed, 'and')} can do nothing: {reason}"
            yield RULE.finding(config.document, (*_TOOLS, tools.index(listed[0])), message, about=listed)


def _idle(read: list[str], write: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Why tools can do nothing, and which."""
    if not write:
        yield "no scope may be written", ("add_memory", "delete_memory")
    if not read:
        yield "no scope is read", ("read_memory", "delete_memory") if write else ("read_memory",)
    elif write and not any(scope in read for scope in write):
        yield "no scope is both read and written", ("delete_memory",)


RULE = Rule(
    code="ST205",
    name="idle-tool",
    severity="error",
    checks=(
        "a memory tool that cannot do anything: any tool without memory, `add_memory` with an empty `write`, "
        "`delete_memory` where no scope is both read and written, `read_memory` with an empty `read`"
    ),
    why="The agent's every use of the tool fails, and costs a model call each time.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    scope: {read: [session], write: []}
    tools: [add_memory]
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
    tools: [add_memory]
""",
        ),
    ),
    check=_check,
)
