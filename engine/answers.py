"""Records as the agent and as operators see them, and a tool's answer. Must not know who asks or whether they may.

The agent is not told who wrote a record, or in which session: another session's name is that session's data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .plain import rfc3339
from .render import line
from .rows import Version
from .values import EngineError, Hit, Json, Record
from .view import View

_MOST_LINES, _LONGEST = 4096, 2048  # lines that are remembered, and characters of one: some megabytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answered: plain values made for this answer, or the error that refused it."""

    answer: dict[str, Json] | None
    error: EngineError | None = None

    def to_json(self) -> dict[str, Json]:
        """`{"answer": …}` or `{"error": {code, message, remedy}}`."""
        return {"answer": self.answer} if self.error is None else {"error": self.error.to_json()}


def record_json(record: Record, labels: Mapping[int, str], view: View) -> dict[str, Json]:
    """`record` as the agent sees it. `labels` names each label's number; `successor` is told where it is in view."""
    shown: dict[str, Json] = {
        "id": record.id,
        "summary": record.summary,
        "content": record.content,
        "kind": record.kind,
        "labels": {labels[number]: value for number, value in record.labels},
        "scope": record.scope,
        "pinned": record.pinned,
        "status": record.status,
        "at": rfc3339(record.at),
    }
    if record.successor is not None and view.get(record.successor) is not None:
        shown["successor"] = record.successor
    return shown


def hit_json(hit: Hit, labels: Mapping[int, str], view: View) -> dict[str, Json]:
    """`hit` as the agent sees it: the record, its score and the three parts (SCH-3)."""
    return {**record_json(hit.record, labels, view), **scores_json(hit)}


def scores_json(hit: Hit) -> dict[str, Json]:
    """The score of a hit and its three parts (SCH-3)."""
    return {"score": hit.score, "meaning": hit.meaning, "keywords": hit.keywords, "recency": hit.recency}


class ActiveLines:
    """ACTIVE records as the agent sees them, as lines: contexts show the same ones call after call, turn after turn."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Record, Mapping[int, str], str]] = {}  # by id; of which record, by which labels

    def of(self, record: Record, labels: Mapping[int, str], view: View) -> str:
        """`record`, which is ACTIVE in `view`."""
        known = self._known.get(record.id)
        if known is None or known[0] is not record or known[1] is not labels:
            shown = line(record_json(record, labels, view))
            if len(shown) > _LONGEST:
                return shown
            if len(self._known) >= _MOST_LINES:
                self._known.clear()
            known = self._known[record.id] = record, labels, shown
        return known[2]


def operator_json(record: Record, labels: Mapping[int, str]) -> dict[str, Json]:
    """`record` as operators and the ledger see it: everything, with plane and provenance (REC-1, ADM-1)."""
    return {
        "id": record.id,
        "agent": record.agent,
        "plane": record.plane,
        "scope": record.scope,
        "session": record.session,
        "summary": record.summary,
        "content": record.content,
        "kind": record.kind,
        "labels": {labels[number]: value for number, value in record.labels},
        "pinned": record.pinned,
        "status": record.status,
        "at": rfc3339(record.at),
        "ordinal": record.ordinal,
        "execution": record.execution,
        "version": record.version,
        "turn": record.turn,
        "source": record.source,
        "replaces": list(record.replaces),
        "would_replace": list(record.would_replace),
        "would_delete": record.would_delete,
        "successor": record.successor,
    }


def version_json(version: Version) -> dict[str, Json]:
    """One change of status: `by` is `execution` or `operator`, and the key of that name says which (REC-3)."""
    shown: dict[str, Json] = {"status": version.status, "at": rfc3339(version.at)}
    if version.execution is not None:
        return {**shown, "by": "execution", "execution": version.execution}
    return {**shown, "by": "operator", "operator": version.operator}
