"""Faults of records: what is written, replaced, deleted, and what is kept of it (REC, WRT, SCO, ADM, PRE, VER)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from seatrial.engine import agents, commits, console, extraction, rows, tools, turn
from seatrial.engine.engine import Engine
from seatrial.engine.grants import DELETING, READING, check_grants
from seatrial.engine.ids import with_id
from seatrial.engine.turn import Turn
from seatrial.engine.values import Record
from seatrial.engine.writes import Writes

from .fault import Alteration, Fault


def _counter(alteration: Alteration) -> None:
    made: list[str] = []

    def counted(draft: Record) -> Record:
        made.append(f"mem_{len(made):024d}")
        return replace(draft, id=made[-1])

    alteration.put(tools, "with_id", counted)


def _drafted(change: Callable[[Record], Record]) -> Callable[[Alteration], None]:
    """Every record is written otherwise than it was stated."""

    def alter(alteration: Alteration) -> None:
        alteration.wrap(tools, "with_id", lambda real: lambda draft: real(change(draft)))

    return alter


def _trimmed(record: Record) -> Record:
    return replace(record, content=None if record.content is None else record.content.strip())


def _as_text(record: Record) -> Record:
    labels = tuple((number, value if isinstance(value, str) else str(value)) for number, value in record.labels)
    return replace(record, labels=labels)


def _agent_by_default(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def scope(desk: Any, stated: str | None) -> Any:
            wide = "agent" in desk.version.config.memory.write
            return real(desk, "agent" if stated is None and wide else stated)

        return scope

    alteration.wrap(tools, "_scope", make)


def _any_scope(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def scope(desk: Any, stated: str | None) -> Any:
            return stated if stated in ("session", "agent") else real(desk, stated)

        return scope

    alteration.wrap(tools, "_scope", make)


def _deletes_in_any_scope(alteration: Alteration) -> None:
    """A delete is about the scope of the record that it names, whatever it states."""

    def make(real: Any) -> Any:
        def found(desk: Any, record: str, scope: Any) -> Any:
            named = desk.view.get(record)
            return real(desk, record, scope if named is None else named.scope)

        return found

    alteration.wrap(tools, "find_target", make)


def _any_kind(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def draft(desk: Any, arguments: Any, source: Any) -> Any:
            made = real(desk, {**arguments, "kind": desk.version.config.memory.kinds[0]}, source)
            return replace(made, record=with_id(replace(made.record, kind=arguments["kind"])))

        return draft

    for module in (tools, extraction):
        alteration.wrap(module, "draft_record", make)


def _unknown_labels_dropped(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def labels(desk: Any, given: Any) -> Any:
            declared = {label.name for label in desk.version.config.memory.labels}
            return real(desk, {name: value for name, value in given.items() if name in declared})

        return labels

    alteration.wrap(tools, "_labels", make)


def _any_tool(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def run(self: Turn, actor: Any, name: str, arguments: Any) -> Any:
            if actor == "agent" and name in tools.TOOLS and name not in self.desk.version.tool_names:
                return tools.TOOLS[name].run(self.desk, arguments), tools.TOOLS[name].source
            return real(self, actor, name, arguments)

        return run

    alteration.wrap(Turn, "_run", make)


def _inherited(field: str, *, always: bool = False) -> Callable[[Alteration], None]:
    """A replacement takes over a field of what it replaces: where it states none, or `always`."""

    def alter(alteration: Alteration) -> None:
        def make(real: Any) -> Any:
            def draft(desk: Any, arguments: Any, source: Any) -> Any:
                made = real(desk, arguments, source)
                old = next((getattr(each, field) for each in made.targets), None)
                if not old or (getattr(made.record, field) and not always):
                    return made
                return tools.Draft(with_id(replace(made.record, **{field: old})), made.targets)

            return draft

        alteration.wrap(tools, "draft_record", make)

    return alter


def _successor_untold(alteration: Alteration) -> None:
    alteration.wrap(
        tools,
        "_check_target",
        lambda real: lambda desk, target, scope: real(desk, replace(target, successor=None), scope),
    )


def _listed_oldest_first(alteration: Alteration) -> None:
    def oldest_first(record: Record) -> tuple[int, int, str]:
        return record.at, record.ordinal, record.id

    alteration.put(console, "newest_first", oldest_first)


def _nothing_replaced(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def add(self: Writes, record: Record, replaced: Any) -> None:
            real(self, record, ())

        return add

    alteration.wrap(Writes, "add", make)


def _deleted_in_view_only(alteration: Alteration) -> None:
    """A turn's own delete never reaches the store."""

    def make(real: Any) -> Any:
        def delete(self: Writes, target: Record) -> None:
            self._view.hide(target.id)

        return delete

    alteration.wrap(Writes, "delete", make)


def _helpers_write(alteration: Alteration) -> None:
    table = {name: replace(tool, writes=False) for name, tool in tools.TOOLS.items()}
    alteration.put(turn, "TOOLS", table)


def _stays_loaded(alteration: Alteration) -> None:
    alteration.put(Engine, "_deleted", lambda self, record: None)


def _stays_in_open_turns(alteration: Alteration) -> None:
    alteration.put(Engine, "_deleted", lambda self, record: self._partitions.apply((), (record,)))


def _stays_in_other_sessions(alteration: Alteration) -> None:
    def deleted(self: Engine, record: Record) -> None:
        self._partitions.apply((), (record,))
        for each in self._open.values():
            if each.desk.session == record.session:
                each.forget(record.id)

    alteration.put(Engine, "_deleted", deleted)


def _erased_for_operators(alteration: Alteration) -> None:
    def listing(real: Any) -> Any:
        return lambda sql, agent: [record for record in real(sql, agent) if record.status != "DELETED"]

    def one(real: Any) -> Any:
        def agent_record(sql: Any, agent: str, record: str) -> Any:
            found = real(sql, agent, record)
            return None if found is None or found.status == "DELETED" else found

        return agent_record

    alteration.wrap(rows, "agent_records", listing)
    alteration.wrap(rows, "agent_record", one)


def _no_grants(alteration: Alteration) -> None:
    alteration.put(console, "check_grants", lambda grants, needed: None)


def _reading_deletes(alteration: Alteration) -> None:
    alteration.put(console, "DELETING", READING)


def _no_chain(alteration: Alteration) -> None:
    alteration.put(agents, "config_problems", lambda document, earlier, number: [])


def _live_ends_with_preview(alteration: Alteration) -> None:
    """What a preview would replace or delete ends in the live plane."""

    def make(real: Any) -> Any:
        def commit(store: Any, batch: Any) -> Any:
            written, ended = real(store, batch)
            named = [each for record in batch.records for each in (*record.would_replace, record.would_delete) if each]
            with store.transaction(durable=True) as sql:
                for target in named:
                    if rows.status_of(sql, target) == "ACTIVE":
                        sql.execute("UPDATE record SET status = 'DELETED' WHERE id = ?", (target,))
                        rows._add_version(sql, target, "DELETED", batch.begun.at, execution=batch.execution)
            return written, ended

        return commit

    alteration.wrap(commits, "commit", make)


def _preview_names_nothing(alteration: Alteration) -> None:
    """A preview record does not say which live record it would replace."""

    def make(real: Any) -> Any:
        def draft(desk: Any, arguments: Any, source: Any) -> Any:
            made = real(desk, arguments, source)
            kept = tuple(each for each in made.targets if each.plane == desk.plane)
            return tools.Draft(with_id(replace(made.record, would_replace=())), kept)

        return draft

    alteration.wrap(tools, "draft_record", make)


def _previews_bind_live(alteration: Alteration) -> None:
    """A live commit is in conflict with what a preview would change."""

    def make(real: Any) -> Any:
        return lambda sql, target, plane: real(sql, target, "preview")

    alteration.wrap(commits, "_still_active", make)


def _history_begins_late(alteration: Alteration) -> None:
    """The history of a record does not say who wrote it (mem0#5923)."""

    def make(real: Any) -> Any:
        def add(sql: Any, record: str, status: str, at: int, **by: Any) -> None:
            if status != "ACTIVE":
                real(sql, record, status, at, **by)

        return add

    alteration.wrap(rows, "_add_version", make)


def _preview_deletes_unmarked(alteration: Alteration) -> None:
    """What a preview would delete is hidden from it, and nothing says so."""
    alteration.put(Writes, "mark", lambda self, marker, target: self._name(target, None))


def _deleted_is_read(alteration: Alteration) -> None:
    """A turn that deleted a record still reads it."""

    def make(real: Any) -> Any:
        def delete(self: Writes, target: Record) -> None:
            real(self, target)
            self._view._end(target.id, self.ended[target.id])

        return delete

    alteration.wrap(Writes, "delete", make)


def _labels_by_place(alteration: Alteration) -> None:
    """A version tells a label by its place among its own, not by its number."""

    def make(real: Any) -> Any:
        def version(seen: Any, label_names: Any) -> Any:
            own = seen[-1].config.memory.labels
            names = sorted(label.name for label in own)
            return real(seen, label_names | dict(zip((label.number for label in own), names, strict=True)))

        return version

    alteration.wrap(agents, "_version", make)


def _grants_of_the_starter(alteration: Alteration) -> None:
    """The agent's tools need the grants of whoever called last as an operator."""
    latest: list[Any] = [None]

    def noting(real: Any) -> Any:
        def check(grants: Any, needed: Any) -> None:
            latest[0] = grants
            real(grants, needed)

        return check

    def asking(real: Any) -> Any:
        def run(self: Turn, actor: Any, name: str, arguments: Any) -> Any:
            check_grants(latest[0], DELETING if name in ("add_memory", "delete_memory") else READING)
            return real(self, actor, name, arguments)

        return run

    alteration.wrap(console, "check_grants", noting)
    alteration.wrap(Turn, "_run", asking)


FAULTS: tuple[Fault, ...] = (
    Fault("ids-from-a-counter", "REC-2", "records are numbered by one counter", _counter),
    Fault("labels-as-text", "REC-5", "the values of labels are kept as text", _drafted(_as_text)),
    Fault("content-trimmed", "REC-1", "white space at the ends of a content is not kept", _drafted(_trimmed)),
    Fault("source-always-tool", "REC-1", "a record that a review found is kept as the agent's own",
          _drafted(lambda draft: replace(draft, source="tool"))),
    Fault("agent-scope-by-default", "SCO-2", "what names no scope is kept for all sessions", _agent_by_default),
    Fault("scope-not-checked", "SCO-2", "a scope that the version may not write is taken", _any_scope),
    Fault("deletes-in-any-scope", "SCO-2", "a delete takes the scope of the record that it names",
          _deletes_in_any_scope),
    Fault("kinds-not-checked", "REC-4", "a kind that is not declared is taken", _any_kind),
    Fault("unknown-labels-dropped", "REC-5", "a label that is not declared is dropped in silence",
          _unknown_labels_dropped),
    Fault("tools-not-checked", "WRT-1", "an agent calls tools that its version does not offer", _any_tool),
    Fault("labels-inherited", "WRT-2", "a replacement takes over labels that it does not state", _inherited("labels")),
    Fault("pins-inherited", "WRT-2", "a replacement takes over the pin of what it replaces", _inherited("pinned")),
    Fault("kinds-inherited", "WRT-2", "a replacement takes over the kind of what it replaces",
          _inherited("kind", always=True)),
    Fault("successor-untold", "WRT-2", "a refusal does not name the record that took the place of another",
          _successor_untold),
    Fault("replaced-stays", "WRT-2", "a replaced record stays", _nothing_replaced),
    Fault("deleted-is-read", "WRT-4", "a turn still reads a record that it deleted", _deleted_is_read),
    Fault("delete-not-kept", "WRT-3", "a turn's delete ends with the turn", _deleted_in_view_only),
    Fault("helpers-write", "WRT-6", "a subagent or a program may write", _helpers_write),
    Fault("deleted-stays-loaded", "ADM-2", "what an operator deleted stays in memory", _stays_loaded),
    Fault("deleted-stays-in-open-turns", "ADM-2", "what an operator deleted stays in open turns",
          _stays_in_open_turns),
    Fault("deleted-stays-in-other-sessions", "ADM-2", "what an operator deleted stays in open turns of other sessions",
          _stays_in_other_sessions),
    Fault("deleted-is-erased", "ADM-2", "operators no longer find what was deleted", _erased_for_operators),
    Fault("listed-oldest-first", "ADM-1", "an operator's listing begins with the oldest record", _listed_oldest_first),
    Fault("grants-not-checked", "ADM-3", "an operator's grants are not looked at", _no_grants),
    Fault("reading-allows-deleting", "ADM-3", "whoever may read may delete", _reading_deletes),
    Fault("starters-grants-count", "ADM-4", "an agent's tools need the grants of the operator who called last",
          _grants_of_the_starter),
    Fault("labels-by-place", "VER-4", "a version tells a label by its place, not by its number", _labels_by_place),
    Fault("versions-not-compared", "VER-2", "a version may renumber a label", _no_chain),
    Fault("preview-writes-live", "PRE-1", "what a preview writes is live",
          _drafted(lambda draft: replace(draft, plane="live"))),
    Fault("preview-ends-live", "PRE-2", "what a preview would change is changed", _live_ends_with_preview),
    Fault("preview-names-nothing", "PRE-2", "a preview does not name what it would replace", _preview_names_nothing),
    Fault("preview-deletes-unmarked", "PRE-3", "no record says what a preview would delete",
          _preview_deletes_unmarked),
    Fault("preview-blocks-live", "PRE-4", "a preview makes a live commit fail", _previews_bind_live),
    Fault("history-without-beginning", "REC-3", "a record's history does not say who wrote it", _history_begins_late),
)  # fmt: skip
