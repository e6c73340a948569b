"""Faults of the views: what a turn sees that it may not, or does not see that it should (VIEW, REC-6, SCH-4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from seatrial.engine import engine, past, scoring, tools, view, views
from seatrial.engine.engine import Engine
from seatrial.engine.values import EngineError, PartitionKey, Plane, Scope
from seatrial.engine.views import Partitions, visible, visible_history
from seatrial.engine.writes import Writes

from .fault import Alteration, Fault

Unit: TypeAlias = tuple[str, str | None]
More: TypeAlias = Callable[[list[Unit], str, str | None, Plane], list[PartitionKey]]


def begun(alteration: Alteration) -> list[Unit]:
    """The agents and sessions that have begun a turn, kept up to date."""
    units: list[Unit] = []

    def make(real: Any) -> Any:
        def begin(self: Engine, agent: str, *, session: str | None = None, **more: Any) -> Any:
            if (agent, session) not in units:
                units.append((agent, session))
            return real(self, agent, session=session, **more)

        return begin

    alteration.wrap(Engine, "begin", make)
    return units


def _with_more(more: More) -> Callable[[Alteration], None]:
    """A view that holds `more` partitions than it should."""

    def alter(alteration: Alteration) -> None:
        units = begun(alteration)

        def leaky(agent: str, session: str | None, plane: Plane, reads: tuple[Scope, ...]) -> tuple[PartitionKey, ...]:
            keys = (*visible(agent, session, plane, reads), *more(units, agent, session, plane))
            return tuple(dict.fromkeys(keys))

        alteration.put(engine, "visible", leaky)

    return alter


def _other_sessions(units: list[Unit], agent: str, session: str | None, plane: Plane) -> list[PartitionKey]:
    return [PartitionKey(agent, "live", "session", other) for name, other in units if name == agent and other]


def _other_agents(units: list[Unit], agent: str, session: str | None, plane: Plane) -> list[PartitionKey]:
    shared = [PartitionKey(name, "live", "agent", None) for name, _ in units]
    return shared + [
        PartitionKey(name, "live", "session", other) for name, other in units if other == session and other
    ]


def _like_names(units: list[Unit], agent: str, session: str | None, plane: Plane) -> list[PartitionKey]:
    """Sessions whose name begins alike, or differs by case only, or by what SQL takes for a wildcard."""
    mine = (session or "").casefold().replace("_", "-")
    alike = [
        other for name, other in units if name == agent and other and other.casefold().replace("_", "-")[:3] == mine[:3]
    ]
    return [PartitionKey(agent, "live", "session", other) for other in alike]


def _unread_scope(alteration: Alteration) -> None:
    alteration.put(
        engine,
        "visible",
        lambda agent, session, plane, reads: visible(agent, session, plane, ("session", "agent")),
    )


def _preview_in_live(alteration: Alteration) -> None:
    alteration.put(engine, "visible", lambda agent, session, plane, reads: visible(agent, session, "preview", reads))


def _live_not_in_preview(alteration: Alteration) -> None:
    def blind(agent: str, session: str | None, plane: Plane, reads: tuple[Scope, ...]) -> tuple[PartitionKey, ...]:
        return tuple(key for key in visible(agent, session, plane, reads) if key.plane == plane)

    alteration.put(engine, "visible", blind)


def _later_commits(alteration: Alteration) -> None:
    """A commit reaches views that are open."""

    def make(real: Any) -> Any:
        def commit(self: Engine, desk: Any, batch: Any) -> None:
            real(self, desk, batch)
            for turn in self._open.values():
                view = turn.desk.view
                for record in batch.records:
                    fits = record.agent == turn.desk.agent and record.plane == "live"
                    if turn.desk is not desk and fits and record.scope == "agent" and record.id not in view:
                        view.write(record)

        return commit

    alteration.wrap(Engine, "_commit", make)


def _later_endings(alteration: Alteration) -> None:
    """What another turn replaced or deleted leaves views that are open."""

    def make(real: Any) -> Any:
        def commit(self: Engine, desk: Any, batch: Any) -> None:
            real(self, desk, batch)
            for turn in self._open.values():
                for record in batch.ended:
                    if turn.desk is not desk:
                        turn.desk.view.forget(record.id)

        return commit

    alteration.wrap(Engine, "_commit", make)


def _own_writes_unseen(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def made(self: Writes, view: Any, reads: Any, read: Any) -> None:
            real(self, view, (), read)

        return made

    alteration.wrap(Writes, "__init__", make)


def _own_writes_of_all_scopes(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def made(self: Writes, view: Any, reads: Any, read: Any) -> None:
            real(self, view, ("session", "agent"), read)

        return made

    alteration.wrap(Writes, "__init__", make)


def _not_yours(alteration: Alteration) -> None:
    """Ids of others are told from ids that never were."""
    known: set[str] = set()

    def noting(real: Any) -> Any:
        def with_id(draft: Any) -> Any:
            record = real(draft)
            known.add(record.id)
            return record

        return with_id

    def telling(real: Any) -> Any:
        def found(desk: Any, record: str) -> Any:
            if desk.view.get(record) is None and record in known:
                raise EngineError("not_found", "this record is not yours")
            return real(desk, record)

        return found

    alteration.wrap(tools, "with_id", noting)
    alteration.wrap(tools, "_found", telling)


def _deleted_is_told(alteration: Alteration) -> None:
    def telling(real: Any) -> Any:
        def found(desk: Any, record: str) -> Any:
            view = desk.view
            if record in view._endings and view._endings[record] is None:
                raise EngineError("not_active", "the record was deleted")
            return real(desk, record)

        return found

    alteration.wrap(tools, "_found", telling)


def _history_of_all(alteration: Alteration) -> None:
    units = begun(alteration)

    def leaky(agent: str, session: str, plane: Plane) -> tuple[PartitionKey, ...]:
        others = [PartitionKey(agent, "live", "history", other) for name, other in units if name == agent and other]
        return tuple(dict.fromkeys((*visible_history(agent, session, plane), *others)))

    alteration.put(engine, "visible_history", leaky)


def _history_of_previews(alteration: Alteration) -> None:
    alteration.put(engine, "visible_history", lambda agent, session, plane: visible_history(agent, session, "preview"))


def _frequencies_of_all(alteration: Alteration) -> None:
    """Document frequencies over everything that is loaded (mem0#5439)."""
    loaded: list[Partitions] = []

    def noting(real: Any) -> Any:
        def made(self: Partitions, *given: Any, **named: Any) -> None:
            real(self, *given, **named)
            loaded[:] = [self]

        return made

    def over_all(real: Any) -> Any:
        def weighed(held: list[Any]) -> Any:
            own = [counted.snapshot.index for counted in held]
            everything = [*loaded[0]._loaded.values()] if loaded else []
            for each in everything:
                each.take_in()
            others = [each.partition.snapshot() for each in everything]
            foreign = [scoring._without(each, ()) for each in others if each.mark.rows and each.index not in own]
            return real([*held, *foreign])[: len(held)]

        return weighed

    alteration.wrap(views.Partitions, "__init__", noting)
    alteration.wrap(scoring, "_weighed", over_all)


def _not_smoothed(alteration: Alteration) -> None:
    """A word that every record has weighs as if nothing were added to what is counted."""

    class Shifted:
        def upto(self, number: int) -> Any:
            table = real.upto(number)
            return np.concatenate((table[:1], table[:-1]))

    real = scoring._LOGARITHMS
    alteration.put(scoring, "_LOGARITHMS", Shifted())


def _half_is_scored(alteration: Alteration) -> None:
    """Of each partition every second record is never a match by meaning."""

    def make(real: Any) -> Any:
        def meaning(parts: Any, query: str, candidates: Any) -> Any:
            found = real(parts, query, candidates)
            return [np.where(rows % 2 == 0, scores, 0.0) for rows, scores in zip(candidates, found, strict=True)]

        return meaning

    alteration.wrap(view, "meaning", make)


def _planes_of_live(module: Any) -> Callable[[Alteration], None]:
    return lambda alteration: alteration.put(module, "planes_seen", lambda plane: ("live", "preview"))


_WEIGHED = "how alike two texts are the oracle does not compute anew"

FAULTS: tuple[Fault, ...] = (
    Fault("foreign-session-in-view", "VIEW-2", "a view holds every session's records", _with_more(_other_sessions)),
    Fault("foreign-agent-in-view", "VIEW-1", "a view holds the records of every agent", _with_more(_other_agents)),
    Fault("names-compare-loosely", "REC-6", "sessions with a similar name are one", _with_more(_like_names)),
    Fault("scope-not-filtered", "VIEW-3", "a view holds scopes that the version does not read", _unread_scope),
    Fault("preview-in-live-view", "VIEW-4", "a live view holds what previews wrote", _preview_in_live),
    Fault("live-not-in-preview-view", "VIEW-4", "a preview's view lacks what is live", _live_not_in_preview),
    Fault("live-continues-previews", "VIEW-4", "a live turn continues what previews said", _planes_of_live(past)),
    Fault("live-takes-preview-state", "VIEW-4", "a live turn starts with a preview's state", _planes_of_live(engine)),
    Fault("later-commits-seen", "VIEW-5", "an open turn sees what others commit", _later_commits),
    Fault("later-endings-seen", "VIEW-5", "an open turn loses what others replace or delete", _later_endings),
    Fault("own-writes-unseen", "WRT-5", "a turn does not see its own writes", _own_writes_unseen),
    Fault("own-writes-of-all-scopes", "VIEW-5", "a turn sees what it wrote to a scope that it does not read",
          _own_writes_of_all_scopes),
    Fault("refusal-tells-foreign", "VIEW-6", "a foreign id is refused in other words than an unknown one", _not_yours),
    Fault("refusal-tells-deleted", "VIEW-6", "a deleted record is refused as deleted", _deleted_is_told),
    Fault("history-of-all-sessions", "HIS-2", "history is searched over every session", _history_of_all),
    Fault("history-of-previews", "VIEW-4", "a live turn searches the history of previews", _history_of_previews),
    Fault("frequencies-of-all", "SCH-4", "document frequencies count every session's records", _frequencies_of_all),
    Fault("frequencies-not-smoothed", "SCH-4", "document frequencies are not smoothed", _not_smoothed),
    Fault("half-is-scored", "SCH-5", "every second record is never found by meaning", _half_is_scored, _WEIGHED),
)  # fmt: skip
