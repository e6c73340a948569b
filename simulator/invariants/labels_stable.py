"""labels-stable: every label is read back as it was written, under its number, whatever was deployed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from .events import Deploy, Review, Stored
from .examples import HEADER, begin, call, deploy, end, labelling, record, search
from .history import History
from .model import Turn, Write, read
from .plain import OBJECT, as_number, json_text, same, setting
from .shown import Shown, shown
from .verdict import Invariant, Spot, Verdict, Violation, broken

NAME = "labels-stable"

Renames: TypeAlias = dict[tuple[int, int], dict[str, str]]  # by who wrote and who reads: by identity of the config


def check(history: History) -> Verdict:
    """Every record shown with labels beside what was written; and every deploy beside the labels before it."""
    model = read(history)
    deploys = [event for event in history.events if isinstance(event, Deploy)]
    found = [*_deployed(deploys)]
    reads = 0
    renames: Renames = {}
    right: set[tuple[int, int, int]] = set()  # labels, write and reader's config, by identity: shown again and again
    names = _names(deploys)
    for each in shown(history):
        labels, written = each.record.get("labels"), each.writes
        if not written or not isinstance(labels, OBJECT) or not (written[0].labels or labels):
            continue
        reads += 1
        write, event = written[0], each.event
        if isinstance(event, Review):
            if not _told_operators(labels, write, names.get(event.agent, {})):
                found.append(_differing("REC-5", each, write, _stated(write)))
        else:
            turn = model.turns[event.turn]
            compared = id(labels), id(write), id(turn.config)
            if compared in right:
                continue
            wanted = _renamed(renames, _stated(write), write.origin.turn, turn)
            if same({**labels}, {**wanted}):
                right.add(compared)
            else:
                clause = "VER-4" if turn.version != write.origin.turn.version else "REC-5"
                found.append(_differing(clause, each, write, wanted))
    for entry in history.records:
        writes = model.writes.get(entry.id, ())
        if writes and entry.labels is not None and (writes[0].labels or entry.labels):
            reads += 1
            found += _kept(entry, writes[0])
    checked = {"deploys": len(deploys), "labelled_records": reads}
    return Verdict.of(NAME, checked, found, reads)


def _numbers(config: Mapping[str, Any]) -> dict[str, Any]:
    labels = setting(config, "harness", "memory", "labels")
    declared = labels.items() if isinstance(labels, OBJECT) else ()
    return {
        name: each["number"]
        for name, each in declared
        if isinstance(each, OBJECT) and as_number(each.get("number")) is not None
    }


def _deployed(deploys: list[Deploy]) -> Iterator[Violation]:
    """A version that was taken keeps every label of those before it, and gives no used number away (VER-2)."""
    known: dict[str, dict[str, Any]] = {}
    for event in deploys:
        if event.version is None or not event.config:
            continue
        before = known.setdefault(event.agent, {})
        now = _numbers(event.config)
        where = f"deploy of version {event.version} of {event.agent}"
        for name, number in before.items():
            if name not in now:
                why = f"because label {name} was declared before, and every later version keeps it"
                yield broken(NAME, "VER-2", event, where, why)
            elif now[name] != number:
                why = f"because label {name} had number {number}, and has {now[name]}"
                yield broken(NAME, "VER-2", event, where, why)
        owners = {number: name for name, number in before.items()}
        for name, number in now.items():
            if owners.get(number, name) != name:
                why = f"because number {number} belongs to label {owners[number]}, and is given to {name}"
                yield broken(NAME, "VER-2", event, where, why)
        before.update(now)


def _names(deploys: list[Deploy]) -> dict[str, dict[Any, set[str]]]:
    """By agent and number, the names that versions which were taken give it: an operator looks at all versions."""
    found: dict[str, dict[Any, set[str]]] = {}
    for event in deploys:
        if event.version is not None:
            for name, number in _numbers(event.config).items():
                found.setdefault(event.agent, {}).setdefault(number, set()).add(name)
    return found


def _told_operators(labels: Mapping[str, Any], write: Write, names: Mapping[Any, set[str]]) -> bool:
    """Whether an operator is shown each label of a write, by a name that some version gives its number."""
    stated, numbers = _stated(write), _numbers(write.origin.turn.config)
    return len(stated) == len(labels) and all(
        any(
            json_text(labels[known]) == json_text(value)
            for known in {name, *names.get(numbers.get(name), ())}
            if known in labels
        )
        for name, value in stated.items()
    )


def _differing(clause: str, each: Shown, write: Write, wanted: Mapping[str, Any]) -> Violation:
    """`wanted` are the labels as the write stated them, each by the name that its number has for who reads."""
    return broken(
        NAME,
        clause,
        each.event,
        each.where,
        f"because it was written with the labels {json_text(wanted)}, and has {json_text(each.record['labels'])}",
        record=write.id,
        summary=write.summary,
        path=(write.origin.turn.label, write.origin.source),
    )


def _stated(write: Write) -> Mapping[str, Any]:
    """What the call or the candidate stated, rather than what the answer made of it."""
    labels = write.stated.get("labels")
    return labels if isinstance(labels, OBJECT) else {}


def _renamed(renames: Renames, labels: Mapping[str, Any], wrote: Turn, reads: Turn) -> Mapping[str, Any]:
    pair = id(wrote.config), id(reads.config)
    if pair not in renames:
        names = {number: name for name, number in _numbers(reads.config).items()}
        renames[pair] = {name: names[number] for name, number in _numbers(wrote.config).items() if number in names}
    return {renames[pair].get(name, name): value for name, value in labels.items()}


def _kept(entry: Stored, write: Write) -> Iterator[Violation]:
    values = sorted(json_text(value) for value in write.labels.values())
    kept = sorted(json_text(value) for value in (entry.labels or {}).values())
    if values != kept:
        yield broken(
            NAME,
            "REC-5",
            Spot(entry.line, write.step),
            "ledger: labels",
            f"because they were written as {json_text(dict(write.labels))}, and are {json_text(entry.labels)}",
            record=entry.id,
            summary=entry.summary,
            path=(write.origin.turn.label, write.origin.source),
        )


_LABELLED = {**record("mem_wire4471"), "labels": {"customer_id": "c-17"}}
_ADD = call("s0", "add_memory", {"summary": "a fact", "labels": {"customer_id": "c-17"}}, {"record": _LABELLED})

LABELS_STABLE = Invariant(
    name=NAME,
    clauses=("REC-5", "VER-2", "VER-4"),
    holds_when=(
        "Every record that is shown, to operators too, and every record of the ledger, has the labels that were stated "
        "when it was written, value for value, each by the name that its number has in the version that reads; and "
        "every version that was deployed keeps the labels before it under their numbers, and gives no used number to "
        "another name."
    ),
    counts={
        "deploys": "deploys, refused ones too",
        "labelled_records": "records shown with labels; without one the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        labelling(deploy(), customer_id=5),
        begin("s0", "account-17"),
        _ADD,
        call("s0", "search_memory", {"query": "fact"}, {"records": [_LABELLED]}),
        end("s0"),
    ),
    bad=(
        HEADER,
        labelling(deploy(), customer_id=5),
        begin("s0", "account-17"),
        _ADD,
        call("s0", "search_memory", {"query": "fact"}, {"records": [{**_LABELLED, "labels": {}}]}),
        search("s0"),
        end("s0"),
    ),
)
