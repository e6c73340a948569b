"""What operators call: list an agent's records, read one with its history, delete one (ADM).

Grants are checked before anything is looked up. Must not know turns: it tells the engine what it deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from . import commits, rows
from .agents import Agents
from .answers import operator_json, version_json
from .grants import DELETING, READING, check_grants
from .names import checked_name
from .plain import checked_time, is_text
from .store import Store
from .values import EngineError, Json, Record, newest_first


class Console:
    """The operators' side of an engine. Answers are plain values made anew; refusals are EngineErrors.

    `grants` are what the operator has, as `grants.check_grants` reads them; None is every grant.
    """

    def __init__(self, store: Store, agents: Agents, deleted: Callable[[Record], None]) -> None:
        self._store = store
        self._agents = agents
        self._deleted = deleted

    def memories(self, agent: str, *, grants: Iterable[str] | None = None) -> dict[str, Json]:
        """`{"records": […]}`: every record of `agent`, newest first, whatever its plane and status (ADM-1, PRE-3).

        A preview record that names a live one has `stale`: whether that one has ended since (PRE-2).
        """
        check_grants(grants, READING)
        self._check_agent(agent)
        labels = self._agents.label_names(agent)
        records = sorted(rows.agent_records(self._store.sql, agent), key=newest_first)
        status = {record.id: record.status for record in records}
        shown: list[Json] = []
        for record in records:
            entry = operator_json(record, labels)
            named = _named(record)
            if named:
                entry["stale"] = any(status[each] != "ACTIVE" for each in named)
            shown.append(entry)
        return {"records": shown}

    def memory(self, agent: str, record: str, *, grants: Iterable[str] | None = None) -> dict[str, Json]:
        """`{"record": {…, "versions": […]}}`: one record of `agent` with its history (ADM-1). Else `not_found`."""
        check_grants(grants, READING)
        found = self._find(agent, record)
        entry = operator_json(found, self._agents.label_names(agent))
        sql = self._store.sql
        named = _named(found)
        if named:
            entry["stale"] = any(rows.status_of(sql, each) != "ACTIVE" for each in named)
        entry["versions"] = [version_json(version) for version in rows.versions(sql, found.id)]
        return {"record": entry}

    def delete(
        self, agent: str, record: str, *, at: int, grants: Iterable[str] | None = None, operator: str = "operator"
    ) -> dict[str, Json]:
        """`{"deleted": id}`: out of recall and search at once, also in turns that are open; still readable here
        (ADM-2).

        A superseded record can be deleted too; one that is deleted already is `not_active`.
        """
        check_grants(grants, DELETING)
        at = checked_time(at)
        checked_name(operator, "an operator")
        found = self._find(agent, record)
        if found.status == "DELETED":
            raise EngineError("not_active", "the record is deleted already")
        self._deleted(commits.delete(self._store, found, at, operator))
        return {"deleted": found.id}

    def _find(self, agent: str, record: str) -> Record:
        self._check_agent(agent)
        found = rows.agent_record(self._store.sql, agent, record) if is_text(record) else None
        if found is None:
            raise EngineError("not_found", "this agent has no such record")
        return found

    def _check_agent(self, agent: str) -> None:
        if not self._agents.known(checked_name(agent, "an agent")):
            raise EngineError("not_found", "there is no such agent")


def _named(record: Record) -> tuple[str, ...]:
    return record.would_replace if record.would_delete is None else (record.would_delete,)
