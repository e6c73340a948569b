"""What is wrong with a script as a whole: names, open turns, ends, expectations that nothing could meet.

Each check takes a settled Script and yields findings. None decides what the memory system would answer: a script may do
what is refused, and say so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
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
    yield from _names(script)
    yield from _open_turns(script)
    for step in script.steps:
        if isinstance(step, TurnStep | ContinueStep):
            yield from _ends(step)
            yield from _step_answers(step.gets, "turn", step.pointer)
            for action, helper in all_actions(step):
                yield from _action(action, in_helper=helper)
        elif isinstance(step, DeployStep):
            yield from _step_answers(step.gets, "deploy", step.pointer)
        elif isinstance(step, ReviewStep):
            yield from _step_answers(step.gets, step.action, step.pointer)
    yield from _tools(script)
    yield from _reviews(script)
    yield from _never_shown(script)
    yield from _tags(script, invariants)
    yield from _clauses(script)


def _names(script: Script) -> Iterator[Finding]:
    all_names = {name for name, _ in named_in(script)}
    known: set[str] = set()
    for step in script.steps:
        if isinstance(step, ReviewStep):
            if step.target is not None:
                at = (*step.pointer, "review", step.action)
                yield from _name(step.target, at, known, all_names, literal=_tolerates(step.gets))
            yield from _names_in_gets(step.gets, (*step.pointer, "gets"), known, all_names)
        elif isinstance(step, TurnStep | ContinueStep):
            for action, _ in all_actions(step):
                yield from _names_in_action(action, known, all_names)


def _names_in_action(action: Action, known: set[str], all_names: set[str]) -> Iterator[Finding]:
    for records in ("recalled", "pins"):
        if action.sees is not None and records in action.sees:
            at = (*action.pointer, "sees", records)
            yield from _names_in_list(action.sees[records], at, known, all_names)
    decision = action.arguments.get("decision") if action.kind == EXTRACT else None
    for word, name in decision.items() if isinstance(decision, Mapping) else ():
        at = (*action.pointer, "decision", word)
        yield from _name(name, at, known, all_names, literal=_tolerates(action.gets))
    for parameter in WORDS[action.kind].ids:
        value = action.arguments.get(parameter, [])
        at = (*action.pointer, action.kind, parameter)
        for name, place in [(value, at)] if isinstance(value, str) else _placed(value, at):
            yield from _name(name, place, known, all_names, literal=_tolerates(action.gets))
    if action.name is not None:
        if action.name in known:
            at = (*action.pointer, *(() if action.kind == EXTRACT else (action.kind,)), "as")
            yield Finding("SC102", at, f"`{action.name}` is a name of this script already")
        known.add(action.name)
    yield from _names_in_gets(action.gets, (*action.pointer, "gets"), known, all_names)


def _names_in_gets(
    gets: Mapping[str, Any] | None, at: Pointer, known: set[str], all_names: set[str]
) -> Iterator[Finding]:
    if gets is None:
        return
    if "records" in gets:
        yield from _names_in_list(gets["records"], (*at, "records"), known, all_names)
    yield from _names_in_events(gets.get("events", []), (*at, "events"), known, all_names)
    for field, value in gets.get("record", {}).items():
        if field in RECORD_IDS:
            place = (*at, "record", field)
            for name, spot in [(value, place)] if isinstance(value, str) else _placed(value, place):
                yield from _name(name, spot, known, all_names)


def _names_in_events(value: Any, at: Pointer, known: set[str], all_names: set[str]) -> Iterator[Finding]:
    """The references in what is said of events."""
    parts = [(at, value)] if not isinstance(value, Mapping) else [((*at, key), events) for key, events in value.items()]
    for place, events in parts:
        for index, event in enumerate(events):
            if isinstance(event, Mapping) and "ref" in event:
                yield from _name(event["ref"], (*place, index, "ref"), known, all_names)


def _names_in_list(value: Any, at: Pointer, known: set[str], all_names: set[str]) -> Iterator[Finding]:
    parts = value.items() if isinstance(value, Mapping) else [(None, value)]
    for key, names in parts:
        for name, place in _placed(names, at if key is None else (*at, key)):
            yield from _name(name, place, known, all_names)


def _placed(value: Any, at: Pointer) -> Iterator[tuple[str, Pointer]]:
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            if isinstance(item, str):
                yield item, (*at, index)


def _tolerates(gets: Mapping[str, Any] | None) -> bool:
    """Whether the script says what becomes of an id that names nothing: refused, or found nowhere."""
    return gets is not None and ("error" in gets or "records" in gets or gets.get("outcome") == "rejected")


def _name(name: str, at: Pointer, known: set[str], all_names: set[str], *, literal: bool = False) -> Iterator[Finding]:
    if name in known:
        return
    near = get_close_matches(name, sorted(all_names), n=1, cutoff=0.8)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    if name in all_names:
        yield Finding(
            "SC101", at, f"`{name}` is named only later in the script: a name counts from where `as` gives it"
        )
    elif not literal:
        if not near:
            names = f"given so far: {', '.join(sorted(known))}" if 0 < len(known) <= _FEW else "`as` names a record"
            hint = f"; {names}. If the id of nothing is meant, say what it gets: `gets: {{error: not_found}}`"
        yield Finding("SC101", at, f"no `as` gives the name `{name}`{hint}")
    elif near:
        yield Finding("SC103", at, f"`{name}` is taken for an id that never existed{hint}")


def _open_turns(script: Script) -> Iterator[Finding]:
    taken: set[str] = set()
    begun: dict[str, str | None] = {}  # the names of turns by execution
    open_turns: dict[str, Step] = {}  # by execution
    for step in script.steps:
        if isinstance(step, TurnStep):
            if step.name is not None and step.name in taken:
                yield Finding("SC302", (*step.pointer, "id"), f"a turn before this one is already called `{step.name}`")
            begun[step.execution] = step.name
            taken.update([] if step.name is None else [step.name])
            if step.outcome == "open" and not _fails(step.do):
                open_turns[step.execution] = step
        elif isinstance(step, ContinueStep):
            if step.execution not in open_turns:
                yield Finding("SC301", (*step.pointer, "continue"), _not_open(step.execution, begun, open_turns))
            elif step.outcome != "open" or _fails(step.do):
                del open_turns[step.execution]
        elif isinstance(step, RestartStep):
            open_turns.clear()  # TXN-4: they end as crashed
    for step in open_turns.values():
        yield Finding(
            "SC303", (*step.pointer, "outcome"), "the script ends with this turn open: it then ends as crashed"
        )


def _not_open(execution: str, begun: Mapping[str, str | None], open_turns: Collection[str]) -> str:
    if execution in begun:
        return "this turn has ended: only one with `outcome: open` goes on, until it ends or a restart ends it"
    names = ", ".join(f"`{begun[each]}`" for each in open_turns if begun[each])
    return f"no turn before this one has this `id`; {f'open here: {names}' if names else 'none is open here'}"


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


def _reviews(script: Script) -> Iterator[Finding]:
    """Candidates of a review that never happens."""
    keep = {step.agent for step in script.steps if isinstance(step, DeployStep) and _keeps_memory(step.config)}
    agents = {step.execution: step.agent for step in script.steps if isinstance(step, TurnStep)}
    for step in script.steps:
        if not isinstance(step, TurnStep | ContinueStep) or step.extract is None:
            continue
        at = (*step.pointer, EXTRACT)
        if step.outcome == "open":
            yield Finding("SC306", at, "the turn stays open, and its review comes when it ends", on_key=True)
        elif _fails(step.do):
            yield Finding("SC306", at, "the turn fails before its review", on_key=True)
        elif agents.get(step.execution, "") not in keep:
            agent = agents.get(step.execution, "")
            yield Finding("SC306", at, f"no version of {agent} keeps memory, so no turn is reviewed", on_key=True)


def _never_shown(script: Script) -> Iterator[Finding]:
    """Records that a context is to show, where no version of the agent shows any."""
    configs = [(step.agent, step.config) for step in script.steps if isinstance(step, DeployStep)]
    recalling = {agent for agent, config in configs if _keeps_memory(config)}
    pinning = {agent for agent, config in configs if config.get("harness", {}).get("memory", {}).get("pinned")}
    agents = {step.execution: step.agent for step in script.steps if isinstance(step, TurnStep)}
    for step in script.steps:
        if not isinstance(step, TurnStep | ContinueStep) or step.execution not in agents:
            continue
        agent = agents[step.execution]
        for action in step.do:
            for part, showing, missing in (("recalled", recalling, "keeps memory"), ("pins", pinning, "has pins")):
                if agent not in showing and _some(action.sees, part):
                    at = (*action.pointer, "sees", part)
                    yield Finding("SC003", at, f"no version of {agent} {missing}, so this is always empty", on_key=True)


def _some(sees: Mapping[str, Any] | None, part: str) -> bool:
    """Whether records are to be there."""
    wanted = None if sees is None else sees.get(part)
    return bool(wanted.get("only") or wanted.get("has")) if isinstance(wanted, Mapping) else bool(wanted)


def _keeps_memory(config: Mapping[str, Any]) -> bool:
    return bool(config.get("harness", {}).get("memory", {}).get("enabled"))


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


def _tools(script: Script) -> Iterator[Finding]:
    offered: dict[str, set[str]] = {}
    for step in script.steps:
        if isinstance(step, DeployStep):
            offered.setdefault(step.agent, set()).update(_offers(step.config))
    agents = {step.execution: step.agent for step in script.steps if isinstance(step, TurnStep)}
    for step in script.steps:
        if not isinstance(step, TurnStep | ContinueStep):
            continue
        agent = agents.get(step.execution, "")
        for action, in_helper in every_action(step.do):
            stated = action.gets is not None and "error" in action.gets
            if ACTIONS[action.kind].harness and not (in_helper or stated) and action.kind not in offered.get(agent, ()):
                message = f"no version of {agent} offers {action.kind}: it is refused with no_such_tool"
                yield Finding("SC205", (*action.pointer, action.kind), message, on_key=True)


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
