"""grants-hold: an operator is told what the grants allow and nothing else, and the agent's tools need none."""

from __future__ import annotations

import re

from .events import Call, Review
from .examples import HEADER, add, begin, deploy, end, review
from .history import History
from .model import Model, read
from .verdict import Invariant, Verdict, Violation, broken

NAME = "grants-hold"
RESOURCES = ("financial.AgentMemory.indexes.*", "financial.AgentMemory.document")
NEEDED = {"list": ("SELECT",), "read": ("SELECT",), "delete": ("SELECT", "UPDATE")}


def check(history: History) -> Verdict:
    """Each operator's call with its grants; and every refusal of the agent's tools."""
    model = read(history)
    calls = [event for event in history.events if isinstance(event, Review) and event.grants is not None]
    lacking = [event for event in calls if _missing(event)]
    tools = [event for event in history.events if isinstance(event, Call)]
    found = [each for event in calls if (each := _wrong(model, event)) is not None]
    for event in tools:
        if event.error is not None and event.error.get("code") == "missing_grant":
            turn = model.turns[event.turn]
            where = f"refusal of {event.tool} in {turn.label} call {event.call}"
            why = "because the agent's own tools need no grant"
            found.append(broken(NAME, "ADM-4", event, where, why, path=(turn.label,)))
    checked = {"calls": len(calls), "calls_that_lack_a_grant": len(lacking), "tool_calls": len(tools)}
    return Verdict.of(NAME, checked, found, len(calls))


def _missing(event: Review) -> list[str]:
    """What the call needs and no grant covers; `*` in a grant stands for anything."""
    given = [str(grant).split(" ", 1) for grant in event.grants or ()]
    return [
        f"{action} on {resource}"
        for action in NEEDED.get(event.action, ())
        for resource in RESOURCES
        if not any(len(each) == 2 and each[0] == action and _covers(each[1], resource) for each in given)
    ]


def _covers(pattern: str, resource: str) -> bool:
    """Whether `pattern` matches all of `resource`, by trying every length for each `*`."""
    reached = {0}
    for char in pattern:
        if char == "*":
            reached = set(range(min(reached, default=len(resource) + 1), len(resource) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(resource) and resource[at] == char}
    return len(resource) in reached


def _wrong(model: Model, event: Review) -> Violation | None:
    missing = _missing(event)
    code = None if event.error is None else event.error.get("code")
    where = f"{event.action} by an operator"
    if code == "invalid_value" or (event.error is None and event.answer is None):
        return None  # a grant that is none, or nothing is told of how it was answered
    if missing and code != "missing_grant":
        why = f"because {missing[0]} is not granted"
        return broken(NAME, "ADM-3", event, where, why, record=event.id, path=("an operator",))
    if not missing and code == "missing_grant":
        why = "because all that it needs is granted"
        return broken(NAME, "ADM-3", event, where, why, record=event.id, path=("an operator",))
    if missing:
        told = _told(model, event)
        if told is not None:
            why = f"because the refusal tells of {told}, and without a grant nothing is told"
            return broken(NAME, "ADM-3", event, where, why, record=told, path=("an operator",))
        named = str(event.error)
        if not any(each in named for each in missing):
            why = f"because the refusal does not name what is missing: {missing[0]}"
            return broken(NAME, "ADM-3", event, where, why, path=("an operator",))
    return None


def _told(model: Model, event: Review) -> str | None:
    """A record that a refusal names or quotes, though the operator did not."""
    text = str(event.error)
    for record, writes in model.writes.items():
        summary = writes[0].summary
        named = re.search(rf"(?<![\w-]){re.escape(record)}(?![\w-])", text)
        if record != event.id and (named or (len(summary) > 8 and summary in text)):
            return record
    return None


GRANTS_HOLD = Invariant(
    name=NAME,
    clauses=("ADM-3", "ADM-4"),
    holds_when=(
        "An operator's call is answered exactly when its grants cover what it needs; a refusal names the missing grant "
        "and tells nothing else; and no tool of the agent asks for a grant."
    ),
    counts={
        "calls": "operators' calls that state their grants; without one the verdict is unknown",
        "calls_that_lack_a_grant": "those of them that lack one",
        "tool_calls": "calls of the agent's tools",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        review("list", grants=["SELECT financial.AgentMemory.*"]),
        review(
            "list", grants=[], error={"code": "missing_grant", "message": f"SELECT on {RESOURCES[0]} is not granted"}
        ),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        review("delete", "mem_wire4471", grants=["SELECT financial.AgentMemory.*"]),
    ),
)
