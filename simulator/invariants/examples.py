"""Lines of small literal traces, for the good and bad examples of the invariants. Written by hand, by no engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Line: TypeAlias = dict[str, Any]

HEADER: Line = {"type": "trace", "format": 1, "scenario": "an example"}


def deploy(agent: str = "clerk", read: tuple[str, ...] = ("session",), write: tuple[str, ...] = ("session",)) -> Line:
    config = {"harness": {"memory": {"enabled": True, "scope": {"read": [*read], "write": [*write]}}}}
    return {"type": "deploy", "agent": agent, "plane": "live", "version": 1, "config": config, "step": "/config"}


def begin(turn: str, session: str | None, user: str = "", *, agent: str = "clerk", plane: str = "live") -> Line:
    whose = {"agent": agent, "session": session, "plane": plane, "version": 1}
    return {"type": "begin", "turn": turn, "user": user, "step": f"/steps/{turn}", **whose}


def context(turn: str, call: int = 1, **shown: Any) -> Line:
    empty: Line = {
        "instructions": "",
        "pins": [],
        "state": {},
        "summary": None,
        "messages": [],
        "recalled": [],
        "memory": "",
    }
    return {
        "type": "context",
        "turn": turn,
        "call": call,
        "purpose": "turn",
        "step": f"/steps/{turn}",
        **empty,
        **shown,
    }


def said(*texts: str) -> list[Line]:
    """Messages as a context shows them."""
    return [{"role": "user", "text": text} for text in texts]


def say(turn: str, value: Any, kind: str = "reply", **named: str) -> Line:
    return {"type": "say", "turn": turn, "kind": kind, "value": value, **named}


def record(name: str, summary: str = "a fact") -> Line:
    return {"id": name, "summary": summary, "content": None, "kind": "fact", "labels": {}, "status": "ACTIVE"}


def call(turn: str, tool: str, arguments: Mapping[str, Any], answer: Mapping[str, Any] | None, number: int = 1) -> Line:
    """A tool's call; without an answer it was refused as not found."""
    line = {"type": "call", "turn": turn, "call": number, "by": "agent", "tool": tool, "arguments": dict(arguments)}
    refused = {"error": {"code": "not_found", "message": "there is no such record", "remedy": ""}}
    return {**line, "step": f"/steps/{turn}/do", **(refused if answer is None else {"answer": dict(answer)})}


def add(turn: str, name: str, summary: str = "a fact", **arguments: Any) -> Line:
    return call(turn, "add_memory", {"summary": summary, **arguments}, {"record": record(name, summary)})


def search(turn: str, *names: str, number: int = 1) -> Line:
    return call(turn, "search_memory", {"query": "fact"}, {"records": [record(name) for name in names]}, number)


def end(turn: str, outcome: str = "committed", state: Mapping[str, Any] | None = None) -> Line:
    kept = (dict(state) if state is not None else {}) if outcome == "committed" else None
    return {"type": "end", "turn": turn, "outcome": outcome, "reason": None, "state": kept, "step": f"/steps/{turn}"}


def stored(name: str, turn: str, session: str | None, scope: str = "session", **fields: Any) -> Line:
    """A record of the ledger."""
    whose = {"agent": "clerk", "plane": "live", "session": session, "scope": scope, "execution": turn}
    versions = [{"status": "ACTIVE", "by": "execution", "execution": turn}]
    return {**record(name), "type": "record", **whose, "versions": versions, "successor": None, **fields}


def execution(turn: str, outcome: str = "committed") -> Line:
    return {"type": "execution", "turn": turn, "outcome": outcome}


def use(turn: str, call: int, source: str, *records: str) -> Line:
    return {"type": "use", "turn": turn, "call": call, "by": "agent", "source": source, "records": [*records]}


def review(action: str, target: str | None = None, **fields: Any) -> Line:
    """An operator's call, answered unless `fields` say otherwise."""
    answer = {"deleted": target} if action == "delete" else []
    told = {} if "error" in fields else {"answer": answer}
    return {"type": "review", "agent": "clerk", "action": action, "id": target, "grants": None, **told, **fields}


def pinning(deployed: Line, tokens: int) -> Line:
    """The deploy of a version whose budget of pins is `tokens`."""
    memory = {**deployed["config"]["harness"]["memory"], "pinned": {"max_tokens": tokens}}
    return {**deployed, "config": {"harness": {"memory": memory}}}


def labelling(deployed: Line, **numbers: int) -> Line:
    """The deploy of a version that declares labels with these numbers."""
    labels = {name: {"number": number} for name, number in numbers.items()}
    memory = {**deployed["config"]["harness"]["memory"], "labels": labels}
    return {**deployed, "config": {"harness": {"memory": memory}}}


def decision(turn: str, summary: str, outcome: str, name: str | None = None, **fields: Any) -> Line:
    """What became of a candidate that a review found."""
    candidate = {"summary": summary, "kind": "fact"}
    written = None if name is None else record(name, summary)
    told = {"outcome": outcome, "target": None, "record": written, "reason": "", "decision": None}
    return {"type": "decision", "turn": turn, "call": 1, "candidate": candidate, "step": "/steps", **told, **fields}


def indexing(deployed: Line, index: str) -> Line:
    """The deploy of a version that keeps history."""
    return {**deployed, "config": {"harness": {**deployed["config"]["harness"], "history": {"index": index}}}}
