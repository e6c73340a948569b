"""only-the-agent-writes: what a subagent or a program tries to write is refused, and leaves nothing."""

from __future__ import annotations

from .events import Call
from .examples import HEADER, begin, call, deploy, end, record
from .history import History
from .model import read
from .verdict import Invariant, Verdict, broken

NAME = "only-the-agent-writes"
WRITES = ("add_memory", "delete_memory")


def check(history: History) -> Verdict:
    """Every call of a writing tool by a helper, and every source that the ledger names."""
    turns = read(history).turns
    helpers = [event for event in history.events if isinstance(event, Call) and event.by != "agent"]
    tried = [event for event in helpers if event.tool in WRITES]
    found = [
        broken(
            NAME,
            "WRT-6",
            event,
            f"answer of {event.tool} to a {event.by} in {turns[event.turn].label} call {event.call}",
            f"because a {event.by} reads memory, and only the agent itself writes it",
            path=(turns[event.turn].label, f"{event.by} calls {event.tool}"),
        )
        for event in tried
        if event.answer is not None
    ]
    checked = {"calls_by_helpers": len(helpers), "writes_tried": len(tried)}
    return Verdict.of(NAME, checked, found, len(tried))


def _by_a_program(tool: str, answered: bool) -> dict[str, object]:
    answer = {"record": record("mem_wire4471")} if answered else None
    return {**call("s0", tool, {"summary": "a fact"}, answer), "by": "program"}


ONLY_THE_AGENT_WRITES = Invariant(
    name=NAME,
    clauses=("WRT-6",),
    holds_when="Every attempt of a subagent or a program to add, replace, pin or delete a record is refused.",
    counts={
        "calls_by_helpers": "calls of memory tools by subagents and programs",
        "writes_tried": "those of them that try to write; without one the verdict is unknown",
    },
    check=check,
    good=(HEADER, deploy(), begin("s0", "account-17"), _by_a_program("add_memory", answered=False), end("s0")),
    bad=(HEADER, deploy(), begin("s0", "account-17"), _by_a_program("add_memory", answered=True), end("s0")),
)
