"""Every record that a trace shows with its fields: to a model, to whoever called a tool, to an operator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from .events import Call, Context, Decision, Review
from .history import History
from .model import Model, Write, read
from .plain import OBJECT


class Shown(NamedTuple):
    """A record as `event` shows it; `where` says in which words a violation tells so.

    `writes` are those that answered its id, up to here: none for a record that no turn was seen to write.
    """

    event: Context | Call | Decision | Review
    where: str
    record: Mapping[str, Any]
    writes: list[Write]


@lru_cache(maxsize=1)
def shown(history: History) -> tuple[Shown, ...]:
    """In the order of the trace; a record in the answer to its own write too."""
    model = read(history)
    return tuple(
        Shown(event, where, record, _writes(model, event, record)) for event, where, record in _records(history, model)
    )


def _writes(model: Model, event: Context | Call | Decision | Review, record: Mapping[str, Any]) -> list[Write]:
    return [write for write in model.writes.get(str(record.get("id")), ()) if write.line <= event.line]


def _records(
    history: History, model: Model
) -> Iterator[tuple[Context | Call | Decision | Review, str, Mapping[str, Any]]]:
    for event in history.events:
        if isinstance(event, Review):
            for record in _of_an_answer(event.answer):
                yield event, f"operator's {event.action} of {event.agent}", record
        elif isinstance(event, (Context, Call, Decision)):
            place = f"in {model.turns[event.turn].label} call {event.call}"
            for what, record in _told(event):
                yield event, f"{what} {place}", record


def _told(event: Context | Call | Decision) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(event, Context):
        for what, records in (("recall", event.recalled), ("pins", event.pins)):
            yield from ((what, each) for each in records if isinstance(each, OBJECT))
    elif isinstance(event, Decision):
        if event.record is not None:
            yield "decision on a candidate", event.record
    else:
        yield from ((f"answer of {event.tool}", each) for each in _of_an_answer(event.answer))


def _of_an_answer(answer: Any) -> Iterator[Mapping[str, Any]]:
    """Its `record` and its `records`; an answer may be the record, or the records, itself."""
    if isinstance(answer, OBJECT):
        records = [answer.get("record"), *_listed(answer.get("records"))]
        yield from (each for each in (*records, answer) if isinstance(each, OBJECT) and isinstance(each.get("id"), str))
    yield from (each for each in _listed(answer) if isinstance(each, OBJECT))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
