"""A small driver for the engine's tests: one agent, a clock that ticks a minute a turn, execution ids that count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seatrial.engine import Answer, Engine, Turn
from seatrial.engine.values import Plane

MINUTE = 60_000
BOTH = ["session", "agent"]
ALL_TOOLS = ["add_memory", "read_memory", "delete_memory"]


def config(
    *, sessions: bool = True, model_calls: int = 50, context: dict[str, int] | None = None, **memory: Any
) -> dict[str, Any]:
    """A config with memory enabled and all tools, but for what `memory` says."""
    settings: dict[str, Any] = {"enabled": True, "tools": ALL_TOOLS, **memory}
    if not sessions:
        settings.setdefault("scope", {"read": ["agent"], "write": ["agent"]})
    harness: dict[str, Any] = {"memory": settings}
    if context is not None:
        harness["context"] = context
    return {"sessions": sessions, "limits": {"model_calls": model_calls}, "harness": harness}


def scopes(read: list[str], write: list[str]) -> dict[str, list[str]]:
    return {"read": read, "write": write}


class World:
    """An engine with one agent `ann` deployed under `document`, in memory or in a file."""

    def __init__(self, path: Path | None = None, document: dict[str, Any] | None = None) -> None:
        self.path = path
        self.engine = Engine.open(path)
        self.clock = 0
        self.begun = 0
        self.engine.deploy("ann", document or config(), at=0)

    def begin(
        self,
        session: str | None = "s",
        *,
        agent: str = "ann",
        plane: Plane = "live",
        user: str = "hello",
        at: int | None = None,
        execution: str | None = None,
    ) -> Turn:
        self.clock += MINUTE
        self.begun += 1
        return self.engine.begin(
            agent,
            session=session,
            plane=plane,
            execution=execution or f"e{self.begun}",
            at=self.clock if at is None else at,
            user=user,
        )

    def keep(self, summary: str, session: str | None = "s", *, plane: Plane = "live", **arguments: Any) -> str:
        """A turn that adds one record and commits; the record's id."""
        turn = self.begin(session, plane=plane)
        record = add(turn, summary, **arguments)
        assert turn.commit().outcome == "committed"
        return record

    def reopen(self) -> None:
        self.engine.close()
        self.engine = Engine.open(self.path)

    def listed(self, agent: str = "ann") -> dict[str, dict[str, Any]]:
        """The operators' listing, by id."""
        records: Any = self.engine.console.memories(agent)["records"]
        return {record["id"]: record for record in records}


def add(turn: Turn, summary: str, **arguments: Any) -> str:
    """Add a record in `turn`; its id."""
    answer = turn.call("add_memory", {"summary": summary, "kind": "fact", **arguments})
    assert answer.answer is not None, answer
    record: Any = answer.answer["record"]
    return str(record["id"])


def found(turn: Turn, **arguments: Any) -> list[str]:
    """The ids that a search gives, best first."""
    answer = turn.call("search_memory", arguments)
    assert answer.answer is not None, answer
    records: Any = answer.answer["records"]
    return [record["id"] for record in records]


def recalled(turn: Turn) -> list[str]:
    """The ids that the next model call recalls."""
    return [str(record["id"]) for record in turn.model_call().recalled]


def read(turn: Turn, record: str) -> dict[str, Any]:
    answer = turn.call("read_memory", {"id": record})
    assert answer.answer is not None, answer
    shown: Any = answer.answer["record"]
    return dict(shown)


def code(answer: Answer) -> str | None:
    """The code of the error that refused it, None if it was not refused."""
    return None if answer.error is None else answer.error.code
