"""records-as-written: what a record says is what was written, by every path it is read on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .cuts import shows
from .events import Stored
from .examples import HEADER, add, begin, call, deploy, end, record
from .history import History
from .ledger import kept
from .model import Model, Write, read
from .plain import ids
from .shown import shown
from .verdict import Invariant, Place, Spot, Verdict, Violation, broken

NAME = "records-as-written"
_TEXTS = ("summary", "content")


class _Wrong(NamedTuple):
    """A field that differs, and the clause that says so."""

    clause: str
    field: str
    because: str


def check(history: History) -> Verdict:
    """Each record shown, and each of the ledger, beside the call or the candidate that wrote it."""
    model = read(history)
    found: list[Violation] = []
    told = ledger = 0
    for each in shown(history):
        if each.writes:
            told += 1
            wrong = _differing(model, each.writes, each.record)
            found += [_violation(each.event, f"{each.where}: {one.field}", each.writes[0], one) for one in wrong]
    for entry, write in kept(history):
        ledger += 1
        wrong = _differing(model, [write], _fields(entry))
        found += [_violation(Spot(entry.line, write.step), f"ledger: {one.field}", write, one) for one in wrong]
    checked = {"records": told, "ledger_records": ledger}
    return Verdict.of(NAME, checked, found, told + ledger)


def _fields(entry: Stored) -> dict[str, Any]:
    """What the ledger tells; its summary is for `provenance`."""
    told = {"content": entry.content, "kind": entry.kind}
    return {key: value for key, value in told.items() if key in entry.told}


def _differing(model: Model, writes: Sequence[Write], told: Mapping[str, Any]) -> Iterator[_Wrong]:
    """The fields that no write of the record gave it. What a trace does not tell of either side is not judged."""
    stated = writes[0].stated
    for field in ("summary", "content", "kind"):
        if stated.get(field) is not None and stated[field] == told.get(field):  # as nearly always
            continue
        wanted = [value for write in writes for value in _given(write, field)]
        if field in told and wanted and not any(_same(field, each, told[field]) for each in wanted):
            yield _Wrong("REC-1", field, f"because it was written as {wanted[0]!r}, and is {told[field]!r}")
    if told.get("pinned") is True and all(_unpinned(model, write) for write in writes):
        yield _Wrong("WRT-2", "pinned", "because it states no pin, and takes over none of what it replaced")


def _given(write: Write, field: str) -> Iterator[Any]:
    """What a write gave a field: what it states, else what its answer told of it."""
    if write.stated.get(field) is not None:
        yield write.stated[field]
    elif field in write.answered:
        yield write.answered[field]


def _same(field: str, wanted: Any, told: Any) -> bool:
    texts = field in _TEXTS and isinstance(wanted, str) and isinstance(told, str)
    return shows(wanted, told) if texts else bool(wanted == told)


def _unpinned(model: Model, write: Write) -> bool:
    """Whether it states no pin and replaces one: a system may well pin by itself, but nothing is passed on."""
    targets = ids(write.stated.get("replaces"))
    return "pinned" not in write.stated and any(
        old.pinned for target in targets for old in model.writes.get(target, ()) if old.line < write.line
    )


def _violation(at: Place, where: str, write: Write, wrong: _Wrong) -> Violation:
    path = (write.origin.turn.label, write.origin.source)
    return broken(NAME, wrong.clause, at, where, wrong.because, record=write.id, summary=write.summary, path=path)


_READ = call("s0", "read_memory", {"id": "mem_wire4471"}, {"record": record("mem_wire4471", "Wire 4471 is approved")})

RECORDS_AS_WRITTEN = Invariant(
    name=NAME,
    clauses=("REC-1", "WRT-2"),
    holds_when=(
        "Every record that is shown to a model, to the caller of a tool or to an operator has the summary, the content "
        "and the kind that its call or candidate stated, every record of the ledger its content and kind, and none a "
        "pin that it took over from what it replaced."
    ),
    counts={
        "records": "records shown that a turn of the trace wrote",
        "ledger_records": "records of the ledger compared with their write; without one of either the verdict is "
        "unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471", "Wire 4471 is approved"),
        _READ,
        end("s0"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471", "Wire 4471 is approved", content="Up to 9,000 USD, said the operator."),
        _READ,
        end("s0"),
    ),
)
