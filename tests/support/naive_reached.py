"""What random programs came to, over all of them: a property that is vacuous shows here."""

from __future__ import annotations

from collections import Counter

from naive import Naive
from naive_facts import Begun, Plain, Said, Wrote

REACHED: Counter[str] = Counter()


def count_probes(memory: Naive, turn: Begun, given: Plain) -> None:
    """A turn named something that is there, but not for it."""
    replaces = given.get("replaces", [])
    named = [given.get("id"), given.get("ref"), *given.get("ids", [])]
    named += [replaces] if isinstance(replaces, str) else replaces
    for record in memory.every(Wrote):
        if record.id in named and record not in memory.records(turn):
            reach(f"a probe of another {difference(memory, turn, record)}")
    for said in memory.every(Said):
        if said.message.get("ref", "") in named and not memory.same_session(turn, said.turn):
            reach("a probe of another session's result")


def difference(memory: Naive, turn: Begun, record: Wrote) -> str:
    if record.turn.agent != turn.agent:
        return "agent"
    if record.scope == "session" and not memory.same_session(turn, record.turn):
        return "session"
    return "plane" if (turn.plane, record.turn.plane) == ("live", "preview") else "time or scope"


def count_events(memory: Naive, turn: Begun, hits: list[Plain]) -> None:
    for hit in hits:
        of = next(each for each in memory.earlier(turn) if each.execution == hit["turn"])
        reach(f"found in history: {hit['kind']}")
        if "ref" in hit:
            reach("found in history: a result set aside, by its reference")
        if of.config.history != turn.config.history:
            reach("found in history: what a version with another index kept")
        if of.plane != turn.plane:
            reach("found in history: a live event by a preview")


def count_recall(memory: Naive, turn: Begun, context: Plain) -> None:
    if len(memory.pinned(turn)) > len(context["pins"]) and turn.config.budget is not None:
        reach("pins left out")
    ids = [hit["id"] for hit in context["recalled"]]
    for record in memory.every(Wrote):
        if record.id in ids:
            reach("recalled")
            if record.turn.session != turn.session:
                reach("recalled from another session by an AGENT record")
            if record.turn.plane != turn.plane:
                reach("a live record recalled in a preview")


def count_answer(answer: Plain) -> None:
    for key in ("would_replace", "would_delete", "deleted"):
        if key in answer:
            reach(key)
    shown = answer.get("record", {})
    if shown.get("status") == "SUPERSEDED":
        reach("a superseded record read" + (", with its successor" if "successor" in shown else ""))
    if answer.get("records"):
        reach("found")


def reach(what: str) -> None:
    REACHED[what] += 1
