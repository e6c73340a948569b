"""Second runs, against a memory system of a page that runs scripts and can be told to leak without showing any text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from seatrial.simulator.invariants import Verdict
from seatrial.simulator.invariants.examples import HEADER
from seatrial.simulator.invariants.reruns.determinism import DETERMINISM
from seatrial.simulator.invariants.reruns.noninterference_sessions import NONINTERFERENCE_SESSIONS, observed
from seatrial.simulator.invariants.reruns.second_run import Lines, SecondRun
from seatrial.simulator.script import Action, ContinueStep, DeployStep, Script, TurnStep

Line = dict[str, Any]


@dataclass
class Kept:
    id: str
    agent: str
    session: str | None
    scope: str
    text: str
    execution: str


@dataclass
class Toy:
    """One run of a script, in which every write is kept at once.

    Leaks: `frequencies` (a score counts the documents of all sessions), `counter` (ids from one counter), `not_yours`
    (an error that tells a foreign id from an unknown one), `clock` (run number `ran` gives bytes of its own).
    """

    leak: str | None = None
    ran: int = 0
    lines: list[Line] = field(default_factory=list)
    records: list[Kept] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    configs: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)

    def run(self, script: Script) -> Lines:
        turns = {step.execution: step for step in script.steps if isinstance(step, TurnStep)}
        self.lines.append(HEADER)
        for step in script.steps:
            if isinstance(step, DeployStep):
                self.configs[step.agent] = step.config
                self.say("deploy", agent=step.agent, plane=step.plane, version=1, config=step.config)
            elif isinstance(step, TurnStep | ContinueStep):
                self.turn(turns[step.execution], step)
        for record in self.records:
            self.say("record", id=record.id, agent=record.agent, session=record.session, scope=record.scope)
        return Lines(tuple(self.lines))

    def say(self, line_type: str, **keys: Any) -> None:
        self.lines.append({"type": line_type, **keys})

    def turn(self, turn: TurnStep, step: TurnStep | ContinueStep) -> None:
        if isinstance(step, TurnStep):
            who = {"agent": turn.agent, "session": turn.session, "plane": turn.plane, "version": 1}
            self.say("begin", turn=turn.execution, user=turn.user, step=where(turn.pointer), **who)
        for action in step.do:
            self.act(turn, action)
        if step.outcome == "commit":
            self.say("end", turn=turn.execution, outcome="committed", reason=None)

    def act(self, turn: TurnStep, action: Action) -> None:
        call = self.calls[turn.execution] = self.calls.get(turn.execution, 0) + 1
        self.say(
            "context",
            turn=turn.execution,
            call=call,
            recalled=[],
            tokens=call + (self.ran if self.leak == "clock" else 0),
        )
        if action.kind not in ("add_memory", "search_memory", "read_memory"):
            self.say("say", turn=turn.execution, kind=action.kind, value=dict(action.arguments))
            return
        arguments = {key: self.resolved(value) for key, value in action.arguments.items()}
        reply = getattr(self, action.kind)(turn, action, arguments)
        at = {"turn": turn.execution, "call": call, "by": "agent", "step": where(action.pointer)}
        self.say("call", tool=action.kind, arguments=arguments, **at, **reply)

    def resolved(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.resolved(each) for each in value]
        return self.names.get(value, value) if isinstance(value, str) else value

    def view(self, turn: TurnStep) -> list[Kept]:
        reads: Sequence[str] = self.configs[turn.agent]["harness"]["memory"]["scope"]["read"]
        mine = [record for record in self.records if record.agent == turn.agent and record.scope in reads]
        return [record for record in mine if record.scope == "agent" or record.session == turn.session]

    def add_memory(self, turn: TurnStep, action: Action, arguments: Line) -> Line:
        scope = arguments.get("scope", "session")
        written = f"{turn.agent} {turn.session} {turn.execution} {scope} {arguments}"
        number = (
            f"{len(self.records):08d}" if self.leak == "counter" else hashlib.sha256(written.encode()).hexdigest()[:8]
        )
        record = Kept(f"mem_{number}", turn.agent, turn.session, scope, arguments["summary"], turn.execution)
        self.records.append(record)
        if action.name is not None:
            self.names[action.name] = record.id
        return {"answer": {"record": {"id": record.id, "summary": record.text}}}

    def search_memory(self, turn: TurnStep, action: Action, arguments: Line) -> Line:
        counted = self.records if self.leak == "frequencies" else self.view(turn)
        hits = []
        for record in self.view(turn):
            shared = set(arguments["query"].split()) & set(record.text.split())
            score = sum(1 / sum(word in other.text.split() for other in counted) for word in sorted(shared))
            if shared:
                hits.append({"id": record.id, "summary": record.text, "score": score})
        return {"answer": {"records": hits}}

    def read_memory(self, turn: TurnStep, action: Action, arguments: Line) -> Line:
        for record in self.view(turn):
            if record.id == arguments["id"]:
                return {"answer": {"record": {"id": record.id, "summary": record.text}}}
        known = self.leak == "not_yours" and any(record.id == arguments["id"] for record in self.records)
        return {"error": {"code": "not_yours" if known else "not_found", "message": arguments["id"], "remedy": ""}}


def where(pointer: Sequence[str | int]) -> str:
    return "".join(f"/{part}" for part in pointer)


@dataclass
class Told:
    """A verdict, and the scripts of the second runs that it took."""

    verdict: Verdict
    reruns: list[Script]


def judged(second: SecondRun, told: Script, leak: str | None = None) -> Told:
    reruns: list[Script] = []

    def rerun(changed: Script) -> Lines:
        reruns.append(changed)
        return Toy(leak, ran=len(reruns)).run(changed)

    return Told(second.check(told, Toy(leak).run(told), rerun), reruns)


def script(*turns: tuple[str, list[Action]], shares: bool = False) -> Script:
    """Turns of one agent, each of a session; with `shares` it reads and writes both scopes."""
    scopes = ["session", "agent"] if shares else ["session"]
    config = {"harness": {"memory": {"enabled": True, "scope": {"read": scopes, "write": scopes}}}}
    steps: list[Any] = [DeployStep(-1, ("config",), "clerk", config, "live", 0)]
    for place, (session, actions) in enumerate(turns):
        at = ("steps", place)
        do = tuple(replace(each, pointer=(*at, "do", index)) for index, each in enumerate(actions))
        user = f"Turn {place} of {session}"
        steps.append(TurnStep(place, at, f"s{place}", None, "clerk", session, "live", place, user, do, "commit"))
    return Script("a script", None, (), (), tuple(steps))


def act(kind: str, name: str | None = None, **arguments: Any) -> Action:
    return Action(kind, arguments, (), name)


REFUNDS = act("add_memory", summary="refunds take a week")
ASK = act("search_memory", query="refunds of march")
REPLY = act("reply", text="refunds take a week")


def test_one_session_alone_is_unknown() -> None:
    told = judged(NONINTERFERENCE_SESSIONS, script(("a", [REFUNDS, ASK]), ("a", [ASK])))
    assert (told.verdict.status, told.reruns) == ("unknown", [])


def test_sessions_that_keep_apart_hold() -> None:
    told = judged(NONINTERFERENCE_SESSIONS, script(("a", [REFUNDS, ASK]), ("b", [REFUNDS, ASK]), ("a", [ASK])))
    assert told.verdict.status == "holds"
    assert told.verdict.checked == {
        "reruns": 2,
        "turns_dropped": 3,
        "texts_replaced": 0,
        "lines": 11 + 7,
        "cross_session_probes": 2 + 4,
    }


def test_sch_4_document_frequencies_over_all_sessions_move_a_score() -> None:
    """mem0#5439: another user's ranking changed, though no text leaked."""
    told = judged(
        NONINTERFERENCE_SESSIONS, script(("a", [REFUNDS]), ("b", [REFUNDS]), ("c", []), ("a", [ASK])), "frequencies"
    )
    (violation,) = told.verdict.violations
    assert violation.clause == "VIEW-2"
    assert violation.step == "/steps/3/do/0"
    assert violation.observation == "call in a turn s3 call 1: /answer/records/0/score"
    assert violation.summary == "refunds take a week"
    assert violation.because == "because dropping b of clerk changed it from 0.5 to 1.0"
    assert violation.witness == ("dropping b of clerk", violation.observation)


def test_rec_2_an_id_from_a_global_counter() -> None:
    told = judged(NONINTERFERENCE_SESSIONS, script(("a", [REFUNDS]), ("b", [REFUNDS])), "counter")
    (violation,) = told.verdict.violations
    assert violation.observation == "call in b turn s1 call 1: /answer/record/id"
    assert violation.because == 'because dropping a of clerk changed it from "mem_00000001" to "mem_00000000"'


@pytest.mark.parametrize("shares", [False, True])
def test_view_6_an_error_that_says_not_yours(shares: bool) -> None:
    """The name of a foreign record keeps its first id: what the session asks for does not change."""
    secret = act("add_memory", "secret", summary="refunds are on hold", scope="session")
    guidance = [act("add_memory", summary="be polite", scope="agent")] if shares else []
    asked = script(("a", [secret, *guidance]), ("b", [act("read_memory", id="secret")]), shares=shares)
    assert judged(NONINTERFERENCE_SESSIONS, asked).verdict.status == "holds"
    (violation,) = judged(NONINTERFERENCE_SESSIONS, asked, "not_yours").verdict.violations
    assert violation.observation == "call in b turn s1 call 1: /error/code"


def test_what_is_shared_on_purpose_may_show() -> None:
    """SCO-2: the AGENT record stays as it is, what its session keeps to itself is replaced."""
    shared = act("add_memory", summary="refunds need a signature", scope="agent")
    private = act("add_memory", summary="refunds of march were paid twice")
    sharing = script(("a", [shared, private, ASK, REPLY]), ("b", [ASK]), shares=True)
    told = judged(NONINTERFERENCE_SESSIONS, sharing)
    assert told.verdict.status == "holds"
    assert told.verdict.checked["turns_dropped"] == 1, "b shares nothing, so a's run goes without it"
    assert told.verdict.checked["texts_replaced"] == 4
    (violation,) = judged(NONINTERFERENCE_SESSIONS, sharing, "frequencies").verdict.violations
    assert violation.observation == "call in b turn s1 call 1: /answer/records/0/score"
    assert violation.because.startswith("because replacing the private texts of a of clerk changed it from 0.5 to 1")
    assert violation.summary == "refunds need a signature"


def test_a_session_that_does_not_read_agent_scope_is_not_informed() -> None:
    shared = act("add_memory", summary="refunds need a signature", scope="agent")
    sharing = script(("a", [shared]), ("b", [ASK]), shares=True)
    config = {"harness": {"memory": {"scope": {"read": ["session"], "write": ["session", "agent"]}}}}
    deaf = DeployStep(-1, ("config",), "clerk", config, "live", 0)
    told = judged(NONINTERFERENCE_SESSIONS, replace(sharing, steps=(deaf, *sharing.steps[1:])))
    assert told.verdict.checked["turns_dropped"] == 2
    assert told.verdict.checked["texts_replaced"] == 0


def test_view_1_what_moves_with_another_agent() -> None:
    told = script(("a", [REFUNDS, ASK]), ("b", [REFUNDS]))
    config, mine, theirs = told.steps
    assert isinstance(theirs, TurnStep)
    auditor = DeployStep(-1, ("config",), "auditor", {"harness": {"memory": {"scope": {"read": []}}}}, "live", 0)
    again = script(("a", []), ("b", []), ("a", [ASK])).steps[-1]
    mixed = replace(told, steps=(config, auditor, mine, replace(theirs, agent="auditor"), again))
    assert judged(NONINTERFERENCE_SESSIONS, mixed).verdict.status == "holds"
    (violation,) = judged(NONINTERFERENCE_SESSIONS, mixed, "frequencies").verdict.violations
    assert (violation.clause, violation.witness[0]) == ("VIEW-1", "dropping b of auditor")


def test_what_becomes_of_a_shared_record_is_seen_by_who_reads_it_only() -> None:
    record = {"type": "record", "id": "mem_1", "agent": "clerk", "session": "a", "status": "DELETED", "versions": []}
    for scope, seen in (("session", {*record, "scope"}), ("agent", {*record, "scope"} - {"status", "versions"})):
        (line,) = observed([{**record, "scope": scope}, {**record, "session": "b"}], ("clerk", "a"))
        assert {*line} == seen


def test_determinism_compares_every_line() -> None:
    told = judged(DETERMINISM, script(("a", [REFUNDS, ASK])))
    assert (told.verdict.status, told.verdict.checked["observations"]) == ("holds", 4)
    assert told.verdict.checked["lines"] == 9
    (violation,) = judged(DETERMINISM, script(("a", [REFUNDS, ASK])), "clock").verdict.violations
    assert violation.observation == "context in a turn s0 call 1: /tokens"
    assert violation.because == "because the same script gave 1 first and 2 the second time"


def test_determinism_of_a_script_that_observes_nothing_is_unknown() -> None:
    assert judged(DETERMINISM, script()).verdict.status == "unknown"
