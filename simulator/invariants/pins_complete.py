"""pins-complete: every turn's instructions list the pins of its view, in order, all that fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .active import active
from .events import Context
from .examples import HEADER, begin, call, context, deploy, end, pinning, record
from .history import History
from .listing import budget, in_order, key, most
from .model import Turn, Write, read
from .plain import OBJECT
from .verdict import Invariant, Verdict, Violation, broken

NAME = "pins-complete"


def check(history: History) -> Verdict:
    """The pins that each call's context lists, beside the pinned ACTIVE records of its turn's view."""
    model = read(history)
    found: list[Violation] = []
    listings = expected = partial = 0
    for event in history.events:
        if not isinstance(event, Context) or event.purpose != "turn":
            continue
        turn = model.turns[event.turn]
        allowed = budget(turn)
        if allowed is None or "pins" not in event.told:
            continue
        pins = in_order([write for write in active(history, turn, event.line).values() if write.pinned])
        names = [str(each["id"]) for each in event.pins if isinstance(each, OBJECT) and "id" in each]
        listings += bool(pins)
        expected += len(pins)
        partial += len(names) < len(pins)
        found += _judged(turn, event, pins, names, allowed)
    checked = {"listings": listings, "pins_expected": expected, "listings_cut": partial}
    return Verdict.of(NAME, checked, found, listings)


def _judged(
    turn: Turn, event: Context, pins: Sequence[Write], names: Sequence[str], allowed: int
) -> Iterator[Violation]:
    where = f"pins in {turn.label} call {event.call}"
    by_name = {pin.id: pin for pin in pins}
    shown = [by_name[name] for name in names if name in by_name]  # others are for deleted-is-gone and the isolations
    left = [pin for pin in pins if pin.id not in names]
    if [key(pin) for pin in shown] != sorted(key(pin) for pin in shown):
        why = "because they are not in order: AGENT before SESSION, oldest first"
        yield broken(NAME, "PIN-3", event, where, why, path=(turn.label,))
    elif left and shown and key(left[0]) < key(shown[-1]):
        yield _missing(event, where, left[0], f"because it comes before {shown[-1].id}, which is listed")
    elif left and most(pins) <= allowed:
        yield _missing(event, where, left[0], f"because it is pinned, and all pins fit into {allowed} tokens")
    elif len(left) > 1 and most([*shown, left[0]], len(left) - 1) <= allowed:
        yield _missing(event, where, left[0], f"because it is pinned, and fits into {allowed} tokens")
    elif left and event.instructions and not _says(event.instructions, [pin.id for pin in shown], len(left)):
        why = f"because {len(left)} pins are left out, and no line says so"
        yield broken(NAME, "PIN-4", event, where, why, path=(turn.label,))
    for pin in shown:
        if event.instructions and pin.id not in event.instructions:
            yield _missing(event, where, pin, "because it is listed, and the instructions do not name it")


def _says(instructions: str, shown: Sequence[str], left_out: int) -> bool:
    """Whether a line after the pins that are listed, or where none is a line of data, names how many are left out."""
    lines = instructions.split("\n")
    last = max((place for place, line in enumerate(lines) if any(name in line for name in shown)), default=-1)
    rest = lines[last + 1 :] if shown else [line for line in lines if line[:1] in "{[0123456789"]
    return any(str(left_out) in re.findall(r"\d+", line) for line in rest)


def _missing(event: Context, where: str, pin: Write, because: str) -> Violation:
    path = (pin.origin.turn.label, pin.origin.source)
    return broken(NAME, "PIN-3", event, where, because, record=pin.id, summary=pin.summary, path=path)


_SIGN = call(
    "s0",
    "add_memory",
    {"summary": "Two sign", "pinned": True},
    {"record": {**record("mem_sign", "Two sign"), "pinned": True}},
)

PINS_COMPLETE = Invariant(
    name=NAME,
    clauses=("PIN-3", "PIN-4"),
    holds_when=(
        "The context of every call with purpose `turn` lists all pinned ACTIVE records of its view, AGENT before "
        "SESSION, oldest first; where they do not fit into the budget, those from the beginning that do, and a line "
        "says how many are left out."
    ),
    counts={
        "listings": "contexts of turns that have pins in view; without one the verdict is unknown",
        "pins_expected": "pins that they have in view",
        "listings_cut": "contexts that do not list them all",
    },
    check=check,
    good=(
        HEADER,
        pinning(deploy(), 20),
        begin("s0", "account-17"),
        _SIGN,
        context("s0", 2, pins=[record("mem_sign", "Two sign")], instructions='{"id":"mem_sign","summary":"Two sign"}'),
        end("s0"),
    ),
    bad=(HEADER, pinning(deploy(), 20), begin("s0", "account-17"), _SIGN, context("s0", 2), end("s0")),
)
