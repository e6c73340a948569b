"""The changes to a script that must not matter to one session: other sessions dropped, or their private texts replaced.

What a name means does not change with them: where a step names a record that another session's turn defines, the
changed script holds the id that it had in the first run (VIEW-6: an id out of view answers alike, whether or not it is
there). Times and executions stay as first settled (REC-2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ...script import Action, ContinueStep, ReviewStep, Script, Step, TurnStep
from ..events import Call, Decision
from ..history import History
from ..model import Unit, read, scope_of
from .canary import Canaries, texts
from .without import pointer

_WRITES = ("add_memory", "extract")
_ID_FIELDS = ("id", "ids", "replaces", "ref", "decision")
_PRIVATE = {"reply": ("text",), "tool": ("result",), "set_state": ("state",), "search_history": ("query",)}


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed script, how many turns were dropped, and how many different texts replaced."""

    script: Script
    dropped: int
    texts: int


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose each execution of a script is, and whose the actions that define each name."""

    units: Mapping[str, Unit]
    names: Mapping[str, Collection[Unit]]


def owners_in(script: Script) -> Owners:
    """Read once for all the changes of one script."""
    units = {step.execution: (step.agent, step.session) for step in script.steps if isinstance(step, TurnStep)}
    names: dict[str, set[Unit]] = {}
    for unit, action in _actions(script, units):
        if action.name is not None:
            names.setdefault(action.name, set()).add(unit)
    return Owners(units, names)


def change(
    script: Script,
    history: History,
    drop: Collection[Unit],
    disguise: Collection[Unit],
    owners: Owners | None = None,
) -> Changed:
    """`script` without the turns of `drop`, and with the private texts of `disguise` replaced. `owners` are its own."""
    drop = frozenset(drop)
    changer = _Changer(script, history, frozenset(disguise), owners or owners_in(script))
    gone = [step for step in script.steps if isinstance(step, TurnStep) and (step.agent, step.session) in drop]
    executions = {step.execution for step in gone}
    lost = {name for name, of in changer.owners.items() if drop.issuperset(of)}
    kept = [changer.step(step) for step in script.steps if not _is_gone(step, executions, lost)]
    return Changed(replace(script, steps=tuple(kept)), len(gone), changer.canaries.replaced)


@lru_cache(maxsize=1)
def _calls(history: History) -> Mapping[str, Mapping[str, Any]]:
    """What the first run called with at each step, and decided."""
    return {
        event.step: event.arguments if isinstance(event, Call) else {"decision": event.decision}
        for event in history.events
        if isinstance(event, Call | Decision)
    }


def _is_gone(step: Step, executions: Collection[str], names: Collection[str]) -> bool:
    if isinstance(step, TurnStep | ContinueStep):
        return step.execution in executions
    return isinstance(step, ReviewStep) and step.target in names


class _Changer:
    """Changes steps one by one, with one set of stand-ins for the whole script."""

    def __init__(self, script: Script, history: History, disguise: Collection[Unit], owners: Owners) -> None:
        self.turns = read(history).turns
        self.calls = _calls(history)
        self.disguise = disguise
        self.units = owners.units
        self.owners = owners.names
        self.canaries = Canaries(*((self.public(script), self.taken(script)) if disguise else ((), ())))

    def public(self, script: Script) -> Iterator[str]:
        """The texts that disguised sessions share on purpose: those of AGENT records."""
        for step in script.steps:
            if isinstance(step, TurnStep | ContinueStep) and self.units.get(step.execution) in self.disguise:
                for action in _walk(_all(step)):
                    if action.kind in _WRITES and self.scope(step.execution, action) == "agent":
                        yield from texts(_record_texts(action.arguments))

    def taken(self, script: Script) -> Iterator[str]:
        for step in script.steps:
            if isinstance(step, TurnStep):
                yield step.user
            if isinstance(step, TurnStep | ContinueStep) and step.summary is not None:
                yield step.summary
        for _, action in _actions(script, self.units):
            yield from texts(action.arguments)

    def scope(self, execution: str, action: Action) -> str:
        turn = self.turns.get(execution)
        return "session" if turn is None else scope_of(turn, action.arguments)

    def step(self, step: Step) -> Step:
        if not isinstance(step, TurnStep | ContinueStep):
            return step
        unit = self.units.get(step.execution)
        if unit is None:
            return step
        changed = replace(
            step,
            do=tuple(self.action(unit, step.execution, action) for action in step.do),
            extract=step.extract and tuple(self.action(unit, step.execution, action) for action in step.extract),
        )
        if unit not in self.disguise:
            return changed
        if changed.summary is not None:
            changed = replace(changed, summary=self.canaries.of(changed.summary))
        return replace(changed, user=self.canaries.of(changed.user)) if isinstance(changed, TurnStep) else changed

    def action(self, unit: Unit, execution: str, action: Action) -> Action:
        arguments = self.frozen(unit, action)
        if unit in self.disguise:
            arguments = self.disguised(execution, action, arguments)
        inner = tuple(self.action(unit, execution, each) for each in action.do)
        return replace(action, arguments=arguments, do=inner)

    def frozen(self, unit: Unit, action: Action) -> Mapping[str, Any]:
        """The arguments, with the first run's id for each name that another session defines."""
        first = self.calls.get(pointer(action.pointer))
        fields = [field for field in _ID_FIELDS if field in action.arguments]
        if first is None or not fields:
            return action.arguments
        changed = dict(action.arguments)
        for field in fields:
            changed[field] = self.named(unit, action.arguments[field], first.get(field))
        return changed

    def named(self, unit: Unit, value: Any, was: Any) -> Any:
        if isinstance(value, Mapping) and isinstance(was, Mapping):  # a decision on a candidate
            return {word: self.named(unit, each, was.get(word)) for word, each in value.items()}
        if isinstance(value, list | tuple) and isinstance(was, list | tuple):
            return [self.named(unit, each, before) for each, before in zip(value, was, strict=False)]
        foreign = isinstance(value, str) and any(owner != unit for owner in self.owners.get(value, ()))
        return was if foreign else value

    def disguised(self, execution: str, action: Action, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments, with a stand-in for every private text."""
        private: tuple[str, ...]
        if action.kind in _WRITES:
            private = () if self.scope(execution, action) == "agent" else ("summary", "content")
        else:
            private = ("query",) if action.kind == "search_memory" else _PRIVATE.get(action.kind, ())
        changed = {name: self.canaries.inside(value) if name in private else value for name, value in arguments.items()}
        labels = arguments.get("labels")
        if isinstance(labels, Mapping):  # names of labels are declared; their values are texts like any other
            changed["labels"] = {name: self.canaries.inside(value) for name, value in labels.items()}
        return changed


def _record_texts(arguments: Mapping[str, Any]) -> Sequence[Any]:
    labels = arguments.get("labels")
    return [
        arguments.get("summary"),
        arguments.get("content"),
        *(labels.values() if isinstance(labels, Mapping) else ()),
    ]


def _actions(script: Script, units: Mapping[str, Unit]) -> Iterator[tuple[Unit, Action]]:
    """Every action with the session whose it is, helpers' actions included."""
    for step in script.steps:
        if isinstance(step, TurnStep | ContinueStep) and step.execution in units:
            yield from ((units[step.execution], action) for action in _walk(_all(step)))


def _all(step: TurnStep | ContinueStep) -> tuple[Action, ...]:
    """What the step does, and the candidates of its review."""
    return (*step.do, *(step.extract or ()))


def _walk(actions: Sequence[Action]) -> Iterator[Action]:
    for action in actions:
        yield action
        yield from _walk(action.do)
