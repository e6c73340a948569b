"""uniform-refusal: what is out of view is refused byte for byte like what never was."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .active import in_view
from .events import Call, Decision
from .examples import HEADER, add, begin, call, deploy, end
from .history import History
from .model import Model, Turn, read, replaced, scope_of
from .named import named_by
from .plain import ids
from .verdict import Invariant, Verdict, Violation, broken

NAME = "uniform-refusal"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call that names something which, for its turn, does not exist. `known` where it does for others.

    `unwritable`: agent, version and scope of a call about a scope that its version may not write, None where it may.
    """

    event: Call | Decision
    tool: str
    name: str
    known: bool
    unwritable: tuple[str, int | None, str] | None

    @property
    def code(self) -> object:
        return None if self.event.error is None else self.event.error.get("code")

    @property
    def refused(self) -> bool:
        """Whether it is refused as not found, or for its scope, which says nothing of the name."""
        return self.code == "not_found" or (self.unwritable is not None and self.code == "scope_not_allowed")

    @property
    def groups(self) -> Iterator[tuple[object, ...]]:
        """The groups of calls that are refused alike: those not found, and those about one scope, whatever they name.

        What may be written is told version by version.
        """
        if self.code == "not_found":
            yield (self.tool,)
        if self.unwritable is not None:
            yield (self.tool, *self.unwritable)

    @property
    def told(self) -> str:
        """The refusal as text."""
        return json.dumps(self.event.error, sort_keys=True, ensure_ascii=False)


def check(history: History) -> Verdict:
    """The answers to every call that names nothing in view, compared with each other, tool by tool."""
    model = read(history)
    asked = list(_asked(history, model))
    foreign = [each for each in asked if each.known]
    found: list[Violation] = []
    first: dict[tuple[object, ...], _Asked] = {}
    for each in asked:
        if not each.refused:
            told = "an answer" if each.event.error is None else each.told[:80]
            found.append(_violation(model, each, f"because it is answered with {told}, not as not found"))
            continue
        others = [first.setdefault(group, each) for group in each.groups]
        other = next((other for other in others if not _alike(other, each)), None)
        if other is not None:
            why = f"because {other.name!r} is refused as {other.told[:80]}, and this as {each.told[:80]}"
            found.append(_violation(model, each, why))
    checked = {"refusals": len(asked), "out_of_view": len(foreign)}
    return Verdict.of(NAME, checked, found, len(foreign))


def _alike(one: _Asked, other: _Asked) -> bool:
    """Whether two refusals are equal byte for byte, or would be if each were asked for the other's name.

    To repeat the name that was asked for tells nothing of whether it exists.
    """
    return one.told == other.told or _renamed(one, other) == other.told or _renamed(other, one) == one.told


def _renamed(one: _Asked, other: _Asked) -> str:
    """The refusal of `one` with the name that `other` asked for in place of its own."""
    mine, its = (json.dumps(each.name, ensure_ascii=False)[1:-1] for each in (one, other))
    return re.sub(rf"(?<!\w){re.escape(mine)}(?!\w)", lambda _: its, one.told)


def _asked(history: History, model: Model) -> Iterator[_Asked]:
    for event in history.events:
        if isinstance(event, Decision):
            tool, names = "a candidate", named_by(event)
            if event.outcome == "rejected" and event.error is None:
                continue  # how it was refused is not told
        elif isinstance(event, Call):
            tool, names = event.tool, _names(event)
            if event.tool == "read_result" and not model.results:
                continue  # no reference is told
        else:
            continue
        code = None if event.error is None else event.error.get("code")
        if len(names) != 1 or code not in (None, "not_found", "not_active", "scope_not_allowed"):
            continue  # another fault may come first: it says nothing of the name
        turn = model.turns[event.turn]
        name = names[0]
        known = name in model.writes or name in model.results
        if not in_view(history, turn, name, event.line):
            yield _Asked(event, tool, name, known, _unwritable(event, turn))


def _unwritable(event: Call | Decision, turn: Turn) -> tuple[str, int | None, str] | None:
    """Of a write to a scope that its version does not write: it may be refused for that, whatever it names (SCO-2)."""
    if isinstance(event, Call) and event.tool not in ("add_memory", "delete_memory"):
        return None  # it reads
    scope = scope_of(turn, event.arguments if isinstance(event, Call) else event.candidate)
    return None if scope in turn.writes else (turn.agent, turn.version, scope)


def _names(event: Call) -> tuple[str, ...]:
    if event.tool == "add_memory":
        return replaced(event)
    key = {"read_memory": "id", "delete_memory": "id", "read_result": "ref"}.get(event.tool)
    return () if key is None else ids(event.arguments.get(key))


def _violation(model: Model, asked: _Asked, because: str) -> Violation:
    event = asked.event
    turn = model.turns[event.turn]
    writes = model.writes.get(asked.name, ())
    where = f"{asked.tool} of {asked.name!r} in {turn.label} call {event.call}"
    path = [f"{write.origin.turn.label} wrote {asked.name}" for write in writes[:1]]
    return broken(NAME, "VIEW-6", event, where, because, record=asked.name if writes else None,
                  summary=writes[0].summary if writes else None, path=path)  # fmt: skip


UNIFORM_REFUSAL = Invariant(
    name=NAME,
    clauses=("VIEW-6", "WRT-4"),
    holds_when=(
        "Every call that names a record or a reference which is not in the view of its turn, or that was deleted, is "
        "refused as not found, by each tool always in the same bytes but for the name that was asked for, whether or "
        "not the name exists for others. A write to a scope that the version may not write may be refused for that, "
        "again whatever it names."
    ),
    counts={
        "refusals": "calls that name one thing, and that is not in view",
        "out_of_view": "those of them whose name exists outside the view or was deleted; without one the verdict is "
        "unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        begin("s1", "account-22"),
        call("s1", "read_memory", {"id": "mem_wire4471"}, None),
        call("s1", "read_memory", {"id": "mem_never"}, None),
        end("s1"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_wire4471"),
        end("s0"),
        begin("s1", "account-22"),
        call("s1", "read_memory", {"id": "mem_never"}, None),
        {
            **call("s1", "read_memory", {"id": "mem_wire4471"}, None),
            "error": {"code": "not_found", "message": "this record is not yours", "remedy": ""},
        },
        end("s1"),
    ),
)
