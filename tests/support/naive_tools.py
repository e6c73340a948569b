"""The harness's tools in the naive model: each gives the answer it must give, or raises RefusalError with the codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from naive import Naive, RefusalError, pin_lines, refuse_if
from naive_facts import Begun, Deleted, Deployed, Plain, Said, Used, Wrote, blank, halves, one_line, tokens
from naive_history import search_history

READING = ("search_memory", "read_memory", "search_history")
WRITING = ("add_memory", "delete_memory")


def call(memory: Naive, turn: Begun, by: str, tool: str, given: Plain, made: str) -> Plain:
    """`made` is the id that the engine gave, if it made a record."""
    if by != "agent" and tool in WRITING:
        raise RefusalError({"helper_cannot_write"})  # WRT-6
    if tool not in turn.config.tools or (by != "agent" and tool not in READING):
        raise RefusalError({"no_such_tool"})
    if tool in WRITING:
        return WRITERS[tool](memory, turn, given, made)
    answer, retrieved = READERS[tool](memory, turn, given)
    if retrieved:  # RCL-3
        memory.happen(Used(turn, memory.calls(turn), tool, by, tuple(retrieved)))
    return answer


def add_memory(memory: Naive, turn: Begun, given: Plain, made: str) -> Plain:
    record = draft(memory, turn, given, made)
    write(memory, turn, record)
    return answered(memory, turn, record)


def draft(memory: Naive, turn: Begun, given: Plain, made: str, source: str = "tool") -> Wrote:
    """The record that is asked for, if it may be written."""
    config = turn.config
    named = given.get("replaces", [])
    named = [named] if isinstance(named, str) else named
    scope = stated_scope(turn, given)
    targets = [memory.find(turn, each) for each in named]
    labels = given.get("labels", {})
    pinned = given.get("pinned", False)
    refuse_if(
        ("invalid_value", not one_line(given["summary"]) or halves(given.get("content") or "")),  # REC-1, REC-6
        ("invalid_value", len(named) > len(set(named))),
        ("undeclared_kind", given["kind"] not in config.kinds),  # REC-4
        ("undeclared_label", any(name not in config.labels for name in labels)),  # REC-5
        ("pins_disabled", pinned and config.budget is None),  # PIN-1
        ("scope_not_allowed", scope not in config.writes),  # SCO-2
        *(reason for target in targets for reason in unfit(memory, turn, target, scope)),
    )
    others = [target.id for target in targets if target is not None and target.turn.plane != turn.plane]
    return Wrote(
        turn,
        made,
        scope,
        ordinal(memory, turn, scope),
        given["summary"],
        given.get("content"),
        given["kind"],
        labels,
        pinned,
        replaces=tuple(each for each in named if each not in others),
        would_replace=tuple(others),
        source=source,
    )


def write(memory: Naive, turn: Begun, record: Wrote) -> None:
    """PIN-2: a pin must fit beside those of the view, once what it replaces has left."""
    config = turn.config
    if record.pinned and record.scope in config.reads and config.budget is not None:
        leaving = (*record.replaces, *record.would_replace)
        others = [pin for pin in memory.pinned(turn) if pin.id not in leaving]
        refuse_if(("over_budget", tokens(pin_lines([*others, record])) > config.budget))
    memory.happen(record)


def delete_memory(memory: Naive, turn: Begun, given: Plain, _made: str) -> Plain:
    record = target(memory, turn, given["id"], stated_scope(turn, given))
    delete(memory, turn, record)
    return {"deleted" if record.turn.plane == turn.plane else "would_delete": record.id}


def target(memory: Naive, turn: Begun, named: str, scope: str) -> Wrote:
    """The record that a call about `scope` may replace or delete."""
    record = memory.find(turn, named)
    refuse_if(("scope_not_allowed", scope not in turn.config.writes), *unfit(memory, turn, record, scope))
    assert record is not None
    return record


def delete(memory: Naive, turn: Begun, record: Wrote, source: str = "tool") -> None:
    if record.turn.plane == turn.plane:
        memory.happen(Deleted(turn, record.id))
        return
    marker = Wrote(  # PRE-2; nobody is told its id before operators list it
        turn,
        f"marker of {record.id}",
        record.scope,
        ordinal(memory, turn, record.scope),
        f"Would delete {record.id}",
        None,
        record.kind,
        {},
        pinned=False,
        would_delete=record.id,
        source=source,
    )
    memory.happen(marker)


def read_memory(memory: Naive, turn: Begun, given: Plain) -> tuple[Plain, list[str]]:
    record = memory.find(turn, given["id"])
    if record is None:
        raise RefusalError({"not_found"})
    return answered(memory, turn, record), [record.id]


def search_memory(memory: Naive, turn: Begun, given: Plain) -> tuple[Plain, list[str]]:
    config = turn.config
    asked = {name: value for name, value in given.items() if name in ("kinds", "ids") or (name == "labels" and value)}
    declared = [d.config for d in versions_known(memory, turn)]
    kinds, labels = given.get("kinds"), given.get("labels", {})
    query, limit = given.get("query", ""), given.get("limit", config.max_results)
    refuse_if(
        ("invalid_value", halves(query) or limit > config.max_results),
        ("undeclared_kind", any(all(kind not in each.kinds for each in declared) for kind in kinds or ())),  # VER-4
        ("undeclared_label", any(all(name not in each.labels for each in declared) for name in labels)),
        ("blank_query", not asked and blank(query)),  # SCH-1
    )
    admitted = [
        record
        for record in memory.active(turn)
        if (kinds is None or record.kind in kinds)
        and all(has_label(record, name, values) for name, values in labels.items())
        and ("ids" not in given or record.id in given["ids"])
    ]
    hits = memory.search(turn, admitted, query, limit)
    return {"records": [shown for _, shown in hits]}, [record.id for record, _ in hits]


def read_result(memory: Naive, turn: Begun, given: Plain) -> tuple[Plain, list[str]]:
    """CTX-2, CTX-5."""
    results = [
        said.message["text"]
        for said in memory.every(Said)
        if said.message.get("ref") == given["ref"]
        and memory.sees(turn, said.turn)
        and memory.same_session(turn, said.turn)
    ]
    if not results:
        raise RefusalError({"not_found"})
    text, offset = results[0], given.get("offset", 0)
    part = text[offset : offset + given["length"]] if "length" in given else text[offset:]
    return {"text": part, "offset": offset, "total": len(text)}, []


def stated_scope(turn: Begun, given: Plain) -> str:
    """SCO-2: the stated one, else the only one, else the narrow one."""
    writes = turn.config.writes
    return str(given.get("scope", writes[0] if len(writes) == 1 else "session"))


def unfit(memory: Naive, turn: Begun, target: Wrote | None, scope: str) -> list[tuple[str, bool]]:
    """Why `target` may not be replaced or deleted by a call about `scope` (WRT-2, WRT-3, VIEW-6)."""
    if target is None:
        return [("not_found", True)]
    if target.scope not in turn.config.writes or target.scope != scope:
        return [("scope_not_allowed", True)]
    return [("not_active", memory.status(turn, target) != "ACTIVE")]


def ordinal(memory: Naive, turn: Begun, scope: str) -> int:
    """REC-2: it counts the turn's writes in that scope."""
    return len([record for record in memory.every(Wrote) if record.turn is turn and record.scope == scope])


def answered(memory: Naive, turn: Begun, record: Wrote) -> Plain:
    would = {"would_replace": list(record.would_replace)} if record.would_replace else {}
    return {"record": memory.shown(turn, record)} | would


def versions_known(memory: Naive, turn: Begun) -> list[Deployed]:
    """VER-4: those deployed when the turn began, for a live turn the live ones."""
    until = memory.happened[: memory.happened.index(turn)]
    deploys = [fact for fact in until if isinstance(fact, Deployed) and fact.agent == turn.agent]
    return [deploy for deploy in deploys if deploy.plane == "live" or turn.plane == "preview"]


def has_label(record: Wrote, name: str, values: Any) -> bool:
    """REC-5: values compare exactly; 1, true and "1" differ."""
    alternatives = values if isinstance(values, list) else [values]
    mine = record.labels.get(name)
    return any(type(mine) is type(value) and mine == value for value in alternatives)


WRITERS: dict[str, Callable[[Naive, Begun, Plain, str], Plain]] = {
    "add_memory": add_memory,
    "delete_memory": delete_memory,
}
READERS: dict[str, Callable[[Naive, Begun, Plain], tuple[Plain, list[str]]]] = {
    "read_memory": read_memory,
    "search_memory": search_memory,
    "search_history": search_history,
    "read_result": read_result,
}
