"""What a run tells as it goes: one frozen event for each thing that happened, and the line of the trace it becomes.

The runner emits them; trace, reports and progress are consumers. The plain values inside are not to be changed:
contexts that show the same message share it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from .expect import Failure
from .script import Pointer
from .trace import FORMAT, Line, pointer_text, rfc3339

Plain: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Started:
    """The first line: which scenario."""

    scenario: str

    def line(self) -> Line:
        return {"type": "trace", "format": FORMAT, "scenario": self.scenario}


@dataclass(frozen=True, slots=True)
class Deployed:
    """A version was promoted, or refused with `error`."""

    agent: str
    plane: str
    at: int
    step: Pointer
    config: Plain
    version: int | None
    error: Plain | None

    def line(self) -> Line:
        line = {
            "type": "deploy",
            "agent": self.agent,
            "plane": self.plane,
            "at": rfc3339(self.at),
            "step": pointer_text(self.step),
            "config": self.config,
        }
        return line | ({"version": self.version} if self.error is None else {"error": self.error})


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn began under `version`, or was refused with `error`."""

    turn: str
    agent: str
    session: str | None
    plane: str
    at: int
    user: str
    step: Pointer
    version: int | None
    error: Plain | None

    def line(self) -> Line:
        line = {
            "type": "begin",
            "turn": self.turn,
            "agent": self.agent,
            "session": self.session,
            "plane": self.plane,
            "at": rfc3339(self.at),
            "user": self.user,
            "step": pointer_text(self.step),
        }
        return line | ({"version": self.version} if self.error is None else {"error": self.error})


@dataclass(frozen=True, slots=True)
class Assembled:
    """One model call was handed `context`."""

    turn: str
    step: Pointer
    context: Plain

    def line(self) -> Line:
        return {"type": "context", "turn": self.turn, "step": pointer_text(self.step), **self.context}


@dataclass(frozen=True, slots=True)
class Said:
    """What the agent said (`reply`), was told by an outside tool (`tool`), or set its state to (`state`)."""

    turn: str
    kind: str
    value: Any
    name: str | None = None
    ref: str | None = None  # the reference of a tool's result

    def line(self) -> Line:
        named = {} if self.name is None else {"name": self.name, "ref": self.ref}
        return {"type": "say", "turn": self.turn, "kind": self.kind, "value": self.value, **named}


@dataclass(frozen=True, slots=True)
class Called:
    """A harness tool answered, or refused with `error`. `arguments` hold ids, not the script's names."""

    turn: str
    call: int
    by: str
    tool: str
    arguments: Plain
    step: Pointer
    answer: Plain | None
    error: Plain | None

    def line(self) -> Line:
        line = {
            "type": "call",
            "turn": self.turn,
            "call": self.call,
            "by": self.by,
            "tool": self.tool,
            "arguments": self.arguments,
            "step": pointer_text(self.step),
        }
        return line | ({"answer": self.answer} if self.error is None else {"error": self.error})


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a candidate of the review. `arguments` hold ids; `answer` has outcome, target, record, reason."""

    turn: str
    call: int
    arguments: Plain
    step: Pointer
    answer: Plain

    def line(self) -> Line:
        return {
            "type": "decision",
            "turn": self.turn,
            "call": self.call,
            "candidate": {key: value for key, value in self.arguments.items() if key != "decision"},
            "decision": self.arguments.get("decision"),
            **self.answer,
            "step": pointer_text(self.step),
        }


@dataclass(frozen=True, slots=True)
class Postponed:
    """A review was due and not made (TXN-5)."""

    turn: str
    reason: str
    step: Pointer

    def line(self) -> Line:
        return {"type": "postponed", "turn": self.turn, "reason": self.reason, "step": pointer_text(self.step)}


@dataclass(frozen=True, slots=True)
class Ended:
    """A turn ended. `state` is the session's from then on; `error` is for reports: the trace has the reason."""

    turn: str
    outcome: str
    reason: str | None
    state: Plain | None
    step: Pointer
    error: Plain | None = None

    def line(self) -> Line:
        return {
            "type": "end",
            "turn": self.turn,
            "outcome": self.outcome,
            "reason": self.reason,
            "state": self.state,
            "step": pointer_text(self.step),
        }


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An operator's call was answered, or refused with `error`."""

    agent: str
    action: str
    id: str | None
    grants: tuple[str, ...] | None
    at: int
    step: Pointer
    answer: Any
    error: Plain | None

    def line(self) -> Line:
        line = {
            "type": "review",
            "agent": self.agent,
            "action": self.action,
            "id": self.id,
            "grants": None if self.grants is None else list(self.grants),
            "at": rfc3339(self.at),
            "step": pointer_text(self.step),
        }
        return line | ({"answer": self.answer} if self.error is None else {"error": self.error})


@dataclass(frozen=True, slots=True)
class Restarted:
    """The store was closed and opened again."""

    step: Pointer

    def line(self) -> Line:
        return {"type": "restart", "step": pointer_text(self.step)}


@dataclass(frozen=True, slots=True)
class Entered:
    """One line of the ledger, as the engine tells it when the run is over."""

    entry: Plain

    def line(self) -> Line:
        return self.entry


@dataclass(frozen=True, slots=True)
class Missed:
    """An expectation of the script did not hold. Not a line of the trace: it is about the script."""

    failure: Failure


@dataclass(frozen=True, slots=True)
class Unreviewed:
    """Candidates of a review that was not due. Not a line of the trace: in the memory system nothing happened."""

    step: Pointer


@dataclass(frozen=True, slots=True)
class Broke:
    """The memory system raised `error` at this step, or at none, and the run ends. Not a line of the trace."""

    step: Pointer
    error: Exception


Event: TypeAlias = (
    Started
    | Deployed
    | Begun
    | Assembled
    | Said
    | Called
    | Judged
    | Postponed
    | Ended
    | Reviewed
    | Restarted
    | Entered
    | Missed
    | Unreviewed
    | Broke
)
Consumer: TypeAlias = Callable[[Event], None]
