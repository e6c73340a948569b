"""A script without some of its turns, in which every name stands for the id that it had in the first run.

So a name that a dropped turn defined still means something (VIEW-6), and an id that moved shows (REC-2). Times and
executions stay as first settled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from ...script import Action, ContinueStep, DeployStep, RestartStep, ReviewStep, Script, Step, TurnStep, all_actions
from ..events import Begin, Call, Decision, Review
from ..history import History
from ..model import read

_ID_FIELDS = ("id", "ids", "replaces", "ref", "decision")


def without(
    script: Script, history: History, drop: Collection[str], gone: Callable[[Step], bool] | None = None
) -> Script:
    """`script` without the turns of the executions `drop` and the steps that are `gone`: by default, operators' steps
    on records that only dropped turns define."""
    if gone is None:
        lost = _lost(script, drop)

        def gone(step: Step) -> bool:
            return isinstance(step, ReviewStep) and step.target in lost

    kept = [step for step in script.steps if not _dropped(step, drop) and not gone(step)]
    freezer = _Freezer(history)
    return replace(script, steps=tuple(freezer.step(step) for step in kept))


def frozen(script: Script, history: History) -> Script:
    """The whole script with ids in place of names, so that its steps may run in another order."""
    return without(script, history, ())


def undone(history: History) -> frozenset[str]:
    """The turns that did not commit: those that were refused, too."""
    begun = [event.turn for event in history.events if isinstance(event, Begin)]
    turns = read(history).turns
    return frozenset(name for name in begun if name not in turns or not turns[name].committed)


def _dropped(step: Step, drop: Collection[str]) -> bool:
    return isinstance(step, TurnStep | ContinueStep) and step.execution in drop


def _lost(script: Script, drop: Collection[str]) -> frozenset[str]:
    """The names that dropped turns define, and no other."""
    gone: set[str] = set()
    left: set[str] = set()
    for step in script.steps:
        if isinstance(step, TurnStep | ContinueStep):
            names = {action.name for action, _ in all_actions(step) if action.name is not None}
            (gone if step.execution in drop else left).update(names)
    return frozenset(gone - left)


class _Freezer:
    """Puts ids in place of names, as the first run's answers to the same actions had them."""

    def __init__(self, history: History) -> None:
        self.asked: dict[str, Mapping[str, Any]] = {}
        for event in history.events:
            if isinstance(event, Call):
                self.asked[event.step] = event.arguments
            elif isinstance(event, Decision):
                self.asked[event.step] = {"decision": event.decision}
            elif isinstance(event, Review) and event.id is not None:
                self.asked[event.step] = {"id": event.id}

    def step(self, step: Step) -> Step:
        if isinstance(step, ReviewStep):
            first = self.asked.get(pointer(step.pointer))
            return step if first is None or step.target is None else replace(step, target=first["id"])
        if isinstance(step, DeployStep | RestartStep):
            return step
        extract = step.extract and tuple(self.action(action) for action in step.extract)
        return replace(step, do=tuple(self.action(action) for action in step.do), extract=extract)

    def action(self, action: Action) -> Action:
        first = self.asked.get(pointer(action.pointer), {})
        ids = {field: first[field] for field in _ID_FIELDS if field in action.arguments and field in first}
        inner = tuple(self.action(each) for each in action.do)
        return replace(action, arguments={**action.arguments, **ids}, do=inner)


def pointer(parts: tuple[str | int, ...]) -> str:
    """The parts as a JSON Pointer, as traces have it."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
