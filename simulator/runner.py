"""Runs a script against the memory system, through its public names only, and tells what happened as events.

The script drives: before each item of a turn's `do` one model call, then the action. Nothing here decides what is
right: expectations are compared (expect.py), and invariants read the trace afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seatrial.engine import Engine, EngineError, Memory, StoreError, TurnResult

from .acting import Acting, error_of
from .collecting import few_collections
from .events import (
    Begun,
    Broke,
    Consumer,
    Deployed,
    Ended,
    Entered,
    Event,
    Missed,
    Restarted,
    Reviewed,
    Started,
    Unreviewed,
)
from .expect import Failure, Reply, show_error
from .script import ContinueStep, DeployStep, Pointer, RestartStep, ReviewStep, Script, Step, TurnStep
from .telling import Telling
from .trace import Line, Trace


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

    Raises whatever a memory system raises that breaks down, and tells it as the last event; StoreError where `store`
    cannot be used.
    """
    lines: list[Line] = []
    failures: list[Failure] = []

    def record(event: Event) -> None:
        if isinstance(event, Missed):
            failures.append(event.failure)
        elif not isinstance(event, Unreviewed | Broke):
            lines.append(event.line())

    memory = Memory()  # which a restart does not empty
    player: Player | None = None
    try:
        with few_collections():
            place = memory if store is None else store
            player = Player(script, place, (record, *consumers), expectations=expectations)
            try:
                player.start()
                player.finish()
            finally:
                player.engine.close()
    except Exception as error:
        if store is None or not isinstance(error, StoreError):
            for consumer in consumers:
                consumer(Broke(() if player is None else player.at, error))
        raise
    finally:
        memory.end()  # also after an engine that broke down while it was closed
    return Run(Trace(tuple(lines)), tuple(failures))


class Player:
    """One run. Holds the engine, the open turns, and the names learned so far."""

    def __init__(
        self,
        script: Script,
        place: Path | Memory,
        consumers: Sequence[Consumer],
        *,
        expectations: bool,
    ) -> None:
        self.script = script
        self.place = place
        self.telling = Telling(script, consumers, expectations)
        self.open: dict[str, Acting] = {}  # by execution, in the order they began
        self.at: Pointer = ()  # what is played
        self.engine = Engine.open(place)

    def start(self) -> None:
        """The steps that the script has. There may be more."""
        self.telling.emit(Started(self.script.scenario))
        for step in self.script.steps:
            self.step(step)

    def step(self, step: Step) -> None:
        self.at = step.pointer
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

    def finish(self) -> None:
        """Open turns end as crashed, and the ledger is told."""
        for left in list(self.open.values()):
            self.at = left.step.pointer
            self.end(left, left.turn.crash(), left.step.pointer)
        self.at = ()
        ledger: Any = self.engine.ledger().to_json()
        for entries in ledger.values():
            for entry in entries:
                self.telling.emit(Entered(entry))

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
                summarize=lambda context: self.open[step.execution].summarize(context),  # noqa: PLW0108 - it is not open yet
            )
        except EngineError as error:
            refused = error.to_json()
        else:
            version = turn.version
            self.open[step.execution] = Acting(turn, step, self.telling)
        self.telling.emit(
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
            self.telling.unreached((*step.do, *(step.extract or ())), "the turn was refused")
            self.telling.check_gets(step.gets, Reply(error=refused), step.pointer)

    def go_on(self, step: TurnStep | ContinueStep) -> None:
        """Do what the step says with its open turn, and end it. With a turn that is not open nothing can be done."""
        opened = self.open.get(step.execution)
        if opened is None:
            self.telling.unreached((*step.do, *(step.extract or ())), "the turn is not open")
            if step.gets is not None:
                self.telling.unmet("the turn to go on", "the turn is not open", (*step.pointer, "gets"))
            return
        opened.summary, opened.asked = step.summary, False
        for index, action in enumerate(step.do):
            self.at = action.pointer
            ended = opened.act(action)
            if ended is not None:
                self.end(opened, ended, action.pointer)
                self.telling.unreached((*step.do[index + 1 :], *(step.extract or ())), "the turn had ended")
                self.telling.check_gets(step.gets, Reply(error=error_of(ended.error)), step.pointer)
                return
        self.at = step.pointer
        if step.summary is not None and not opened.asked:
            seen = "the conversation never had more tokens than context.summarize_at"
            self.telling.unmet("the model to be asked for a summary", seen, (*step.pointer, "summary"))
        if step.outcome == "open":
            self.telling.check_gets(step.gets, Reply(), step.pointer)
            return
        turn = opened.turn
        reviewed = step.outcome == "commit" or step.extract is not None
        judged = opened.extract(step) if reviewed else []
        result = {"commit": turn.commit, "rollback": turn.rollback, "crash": turn.crash}[step.outcome]()
        opened.judged(judged)
        self.end(opened, result, step.pointer)
        self.telling.check_gets(step.gets, Reply(error=error_of(result.error)), step.pointer)

    def end(self, opened: Acting, result: TurnResult, pointer: Pointer) -> None:
        del self.open[opened.step.execution]
        self.telling.emit(
            Ended(
                turn=result.execution,
                outcome=result.outcome,
                reason=result.reason,
                state=result.state,
                step=pointer,
                error=error_of(result.error),
            )
        )

    def deploy(self, step: DeployStep) -> None:
        version, error = None, None
        try:
            version = self.engine.deploy(step.agent, step.config, plane=step.plane, at=step.at)
        except EngineError as refused:
            error = refused.to_json()
        self.telling.emit(
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
            self.telling.miss([Failure(step.pointer, "the config to be deployed", f"the error {show_error(error)}")])
        self.telling.check_gets(step.gets, Reply(error=error), step.pointer)

    def review(self, step: ReviewStep) -> None:
        target = None if step.target is None else self.telling.id_of(step.target)
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
        self.telling.emit(
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
        self.telling.check_gets(step.gets, Reply(answer, error), step.pointer, [step.target] if step.target else ())

    def restart(self, step: RestartStep) -> None:
        """Close and open again. Open turns die with the store: it is the engine that ends them (TXN-4)."""
        left = list(self.open.values())
        self.engine.close()
        for opened in left:
            assert opened.turn.result is not None
            self.end(opened, opened.turn.result, step.pointer)
        self.engine = Engine.open(self.place)
        self.telling.emit(Restarted(step.pointer))
