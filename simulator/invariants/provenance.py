"""provenance: every record names who wrote it, under which version, in which session, and when it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from .events import Decision, Deploy, Stored
from .examples import HEADER, add, begin, deploy, end, stored
from .history import History
from .ledger import kept, where_written
from .model import Turn, Write, read
from .plain import OBJECT, moment
from .verdict import Invariant, Verdict, Violation, broken

NAME = "provenance"


def check(history: History) -> Verdict:
    """Each record of the ledger beside the write that the trace shows, and the versions that were deployed."""
    model = read(history)
    deployed = {
        (event.agent, event.version) for event in history.events if isinstance(event, Deploy) if not event.error
    }
    deployed |= {(turn.agent, None) for turn in model.turns.values() if not turn.config}  # all its deploys are not told
    reviewed = {
        str(event.record["id"]): event.turn
        for event in history.events
        if isinstance(event, Decision) and event.record is not None and isinstance(event.record.get("id"), str)
    }
    written = {entry.id: write for entry, write in kept(history)}
    found: list[Violation] = []
    for entry in history.records:
        found += _origin(entry, model.turns, deployed)
        found += _versions(entry, model.turns)
        if entry.id in written:
            found += _beside(entry, written[entry.id], reviewed)
    checked = {
        "records": len(history.records),
        "versions": sum(len(entry.versions) for entry in history.records),
        "seen_written": len(written),
    }
    return Verdict.of(NAME, checked, [*where_written(model, found)], len(history.records))


def _origin(entry: Stored, turns: Mapping[str, Turn], deployed: set[tuple[str, int | None]]) -> Iterator[Violation]:
    turn = turns.get(entry.execution or "")
    if turn is None and "execution" not in entry.told:
        return
    if turn is None:
        what = "no execution" if entry.execution is None else f"execution {entry.execution}"
        yield _violation(entry, f"ledger: {what}", "because no turn of that name ran")
        return
    if entry.version is not None:
        if (turn.agent, None) not in deployed and (turn.agent, entry.version) not in deployed:
            yield _violation(entry, f"ledger: version {entry.version}", "because that version was never deployed")
        elif turn.version is not None and entry.version != turn.version:
            yield _violation(entry, f"ledger: version {entry.version}", f"because {turn.label} ran {turn.version}")
    if "session" in entry.told and entry.session != turn.session:
        yield _violation(entry, f"ledger: session {entry.session}", f"because {turn.label} wrote it")


def _versions(entry: Stored, turns: Mapping[str, Turn]) -> Iterator[Violation]:
    """Every change of status names who made it, the first says ACTIVE, and they are in order of time (mem0#4467)."""
    latest: datetime | None = None
    for place, version in enumerate(entry.versions):
        if not isinstance(version, OBJECT):
            continue
        where = f"ledger: version {place + 1} of its history"
        if not any(isinstance(version.get(key), str) for key in ("execution", "operator")):
            yield _violation(entry, where, "because it names neither an execution nor an operator", "REC-3")
        named = version.get("execution")
        if isinstance(named, str) and named not in turns:
            yield _violation(entry, where, f"because no turn {named} ran", "REC-3")
        if place == 0 and version.get("status") not in (None, "ACTIVE"):
            yield _violation(entry, where, f"because a history does not begin with {version['status']}", "REC-3")
        at = moment(version.get("at"))
        if at is not None and latest is not None and at < latest and entry.scope == "session":
            yield _violation(entry, where, "because it is older than the one before it", "REC-3")
        latest = at or latest
    last = entry.versions[-1] if entry.versions else None
    if isinstance(last, OBJECT) and entry.status is not None and last.get("status", entry.status) != entry.status:
        why = f"because its history ends with {last['status']}"
        yield _violation(entry, f"ledger: status {entry.status}", why, "REC-3")


def _beside(entry: Stored, write: Write, reviewed: Mapping[str, str]) -> Iterator[Violation]:
    """What the ledger says of a record, against the answer that told of it."""
    turn = write.origin.turn
    if entry.execution is not None and entry.execution != turn.id:
        yield _violation(entry, f"ledger: execution {entry.execution}", f"because {turn.label} wrote it")
    source = "extraction" if entry.id in reviewed else "tool"
    if entry.source is not None and entry.source != source:
        yield _violation(entry, f"ledger: source {entry.source}", f"because it was written by {write.origin.source}")
    if entry.summary is not None and entry.summary != write.summary:
        yield _violation(entry, "ledger: summary", f"because {turn.label} wrote {write.summary!r}")


def _violation(entry: Stored, observation: str, because: str, clause: str = "REC-1") -> Violation:
    path = () if entry.execution is None else (f"turn {entry.execution}", f"record {entry.id}")
    return broken(NAME, clause, entry, observation, because, record=entry.id, summary=entry.summary, path=path)


PROVENANCE = Invariant(
    name=NAME,
    clauses=("REC-1", "REC-3"),
    holds_when=(
        "Every record of the ledger names a turn that ran, the version that it ran, its session and how it was "
        "written; and a history in order of time that begins as ACTIVE, ends with its status, and names who made each "
        "change."
    ),
    counts={
        "records": "records of the ledger; without one the verdict is unknown",
        "versions": "changes of status in their histories",
        "seen_written": "records that the trace shows being written",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        stored("mem_wire4471", "s0", "account-17", version=1, source="tool"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        stored("mem_wire4471", "s9", "account-17", version=1, source="tool"),
    ),
)
