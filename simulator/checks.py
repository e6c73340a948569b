"""What is wrong with a script as a whole: names, open turns, ends, expectations that nothing could meet.

Each check takes a settled Script and yields findings. None decides what the memory system would answer: a script may do
what is refused, and say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

from .findings import Finding
from .naming import named_in
from .script import (
    Action,
    ContinueStep,
    DeployStep,
    Pointer,
    RestartStep,
    ReviewStep,
    Script,
    Step,
    TurnStep,
    all_actions,
    every_action,
)
from .spec import CLAUSES
from .words import ACTIONS, EXTRACT, STEP_ANSWERS, WORDS

_MEMORY_TOOLS = ("add_memory", "read_memory", "delete_memory")
_FEW = 8  # names that a message lists
RECORD_IDS = ("id", "successor", "replaces", "would_replace", "would_delete")  # fields of a record that hold ids


def check(script: Script, invariants: Sequence[str]) -> Iterator[Finding]:
    """Every finding of every check, in no particular order. `invariants` are the names a tag may hold."""
    checker = Checker()
    for step in script.steps:
        yield from checker.read(step)
    for step in script.steps:
        yield from checker.check(step)
    for left in checker.open_turns.values():
        yield Finding(
            "SC303", (*left.pointer, "outcome"), "the script ends with this turn open: it then ends as crashed"
        )
    yield from _tags(script, invariants)
    yield from _clauses(script)


class Checker:
    """Checks a script step by step. Each step is read before it is checked.

    Of a whole script all steps are read first: a version that comes late may offer what an early turn asks for. Where
    each is read and checked as it comes, as long as none is wrong the whole is not, either.
    """

    def __init__(self) -> None:
        self.names = _Names()
        self.open_turns: dict[str, Step] = {}  # by execution
        self._turn_names: dict[str, str | None] = {}  # of those begun so far, by execution
        self._taken: set[str] = set()  # names of turns
        self._agents: dict[str, str] = {}  # whose turn it is, by execution
        # The agents of which a version does it, and what each is offered by any version.
        self._keeping: set[str] = set()
        self._pinning: set[str] = set()
        self._offered: dict[str, set[str]] = {}

    def read(self, step: Step) -> Iterator[Finding]:
        """Takes notice of what the step adds to the script. Finds what this makes wrong in those before it."""
        if isinstance(step, DeployStep):
            memory = step.config.get("harness", {}).get("memory", {})
            self._keeping.update([step.agent] if memory.get("enabled") else [])
            self._pinning.update([step.agent] if memory.get("pinned") else [])
            self._offered.setdefault(step.agent, set()).update(_offers(step.config))
        elif isinstance(step, TurnStep):
            self._agents[step.execution] = step.agent
        yield from self.names.read(step)

    def check(self, step: Step) -> Iterator[Finding]:
        """What is wrong with the step after those that were checked before it."""
        yield from self.names.check(step)
        if isinstance(step, TurnStep | ContinueStep):
            yield from self._opens(step)
            yield from _ends(step)
            yield from _step_answers(step.gets, "turn", step.pointer)
            for action, helper in all_actions(step):
                yield from _action(action, in_helper=helper)
            agent = self._agents.get(step.execution, "")
            yield from self._tools(step, agent)
            yield from self._reviews(step, agent)
            yield from self._never_shown(step, agent)
        elif isinstance(step, DeployStep):
            yield from _step_answers(step.gets, "deploy", step.pointer)
        elif isinstance(step, ReviewStep):
            yield from _step_answers(step.gets, step.action, step.pointer)
        elif isinstance(step, RestartStep):
            self.open_turns.clear()  # TXN-4: they end as crashed

    def _opens(self, step: TurnStep | ContinueStep) -> Iterator[Finding]:
        stays = step.outcome == "open" and not _fails(step.do)
        if isinstance(step, TurnStep):
            if step.name is not None and step.name in self._taken:
                yield Finding("SC302", (*step.pointer, "id"), f"a turn before this one is already called `{step.name}`")
            self._turn_names[step.execution] = step.name
            self._taken.update([] if step.name is None else [step.name])
            if stays:
                self.open_turns[step.execution] = step
        elif step.execution not in self.open_turns:
            yield Finding("SC301", (*step.pointer, "continue"), self._not_open(step.execution))
        elif not stays:
            del self.open_turns[step.execution]

    def _not_open(self, execution: str) -> str:
        if execution in self._turn_names:
            return "this turn has ended: only one with `outcome: open` goes on, until it ends or a restart ends it"
        names = ", ".join(f"`{self._turn_names[each]}`" for each in self.open_turns if self._turn_names[each])
        return f"no turn before this one has this `id`; {f'open here: {names}' if names else 'none is open here'}"

    def _tools(self, step: TurnStep | ContinueStep, agent: str) -> Iterator[Finding]:
        for action, in_helper in every_action(step.do):
            stated = action.gets is not None and "error" in action.gets
            offered = self._offered.get(agent, ())
            if ACTIONS[action.kind].harness and not (in_helper or stated) and action.kind not in offered:
                message = f"no version of {agent} offers {action.kind}: it is refused with no_such_tool"
                yield Finding("SC205", (*action.pointer, action.kind), message, on_key=True)

    def _reviews(self, step: TurnStep | ContinueStep, agent: str) -> Iterator[Finding]:
        """Candidates of a review that never happens."""
        if step.extract is None:
            return
        at = (*step.pointer, EXTRACT)
        if step.outcome == "open":
            yield Finding("SC306", at, "the turn stays open, and its review comes when it ends", on_key=True)
        elif _fails(step.do):
            yield Finding("SC306", at, "the turn fails before its review", on_key=True)
        elif agent not in self._keeping:
            yield Finding("SC306", at, f"no version of {agent} keeps memory, so no turn is reviewed", on_key=True)

    def _never_shown(self, step: TurnStep | ContinueStep, agent: str) -> Iterator[Finding]:
        """Records that a context is to show, where no version of the agent shows any."""
        if step.execution not in self._agents:
            return
        for action in step.do:
            for part, showing, missing in (
                ("recalled", self._keeping, "keeps memory"),
                ("pins", self._pinning, "has pins"),
            ):
                if agent not in showing and _some(action.sees, part):
                    at = (*action.pointer, "sees", part)
                    yield Finding("SC003", at, f"no version of {agent} {missing}, so this is always empty", on_key=True)


class _Names:
    """The names of records and results: those given so far, and those of all that was read."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.all: set[str] = set()
        self.ids: dict[str, Pointer] = {}  # what was taken for the id of nothing, and where

    def read(self, step: Step) -> Iterator[Finding]:
        for name, _ in named_in([step]):
            self.all.add(name)
            if name in self.ids:
                yield _named_later(name, self.ids[name])

    def check(self, step: Step) -> Iterator[Finding]:
        if isinstance(step, ReviewStep):
            if step.target is not None:
                at = (*step.pointer, "review", step.action)
                yield from self._name(step.target, at, literal=_tolerates(step.gets))
            yield from self._in_gets(step.gets, (*step.pointer, "gets"))
        elif isinstance(step, TurnStep | ContinueStep):
            for action, _ in all_actions(step):
                yield from self._in_action(action)

    def _in_action(self, action: Action) -> Iterator[Finding]:
        for records in ("recalled", "pins"):
            if action.sees is not None and records in action.sees:
                yield from self._in_list(action.sees[records], (*action.pointer, "sees", records))
        decision = action.arguments.get("decision") if action.kind == EXTRACT else None
        for word, name in decision.items() if isinstance(decision, Mapping) else ():
            at = (*action.pointer, "decision", word)
            yield from self._name(name, at, literal=_tolerates(action.gets))
        for parameter in WORDS[action.kind].ids:
            value = action.arguments.get(parameter, [])
            at = (*action.pointer, action.kind, parameter)
            for name, place in _placed(value, at):
                yield from self._name(name, place, literal=_tolerates(action.gets))
        if action.name is not None:
            if action.name in self.known:
                at = (*action.pointer, *(() if action.kind == EXTRACT else (action.kind,)), "as")
                yield Finding("SC102", at, f"`{action.name}` is a name of this script already")
            self.known.add(action.name)
        yield from self._in_gets(action.gets, (*action.pointer, "gets"))

    def _in_gets(self, gets: Mapping[str, Any] | None, at: Pointer) -> Iterator[Finding]:
        if gets is None:
            return
        if "records" in gets:
            yield from self._in_list(gets["records"], (*at, "records"))
        yield from self._in_events(gets.get("events", []), (*at, "events"))
        for field, value in gets.get("record", {}).items():
            if field in RECORD_IDS:
                for name, place in _placed(value, (*at, "record", field)):
                    yield from self._name(name, place)

    def _in_events(self, value: Any, at: Pointer) -> Iterator[Finding]:
        """The references in what is said of events."""
        for place, events in _parted(value, at):
            for index, event in enumerate(events):
                if isinstance(event, Mapping) and "ref" in event:
                    yield from self._name(event["ref"], (*place, index, "ref"))

    def _in_list(self, value: Any, at: Pointer) -> Iterator[Finding]:
        for place, names in _parted(value, at):
            for name, spot in _placed(names, place):
                yield from self._name(name, spot)

    def _name(self, name: str, at: Pointer, *, literal: bool = False) -> Iterator[Finding]:
        if name in self.known:
            return
        near = get_close_matches(name, sorted(self.all), n=1, cutoff=0.8)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        if name in self.all:
            yield _named_later(name, at)
        elif not literal:
            if not near:
                given = ", ".join(sorted(self.known))
                names = f"given so far: {given}" if 0 < len(self.known) <= _FEW else "`as` names a record"
                hint = f"; {names}. If the id of nothing is meant, say what it gets: `gets: {{error: not_found}}`"
            yield Finding("SC101", at, f"no `as` gives the name `{name}`{hint}")
        else:
            self.ids[name] = at
            if near:
                yield Finding("SC103", at, f"`{name}` is taken for an id that never existed{hint}")


def _named_later(name: str, at: Pointer) -> Finding:
    return Finding("SC101", at, f"`{name}` is named only later in the script: a name counts from where `as` gives it")


def _parted(value: Any, at: Pointer) -> list[tuple[Pointer, Any]]:
    """What is expected of a list: the list itself, or what stands behind `only`, `has` and so on."""
    return [((*at, key), part) for key, part in value.items()] if isinstance(value, Mapping) else [(at, value)]


def _placed(value: Any, at: Pointer) -> Iterator[tuple[str, Pointer]]:
    """The names in a value, which is one or a list of them, with their places."""
    if isinstance(value, str):
        yield value, at
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            if isinstance(item, str):
                yield item, (*at, index)


def _tolerates(gets: Mapping[str, Any] | None) -> bool:
    """Whether the script says what becomes of an id that names nothing: refused, or found nowhere."""
    return gets is not None and ("error" in gets or "records" in gets or gets.get("outcome") == "rejected")


def _fails(do: Sequence[Action]) -> bool:
    return any(action.kind == "fail" for action in do)


def _ends(step: TurnStep | ContinueStep) -> Iterator[Finding]:
    for action, after in pairwise(step.do):
        if action.kind == "fail":
            yield Finding("SC304", after.pointer, "the turn has failed before: this never happens")
            return


def _action(action: Action, *, in_helper: bool) -> Iterator[Finding]:
    word = WORDS[action.kind]
    if in_helper and not word.harness:
        at = (*action.pointer, action.kind)
        yield Finding("SC006", at, f"a helper calls the harness's tools; `{action.kind}` is its parent's", on_key=True)
    if action.sees is not None:
        at = (*action.pointer, "sees")
        if in_helper:
            yield Finding("SC003", at, "no context is assembled for what a helper does", on_key=True)
        yield from _bounds(action.sees.get("tokens"), (*at, "tokens"))
    yield from _answers(action.gets, word.answers, (*action.pointer, "gets"), f"`{action.kind}`")


def _some(sees: Mapping[str, Any] | None, part: str) -> bool:
    """Whether records are to be there."""
    wanted = None if sees is None else sees.get(part)
    return bool(wanted.get("only") or wanted.get("has")) if isinstance(wanted, Mapping) else bool(wanted)


def _step_answers(gets: Mapping[str, Any] | None, kind: str, pointer: Pointer) -> Iterator[Finding]:
    yield from _answers(gets, STEP_ANSWERS[kind], (*pointer, "gets"), f"a {kind} step")


def _answers(gets: Mapping[str, Any] | None, answers: frozenset[str], at: Pointer, what: str) -> Iterator[Finding]:
    if gets is None:
        return
    if not answers:
        yield Finding("SC004", at, f"{what} is answered nothing", on_key=True)
        return
    for key in gets:
        if key not in answers:
            possible = ", ".join(sorted(answers))
            yield Finding("SC004", (*at, key), f"{what} is never answered `{key}`, but {possible}", on_key=True)
        elif key in ("record", "records", "events", "score") and ("error" in gets or gets.get("outcome") == "rejected"):
            yield Finding("SC004", (*at, key), f"what is refused with an error has no `{key}`", on_key=True)
    yield from _bounds(gets.get("score"), (*at, "score"))


def _bounds(bounds: Any, at: Pointer) -> Iterator[Finding]:
    if isinstance(bounds, Mapping) and "min" in bounds and "max" in bounds and bounds["min"] > bounds["max"]:
        yield Finding("SC005", at, f"nothing is at least {bounds['min']} and at most {bounds['max']}")


def _offers(config: Mapping[str, Any]) -> Iterator[str]:
    yield "read_result"
    harness = config.get("harness", {})
    if harness.get("history", {}).get("index") and config.get("sessions", True):
        yield "search_history"
    memory = harness.get("memory", {})
    if memory.get("enabled"):
        yield "search_memory"
        yield from (tool for tool in memory.get("tools", ()) if tool in _MEMORY_TOOLS)


def _tags(script: Script, invariants: Sequence[str]) -> Iterator[Finding]:
    for index, tag in enumerate(script.tags):
        near = get_close_matches(tag, invariants, n=1, cutoff=0.85)
        if near and tag not in invariants:
            yield Finding("SC401", ("tags", index), f"no invariant is called {tag}; did you mean {near[0]}?")


def _clauses(script: Script) -> Iterator[Finding]:
    for index, clause in enumerate(script.clauses):
        if clause not in CLAUSES:
            near = get_close_matches(clause, CLAUSES, n=1, cutoff=0.6)
            hint = f"; did you mean {near[0]}?" if near else ""
            yield Finding("SC402", ("clauses", index), f"there is no clause {clause}{hint}")
