"""uses-recorded: the output uses of the ledger are exactly the records that reached the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from .events import Call, Context, Use
from .examples import HEADER, add, begin, context, deploy, end, execution, record, search, use
from .history import History
from .model import read
from .plain import id_of, ids
from .verdict import Invariant, Spot, Verdict, Violation, broken

NAME = "uses-recorded"
SEARCHES = ("search_memory", "read_memory")
_KEYS = {"recall": "recalled", "pin": "pins"}

Output: TypeAlias = tuple[str, int, str, str]  # turn, model call, source, who asked
Shown: TypeAlias = tuple[set[str], Context | Call]
Told: TypeAlias = tuple[set[str], Use]


def check(history: History) -> Verdict:
    """What each context, search and read showed, beside the uses of the same turn, call, source and asker."""
    shown = _shown(history)
    told = _told(history)
    checked = {
        "outputs": len(shown),
        "records": sum(len(records) for records, _ in shown.values()),
        "uses": sum(len(records) for records, _ in told.values()),
    }
    kept = bool(history.executions or history.uses)  # without a ledger nothing is known of uses
    found = [*_missing(history, shown, told), *_invented(history, shown, told)] if kept else []
    return Verdict.of(NAME, checked, found, len(shown) if kept else 0)


def _shown(history: History) -> dict[Output, Shown]:
    """The records that reached the model, with where they did first."""
    found: dict[Output, Shown] = {}
    for event in history.events:
        if not isinstance(event, (Context, Call)):
            continue
        for source, by, records in _outputs(event):
            if records:
                kept = found.setdefault((event.turn, event.call, source, by), (set(), event))
                kept[0].update(records)
    return found


def _outputs(event: Context | Call) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    if isinstance(event, Context):
        yield "recall", "agent", _ids(event.recalled)
        yield "pin", "agent", _ids(event.pins)
    elif event.tool in SEARCHES and event.answer is not None:
        record, records = event.answer.get("record"), event.answer.get("records")
        yield event.tool, event.by, _ids((record,)) + _ids(records if isinstance(records, list) else ())


def _ids(records: object) -> tuple[str, ...]:
    items = records if isinstance(records, (list, tuple)) else ()
    return tuple(name for each in items if (name := id_of(each)) is not None)


def _told(history: History) -> dict[Output, Told]:
    """The records of each output by the ledger, with the line that names them first."""
    found: dict[Output, Told] = {}
    for each in history.uses:
        kept = found.setdefault((each.turn, each.call, each.source, each.by), (set(), each))
        kept[0].update(ids(list(each.records)))
    return found


def _missing(history: History, shown: dict[Output, Shown], told: dict[Output, Told]) -> Iterator[Violation]:
    for output, (records, at) in shown.items():
        for name in sorted(records - (told[output][0] if output in told else set())):
            why = f"because {name} reached the model there, and no use of the ledger says so"
            yield broken(NAME, "RCL-3", at, _where(history, output), why, record=name, path=(f"{name} shown",))


def _invented(history: History, shown: dict[Output, Shown], told: dict[Output, Told]) -> Iterator[Violation]:
    contexts = [event for event in history.events if isinstance(event, Context)]
    silent = {(event.turn, event.call, key) for event in contexts for key in _KEYS.values() if key not in event.told}
    told_of = {(event.turn, key) for event in contexts for key in _KEYS.values() if key in event.told}
    for output, (records, first) in told.items():
        key = _KEYS.get(first.source)
        if key is not None and ((first.turn, first.call, key) in silent or (first.turn, key) not in told_of):
            continue  # the trace does not say what the context held
        turn = read(history).turns.get(first.turn)
        at = Spot(first.line, "" if turn is None else turn.step)
        for name in sorted(records - (shown[output][0] if output in shown else set())):
            where = f"ledger: use of {name} by {_where(history, output)}"
            yield broken(NAME, "RCL-3", at, where, f"because {name} did not reach the model there", record=name)


def _where(history: History, output: Output) -> str:
    turn, call, source, by = output
    known = read(history).turns.get(turn)
    asker = "" if by == "agent" else f" for a {by}"
    return f"{source}{asker} in {known.label if known else f'turn {turn}'} call {call}"


USES_RECORDED = Invariant(
    name=NAME,
    clauses=("RCL-3",),
    holds_when=(
        "For every model call and source (recall, search_memory, read_memory, pin) the output uses of the ledger name "
        "exactly the records that reached the model there, and one that returned nothing is none."
    ),
    counts={
        "outputs": "recalls, pin listings, searches and reads that showed a record; without one, or without a ledger, "
        "the verdict is unknown",
        "records": "records shown in them",
        "uses": "records named by the ledger's uses",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        context("s0", 2, recalled=[record("mem_wire4471")]),
        search("s0", "mem_wire4471", number=2),
        end("s0"),
        execution("s0"),
        use("s0", 2, "recall", "mem_wire4471"),
        use("s0", 2, "search_memory", "mem_wire4471"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        context("s0", 2, recalled=[record("mem_wire4471")]),
        search("s0", "mem_wire4471", number=2),
        end("s0"),
        execution("s0"),
        use("s0", 2, "recall", "mem_wire4471"),
        use("s0", 2, "pin", "mem_wire4471"),
    ),
)
