"""An open turn of a script, and what its agent does in it: model calls, actions, the review at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from seatrial.engine import Answer, Context, EngineError, Turn, TurnResult

from .events import Assembled, Called, Judged, Postponed, Said, Unreviewed
from .expect import Failure, Reply, show_error
from .naming import resolved, written
from .script import Action, ContinueStep, Pointer, TurnStep
from .telling import Plain, Telling
from .words import EXTRACT, HELPERS

_SAYS: Mapping[str, Literal["reply", "tool", "state"]] = {"reply": "reply", "tool": "tool", "set_state": "state"}


@dataclass(slots=True)
class Acting:
    """A turn that is open, and the step that began it."""

    turn: Turn
    step: TurnStep
    telling: Telling
    summary: str | None = None  # the model's answer where the step that runs now has it asked for a summary
    asked: bool = False  # whether it was, in that step
    action: Pointer = ()  # what the agent does next

    def act(self, action: Action) -> TurnResult | None:
        """One model call, then one action. The turn's result if that ended it."""
        turn = self.turn
        self.action = action.pointer
        try:
            assembled = turn.model_call()
        except EngineError:
            assert turn.result is not None  # TXN-5: the call that would exceed the limit fails the turn
            self.telling.unreached((action,), "the turn had ended")
            return turn.result
        context = self._show(assembled, action.pointer)
        self.telling.check_sees(action, context)
        if action.kind == "fail":
            return turn.fail(action.arguments["reason"])
        if action.kind in _SAYS:
            self._say(action)
        elif action.kind in HELPERS:
            helper = turn.helper("subagent" if action.kind == "subagent" else "program")
            for inner in action.do:
                self._call(inner, action.kind, helper.call, context["call"])
        else:
            self._call(action, "agent", turn.call, context["call"])
        return None

    def summarize(self, context: Context) -> str | None:
        """The model is asked for a summary, before the call for the action that comes next (CTX-3)."""
        self.asked = True
        self._show(context, self.action)
        return self.summary

    def _show(self, context: Context, step: Pointer) -> Plain:
        told: Plain = context.to_json(self.telling.lines.__getitem__)
        self.telling.emit(Assembled(self.turn.execution, step, told))
        return told

    def _say(self, action: Action) -> None:
        turn, kind = self.turn, _SAYS[action.kind]
        given = action.arguments
        try:
            if kind == "reply":
                turn.reply(given["text"])
                said = Said(turn.execution, kind, given["text"])
            elif kind == "tool":
                ref = turn.tool_result(given["name"], given["result"])
                said = Said(turn.execution, kind, given["result"], given["name"], ref)
                if action.name is not None:
                    self.telling.names.learn(action.name, ref)
            else:
                turn.set_state(given["state"])
                said = Said(turn.execution, kind, given["state"])
        except EngineError as refused:
            self.telling.miss(
                [Failure(action.pointer, f"`{action.kind}` to be taken", f"the error {show_error(refused.to_json())}")]
            )
        else:
            self.telling.emit(said)

    def _call(self, action: Action, by: str, tool: Callable[..., Answer], number: int) -> None:
        arguments = resolved(action, self.telling.id_of)
        try:
            told = tool(action.kind, arguments)
        except EngineError as refused:  # arguments that cannot be looked at, like an integer of a thousand digits
            told = Answer(None, refused)
        answer: Any = told.answer
        error = error_of(told.error)
        self.telling.emit(
            Called(
                turn=self.turn.execution,
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
            self.telling.names.learn(action.name, answer["record"]["id"])
        self.telling.check_gets(action.gets, Reply(answer, error), action.pointer, written(action))

    def extract(self, step: TurnStep | ContinueStep) -> list[tuple[Action, Plain, int]]:
        """The review at the end of the turn, where one is due. Each candidate, with ids for names, and its call."""
        turn, candidates = self.turn, step.extract or ()
        review = turn.review()
        if review is None:
            if turn.postponed is not None:
                self.telling.emit(Postponed(turn.execution, turn.postponed, step.pointer))
            elif candidates:
                self.telling.emit(Unreviewed((*step.pointer, EXTRACT)))
            self.telling.unreached(candidates, "no review was made")
            return []
        self._show(review, step.pointer)
        judged: list[tuple[Action, Plain, int]] = []
        for action in candidates:
            arguments = resolved(action, self.telling.id_of)
            decided = turn.decide(arguments)
            if action.name is not None and decided.record is not None:
                self.telling.names.learn(action.name, str(decided.record["id"]))
            judged.append((action, arguments, review.call))
        return judged

    def judged(self, candidates: Sequence[tuple[Action, Plain, int]]) -> None:
        """What became of each candidate: told after the commit, which looks at them again (TXN-3)."""
        for (action, arguments, call), decided in zip(candidates, self.turn.extraction.decisions, strict=True):
            answer = decided.to_json()
            self.telling.emit(Judged(self.turn.execution, call, arguments, action.pointer, answer))
            self.telling.check_gets(
                action.gets, Reply(answer, error_of(decided.error)), action.pointer, written(action)
            )


def error_of(error: EngineError | None) -> Plain | None:
    return None if error is None else error.to_json()
