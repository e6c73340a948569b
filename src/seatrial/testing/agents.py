"""Strategies of configs, of chains of versions, and of what a record of a config may be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seatrial.schemas.quick import surely_valid
from seatrial.schemas.wording import printable
from seatrial.simulator.fuzzing import cast
from seatrial.simulator.fuzzing.words import FORMS, THEMES

from .given import Given, collection, config_of, errors_in, flag, shown, sound, whole

Config: TypeAlias = dict[str, Any]
Scope: TypeAlias = Literal["session", "agent"]
Tool: TypeAlias = Literal["add_memory", "read_memory", "delete_memory"]
_Scopes: TypeAlias = "Sequence[tuple[tuple[Scope, ...], tuple[Scope, ...]]]"

_SESSION: tuple[Scope, ...] = ("session",)
_AGENT: tuple[Scope, ...] = ("agent",)
_BOTH: tuple[Scope, ...] = ("session", "agent")
# What is read and written together, such that nothing is written that nobody reads.
_SCOPES: _Scopes = (
    (_SESSION, _SESSION),
    (_BOTH, _BOTH),
    (_AGENT, _AGENT),
    (_BOTH, _SESSION),
    (_BOTH, _AGENT),
)
_TOOLS: tuple[tuple[Tool, ...], ...] = (
    ("add_memory",),
    ("add_memory", "read_memory", "delete_memory"),
    ("add_memory", "read_memory"),
    (),
)
_LABELS = {"customer": 5, "paid": 1, "desk": 12}
_KINDS = (("ruling", "observation"), ("fact",))
_SEARCHES: tuple[Config, ...] = (
    {"max_results": 2},
    {"mode": "lexical"},
    {"mode": "vector", "min_score": 0.0},
    {"min_score": 0.35},
)
_CONTEXTS: tuple[Config, ...] = (
    {"offload_threshold": 12},
    {"summarize_at": 200, "keep_messages": 1, "offload_threshold": 40},
)
_PROMPT = "Keep what was decided. Use the scope agent only for what holds in every session, else session."
_ON_PURPOSE = "seatrial: ignore[ST601] -- sharing is what is tried"


def configs(
    *,
    agent: str | None = None,
    sessions: bool | None = True,
    read: Collection[Scope] | None = None,
    write: Collection[Scope] | None = None,
    tools: Collection[Tool] | None = None,
    pinned: bool | None = None,
    history: bool | None = None,
    labels: Mapping[str, int] | None = None,
    kinds: Sequence[str] | None = None,
) -> SearchStrategy[Config]:
    """Configs with memory that can be deployed, and in which `seatrial lint` finds no error and no warning.

    `agent` is the name that they state. `sessions` False: an agent without sessions; None: either. `read` and `write`
    are its scopes, `tools` its memory tools, `labels` the numbers of its labels by name, `kinds` its kinds: exactly
    these, or drawn. `pinned` and `history`: whether there are pins, and whether history can be searched; None: either.
    Budgets and thresholds are small, so that short scripts come to them. What is asked for draws no warning into
    question: of a scope that is written and not read, the linter warns.

    Raises TypeError and ValueError for what no config can hold, and for an agent without sessions that has session
    scopes or history (SCO-1, VIEW-7). They shrink to an agent that keeps what its sessions tell it, each for itself.
    """
    for what, knob in (("sessions", sessions), ("pinned", pinned), ("history", history)):
        if knob is not None:
            flag(knob, what)
    reads, writes = _listed(read, "read"), _listed(write, "write")
    knobs = _Knobs(agent, _listed(tools, "tools"), pinned, history, _numbered(labels), _listed(kinds, "kinds"))
    if sessions is False:
        if history or any("session" in scopes for scopes in (reads or (), writes or ())):
            raise ValueError(
                "`sessions=False`: an agent without sessions has no session scope (`read`, `write`) and no `history`"
            )
        history = False
    scopes = _scopes(sessions is not False, reads, writes)
    _deployable(sessions is not False, scopes[0], knobs)
    with_sessions = _config(True, scopes, knobs)
    if sessions is None and scopes and not history:
        return with_sessions | _config(False, _scopes(False, None, None), knobs)
    return with_sessions if sessions is not False else _config(False, scopes, knobs)


_LISTS = {"read": "['session']", "write": "['session']", "tools": "['add_memory']", "kinds": "['ruling', 'fact']"}


def _listed(given: Any, what: str) -> tuple[Any, ...] | None:
    return None if given is None else collection(given, what, _LISTS[what])


def _numbered(given: Any) -> Mapping[str, int] | None:
    """The numbers of labels by name, or none. Raises TypeError."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise TypeError(f"`labels` takes numbers by name, as in {{'customer': 5}}; this is {shown(given)}")
    for name, number in given.items():
        if not isinstance(name, str) or not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(
                f"`labels` takes numbers by name, as in {{'customer': 5}}; {shown(name)} has {shown(number)}"
            )
    return given


def _deployable(sessions: bool, scopes: tuple[tuple[Scope, ...], tuple[Scope, ...]], knobs: _Knobs) -> None:
    """Whether a config can hold what is asked for. Raises ValueError with the argument and what the linter says."""
    read, write = scopes
    scope = {"read": list(read), "write": list(write)}
    memory: Config = {"enabled": True, "scope": scope}
    memory |= {"tools": list(knobs.tools)} if knobs.tools else {}
    memory |= {"kinds": list(knobs.kinds)} if knobs.kinds else {}
    memory |= {"labels": _declarations(knobs.labels)} if knobs.labels else {}
    named = {} if knobs.agent is None else {"agent": knobs.agent}
    config = {**named, "sessions": sessions, "harness": {"memory": memory}}
    for found in errors_in(config):
        what = next(str(key) for key in ("agent", *scope, "tools", "kinds", "labels") if key in found.pointer)
        raise ValueError(printable(f"`{what}`: {found.message}"))


def _declarations(labels: Mapping[str, int]) -> Config:
    return {name: {"number": number, "description": f"Which {name} the memory is about."}
            for name, number in labels.items()}  # fmt: skip


@dataclass(frozen=True)
class _Knobs:
    agent: str | None
    tools: Collection[Tool] | None
    pinned: bool | None
    history: bool | None
    labels: Mapping[str, int] | None
    kinds: Sequence[str] | None


def _scopes(sessions: bool, read: Collection[Scope] | None, write: Collection[Scope] | None) -> _Scopes:
    """What is read and written together, as far as it is not asked for."""
    usual = _SCOPES if sessions else ((_AGENT, _AGENT),)
    fitting = [
        (reads if read is None else tuple(read), writes if write is None else tuple(write))
        for reads, writes in usual
        if (read is None or set(writes) <= set(read)) and (write is None or set(write) <= set(reads))
    ]
    return list(dict.fromkeys(fitting)) or [
        (_BOTH if read is None else tuple(read), _BOTH if write is None else tuple(write))
    ]


@st.composite
def _config(draw: st.DrawFn, sessions: bool, scopes: _Scopes, knobs: _Knobs) -> Config:
    reads, writes = draw(st.sampled_from(scopes))
    memory: Config = {"enabled": True}
    if (tuple(reads), tuple(writes)) != _SCOPES[0]:
        memory["scope"] = {"read": list(reads), "write": list(writes)}
        if sessions and "session" in reads and "agent" in writes:
            memory["scope"]["$comment"] = _ON_PURPOSE
    fitting = [each for each in _TOOLS if set(each) <= _of_use(reads, writes)]
    tools = draw(st.sampled_from(fitting)) if knobs.tools is None else tuple(knobs.tools)
    if tools:
        memory["tools"] = list(tools)
    if len(set(writes)) > 1:
        memory["extraction"] = {"prompt": _PROMPT}
    if draw(_asked(knobs.pinned)):
        memory["pinned"] = {"max_tokens": draw(st.sampled_from([200, 60, 2000]))}
    declared = draw(_declared()) if knobs.labels is None else knobs.labels
    if declared:
        memory["labels"] = _declarations(declared)
    kinds = draw(st.none() | st.sampled_from(_KINDS)) if knobs.kinds is None else knobs.kinds
    if kinds:
        memory["kinds"] = list(kinds)
    harness: Config = {"memory": memory}
    if draw(_asked(knobs.history if sessions else False)):
        harness["history"] = {"index": draw(st.sampled_from(["messages", "messages_and_tools"]))}
    for inside, key, values in ((memory, "search", _SEARCHES), (harness, "context", _CONTEXTS)):
        chosen = draw(st.none() | st.sampled_from(values))
        if chosen is not None:
            inside[key] = dict(chosen)
    named: Config = {} if knobs.agent is None else {"agent": knobs.agent}
    return {**named, **({} if sessions else {"sessions": False}), "harness": harness}


def _of_use(reads: Collection[Scope], writes: Collection[Scope]) -> set[Tool]:
    """The tools that can do something with these scopes (ST205)."""
    found: set[Tool] = set()
    if writes:
        found.add("add_memory")
    if reads:
        found.add("read_memory")
    if {*reads} & {*writes}:
        found.add("delete_memory")
    return found


def _asked(knob: bool | None) -> SearchStrategy[bool]:
    return st.booleans() if knob is None else st.just(knob)


def _declared() -> SearchStrategy[dict[str, int]]:
    names = st.lists(st.sampled_from(sorted(_LABELS)), unique=True, max_size=len(_LABELS))
    return names.map(lambda chosen: {name: _LABELS[name] for name in chosen})


def versions(
    each: SearchStrategy[Config] | None = None, *, min_size: int = 1, max_size: int = 3
) -> SearchStrategy[list[Config]]:
    """Versions of one agent in order, each of which may be deployed after those before it (VER-2).

    `each` draws one of them (`configs()`); it need not look at the others: what an earlier version has declared is
    taken over under its number. The agent is that of the first; in place of one that differs in whether there are
    sessions the version before it comes again. They shrink to one version.

    Raises TypeError and ValueError for an argument that is none of this.
    """
    drawn = configs() if each is None else strategy(each, "versions", "versions(configs())")
    least, most = whole(min_size, "min_size"), whole(max_size, "max_size")
    if least > most:
        raise ValueError(f"`min_size` is {least}, and `max_size`, {most}, is less")
    return st.lists(drawn, min_size=least, max_size=most).map(_chained)


def _chained(drawn: Sequence[Config]) -> list[Config]:
    chain: list[Config] = []
    declared: Config = {}
    for each in drawn:
        config = deepcopy(each)
        config.pop("version", None)
        if chain and config.get("sessions", True) != chain[0].get("sessions", True):
            config = deepcopy(chain[-1])
        if chain:
            config.pop("agent", None)
            config |= {"agent": chain[0]["agent"]} if "agent" in chain[0] else {}
        stated = cast.labels(config)
        for name, label in stated.items():
            if name not in declared:
                taken = {owner["number"] for owner in declared.values()}
                number = label["number"] if label["number"] not in taken else max(taken) + 1
                declared[name] = {**label, "number": number}
        if declared:
            memory = config["harness"].setdefault("memory", {"enabled": True})
            memory["labels"] = deepcopy(declared)
        chain.append(config)
    return chain


def labels(config: Given) -> SearchStrategy[dict[str, str | int | bool]]:
    """Some of the labels that a config (a mapping, or its file) declares, each with a value (REC-5).

    They shrink to none. Raises TypeError and ValueError for what is no config, or has errors.
    """
    return labels_of(deployed(config))


def labels_of(config: Mapping[str, Any]) -> SearchStrategy[dict[str, str | int | bool]]:
    """`labels` of a config that is known to be sound."""
    values: SearchStrategy[str | int | bool] = st.one_of(
        st.sampled_from(["c-17", "C-17", "17"]),
        st.sampled_from([17, 1, 0]),
        st.booleans(),
        st.text(st.characters(codec="utf-8"), max_size=20),
        st.integers(-(2**31), 2**31),
    )
    return st.fixed_dictionaries({}, optional=dict.fromkeys(cast.labels(config), values))


def records(config: Given, *, summaries: SearchStrategy[str] | None = None) -> SearchStrategy[dict[str, Any]]:
    """What `add_memory` may be asked to keep by an agent of `config`. It may only be refused for its size (PIN-2).

    `config` is a mapping, or its file. `summaries` are lines of at most 500 characters (REC-1); without them a few
    facts that come again and again, so that what one session keeps could be found by another.

    Raises TypeError and ValueError for what is no config, or has errors.
    """
    texts = facts() if summaries is None else strategy(summaries, "summaries", "st.just('Wire 4471 is approved')")
    return records_of(deployed(config), texts)


def records_of(config: Mapping[str, Any], texts: SearchStrategy[str]) -> SearchStrategy[dict[str, Any]]:
    """`records` of a config that is known to be sound."""
    settings = cast.memory(config)
    writes = tuple(settings.get("scope", {}).get("write", ("session",)))
    optional: dict[str, SearchStrategy[Any]] = {"content": texts}
    if cast.labels(config):
        optional["labels"] = labels_of(config)
    if len(writes) > 1:
        optional["scope"] = st.sampled_from(writes)
    if "pinned" in settings:
        optional["pinned"] = st.booleans()
    return st.fixed_dictionaries({"summary": texts, "kind": st.sampled_from(cast.kinds(config))}, optional=optional)


def deployed(given: Any) -> Mapping[str, Any]:
    """The config that is given: a mapping, or its file. Raises TypeError and ValueError."""
    config = given if isinstance(given, Mapping) else config_of(given)[1]
    return config if surely_valid("agent", config) else sound(config)


def strategy(given: Any, what: str, example: str) -> SearchStrategy[Any]:
    """What is given, if it is a strategy. Raises TypeError."""
    if not isinstance(given, SearchStrategy):
        raise TypeError(f"`{what}` takes a strategy of Hypothesis, as in {example}; this is {shown(given)}")
    return given


def facts(subjects: Sequence[str] = THEMES) -> SearchStrategy[str]:
    """One line about one of a few subjects."""
    return st.builds(str.format, st.sampled_from(FORMS), st.sampled_from(list(subjects)))
