"""rollback-atomicity: a turn that did not commit leaves nothing but the note of its execution."""

from __future__ import annotations

from collections.abc import Iterator

from .events import Call, Decision, Execution, Stored
from .examples import HEADER, add, begin, context, deploy, end, execution, said, search, stored
from .history import History
from .judge import forbidden, seen
from .model import Model, Turn, read
from .named import named_by
from .plain import OBJECT
from .probes import observations, probes
from .sightings import best
from .verdict import Invariant, Spot, Verdict, Violation, broken

NAME = "rollback-atomicity"


def check(history: History) -> Verdict:
    """Sightings of what such a turn put in, records that it ended and were refused later, and what the ledger keeps."""
    model = read(history)
    after = probes(history, lambda against: against == {"TXN-2"})
    checked = {
        "observations": observations(history),
        **seen(history),
        "turns_undone": sum(not turn.committed for turn in model.turns.values()),
        "ledger_records": len(history.records),
        "rollback_probes": after,
    }
    found = [*forbidden(NAME, history, ("TXN-2",)), *_refused(model), *_kept(model), *_lost(model), *_told(model)]
    return Verdict.of(NAME, checked, found, after)


def _refused(model: Model) -> Iterator[Violation]:
    """A record that a turn may see, and that only an undone turn replaced or deleted, is still there."""
    for event in model.history.events:
        if (
            not isinstance(event, (Call, Decision))
            or event.error is None
            or event.error.get("code") not in ("not_found", "not_active")
        ):
            continue
        turn = model.turns[event.turn]
        what = "a candidate" if isinstance(event, Decision) else event.tool
        targets = named_by(event)
        for target in targets if len(targets) == 1 else ():  # of several, a refusal does not say which it is about
            written = [write for write in model.writes.get(target, ()) if write.line < event.line]
            origin, against = best(turn, (write.origin for write in written))
            ended = [each for each in model.endings if each.record == target and each.line < event.line]
            undone = [each.turn for each in ended if each.turn is not None and not each.turn.committed]
            undone = [each for each in undone if each.id != turn.id]
            if origin is None or against or len(undone) < len(ended) or not undone:
                continue
            yield Violation(
                invariant=NAME,
                clause="TXN-2",
                step=event.step,
                line=event.line,
                observation=f"refusal of {what} in {turn.label} call {event.call}",
                record=target,
                summary=written[0].summary,
                because=f"because only turn {undone[0].id} ended it, and {_undone(undone[0])}",
                witness=(
                    undone[0].label,
                    f"ended {target}",
                    f"refusal of {what} in {turn.label} call {event.call}",
                ),
            )


def _kept(model: Model) -> Iterator[Violation]:
    """The ledger keeps no record of an undone turn, no change of status by it, and no successor that it wrote."""
    for entry in model.history.records:
        for what, turn in _traces_of(model, entry):
            if not turn.committed:
                yield _in_ledger(entry, what, turn, f"because {_undone(turn)}")


def _traces_of(model: Model, entry: Stored) -> Iterator[tuple[str, Turn]]:
    """What the ledger's entry of a record owes to which turn; one line a turn."""
    writer = model.writes[entry.id][0].origin.turn if entry.id in model.writes else None
    named = model.turns.get(entry.execution) if entry.execution is not None else None
    owed: dict[str, tuple[str, Turn]] = {}
    for turn in (writer, named):
        if turn is not None:
            owed.setdefault(turn.id, ("the record", turn))
    for version in entry.versions:
        by = model.turns.get(str(version.get("execution"))) if isinstance(version, OBJECT) else None
        if by is not None:
            owed.setdefault(by.id, (f"its status {version.get('status')}", by))
    if entry.successor is not None and entry.successor in model.writes:
        turn = model.writes[entry.successor][0].origin.turn
        owed.setdefault(turn.id, (f"its successor {entry.successor}", turn))
    yield from owed.values()


def _lost(model: Model) -> Iterator[Violation]:
    """A turn that committed has all its records in the ledger: it commits as a whole (TXN-1)."""
    if not model.history.records and not model.history.executions:
        return
    kept = {entry.id for entry in model.history.records}
    for record, writes in model.writes.items():
        turn = writes[0].origin.turn
        if turn.committed and record not in kept:
            yield Violation(
                invariant=NAME,
                clause="TXN-1",
                step=turn.step,
                line=turn.line,
                observation="ledger: no such record",
                record=record,
                summary=writes[0].summary,
                because=f"because {turn.label} committed, and it commits as a whole",
                witness=(turn.label, writes[0].origin.source, "ledger: no such record"),
            )


def _told(model: Model) -> Iterator[Violation]:
    """The ledger says of each turn how it ended."""
    for entry in model.history.executions:
        turn = model.turns.get(entry.turn)
        if turn is not None and turn.outcome is not None and turn.outcome != entry.outcome:
            what = f"execution {entry.turn}: {entry.outcome}"
            yield _in_ledger(entry, what, turn, f"because turn {turn.id} ended as {turn.outcome}")


def _in_ledger(entry: Stored | Execution, what: str, turn: Turn, because: str) -> Violation:
    record, summary = (entry.id, entry.summary) if isinstance(entry, Stored) else (None, None)
    at = Spot(entry.line, turn.step)
    return broken(NAME, "TXN-2", at, f"ledger: {what}", because, record=record, summary=summary, path=(turn.label,))


def _undone(turn: Turn) -> str:
    return f"turn {turn.id} " + ("never ended" if turn.outcome is None else f"ended as {turn.outcome}")


ROLLBACK_ATOMICITY = Invariant(
    name=NAME,
    clauses=("TXN-1", "TXN-2"),
    holds_when=(
        "Nothing that a turn put in or changed is observed by another turn, or is in the ledger but for its execution, "
        "unless the turn committed; and a turn that committed has all its records in the ledger."
    ),
    counts={
        "observations": "contexts, answers, refusals and committed states",
        "records": "records shown in them, each traced to the turn that wrote it",
        "messages": "messages shown in them, each traced to the turn that put it in",
        "events": "events of history shown in them, each traced to the turn that it names or that put it in",
        "references": "references to tool results shown in them, each traced to the turn that was told the result",
        "turns_undone": "turns that rolled back, failed, crashed, met a conflict or never ended",
        "ledger_records": "records of the ledger, each with all it owes to turns",
        "rollback_probes": "observations made after such a turn had put in what its outcome alone keeps from the "
        "observer; without one the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17", "Their bank is in Porto"),
        add("s0", "mem_porto001", "The bank is in Porto"),
        end("s0", "rolled_back"),
        begin("s1", "account-17", "Where is their bank?"),
        context("s1", messages=said("Where is their bank?")),
        search("s1"),
        end("s1"),
        execution("s0", "rolled_back"),
        execution("s1"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17", "Their bank is in Porto"),
        add("s0", "mem_porto001", "The bank is in Porto"),
        end("s0", "rolled_back"),
        begin("s1", "account-17", "Where is their bank?"),
        search("s1", "mem_porto001"),
        end("s1"),
        stored("mem_porto001", "s0", "account-17"),
        execution("s0", "rolled_back"),
        execution("s1"),
    ),
)
