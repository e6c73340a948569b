"""scopes-kept: a record has the scope that its write must give it, and a write changes that scope only."""

from __future__ import annotations

from collections.abc import Iterator

from .events import Call, Decision
from .examples import HEADER, begin, call, deploy, end, record
from .history import History
from .model import ENDS, Model, Turn, Write, read, replaced, scope_of
from .plain import ids
from .shown import shown
from .verdict import Invariant, Place, Verdict, Violation, broken

NAME = "scopes-kept"


def check(history: History) -> Verdict:
    """Each write that was accepted, with what it replaced or deleted; and each record shown with a scope."""
    model = read(history)
    found: list[Violation] = []
    writes = changes = scoped = 0
    for event in history.events:
        if isinstance(event, (Call, Decision)):
            turn = model.turns[event.turn]
            write = next(iter(model.made(event)), None)
            writes += write is not None
            found += _scope_taken(event, write)
            for target in _targets(event):
                changes += 1
                found += _changed(model, turn, event, target, write)
    for each in shown(history):
        told, wrote = each.record.get("scope"), each.writes
        if wrote and isinstance(told, str):
            scoped += 1
            if told.lower() not in [write.origin.scope for write in wrote]:
                why = f"because it was written with scope {wrote[0].origin.scope}"
                found.append(_violation("SCO-2", each.event, f"{each.where}: scope {told}", why, wrote[0]))
    checked = {"writes": writes, "changes": changes, "scoped_records": scoped}
    return Verdict.of(NAME, checked, found, writes + changes)


def _targets(event: Call | Decision) -> tuple[str, ...]:
    """What was replaced or deleted: a preview says what it would change, and is bound alike."""
    if isinstance(event, Decision):
        return ids(event.target) if event.outcome in ENDS else ()
    if event.answer is None:
        return ()
    if event.tool == "add_memory":
        return replaced(event)
    return ids(event.answer.get("deleted") or event.answer.get("would_delete")) if event.tool == "delete_memory" else ()


def _scope_taken(event: Call | Decision, write: Write | None) -> Iterator[Violation]:
    if write is not None and write.origin.scope not in write.origin.turn.writes:
        turn = write.origin.turn
        why = f"because version {turn.version} of {turn.agent} does not write {write.origin.scope} scope"
        yield _violation("SCO-2", event, f"write in {turn.label} call {event.call}", why, write)


def _changed(model: Model, turn: Turn, event: Call | Decision, target: str, write: Write | None) -> Iterator[Violation]:
    """A target is in a scope that the version writes, and a successor keeps it (WRT-3)."""
    olds = [old for old in model.writes.get(target, ()) if old.line < event.line]
    if not olds:
        return
    old = olds[0]
    where = f"change of {target} in {turn.label} call {event.call}"
    if all(each.origin.scope not in turn.writes for each in olds):
        why = f"because version {turn.version} of {turn.agent} does not write {old.origin.scope} scope"
        yield _violation("WRT-3", event, where, why, old)
    elif write is not None and all(each.origin.scope != write.origin.scope for each in olds):
        why = f"because it has scope {old.origin.scope}, and its replacement {write.id} scope {write.origin.scope}"
        yield _violation("WRT-3", event, where, why, old)
    elif write is None and (scope := _about(turn, event)) and all(each.origin.scope != scope for each in olds):
        why = f"because it has scope {old.origin.scope}, and what changes it is about scope {scope}"
        yield _violation("SCO-2", event, where, why, old)


def _about(turn: Turn, event: Call | Decision) -> str | None:
    """The scope of what writes nothing; without a config nothing is known of one that is not stated."""
    stated = event.arguments if isinstance(event, Call) else event.candidate
    return scope_of(turn, stated) if turn.config or isinstance(stated.get("scope"), str) else None


def _violation(clause: str, event: Place, where: str, because: str, write: Write) -> Violation:
    path = (write.origin.turn.label, write.origin.source)
    return broken(NAME, clause, event, where, because, record=write.id, summary=write.summary, path=path)


_BOTH = deploy(read=("session", "agent"), write=("session", "agent"))
_FACT = record("mem_wire4471", "Wire 4471 is approved")
_STATED = {"summary": "Wire 4471 is approved", "kind": "fact"}

SCOPES_KEPT = Invariant(
    name=NAME,
    clauses=("SCO-2", "WRT-3"),
    holds_when=(
        "Every record is shown with the scope that its write states, else the only one of its version, else `session`; "
        "a write is accepted only in a scope that its version writes, and replaces or deletes only records of such a "
        "scope; what deletes a record is about its scope, stated or not, and a replacement has the scope of what it "
        "replaces."
    ),
    counts={
        "writes": "records that turns wrote",
        "changes": "records that they replaced or deleted, or in a preview would; without one of either the verdict is "
        "unknown",
        "scoped_records": "records shown with a scope",
    },
    check=check,
    good=(
        HEADER,
        _BOTH,
        begin("s0", "account-17"),
        call("s0", "add_memory", _STATED, {"record": {**_FACT, "scope": "session"}}),
        end("s0"),
    ),
    bad=(
        HEADER,
        _BOTH,
        begin("s0", "account-17"),
        call("s0", "add_memory", _STATED, {"record": {**_FACT, "scope": "agent"}}),
        end("s0"),
    ),
)
