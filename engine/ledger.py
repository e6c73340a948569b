"""The ledger: every record with its versions, every execution with its outcome, every output use (RCL-3).

In an order that no turn moves for another: by agent and time, then by what names the entry. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import journal, rows
from .agents import Agents
from .answers import operator_json, version_json
from .journal import Start, Use
from .rows import Version
from .store import Store
from .values import Json, Record


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger at one moment."""

    _labels: Mapping[str, Mapping[int, str]]  # by agent: the name of each label's number
    _records: tuple[tuple[Record, tuple[Version, ...]], ...]
    _executions: tuple[tuple[Start, str, tuple[Use, ...]], ...]

    def to_json(self) -> dict[str, Json]:
        """`{"records": […], "executions": […], "uses": […]}`: each entry with its `type` and the keys of its line."""
        records: list[Json] = [
            {
                "type": "record",
                **operator_json(record, self._labels[record.agent]),
                "versions": [version_json(version) for version in versions],
            }
            for record, versions in self._records
        ]
        executions: list[Json] = [
            {
                "type": "execution",
                "turn": execution.id,
                "agent": execution.agent,
                "session": execution.session,
                "plane": execution.plane,
                "version": execution.version,
                "outcome": outcome,
            }
            for execution, outcome, _ in self._executions
        ]
        uses: list[Json] = [
            {
                "type": "use",
                "turn": execution.id,
                "agent": execution.agent,
                "call": use.call,
                "source": use.source,
                "by": use.actor,
                "records": list(use.records),
            }
            for execution, _, retrieved in self._executions
            for use in retrieved
        ]
        return {"records": records, "executions": executions, "uses": uses}


def read_ledger(store: Store, agents: Agents, uses: Mapping[int, Sequence[Use]]) -> Ledger:
    """The ledger as it is now. `uses` are those of each execution, by its number."""
    sql = store.sql
    names = journal.agents(sql)
    versions = rows.all_versions(sql)
    records = sorted((record for agent in names for record in rows.agent_records(sql, agent)), key=_place)
    return Ledger(
        _labels={agent: agents.label_names(agent) for agent in names},
        _records=tuple((record, tuple(versions[record.id])) for record in records),
        _executions=tuple(
            (begun, outcome, tuple(uses.get(key, ()))) for key, begun, outcome in journal.executions(sql)
        ),
    )


def _place(record: Record) -> tuple[str, int, str, str, int]:
    return record.agent, record.at, record.execution, record.scope, record.ordinal
