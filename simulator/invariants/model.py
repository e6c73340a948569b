"""Who may see what, in few lines: the oracle's own model of the views (VIEW-1 to VIEW-5, VIEW-7).

Told from what the turns did and were answered, and from the configs deployed; never from the ledger, which is checked
against it. Shares no code with the engine, so that a fault there cannot hide itself here. Times are line numbers of
the trace: they order what happened, and nothing else is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from .events import Begin, Call, Context, Decision, Deploy, End, Review, Say
from .history import History
from .plain import OBJECT, id_of, ids, scopes_of

Unit: TypeAlias = tuple[str, str | None]  # an agent and one of its sessions, or None: its sessionless turns

ENDS = ("replace", "delete")  # outcomes of a candidate that end the record it names


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn that ran. `config` is that of its version, `reads` and `writes` its scopes; `at` the turn's time.

    `ended` is None while it is open.
    """

    id: str
    agent: str
    session: str | None
    plane: str
    version: int | None
    config: Mapping[str, Any]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    at: str | None
    began: int
    ended: int | None
    outcome: str | None
    step: str
    unit: Unit = field(init=False)
    committed: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit", (self.agent, self.session))
        object.__setattr__(self, "committed", self.outcome == "committed")

    @property
    def line(self) -> int:
        """Where the turn is told of as a whole: its end, or its begin while it is open."""
        return self.began if self.ended is None else self.ended

    @property
    def label(self) -> str:
        return f"{self.session or self.agent} turn {self.id}"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something observed stems from: the turn, and the scope of a record.

    `scope` is None for what belongs to the conversation or the state; `source` names it in a witness.
    """

    turn: Turn
    scope: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Write:
    """A record as the answer to its write told it: what was written, by whom, and in which scope.

    `stated` are the arguments of the call, or the candidate, that wrote it, `answered` is the record as it was told.
    """

    id: str
    origin: Origin
    line: int
    step: str
    summary: str
    content: str | None
    labels: Mapping[str, Any]
    pinned: bool
    stated: Mapping[str, Any]
    answered: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ending:
    """A record was replaced or deleted: by a turn, or by an operator where `turn` is None.

    `plane` is where it counts: a preview's `would_replace` hides the record from previews only (PRE-2). `replaced`
    tells a replacement from a deletion, and then `successor` is the record that took its place, where it is told.
    """

    record: str
    turn: Turn | None
    line: int
    step: str
    plane: str
    replaced: bool
    successor: str | None = None


@dataclass(frozen=True, slots=True)
class Objection:
    """A clause that forbids a turn to observe something, and why, as a sentence beginning with "because"."""

    clause: str
    because: str


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that was put in, and what each turn may see of it.

    `writes` holds, for a record's id, every write that answered it, in order. `results` maps a reference to the turns
    whose tool result it returns: a system may number them session by session, or derive them from the text. `said`
    maps a text to the turns that put it into a conversation, by session. `states` lists each state that was set;
    `carried` gives, for the line of a context or an end, the state that must be reported there (CTX-6).
    """

    history: History
    turns: Mapping[str, Turn]
    writes: Mapping[str, Sequence[Write]]
    results: Mapping[str, Sequence[Origin]]
    endings: Sequence[Ending]
    said: Mapping[str, Mapping[Unit, Sequence[Origin]]]
    states: Sequence[tuple[Any, Origin]]
    carried: Mapping[int, Any]

    def knows(self, word: str) -> bool:
        """Whether `word` is the id of a record or a reference."""
        return word in self.writes or word in self.results

    def made(self, event: Call | Decision) -> list[Write]:
        """The writes that a call or a decision made: none, or one."""
        shown = event.record if isinstance(event, Decision) else (event.answer or {}).get("record")
        return [write for write in self.writes.get(id_of(shown) or "", ()) if write.line == event.line]

    def undone_before(self, turn: Turn) -> Turn | None:
        """The turn of the same session that ended last before `turn` began, if it did not commit."""
        ended = [
            each for each in self.turns.values() if each.unit == turn.unit and (each.ended or turn.began) < turn.began
        ]
        last = max(ended, key=lambda each: each.ended or 0, default=None)
        return None if last is None or last.committed else last


@lru_cache(maxsize=1)
def read(history: History) -> Model:
    """The model of `history`. Kept for the latest history, as every invariant asks for it."""
    return _Reader(history).model()


def clauses_against(observer: Turn, origin: Origin) -> list[str]:
    """The clauses that forbid `observer` to see what stems from `origin`; none: it may be seen."""
    turn, scope = origin.turn, origin.scope
    own = turn.id == observer.id
    found = []
    if turn.agent != observer.agent:
        found.append("VIEW-1")
    else:
        if not own and scope != "agent":
            if observer.session is None:
                found.append("VIEW-7")
            elif turn.session != observer.session:
                found.append("VIEW-2")
        if scope is not None and scope not in observer.reads:
            found.append("VIEW-3")
    if own:
        return found
    if turn.plane == "preview" and observer.plane == "live":
        found.append("VIEW-4")
    if turn.ended is None or turn.ended > observer.began:
        found.append("VIEW-5")
    if not turn.committed:
        found.append("TXN-2")
    return found


def objections(observer: Turn, origin: Origin) -> tuple[Objection, ...]:
    """The same, each with its reason."""
    found = clauses_against(observer, origin)
    if not found:  # as nearly always
        return ()
    turn = origin.turn
    owner = "a sessionless turn" if turn.session is None else f"session {turn.session}"
    how = "never ended" if turn.outcome is None else f"ended as {turn.outcome}"
    reasons = {
        "VIEW-1": f"it belongs to agent {turn.agent}, and agent {observer.agent} sees nothing of another agent",
        "VIEW-2": f"it belongs to {owner}, and session {observer.session} sees its own only",
        "VIEW-3": f"version {observer.version} of {observer.agent} does not read {origin.scope} scope",
        "VIEW-4": f"preview turn {turn.id} wrote it, and a live turn sees live only",
        "VIEW-5": f"turn {turn.id} had not committed when turn {observer.id} began",
        "VIEW-7": "a sessionless turn sees AGENT records only",
        "TXN-2": f"turn {turn.id} {how}, and leaves nothing",
    }
    return tuple(Objection(clause, f"because {reasons[clause]}") for clause in found)


class _Reader:
    """Reads a history once, in order."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.ends = {event.turn: event for event in history.events if isinstance(event, End)}
        self.configs: dict[tuple[str, int | None], Mapping[str, Any]] = {}
        self.scopes: dict[tuple[str, int | None], tuple[tuple[str, ...], tuple[str, ...]]] = {}  # as they read them
        self.turns: dict[str, Turn] = {}
        self.writes: dict[str, list[Write]] = {}
        self.results: dict[str, list[Origin]] = {}
        self.endings: list[Ending] = []
        self.said: dict[str, dict[Unit, list[Origin]]] = {}
        self.states: list[tuple[Any, Origin]] = []
        self.carried: dict[int, Any] = {}
        self.latest: dict[tuple[Unit, str], Any] = {}  # the state of the latest committed turn that a plane sees
        self.current: dict[str, Any] = {}
        self.started: dict[str, Any] = {}  # the state with which each turn began

    def model(self) -> Model:
        for event in self.history.events:
            match event:
                case Deploy():
                    if event.version is not None:
                        self.configs[event.agent, event.version] = event.config
                        self.scopes.pop((event.agent, event.version), None)
                case Begin(error=None):
                    self.begin(event)
                case Say():
                    self.say(event)
                case Context():
                    self.carried[event.line] = self.current[event.turn]
                case Call(answer=dict()):
                    self.answered(event)
                case Decision():
                    self.decided(event)
                case End():
                    self.end(event)
                case Review(action="delete", error=None, id=str(target)):
                    self.endings.append(Ending(target, None, event.line, event.step, "live", replaced=False))
        return Model(
            history=self.history,
            turns=self.turns,
            writes=self.writes,
            results=self.results,
            endings=self.endings,
            said=self.said,
            states=self.states,
            carried=self.carried,
        )

    def begin(self, event: Begin) -> None:
        version = event.agent, event.version
        config = self.configs.get(version, {})
        if version not in self.scopes:
            self.scopes[version] = scopes_of(config)
        reads, writes = self.scopes[version]
        end = self.ends.get(event.turn)
        turn = Turn(
            id=event.turn,
            agent=event.agent,
            session=event.session,
            plane=event.plane,
            version=event.version,
            config=config,
            reads=reads,
            writes=writes,
            at=event.at,
            began=event.line,
            ended=end.line if end else None,
            outcome=end.outcome if end else None,
            step=event.step,
        )
        self.turns[turn.id] = turn
        self.hear(turn, event.user or "", "user message")
        # VIEW-4: a preview continues the latest turn of either plane. VIEW-7: without a session nothing is carried.
        carried = self.latest.get((turn.unit, turn.plane), {})
        self.started[turn.id] = self.current[turn.id] = {} if turn.session is None else carried

    def hear(self, turn: Turn, text: str, what: str) -> None:
        if text.strip():
            self.said.setdefault(text, {}).setdefault(turn.unit, []).append(Origin(turn, None, what))

    def say(self, event: Say) -> None:
        turn = self.turns[event.turn]
        if event.kind == "state":
            self.current[turn.id] = event.value
            self.states.append((event.value, Origin(turn, None, "state")))
        elif isinstance(event.value, str):
            self.hear(turn, event.value, event.kind)
            if event.ref is not None:
                self.results.setdefault(event.ref, []).append(Origin(turn, None, f"result {event.ref}"))

    def end(self, event: End) -> None:
        turn = self.turns[event.turn]
        if not turn.committed and event.state is not None:  # CTX-6: exactly what it was before
            self.carried[event.line] = self.started[turn.id]
        if turn.committed:
            self.carried[event.line] = self.current[turn.id]
            for plane in ("live", "preview") if turn.plane == "live" else ("preview",):
                self.latest[turn.unit, plane] = self.current[turn.id]

    def answered(self, event: Call) -> None:
        assert event.answer is not None
        turn = self.turns[event.turn]
        if event.tool == "add_memory":
            record = event.answer.get("record")
            if isinstance(record, OBJECT):
                self.write(turn, event, event.tool, scope_of(turn, event.arguments, record), record)
        elif event.tool != "delete_memory":
            return  # a preview record that is read says what it would replace, and replaces nothing
        adds = event.tool == "add_memory"
        targets = replaced(event) if adds else ids(event.answer.get("deleted"))
        by = id_of(event.answer.get("record")) if adds else None
        would = (*ids(event.answer.get("would_replace")), *ids(event.answer.get("would_delete")))
        for target in (*targets, *(each for each in would if each not in targets)):
            self.endings.append(Ending(target, turn, event.line, event.step, turn.plane, adds, by))

    def decided(self, event: Decision) -> None:
        """What a review wrote and ended: its candidate says in which scope, as a call's arguments do."""
        turn = self.turns[event.turn]
        if event.record is not None:
            self.write(turn, event, "review", scope_of(turn, event.candidate, event.record), event.record)
        if event.target is not None and event.outcome in ENDS:
            replaces = event.outcome == "replace"
            by = id_of(event.record) if replaces else None
            self.endings.append(Ending(event.target, turn, event.line, event.step, turn.plane, replaces, by))

    def write(self, turn: Turn, event: Call | Decision, by: str, scope: str, record: Mapping[str, Any]) -> None:
        if not isinstance(record.get("id"), str):
            return
        content = record.get("content")
        labels = record.get("labels")
        write = Write(
            id=record["id"],
            origin=Origin(turn, scope, f"{by} {record['id']} ({scope})"),
            line=event.line,
            step=event.step,
            summary=str(record.get("summary", "")),
            content=content if isinstance(content, str) else None,
            labels=labels if isinstance(labels, OBJECT) else {},
            pinned=record.get("pinned") is True,
            stated=event.arguments if isinstance(event, Call) else event.candidate,
            answered=record,
        )
        self.writes.setdefault(write.id, []).append(write)


def scope_of(turn: Turn, arguments: Mapping[str, Any], record: Mapping[str, Any] | None = None) -> str:
    """The scope a write must be kept in: the one it states, else the only one, else `session` (SCO-2).

    Without a config nothing is known of a scope that is not stated but what the answer, `record`, says.
    """
    stated = arguments.get("scope")
    if stated is None and not turn.config and record is not None:
        stated = record.get("scope")
    if isinstance(stated, str):
        return stated.lower()
    return turn.writes[0] if len(turn.writes) == 1 else "session"


def replaced(event: Call) -> tuple[str, ...]:
    """The records that an `add_memory` names to replace."""
    return ids(event.arguments.get("replaces"))
