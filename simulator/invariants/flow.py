"""flow: whatever gets from one session to another goes through an AGENT record that a version allowed."""

from __future__ import annotations

from .examples import HEADER, add, begin, context, deploy, end, record
from .history import History
from .judge import seen
from .model import Turn
from .sightings import Sighting, sightings
from .verdict import Invariant, Verdict, Violation, broken
from .witness import witness

NAME = "flow"


def check(history: History) -> Verdict:
    """Every sighting across two sessions: what carried it, and whether both versions allowed that."""
    across = [
        each for each in sightings(history) if each.origin is not None and each.origin.turn.unit != each.turn.unit
    ]
    found = [violation for each in across if (violation := _judged(history, each)) is not None]
    return Verdict.of(NAME, {**seen(history), "flows": len(across)}, found, len(across))


def _judged(history: History, sighting: Sighting) -> Violation | None:
    assert sighting.origin is not None
    writer, reader = sighting.origin.turn, sighting.turn
    why = _not_allowed(sighting, writer, reader)
    if why is None:
        return None
    clause, because = why
    path = witness(history, sighting)[:-1]
    return broken(NAME, clause, sighting, sighting.where, because, record=sighting.record,
                  summary=sighting.summary, path=path)  # fmt: skip


def _not_allowed(sighting: Sighting, writer: Turn, reader: Turn) -> tuple[str, str] | None:
    assert sighting.origin is not None
    if writer.agent != reader.agent:
        return "VIEW-1", f"because nothing flows from agent {writer.agent} to agent {reader.agent}"
    if sighting.origin.scope != "agent":
        what = "a session's record" if sighting.origin.scope else f"what was said ({sighting.item})"
        return "VIEW-2", f"because {what} carried it, and only an AGENT record may leave its session"
    if "agent" not in writer.writes:
        return "SCO-2", f"because version {writer.version}, which wrote it, may not write AGENT records"
    if "agent" not in reader.reads:
        return "VIEW-3", f"because version {reader.version} of the reader does not read AGENT records"
    return None


FLOW = Invariant(
    name=NAME,
    clauses=("VIEW-1", "VIEW-2", "VIEW-3", "SCO-2"),
    holds_when=(
        "Every path from what one session put in to what another observes runs through an AGENT record, written by a "
        "turn whose version writes agent scope, and read by one whose version reads it."
    ),
    counts={
        "records": "records shown, each traced to the turn that wrote it",
        "messages": "messages shown, each traced to the turn that put it in",
        "events": "events of history shown, each traced to the turn that it names or that put it in",
        "references": "references to tool results shown, each traced to the turn that was told the result",
        "flows": "those of them that stem from another session; without one the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(read=("session", "agent"), write=("agent",)),
        begin("s0", "account-17"),
        add("s0", "mem_signed", scope="agent"),
        end("s0"),
        begin("s1", "account-22"),
        context("s1", recalled=[record("mem_signed")]),
        end("s1"),
    ),
    bad=(
        HEADER,
        deploy(read=("session", "agent"), write=("session",)),
        begin("s0", "account-17"),
        add("s0", "mem_signed"),
        end("s0"),
        begin("s1", "account-22"),
        context("s1", recalled=[record("mem_signed")]),
        end("s1"),
    ),
)
