"""The history of a session in the naive model: which events are kept, and how a search shows them (HIS)."""

from __future__ import annotations

from naive import Naive, refuse_if
from naive_context import as_said
from naive_facts import Begun, Event, Plain, blank, halves, moment
from naive_search import search

KINDS = {"user": "message", "assistant": "reply", "tool": "tool_result"}  # by role
KEPT = {None: (), "messages": ("message", "reply"), "messages_and_tools": ("message", "reply", "tool_result")}


def search_history(memory: Naive, turn: Begun, given: Plain) -> tuple[Plain, list[str]]:
    """HIS-2, HIS-6. Its hits are events: no use of records (RCL-3)."""
    refuse_if(
        ("invalid_value", halves(given["query"]) or given.get("limit", 8) > 50),
        ("blank_query", blank(given["query"])),
    )
    events = kept(memory, turn)
    hits = search(
        events, events, given["query"], mode="hybrid", min_score=0.35, limit=given.get("limit", 8), now=turn.at
    )
    return {"events": [shown(event, turn.config.offload_threshold) | scores for event, scores in hits]}, []


def kept(memory: Naive, turn: Begun) -> list[Event]:
    """HIS-2, HIS-4, HIS-5: of the committed turns that `turn` continues, what the version of each kept."""
    return [
        event
        for other in memory.earlier(turn)
        for event in events(memory, other)
        if event.kind in KEPT[other.config.history]
    ]


def events(memory: Naive, turn: Begun) -> list[Event]:
    """HIS-3: what the session carries on, and no answer of the harness's tools."""
    carried = [said.message for said in memory.said(turn) if said.carried]
    return [Event(turn, place, KINDS[message["role"]], message) for place, message in enumerate(carried)]


def shown(event: Event, threshold: int) -> Plain:
    """HIS-6: a result that is large for the version that runs by its beginning and its reference."""
    message = as_said(event.message, threshold)
    named = {key: message[key] for key in ("name",) if key in message}
    cut = {"text": message["preview"], "ref": message["ref"]} if "preview" in message else {"text": event.text}
    return {"turn": event.turn.execution, "kind": event.kind, "at": moment(event.turn.at)} | named | cut
