"""pin-budget: no listing of pins exceeds its budget, and a pin is refused, or its commit, exactly when it would."""

from __future__ import annotations

from collections.abc import Iterator

from .active import active, at_commit
from .events import Call, Context, End
from .examples import HEADER, begin, call, context, deploy, end, pinning, record
from .history import History
from .listing import budget, least, most, tokens
from .model import Model, Origin, Turn, Write, read, replaced
from .plain import OBJECT
from .verdict import Invariant, Verdict, Violation, broken

NAME = "pin-budget"


def check(history: History) -> Verdict:
    """The size of every listing; and what every write of a pin, and every commit of one, would have made of it."""
    model = read(history)
    found: list[Violation] = []
    listings = writes = refusals = commits = 0
    pinning = {
        write.origin.turn.id
        for each in model.writes.values()
        for write in each
        if write.pinned and write.origin.scope == "agent"
    }
    for event in history.events:
        if isinstance(event, Context) and event.pins:
            listings += 1
            found += _listed(model, event)
        elif isinstance(event, Call) and event.tool == "add_memory" and event.arguments.get("pinned") is True:
            writes += event.error is None
            refusals += event.error is not None and event.error.get("code") == "over_budget"
            found += _written(history, model, event)
        elif isinstance(event, End) and event.outcome == "committed" and event.turn in pinning:
            commits += 1
            found += _committed(history, model, event)
    checked = {"listings": listings, "pins_written": writes, "pins_refused": refusals, "pins_committed": commits}
    return Verdict.of(NAME, checked, found, listings + refusals)


def _listed(model: Model, event: Context) -> Iterator[Violation]:
    turn = model.turns[event.turn]
    where = f"pins in {turn.label} call {event.call}"
    allowed = budget(turn)
    names = [each.get("id") for each in event.pins if isinstance(each, OBJECT)]
    if allowed is None and not turn.config:
        return  # nothing is known of the version
    if allowed is None:
        why = f"because version {turn.version} has no pins"
        yield broken(NAME, "PIN-1", event, where, why, path=(turn.label,))
        return
    lines = [line for line in event.instructions.split("\n") if any(str(name) in line for name in names)]
    shown = tokens("\n".join(lines))
    known = [model.writes[name][0] for name in names if isinstance(name, str) and name in model.writes]
    size = max(shown, least(known))
    if size > allowed:
        why = f"because the listing takes {size} tokens, and the budget is {allowed}"
        yield broken(NAME, "PIN-4", event, where, why, path=(turn.label,))


def _written(history: History, model: Model, event: Call) -> Iterator[Violation]:
    turn = model.turns[event.turn]
    where = f"add_memory of a pin in {turn.label} call {event.call}"
    allowed = budget(turn)
    code = None if event.error is None else event.error.get("code")
    if allowed is None:
        if event.error is None and turn.config:
            why = f"because version {turn.version} has no pins"
            yield broken(NAME, "PIN-1", event, where, why, path=(turn.label,))
        return
    gone = replaced(event)
    others = [write for write in active(history, turn, event.line).values() if write.pinned and write.id not in gone]
    if event.error is None:
        mine = model.made(event)
        if not mine or mine[0].origin.scope not in turn.reads:
            return  # what the turn cannot read is not in its listing
        size = least([*others, *mine])
        if size > allowed:
            why = f"because the pins in view would take {size} tokens, and the budget is {allowed}"
            yield broken(NAME, "PIN-2", event, where, why, record=mine[0].id, path=(turn.label,))
    elif code == "over_budget":
        size = most([*others, _would_be(turn, event)])
        if size <= allowed:
            why = f"because the pins in view would take {size} tokens at most, and the budget is {allowed}"
            yield broken(NAME, "PIN-2", event, where, why, path=(turn.label,))
        unnamed = [write.id for write in others if write.id not in str(event.error)]
        if unnamed:
            why = f"because the refusal does not name {unnamed[0]}: it lists the pins"
            yield broken(NAME, "PIN-2", event, where, why, record=unnamed[0], path=(turn.label,))


def _committed(history: History, model: Model, event: End) -> Iterator[Violation]:
    """AGENT pins of a turn fit also beside what others have committed since it began, else it conflicts (TXN-3)."""
    turn = model.turns[event.turn]
    allowed = budget(turn)
    pins = [write for write in at_commit(history, turn).values() if write.pinned]
    own = [pin for pin in pins if pin.origin.turn.id == turn.id and pin.origin.scope == "agent"]
    if allowed is None or not own:
        return
    size = least(pins)
    if size > allowed:
        others = [pin for pin in pins if turn.began < (pin.origin.turn.ended or 0) < event.line]
        beside = f" beside what turn {others[-1].origin.turn.id} pinned meanwhile" if others else ""
        why = f"because its pins{beside} take {size} tokens, and the budget is {allowed}"
        path = (*(f"{pin.origin.turn.label} pinned {pin.id}" for pin in others[-1:]), turn.label)
        yield broken(NAME, "TXN-3", event, f"the commit of {turn.label}", why, record=own[-1].id, path=path)


def _would_be(turn: Turn, event: Call) -> Write:
    """The pin that was refused, with an id longer than any."""
    summary = str(event.arguments.get("summary", ""))
    return Write(
        "x" * 40,
        Origin(turn, None, "add_memory"),
        event.line,
        event.step,
        summary,
        None,
        {},
        pinned=True,
        stated={},
        answered={},
    )


PIN_BUDGET = Invariant(
    name=NAME,
    clauses=("PIN-1", "PIN-2", "PIN-4", "TXN-3"),
    holds_when=(
        "No listing of pins takes more tokens than `pinned.max_tokens` of the version that runs; a pin is accepted "
        "only where all pins in its view then fit, and refused for its size only where they do not, naming those that "
        "are there; a turn that pins in AGENT scope commits only where they fit also beside what others have committed "
        "since it began; and a version without pins has none."
    ),
    counts={
        "listings": "contexts that list pins",
        "pins_written": "pins that were accepted",
        "pins_refused": "pins that were refused for their size; without a listing or a refusal the verdict is unknown",
        "pins_committed": "commits of turns that pinned in AGENT scope",
    },
    check=check,
    good=(
        HEADER,
        pinning(deploy(), 20),
        begin("s0", "account-17"),
        call("s0", "add_memory", {"summary": "Two sign", "pinned": True},
             {"record": {**record("mem_sign", "Two sign"), "pinned": True}}),
        context("s0", 2, pins=[record("mem_sign", "Two sign")],
                instructions='Pins:\n{"id":"mem_sign","summary":"Two sign"}'),
        call("s0", "add_memory", {"summary": "x" * 80, "pinned": True}, None)
        | {"error": {"code": "over_budget", "message": "the pins are: mem_sign, 10 tokens"}},
        end("s0"),
    ),
    bad=(
        HEADER,
        pinning(deploy(), 20),
        begin("s0", "account-17"),
        call("s0", "add_memory", {"summary": "x" * 80, "pinned": True},
             {"record": {**record("mem_sign", "x" * 80), "pinned": True}}),
        end("s0"),
    ),
)  # fmt: skip
