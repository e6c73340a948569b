"""Which records an event names, and which an answer shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .events import Call, Decision
from .model import replaced
from .plain import OBJECT, ids


def named_by(event: Call | Decision) -> tuple[str, ...]:
    """The records that a call is about, a search apart, or that the model's decision names."""
    if isinstance(event, Decision):
        return ids(list(event.decision.values())) if isinstance(event.decision, OBJECT) else ()
    return replaced(event) if event.tool == "add_memory" else ids(event.arguments.get("id"))


def in_answer(event: Call, answer: Mapping[str, Any], *, known: bool) -> Iterator[str]:
    """The ids in an answer, and the targets that the call changed: to change a record is to observe that it exists.

    `known`: whether the trace tells the references of results.
    """
    if event.tool == "add_memory":
        yield from replaced(event)
    if event.tool == "read_result" and known:
        yield from ids(event.arguments.get("ref"))
    yield from ids_of(records_of(answer))
    for key in ("deleted", "would_delete", "would_replace"):
        yield from ids(answer.get(key))


def ids_of(records: Sequence[Any]) -> Iterator[str]:
    """The id of each record, and that of its successor."""
    for record in records:
        if isinstance(record, str):
            yield record
        elif isinstance(record, OBJECT):
            yield from (record[key] for key in ("id", "successor") if isinstance(record.get(key), str))


def records_of(answer: Mapping[str, Any]) -> list[Any]:
    """Its `record` and its `records`, as they come: None where it has none."""
    records = answer.get("records")
    return [answer.get("record"), *(records if isinstance(records, list) else ())]
