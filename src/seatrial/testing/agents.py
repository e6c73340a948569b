"""Strategies of configs, of chains of versions, and of what a record of a config may be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seatrial.simulator.fuzzing import cast
from seatrial.simulator.fuzzing.words import FORMS, THEMES

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
    Budgets and thresholds are small, so that short scripts come to them. What is asked for is not judged: of a scope
    that is written and not read, the linter warns.

    Raises ValueError for an agent without sessions that has session scopes or history (SCO-1, VIEW-7).
    They shrink to an agent that keeps what its sessions tell it, each for itself.
    """
    if sessions is False:
        if history or any("session" in scopes for scopes in (read or (), write or ())):
            raise ValueError("an agent without sessions has no session scope and no history")
        history = False
    scopes = _scopes(sessions is not False, read, write)
    knobs = _Knobs(agent, tools, pinned, history, labels, kinds)
    with_sessions = _config(True, scopes, knobs)
    if sessions is None and scopes and not history:
        return with_sessions | _config(False, _scopes(False, None, None), knobs)
    return with_sessions if sessions is not False else _config(False, scopes, knobs)


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
    return list(dict.fromkeys(fitting)) or [(tuple(read or _BOTH), tuple(write or _BOTH))]


@st.composite
def _config(draw: st.DrawFn, sessions: bool, scopes: _Scopes, knobs: _Knobs) -> Config:
    reads, writes = draw(st.sampled_from(scopes))
    memory: Config = {"enabled": True}
    if (tuple(reads), tuple(writes)) != _SCOPES[0]:
        memory["scope"] = {"read": list(reads), "write": list(writes)}
        if sessions and "session" in reads and "agent" in writes:
            memory["scope"]["$comment"] = _ON_PURPOSE
    tools = draw(st.sampled_from(_TOOLS)) if knobs.tools is None else tuple(knobs.tools)
    if tools:
        memory["tools"] = list(tools)
    if len(set(writes)) > 1:
        memory["extraction"] = {"prompt": _PROMPT}
    if draw(_asked(knobs.pinned)):
        memory["pinned"] = {"max_tokens": draw(st.sampled_from([200, 60, 2000]))}
    declared = draw(_declared()) if knobs.labels is None else knobs.labels
    if declared:
        memory["labels"] = {
            name: {"number": number, "description": f"Which {name} the memory is about."}
            for name, number in declared.items()
        }
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
    """
    return st.lists(configs() if each is None else each, min_size=min_size, max_size=max_size).map(_chained)


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
            config.update({key: chain[0][key] for key in ("agent",) if key in chain[0]})
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


def labels(config: Mapping[str, Any]) -> SearchStrategy[dict[str, str | int | bool]]:
    """Some of the labels that a config declares, each with a value (REC-5). They shrink to none."""
    values: SearchStrategy[str | int | bool] = st.one_of(
        st.sampled_from(["c-17", "C-17", "17"]),
        st.sampled_from([17, 1, 0]),
        st.booleans(),
        st.text(st.characters(codec="utf-8"), max_size=20),
        st.integers(-(2**31), 2**31),
    )
    return st.fixed_dictionaries({}, optional=dict.fromkeys(cast.labels(config), values))


def records(
    config: Mapping[str, Any], *, summaries: SearchStrategy[str] | None = None
) -> SearchStrategy[dict[str, Any]]:
    """What `add_memory` may be asked to keep by an agent of `config`. It may only be refused for its size (PIN-2).

    `summaries` are lines of at most 500 characters (REC-1); without them a few facts that come again and again, so that
    what one session keeps could be found by another.
    """
    settings = cast.memory(config)
    writes = tuple(settings.get("scope", {}).get("write", ("session",)))
    texts = facts() if summaries is None else summaries
    optional: dict[str, SearchStrategy[Any]] = {"content": texts}
    if cast.labels(config):
        optional["labels"] = labels(config)
    if len(writes) > 1:
        optional["scope"] = st.sampled_from(writes)
    if "pinned" in settings:
        optional["pinned"] = st.booleans()
    return st.fixed_dictionaries({"summary": texts, "kind": st.sampled_from(cast.kinds(config))}, optional=optional)


def facts(subjects: Sequence[str] = THEMES) -> SearchStrategy[str]:
    """One line about one of a few subjects."""
    return st.builds(str.format, st.sampled_from(FORMS), st.sampled_from(list(subjects)))
