"""The harness's tools: what each does with checked arguments (WRT, SCO, REC-4, REC-5, SCH-1, PRE-2).

A tool reads the turn's view and writes to the turn's writes; it knows neither store nor partitions. It returns its
answer, or raises EngineError with the refusal, having changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from .agents import Version
from .analyze import blank
from .answers import ActiveLines, hit_json, record_json, scores_json
from .history import MIN_SCORE, RESULTS, event_json
from .ids import with_id
from .journal import UseSource
from .names import checked_summary, meant
from .pins import Listing, check_budget, list_pins
from .references import References
from .render import line
from .tokens import TokenCounter
from .values import EngineError, Filters, Json, LabelValue, Plane, Record, Scope, Source
from .view import View
from .writes import Writes

UNNUMBERED = 0  # a turn has its number from its commit


@dataclass(frozen=True, slots=True)
class Desk:
    """What the tools of one turn work with."""

    agent: str
    session: str | None
    plane: Plane
    execution: str
    at: int
    version: Version
    view: View
    writes: Writes
    count_tokens: TokenCounter
    references: References
    lines: ActiveLines
    history: Callable[[], View]  # the events of the session's earlier turns; called by search_history only

    def pins(self) -> Listing:
        """The pins of the view, as the instructions list them under the version that runs (PIN-3, PIN-4)."""
        budget = self.version.config.memory.pinned
        return Listing("", ()) if budget is None else list_pins(self.view.pinned(), budget, self.count_tokens)


@dataclass(frozen=True, slots=True)
class Done:
    """A tool's answer, and the records that it brought to the model."""

    answer: dict[str, Json]
    retrieved: tuple[str, ...] = ()


Arguments: TypeAlias = dict[str, Any]  # checked against the tool's definition


def add_memory(desk: Desk, arguments: Arguments) -> Done:
    """Write a record, which may replace others (WRT-2)."""
    draft = draft_record(desk, arguments, "tool")
    write_record(desk, draft)
    return Done(_answer(desk, draft.record))


@dataclass(frozen=True, slots=True)
class Draft:
    """A record that may be written, but for the budget of the pins, and what it takes the place of."""

    record: Record
    targets: tuple[Record, ...]


def draft_record(desk: Desk, arguments: Arguments, source: Source) -> Draft:
    """The record that `arguments` of `add_memory` say. Raises EngineError with the refusal (REC-4, REC-5, SCO-2,
    WRT-3)."""
    config = desk.version.config.memory
    summary = checked_summary(arguments["summary"])
    kind = arguments["kind"]
    if kind not in config.kinds:
        raise EngineError("undeclared_kind", f"the kind {line(kind[:60])} is not declared", meant(kind, config.kinds))
    labels = _labels(desk, arguments.get("labels", {}))
    pinned = arguments.get("pinned", False)
    if pinned and config.pinned is None:
        raise EngineError("pins_disabled", "this version has no pins", "Write the record without `pinned`.")
    targets = _replaced(desk, arguments.get("replaces", []))
    scope = _scope(desk, arguments.get("scope"))
    for target in targets:
        _check_target(desk, target, scope)
    record = Record(
        id="",
        agent=desk.agent,
        plane=desk.plane,
        scope=scope,
        session=desk.session,
        summary=summary,
        content=arguments.get("content"),
        kind=kind,
        labels=labels,
        pinned=pinned,
        status="ACTIVE",
        at=desk.at,
        ordinal=desk.writes.ordinal(scope),
        execution=desk.execution,
        version=desk.version.number,
        turn=UNNUMBERED,
        source=source,
        replaces=tuple(target.id for target in targets if target.plane == desk.plane),
        would_replace=tuple(target.id for target in targets if target.plane != desk.plane),
    )
    return Draft(with_id(record), targets)


def write_record(desk: Desk, draft: Draft) -> None:
    """Write a draft. Raises `over_budget`, having written nothing (PIN-2)."""
    _check_pin(desk, draft.record, draft.targets)
    desk.writes.add(draft.record, draft.targets)


def read_memory(desk: Desk, arguments: Arguments) -> Done:
    """One record, also a superseded one (WRT-4)."""
    record = _found(desk, arguments["id"])
    return Done(_answer(desk, record), (record.id,))


def delete_memory(desk: Desk, arguments: Arguments) -> Done:
    """Delete a record, or, for a live one in a preview, say that it would be (PRE-2)."""
    target = find_target(desk, arguments["id"], _scope(desk, arguments.get("scope")))
    delete_record(desk, target, "tool")
    return Done({"deleted" if target.plane == desk.plane else "would_delete": target.id})


def find_target(desk: Desk, record: str, scope: Scope) -> Record:
    """The record that a call about `scope` may replace or delete. Raises EngineError with the refusal (WRT-3)."""
    target = _found(desk, record)
    _check_target(desk, target, scope)
    return target


def delete_record(desk: Desk, target: Record, source: Source) -> None:
    """Delete what `find_target` found; a live one is hidden from previews by a marker in its place (PRE-2)."""
    if target.plane == desk.plane:
        desk.writes.delete(target)
        return
    marker = replace(
        target,
        plane="preview",
        session=desk.session,
        summary=f"Would delete {target.id}",
        content=None,
        labels=(),
        pinned=False,
        at=desk.at,
        ordinal=desk.writes.ordinal(target.scope),
        execution=desk.execution,
        version=desk.version.number,
        turn=UNNUMBERED,
        source=source,
        replaces=(),
        would_replace=(),
        would_delete=target.id,
    )
    desk.writes.mark(with_id(marker), target)


def search_memory(desk: Desk, arguments: Arguments) -> Done:
    """Search by query, by filters, or both (SCH-1)."""
    settings = desk.version.config.memory
    limit = arguments.get("limit", settings.max_results)
    if limit > settings.max_results:
        raise EngineError("invalid_value", f"`limit` may be {settings.max_results} at most")
    filters = _filters(desk, arguments)
    query = arguments.get("query", "")
    if blank(query) and filters.empty:
        raise EngineError("blank_query", "there is neither a query nor a filter", "Say what to look for.")
    hits = desk.view.search(query, filters, mode=settings.mode, limit=limit, min_score=settings.min_score, now=desk.at)
    shown: list[Json] = [hit_json(hit, desk.version.label_names, desk.view) for hit in hits]
    return Done({"records": shown}, tuple(hit.record.id for hit in hits))


def search_history(desk: Desk, arguments: Arguments) -> Done:
    """Search what was kept of the session's earlier turns, by meaning, keywords and recency (HIS-2)."""
    query = arguments["query"]
    if blank(query):
        raise EngineError("blank_query", "the query is blank", "Say what to look for.")
    limit = arguments.get("limit", RESULTS)
    hits = desk.history().search(query, mode="hybrid", limit=limit, min_score=MIN_SCORE, now=desk.at)
    threshold = desk.version.config.offload_threshold
    shown: list[Json] = [{**event_json(hit, threshold, desk.count_tokens), **scores_json(hit)} for hit in hits]
    return Done({"events": shown})


def read_result(desk: Desk, arguments: Arguments) -> Done:
    """An outside tool's result, whole or a part of it, counted in characters so that none is cut (CTX-2)."""
    text = desk.references.read(arguments["ref"])
    if text is None:
        # VIEW-6, CTX-5: as for a record.
        raise EngineError("not_found", "there is no such result", "References stand in the conversation, as `ref`.")
    offset = arguments.get("offset", 0)
    part = text[offset:]
    return Done({"text": part[: arguments.get("length", len(part))], "offset": offset, "total": len(text)})


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what it does, whether it writes, whether helpers have it (WRT-6), and the source of the uses it makes."""

    run: Callable[[Desk, Arguments], Done]
    writes: bool
    source: UseSource | None = None
    helpers: bool = True


TOOLS: dict[str, Tool] = {
    "add_memory": Tool(add_memory, writes=True),
    "read_memory": Tool(read_memory, writes=False, source="read_memory"),
    "delete_memory": Tool(delete_memory, writes=True),
    "search_memory": Tool(search_memory, writes=False, source="search_memory"),
    "search_history": Tool(search_history, writes=False),
    "read_result": Tool(read_result, writes=False, helpers=False),
}


def _answer(desk: Desk, record: Record) -> dict[str, Json]:
    answer: dict[str, Json] = {"record": record_json(record, desk.version.label_names, desk.view)}
    if record.would_replace:
        answer["would_replace"] = list(record.would_replace)
    return answer


def _found(desk: Desk, record: str) -> Record:
    found = desk.view.get(record)
    if found is None:
        # VIEW-6: the same bytes whether it is another's, deleted, malformed or was never there, so nothing is echoed.
        raise EngineError("not_found", "there is no such record", "Search for it; ids are given by search and recall.")
    return found


def _replaced(desk: Desk, named: str | list[str]) -> tuple[Record, ...]:
    ids = [named] if isinstance(named, str) else named
    if len(set(ids)) < len(ids):
        raise EngineError("invalid_value", "`replaces` names the same record twice")
    return tuple(_found(desk, record) for record in ids)


def _scope(desk: Desk, stated: str | None) -> Scope:
    """The scope that a call is about: the stated one, else the only one, else the narrow one (SCO-2)."""
    writable = desk.version.config.memory.write
    if stated is None:
        if not writable:
            raise EngineError("scope_not_allowed", "this version may not write any scope")
        return writable[0] if len(writable) == 1 else "session"
    for scope in writable:
        if stated == scope:
            return scope
    raise EngineError("scope_not_allowed", "that scope may not be written", meant(stated, writable))


def _check_target(desk: Desk, target: Record, scope: Scope) -> None:
    """Whether `target` may be replaced or deleted by a call about `scope` (WRT-2, WRT-3)."""
    if target.scope not in desk.version.config.memory.write:
        raise EngineError("scope_not_allowed", f"a record of scope {target.scope} may not be changed by this version")
    if target.scope != scope:
        raise EngineError(
            "scope_not_allowed",
            f"the record has scope {target.scope}, and a replacement keeps the scope of what it replaces",
            f"State `scope`: {target.scope}.",
        )
    if target.status != "ACTIVE":
        successor = target.successor
        if successor is not None and desk.view.get(successor) is not None:
            raise EngineError("not_active", f"the record was replaced by {successor}", f"Name {successor} instead.")
        raise EngineError("not_active", "the record was replaced")


def _check_pin(desk: Desk, record: Record, targets: tuple[Record, ...]) -> None:
    """Whether a record fits among the pins once `targets` have left (PIN-2).

    One of a scope that the version does not read is no pin of this view (VIEW-5).
    """
    settings = desk.version.config.memory
    if record.pinned and settings.pinned is not None and record.scope in settings.read:
        leaving = {target.id for target in targets}
        others = [pin for pin in desk.view.pinned() if pin.id not in leaving]
        check_budget(record, others, settings.pinned, desk.count_tokens)


def _labels(desk: Desk, given: dict[str, LabelValue]) -> tuple[tuple[int, LabelValue], ...]:
    declared = {label.name: label.number for label in desk.version.config.memory.labels}
    found = []
    for name, value in given.items():
        if name not in declared:
            raise EngineError("undeclared_label", f"the label {line(name[:60])} is not declared", meant(name, declared))
        found.append((declared[name], value))
    return tuple(sorted(found, key=lambda label: label[0]))


def _filters(desk: Desk, arguments: Arguments) -> Filters:
    """The filters of a search. They accept every kind and label ever declared (VER-4)."""
    kinds = arguments.get("kinds")
    for kind in kinds or ():
        if kind not in desk.version.all_kinds:
            raise EngineError(
                "undeclared_kind", f"the kind {line(kind[:60])} was never declared", meant(kind, desk.version.all_kinds)
            )
    numbers = desk.version.all_labels
    labels: list[tuple[int, tuple[LabelValue, ...]]] = []
    for name, value in arguments.get("labels", {}).items():
        if name not in numbers:
            raise EngineError(
                "undeclared_label", f"the label {line(name[:60])} was never declared", meant(name, numbers)
            )
        labels.append((numbers[name], tuple(value) if isinstance(value, list) else (value,)))
    ids = arguments.get("ids")
    return Filters(
        kinds=None if kinds is None else tuple(kinds),
        labels=tuple(sorted(labels, key=lambda label: label[0])) if labels else None,
        ids=None if ids is None else tuple(ids),
    )
