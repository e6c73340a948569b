"""What operators see and do in the naive model, and the ledger (ADM, PRE-3, REC-3, RCL-3)."""

from __future__ import annotations

import re

from naive import Naive, RefusalError, refuse_if
from naive_facts import Begun, Deleted, Deployed, Ended, Erased, Noted, Plain, Used, Wrote, moment

INDEXES = "financial.AgentMemory.indexes.*"
DOCUMENT = "financial.AgentMemory.document"


def check_grants(grants: list[str] | None, *actions: str) -> None:
    """ADM-3: each action on indexes and on documents, by a pattern in which `*` stands for anything."""
    if grants is None:
        return
    patterns = [re.escape(grant).replace(r"\*", ".*") for grant in grants]
    needed = [f"{action} {what}" for action in actions for what in (INDEXES, DOCUMENT)]
    refuse_if(("missing_grant", not all(any(re.fullmatch(p, need) for p in patterns) for need in needed)))


def memories(memory: Naive, agent: str, grants: list[str] | None) -> Plain:
    check_grants(grants, "SELECT")
    check_known(memory, agent)
    records = [record for record in kept(memory) if record.turn.agent == agent]
    newest = sorted(records, key=lambda record: record.newest_first)
    return {"records": [to_operators(memory, record) | stale(memory, record) for record in newest]}


def read(memory: Naive, agent: str, record_id: str, grants: list[str] | None) -> Plain:
    check_grants(grants, "SELECT")
    record = find(memory, agent, record_id)
    return {"record": to_operators(memory, record) | stale(memory, record) | {"versions": versions(memory, record)}}


def delete(memory: Naive, agent: str, record_id: str, grants: list[str] | None, *, at: int, operator: str) -> Plain:
    check_grants(grants, "SELECT", "UPDATE")
    record = find(memory, agent, record_id)
    refuse_if(("not_active", status(memory, record) == "DELETED"))
    memory.happen(Erased(agent, record_id, at, operator))
    return {"deleted": record_id}


def ledger(memory: Naive) -> Plain:
    turns = sorted(memory.every(Begun), key=lambda turn: (turn.agent, turn.at, turn.execution))
    records = sorted(kept(memory), key=lambda r: (r.turn.agent, r.turn.at, r.turn.execution, r.scope, r.ordinal))
    uses = sorted(memory.every(Used), key=lambda use: (use.turn.agent, use.turn.at, use.turn.execution))
    return {
        "records": [
            {"type": "record"} | to_operators(memory, record) | {"versions": versions(memory, record)}
            for record in records
        ],
        "executions": [
            {
                "type": "execution",
                "turn": turn.execution,
                "agent": turn.agent,
                "session": turn.session,
                "plane": turn.plane,
                "version": turn.version.number,
                "outcome": memory.outcome(turn),
            }
            for turn in turns
        ],
        "uses": [
            {
                "type": "use",
                "turn": use.turn.execution,
                "agent": use.turn.agent,
                "call": use.call,
                "source": use.source,
                "by": use.by,
                "records": list(use.records),
            }
            for use in uses
        ],
    }


def transcript(memory: Naive, turn: Begun) -> list[str]:
    """The kinds of its entries, in order (TXN-2)."""
    ends = [] if memory.outcome(turn) == "open" else ["end"]
    return [note.type for note in memory.every(Noted) if note.turn is turn] + ends


def check_known(memory: Naive, agent: str) -> None:
    refuse_if(("not_found", all(deploy.agent != agent for deploy in memory.every(Deployed))))


def kept(memory: Naive) -> list[Wrote]:
    """Every record of a committed turn, markers too. Nothing is ever erased (REC-3)."""
    return [record for record in memory.every(Wrote) if record.turn in memory.committed()]


def find(memory: Naive, agent: str, record_id: str) -> Wrote:
    check_known(memory, agent)
    found = [record for record in kept(memory) if record.turn.agent == agent and record.id == record_id]
    if not found:
        raise RefusalError({"not_found"})
    return found[0]


def replaced_by(memory: Naive, record: Wrote) -> list[Wrote]:
    return [other for other in kept(memory) if record.id in other.replaces]


def deleted_by(memory: Naive, record: Wrote) -> list[Begun]:
    return [gone.turn for gone in memory.every(Deleted) if gone.id == record.id and gone.turn in memory.committed()]


def erased_by(memory: Naive, record: Wrote) -> list[Erased]:
    return [erased for erased in memory.every(Erased) if erased.id == record.id]


def status(memory: Naive, record: Wrote) -> str:
    if deleted_by(memory, record) or erased_by(memory, record):
        return "DELETED"
    return "SUPERSEDED" if replaced_by(memory, record) else "ACTIVE"


def to_operators(memory: Naive, record: Wrote) -> Plain:
    turn = record.turn
    return {
        "id": record.id,
        "agent": turn.agent,
        "plane": turn.plane,
        "scope": record.scope,
        "session": turn.session,
        "summary": record.summary,
        "content": record.content,
        "kind": record.kind,
        "labels": record.labels,
        "pinned": record.pinned,
        "status": status(memory, record),
        "at": moment(turn.at),
        "ordinal": record.ordinal,
        "execution": turn.execution,
        "version": turn.version.number,
        "turn": number(memory, turn),
        "source": record.source,
        "replaces": list(record.replaces),
        "would_replace": list(record.would_replace),
        "would_delete": record.would_delete,
        "successor": next((other.id for other in replaced_by(memory, record)), None),
    }


def number(memory: Naive, turn: Begun) -> int:
    """Which committed turn of its agent, session and plane it is, from 1 (PRE-4, TXN-2)."""
    place = (turn.agent, turn.session, turn.plane)
    return 1 + [t for t in memory.committed() if (t.agent, t.session, t.plane) == place].index(turn)


def stale(memory: Naive, record: Wrote) -> Plain:
    """PRE-2: whether a live record that a preview's names has ended since."""
    named = [*record.would_replace, *([record.would_delete] if record.would_delete else [])]
    ended = [other.id for other in kept(memory) if status(memory, other) != "ACTIVE"]
    return {"stale": any(each in ended for each in named)} if named else {}


def versions(memory: Naive, record: Wrote) -> list[Plain]:
    """REC-3: every change of status, by whom and when, in order."""
    by_turns = [("ACTIVE", record.turn)]
    by_turns += [("SUPERSEDED", other.turn) for other in replaced_by(memory, record)]
    by_turns += [("DELETED", turn) for turn in deleted_by(memory, record)]
    return [
        *(
            {"status": each, "at": moment(turn.at), "by": "execution", "execution": turn.execution}
            for each, turn in by_turns
        ),
        *(
            {"status": "DELETED", "at": moment(erased.at), "by": "operator", "operator": erased.operator}
            for erased in erased_by(memory, record)
        ),
    ]


def end_all_open(memory: Naive) -> None:
    """TXN-4: closing with open turns ends them as crashed."""
    memory.happen(*(Ended(turn, "crashed") for turn in memory.open_turns()))
