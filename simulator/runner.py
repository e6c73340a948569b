"""Runs a script against the memory system, through its public names only, and tells what happened as events.

The script drives: before each item of a turn's `do` one model call, then the action. Nothing here decides what is
right: expectations are compared (expect.py), and invariants read the trace afterwards.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from seatrial.engine import Answer, Context, Engine, EngineError, Turn, TurnResult

from .events import (
    Assembled,
    Begun,
    Called,
    Consumer,
    Deployed,
    Ended,
    Entered,
    Event,
    Judged,
    Missed,
    Postponed,
    Restarted,
    Reviewed,
    Said,
    Started,
    Unreviewed,
)
from .expect import Failure, Names, Reply, check_gets, check_sees, never_added, show_error
from .naming import named_in, never_an_id, resolved, written
from .script import (
    Action,
    ContinueStep,
    DeployStep,
    Pointer,
    RestartStep,
    ReviewStep,
    Script,
    TurnStep,
    every_action,
)
from .trace import Line, Trace
from .words import EXTRACT, HELPERS

Plain: TypeAlias = Mapping[str, Any]

_SAYS: Mapping[str, Literal["reply", "tool", "state"]] = {"reply": "reply", "tool": "tool", "set_state": "state"}


@dataclass(frozen=True, slots=True)
class Run:
    """What a script did: its trace, and the expectations that did not hold."""

    trace: Trace
    failures: tuple[Failure, ...]


def run_script(
    script: Script,
    *,
    store: Path | None = None,
    consumers: Sequence[Consumer] = (),
    expectations: bool = True,
) -> Run:
    """Run `script` in memory, or in a new file `store`. The trace is the same either way.

    `consumers` are handed each event as it happens. Second runs of a changed script evaluate no `expectations`.
    """
    lines: list[Line] = []
    failures: list[Failure] = []

    def record(event: Event) -> None:
        if isinstance(event, Missed):
            failures.append(event.failure)
        elif not isinstance(event, Unreviewed):
            lines.append(event.line())

    with _store(script, store) as path:
        player = _Player(script, path, (record, *consumers), expectations=expectations, kept=store is not None)
        try:
            player.play()
        finally:
            player.engine.close()
    return Run(Trace(tuple(lines)), tuple(failures))


@contextmanager
def _store(script: Script, store: Path | None) -> Iterator[Path | None]:
    """Where the store is kept: memory does not outlive a restart, so a script with one gets a file for its time."""
    if store is not None or not any(isinstance(step, RestartStep) for step in script.steps):
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="seatrial-") as folder:
        yield Path(folder) / "store.sqlite"


@dataclass(slots=True)
class _Open:
    """A turn that is open, and whose it is."""

    turn: Turn
    step: TurnStep
    summary: str | None = None  # the model's answer where the step that runs now has it asked for a summary
    asked: bool = False  # whether it was, in that step
    action: Pointer = ()  # what the agent does next


class _Player:
    """One run. Holds the engine, the open turns, and the names learned so far."""

    def __init__(
        self,
        script: Script,
        path: Path | None,
        consumers: Sequence[Consumer],
        *,
        expectations: bool,
        kept: bool,
    ) -> None:
        self.script = script
        self.path = path
        self.consumers = consumers
        self.expectations = expectations
        named = dict(named_in(script))
        self.names = Names(name for name, refused in named.items() if not refused)
        self.promised = frozenset(named)
        self.open: dict[str, _Open] = {}  # by execution, in the order they began
        self.kept = kept
        self.engine = Engine.open(path, lasting=kept)

    def play(self) -> None:
        self.emit(Started(self.script.scenario))
        for step in self.script.steps:
            if isinstance(step, TurnStep):
                self.begin(step)
            elif isinstance(step, ContinueStep):
                self.go_on(step)
            elif isinstance(step, DeployStep):
                self.deploy(step)
            elif isinstance(step, ReviewStep):
                self.review(step)
            else:
                self.restart(step)
        for left in list(self.open.values()):
            self.end(left, left.turn.crash(), left.step.pointer)
        ledger: Any = self.engine.ledger().to_json()
        for entries in ledger.values():
            for entry in entries:
                self.emit(Entered(entry))

    def emit(self, event: Event) -> None:
        for consumer in self.consumers:
            consumer(event)

    def miss(self, failures: Iterable[Failure]) -> None:
        for failure in failures:
            self.emit(Missed(failure))

    def begin(self, step: TurnStep) -> None:
        refused, version = None, None
        try:
            turn = self.engine.begin(
                step.agent,
                session=step.session,
                plane=step.plane,
                execution=step.execution,
                at=step.at,
                user=step.user,
                summarize=lambda context: self.summarize(step.execution, context),
            )
        except EngineError as error:
            refused = error.to_json()
        else:
            version = turn.version
            self.open[step.execution] = _Open(turn, step)
        self.emit(
            Begun(
                turn=step.execution,
                agent=step.agent,
                session=step.session,
                plane=step.plane,
                at=step.at,
                user=step.user,
                step=step.pointer,
                version=version,
                error=refused,
            )
        )
        if refused is None:
            self.go_on(step)
        else:
            self.unreached((*step.do, *(step.extract or ())), "the turn was refused")
            self.check_gets(step.gets, Reply(error=refused), step.pointer)

    def go_on(self, step: TurnStep | ContinueStep) -> None:
        """Do what the step says with its open turn, and end it. With a turn that is not open nothing can be done."""
        opened = self.open.get(step.execution)
        if opened is None:
            self.unreached((*step.do, *(step.extract or ())), "the turn is not open")
            if self.expectations and step.gets is not None:
                self.miss([Failure((*step.pointer, "gets"), "the turn to go on", "the turn is not open")])
            return
        opened.summary, opened.asked = step.summary, False
        for index, action in enumerate(step.do):
            ended = self.act(opened, action)
            if ended is not None:
                self.end(opened, ended, action.pointer)
                self.unreached((*step.do[index + 1 :], *(step.extract or ())), "the turn had ended")
                self.check_gets(step.gets, Reply(error=_error(ended.error)), step.pointer)
                return
        if self.expectations and step.summary is not None and not opened.asked:
            seen = "the conversation never had more tokens than context.summarize_at"
            self.miss([Failure((*step.pointer, "summary"), "the model to be asked for a summary", seen)])
        if step.outcome == "open":
            self.check_gets(step.gets, Reply(), step.pointer)
            return
        turn = opened.turn
        reviewed = step.outcome == "commit" or step.extract is not None
        judged = self.extract(opened, step) if reviewed else []
        result = {"commit": turn.commit, "rollback": turn.rollback, "crash": turn.crash}[step.outcome]()
        self.judged(turn, judged)
        self.end(opened, result, step.pointer)
        self.check_gets(step.gets, Reply(error=_error(result.error)), step.pointer)

    def extract(self, opened: _Open, step: TurnStep | ContinueStep) -> list[tuple[Action, Plain, int]]:
        """The review at the end of the turn, where one is due. Each candidate, with ids for names, and its call."""
        turn, candidates = opened.turn, step.extract or ()
        review = turn.review()
        if review is None:
            if turn.postponed is not None:
                self.emit(Postponed(turn.execution, turn.postponed, step.pointer))
            elif candidates:
                self.emit(Unreviewed((*step.pointer, EXTRACT)))
            self.unreached(candidates, "no review was made")
            return []
        self.emit(Assembled(turn.execution, step.pointer, review.to_json()))
        judged: list[tuple[Action, Plain, int]] = []
        for action in candidates:
            arguments = resolved(action, self.id_of)
            decided = turn.decide(arguments)
            if action.name is not None and decided.record is not None:
                self.names.learn(action.name, str(decided.record["id"]))
            judged.append((action, arguments, review.call))
        return judged

    def judged(self, turn: Turn, candidates: Sequence[tuple[Action, Plain, int]]) -> None:
        """What became of each candidate: told after the commit, which looks at them again (TXN-3)."""
        for (action, arguments, call), decided in zip(candidates, turn.extraction.decisions, strict=True):
            answer = decided.to_json()
            self.emit(Judged(turn.execution, call, arguments, action.pointer, answer))
            self.check_gets(action.gets, Reply(answer, _error(decided.error)), action.pointer, [*written(action)])

    def end(self, opened: _Open, result: TurnResult, pointer: Pointer) -> None:
        del self.open[opened.step.execution]
        self.emit(
            Ended(
                turn=result.execution,
                outcome=result.outcome,
                reason=result.reason,
                state=result.state,
                step=pointer,
                error=_error(result.error),
            )
        )

    def act(self, opened: _Open, action: Action) -> TurnResult | None:
        """One model call, then one action. The turn's result if that ended it."""
        turn = opened.turn
        opened.action = action.pointer
        try:
            context: Any = turn.model_call().to_json()
        except EngineError:
            assert turn.result is not None  # TXN-5: the call that would exceed the limit fails the turn
            self.unreached((action,), "the turn had ended")
            return turn.result
        self.emit(Assembled(turn.execution, action.pointer, context))
        if self.expectations and action.sees is not None:
            self.miss(check_sees(action.sees, context, self.names, (*action.pointer, "sees")))
        if action.kind == "fail":
            return turn.fail(action.arguments["reason"])
        if action.kind in _SAYS:
            self.say(turn, action)
        elif action.kind in HELPERS:
            helper = turn.helper("subagent" if action.kind == "subagent" else "program")
            for inner in action.do:
                self.call(opened, inner, action.kind, helper.call, context["call"])
        else:
            self.call(opened, action, "agent", turn.call, context["call"])
        return None

    def summarize(self, execution: str, context: Context) -> str | None:
        """The model is asked for a summary, before the call for the action that comes next (CTX-3)."""
        opened = self.open[execution]
        opened.asked = True
        told: Any = context.to_json()
        self.emit(Assembled(execution, opened.action, told))
        return opened.summary

    def say(self, turn: Turn, action: Action) -> None:
        kind = _SAYS[action.kind]
        given = action.arguments
        try:
            if kind == "reply":
                turn.reply(given["text"])
                said = Said(turn.execution, kind, given["text"])
            elif kind == "tool":
                ref = turn.tool_result(given["name"], given["result"])
                said = Said(turn.execution, kind, given["result"], given["name"], ref)
                if action.name is not None:
                    self.names.learn(action.name, ref)
            else:
                turn.set_state(given["state"])
                said = Said(turn.execution, kind, given["state"])
        except EngineError as refused:
            self.miss(
                [Failure(action.pointer, f"`{action.kind}` to be taken", f"the error {show_error(refused.to_json())}")]
            )
        else:
            self.emit(said)

    def call(self, opened: _Open, action: Action, by: str, tool: Callable[..., Answer], number: int) -> None:
        arguments = resolved(action, self.id_of)
        try:
            told = tool(action.kind, arguments)
        except EngineError as refused:  # arguments that cannot be looked at, like an integer of a thousand digits
            told = Answer(None, refused)
        answer: Any = told.answer
        error = _error(told.error)
        self.emit(
            Called(
                turn=opened.step.execution,
                call=number,
                by=by,
                tool=action.kind,
                arguments=arguments,
                step=action.pointer,
                answer=answer,
                error=error,
            )
        )
        if action.name is not None and answer is not None and "record" in answer:
            self.names.learn(action.name, answer["record"]["id"])
        self.check_gets(action.gets, Reply(answer, error), action.pointer, written(action))

    def deploy(self, step: DeployStep) -> None:
        version, error = None, None
        try:
            version = self.engine.deploy(step.agent, step.config, plane=step.plane, at=step.at)
        except EngineError as refused:
            error = refused.to_json()
        self.emit(
            Deployed(
                agent=step.agent,
                plane=step.plane,
                at=step.at,
                step=step.pointer,
                config=step.config,
                version=version,
                error=error,
            )
        )
        if step.place < 0 and error is not None:  # without its agents no scenario shows anything
            self.miss([Failure(step.pointer, "the config to be deployed", f"the error {show_error(error)}")])
        self.check_gets(step.gets, Reply(error=error), step.pointer)

    def review(self, step: ReviewStep) -> None:
        target = None if step.target is None else self.id_of(step.target)
        answer, error = None, None
        console = self.engine.console
        try:
            if target is None:
                answer = console.memories(step.agent, grants=step.grants)
            elif step.action == "read":
                answer = console.memory(step.agent, target, grants=step.grants)
            else:
                answer = console.delete(step.agent, target, grants=step.grants, at=step.at)
        except EngineError as refused:
            error = refused.to_json()
        self.emit(
            Reviewed(
                agent=step.agent,
                action=step.action,
                id=target,
                grants=step.grants,
                at=step.at,
                step=step.pointer,
                answer=answer,
                error=error,
            )
        )
        self.check_gets(step.gets, Reply(answer, error), step.pointer, [step.target] if step.target else ())

    def restart(self, step: RestartStep) -> None:
        """Close and open again. Open turns die with the store: it is the engine that ends them (TXN-4)."""
        left = list(self.open.values())
        self.engine.close()
        for opened in left:
            assert opened.turn.result is not None
            self.end(opened, opened.turn.result, step.pointer)
        self.engine = Engine.open(self.path, lasting=self.kept)
        self.emit(Restarted(step.pointer))

    def id_of(self, name: str) -> str:
        """The id that `name` stands for; what is no name of the script is an id as it is written."""
        learned = self.names.ids.get(name)
        if learned is not None:
            return learned
        return never_an_id(name) if name in self.promised else name

    def check_gets(self, gets: Plain | None, reply: Reply, pointer: Pointer, named: Iterable[str] = ()) -> None:
        """`named` is what was asked about: of what was never added no answer shows anything."""
        if not self.expectations or gets is None:
            return
        at = (*pointer, "gets")
        never = self.names.missing(named)
        self.miss([never_added(never, at)] if never else check_gets(gets, reply, self.names, at))

    def unreached(self, do: Sequence[Action], why: str) -> None:
        """Expectations of actions that never happened: silence is not a pass."""
        if not self.expectations:
            return
        for action, _ in every_action(do):
            for key in ("sees", "gets"):
                if getattr(action, key) is not None:
                    self.miss([Failure((*action.pointer, key), f"`{action.kind}` to happen", f"{why} before it")])


def _error(error: EngineError | None) -> Plain | None:
    return None if error is None else error.to_json()
