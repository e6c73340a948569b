"""Parts of a scenario, a few steps that belong together, for a state machine to play beside single actions.

They are those that `scripts` draws, and of the same writer. A part knows nothing of what was played before it, so it
expects nothing: what it names is its own, and what it meets in its sessions is whatever there is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seatrial.simulator.fuzzing import intents
from seatrial.simulator.fuzzing.cast import Role
from seatrial.simulator.fuzzing.strategies import intended
from seatrial.simulator.fuzzing.wanted import Wanted
from seatrial.simulator.fuzzing.writer import write

Plain: TypeAlias = dict[str, Any]

_MOST = 3
_LEFT_OUT = frozenset({"sees", "gets", "at"})  # what a part expects, and its times, which may have passed
_NAMING = frozenset({"as", "id", "ids", "ref", "replaces", "replace", "read", "delete", "continue"})
# What single rule of a machine does the same: where it is taken away, parts do without.
_RULES: Mapping[type, str] = {
    intents.Reply: "say",
    intents.SetState: "say",
    intents.Told: "fetch",
    intents.Result: "read_result",
    intents.Read: "read",
    intents.Delete: "delete",
    intents.Search: "search",
    intents.History: "search_history",
    intents.Add: "add",
}


@dataclass(frozen=True)
class Texts:
    """What is said in place of the texts of a part, where a machine decides that: each in its turn."""

    messages: Sequence[str] = ()
    summaries: Sequence[str] = ()
    queries: Sequence[str] = ()
    records: Mapping[str | None, Sequence[Plain]] | None = None  # by agent, None where the step names none


@dataclass(frozen=True, repr=False)
class Part:
    """Steps, and what is said in them."""

    steps: Sequence[Plain]
    texts: Texts

    def __repr__(self) -> str:
        return f"<{len(self.steps)} steps>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """As Hypothesis shows it: the steps stand in the scenario."""
        printer.text(repr(self))


def parts(
    cast: Sequence[Role], sessions: Sequence[str], wanted: Wanted, rules: Collection[str], *, derived: bool
) -> SearchStrategy[list[Plain]]:
    """The steps of one part or a few, without expectations. `rules` are those that the machine has."""

    def written(first: Sequence[Role], steps: Iterable[intents.Step]) -> list[Plain]:
        order = [*first, *(role for role in cast if role not in first)]
        document = write(order, _kept(wanted.of(steps), rules), "a part", sessions)
        return [_turning(_plain(step)) for step in document["steps"]]

    return intended(cast, derived=derived, most=_MOST).map(lambda drawn: written(*drawn))


def _kept(steps: Iterable[intents.Step], rules: Collection[str]) -> Iterator[intents.Step]:
    for step in steps:
        if isinstance(step, intents.Turn | intents.GoOn):
            yield replace(step, do=replace(step.do, acts=tuple(_acts(step.do.acts, rules))))
        else:
            yield step


def _acts(acts: Iterable[Any], rules: Collection[str]) -> Iterator[Any]:
    for act in acts:
        if _RULES.get(type(act), "begin") not in rules:
            continue
        if isinstance(act, intents.Helper):
            yield replace(act, calls=tuple(_acts(act.calls, rules)))
        elif isinstance(act, intents.Add) and "replace" not in rules:
            yield replace(act, replaces=())
        else:
            yield act


def _plain(value: Any) -> Any:
    """The step without what holds for the part alone."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if key not in _LEFT_OUT}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _turning(step: Plain) -> Plain:
    """The step with the session alone behind `turn`, where nothing else needs to be said."""
    turn = step.get("turn")
    return {**step, "turn": turn["session"]} if isinstance(turn, Mapping) and list(turn) == ["session"] else step


def named(steps: Iterable[Plain]) -> Iterator[str]:
    """The names that steps give: to turns, records and results."""
    for step in steps:
        yield from _given(step)


def _given(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key in ("as", "id") and isinstance(item, str):
                yield item
            elif key != "config":
                yield from _given(item)
    elif isinstance(value, list):
        for item in value:
            yield from _given(item)


def renamed(steps: Sequence[Plain], fresh: Callable[[str], str]) -> list[Plain]:
    """The steps with names of `fresh`, which is told what kind of name it is: rec, res, turn."""
    names = {name: fresh(name.rstrip("0123456789")) for name in dict.fromkeys(named(steps))}
    found: list[Plain] = [_renamed(step, names) for step in steps]
    return found


def _renamed(value: Any, names: Mapping[str, str], naming: bool = False) -> Any:
    if isinstance(value, Mapping):
        return {key: item if key == "config" else _renamed(item, names, key in _NAMING) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names, naming) for item in value]
    return names.get(value, value) if naming and isinstance(value, str) else value


def spoken(steps: Sequence[Plain], texts: Texts) -> list[Plain]:
    """The steps with the given texts in place of theirs."""
    speaker = _Speaker(texts)
    return [speaker.step(step) for step in steps]


class _Speaker:
    """Puts texts in their places, and begins again with the first where they are used up."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self.used: dict[str, int] = {}
        self.agents: dict[str, str | None] = {}  # whose the turn of a name is

    def next(self, what: str, choices: Sequence[Any], otherwise: Any) -> Any:
        number = self.used.get(what, 0)
        self.used[what] = number + 1
        return choices[number % len(choices)] if choices else otherwise

    def message(self, otherwise: Any) -> Any:
        return self.next("messages", self.texts.messages, otherwise)

    def step(self, step: Plain) -> Plain:
        if "turn" not in step and "continue" not in step:
            return step
        agent = step["turn"].get("agent") if isinstance(step.get("turn"), Mapping) else None
        if "continue" in step:
            agent = self.agents.get(step["continue"])
        elif "id" in step:
            self.agents[step["id"]] = agent
        found = dict(step)
        if "user" in step:
            found["user"] = self.message(step["user"])
        if "do" in step:
            found["do"] = [self.act(agent, act) for act in step["do"]]
        if "extract" in step:
            found["extract"] = [self.record(agent, each) for each in step["extract"]]
        return found

    def act(self, agent: str | None, act: Plain) -> Plain:
        ((word, value),) = act.items()
        if word == "reply":
            value = self.message(value)
        elif word == "set_state":
            value = {key: self.message(text) for key, text in value.items()}
        elif word == "tool" and "result" in value:
            value = {**value, "result": self.message(value["result"])}
        elif word in ("search_memory", "search_history") and "query" in value:
            value = {**value, "query": self.next("queries", self.texts.queries, value["query"])}
        elif word == "add_memory":
            value = self.record(agent, value)
        elif word in ("subagent", "program"):
            value = {"do": [self.act(agent, each) for each in value["do"]]}
        return {word: value}

    def record(self, agent: str | None, record: Plain) -> Plain:
        if self.texts.records is not None:
            mine = {key: record[key] for key in ("as", "replaces", "decision") if key in record}
            return {**self.next(f"records of {agent}", self.texts.records[agent], record), **mine}
        return {
            key: self.next("summaries", self.texts.summaries, text) if key in ("summary", "content") else text
            for key, text in record.items()
        }


def several(texts: SearchStrategy[Any] | None) -> SearchStrategy[Sequence[Any]]:
    """A few texts of a strategy; none of none."""
    none: SearchStrategy[Sequence[Any]] = st.just(())
    return none if texts is None else st.tuples(texts, texts, texts, texts)
