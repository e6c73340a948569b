"""refusals-justified: a call or a candidate is refused for what is wrong with it, and one that must be is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from .active import endings, in_view
from .events import Begin, Call, Decision, Deploy, End, Restart, Review
from .examples import HEADER, begin, call, deploy, end, record
from .history import History
from .model import Model, Turn, Unit, read, replaced, scope_of
from .plain import OBJECT, ids, setting
from .verdict import Invariant, Verdict, Violation, broken

NAME = "refusals-justified"
_KINDS = ("guidance", "fact", "event", "reference")
_WRITES = ("add_memory", "delete_memory")
_CHOSEN = ("add_memory", "read_memory", "delete_memory")  # tools that a version names to have them (WRT-1)
_FILTERS = ("kinds", "labels", "ids")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call, and what is needed to tell whether it is to be refused."""

    history: History
    model: Model
    turn: Turn
    event: Call
    reviewed: bool = False  # a review's candidate, told as the call that it stands for

    def argument(self, name: str) -> Any:
        return self.event.arguments.get(name)

    @property
    def memory(self) -> Mapping[str, Any]:
        found = setting(self.turn.config, "harness", "memory")
        return found if isinstance(found, OBJECT) and found.get("enabled") is True else {}

    @property
    def adds(self) -> bool:
        return self.event.tool == "add_memory"

    @property
    def targets(self) -> tuple[str, ...]:
        """The records or references that the call is about."""
        if self.adds:
            return replaced(self.event)
        key = {"read_memory": "id", "delete_memory": "id", "read_result": "ref"}.get(self.event.tool)
        return () if key is None else ids(self.argument(key))

    @property
    def offered(self) -> bool:
        """Whether the version offers the tool (WRT-1, HIS-1)."""
        tool = self.event.tool
        if self.reviewed:  # a review needs no tool
            return True
        if tool in _CHOSEN:
            return tool in (self.memory.get("tools") or ())
        if tool == "search_memory":
            return bool(self.memory)
        if tool == "search_history":
            indexed = setting(self.turn.config, "harness", "history", "index") is not None
            return indexed and self.turn.session is not None  # VIEW-7
        return True

    @property
    def tools_told(self) -> bool:
        """Whether the config says which of the tools to be chosen there are: another system's may leave that open."""
        return self.event.tool not in _CHOSEN or not self.memory or "tools" in self.memory

    @property
    def undeclared_kind(self) -> bool:
        declared = _declared(self.history, self.turn, ever=not self.adds)[0]
        stated = [self.argument("kind")] if self.adds else ids(self.argument("kinds"))
        return any(kind not in declared for kind in stated if isinstance(kind, str))

    @property
    def undeclared_label(self) -> bool:
        declared = _declared(self.history, self.turn, ever=not self.adds)[1]
        stated = self.argument("labels")
        return isinstance(stated, OBJECT) and any(name not in declared for name in stated)

    @property
    def pins(self) -> bool:
        return self.argument("pinned") is True

    @property
    def scope_refused(self) -> bool:
        return scope_of(self.turn, self.event.arguments) not in self.turn.writes

    @property
    def of_other_scope(self) -> bool:
        """Whether it would change a record of another scope than it is about, or nobody can tell (SCO-2, WRT-3)."""
        scope = scope_of(self.turn, self.event.arguments)
        return any(
            write.origin.scope != scope for target in self.targets for write in self.model.writes.get(target, ())
        )

    @property
    def ended(self) -> bool:
        return any(endings(self.history, each, self.turn, self.event.line) for each in self.targets)

    @property
    def all_there(self) -> bool:
        """Whether everything it names is in view, for certain."""
        return all(in_view(self.history, self.turn, each, self.event.line) for each in self.targets)

    @property
    def filtered(self) -> bool:
        return any(self.argument(name) for name in _FILTERS)

    @property
    def says_something(self) -> bool:
        query = self.argument("query")
        return isinstance(query, str) and any(char.isalnum() for char in query)

    @property
    def says_nothing(self) -> bool:
        query = self.argument("query")
        asked = self.event.tool in ("search_memory", "search_history")
        return asked and (query is None or (isinstance(query, str) and not query.strip()))


Told: TypeAlias = tuple[str, Callable[[_Asked], bool], str]

# Code -> its clause, whether a call may be refused with it, and why not where it may not be.
_REASONS: dict[str, Told] = {
    "no_such_tool": ("WRT-1", lambda each: not each.offered or _withheld(each), "because its version offers the tool"),
    "helper_cannot_write": ("WRT-6", lambda each: each.event.by != "agent" and each.event.tool in _WRITES,
                            "because it is the agent's own call, or writes nothing"),
    "undeclared_kind": ("REC-4", lambda each: each.undeclared_kind, "because each kind that it names is declared"),
    "undeclared_label": ("REC-5", lambda each: each.undeclared_label, "because each label that it names is declared"),
    "pins_disabled": ("PIN-1", lambda each: each.pins and each.memory.get("pinned") is None,
                      "because it pins nothing, or its version has pins"),
    "over_budget": ("PIN-2", lambda each: each.pins and each.memory.get("pinned") is not None,
                    "because it pins nothing, or its version has no budget of pins"),
    "scope_not_allowed": ("SCO-2", lambda each: each.scope_refused or each.of_other_scope,
                          "because its version writes the scope that it is about, and so do the records it names"),
    "not_active": ("WRT-2", lambda each: each.ended, "because nothing in its view has ended what it names"),
    "not_found": ("WRT-4", lambda each: not each.targets or not each.all_there, "because what it names is in its view"),
    "blank_query": ("SCH-1", lambda each: not each.says_something and not each.filtered,
                    "because it has a query with words, or a filter"),
}  # fmt: skip

# What must be refused: its clause, what it is, and why.
_REFUSED: tuple[Told, ...] = (
    ("WRT-1", lambda each: not each.offered and each.tools_told, "because its version does not offer the tool"),
    ("REC-4", lambda each: each.undeclared_kind, "because a kind that it names is not declared"),
    ("REC-5", lambda each: each.undeclared_label, "because a label that it names is not declared"),
    ("PIN-1", lambda each: each.pins and each.adds and each.memory.get("pinned") is None,
     "because it pins a record, and its version has no pins"),
    ("SCO-2", lambda each: each.event.tool in _WRITES and each.scope_refused,
     "because its version does not write that scope"),
    ("WRT-2", lambda each: each.event.tool in _WRITES and each.ended, "because what it names is no longer ACTIVE"),
    ("SCH-1", lambda each: each.says_nothing and not any(name in each.event.arguments for name in _FILTERS),
     "because it says neither what to look for nor what to filter by"),
)  # fmt: skip


def check(history: History) -> Verdict:
    """Every answer and every refusal of a harness tool; every turn that is refused, or ends in conflict."""
    model = read(history)
    found: list[Violation] = []
    refusals = answers = candidates = 0
    for event in history.events:
        if isinstance(event, Call) and model.turns[event.turn].config:
            asked = _Asked(history, model, model.turns[event.turn], event)
            wrong = _wrongly_refused(asked) if event.answer is None else _wrongly_answered(asked)
            refusals += event.answer is None
            answers += event.answer is not None
            found += wrong
        elif isinstance(event, Decision) and model.turns[event.turn].config:
            asked = _Asked(history, model, model.turns[event.turn], _as_call(event), reviewed=True)
            if event.outcome == "rejected":
                candidates += 1
                found += _wrongly_refused(asked)
            elif event.outcome != "skip":
                candidates += 1
                found += _wrongly_answered(asked)
    turns = list(_turns(history, model))
    found += [violation for violation in turns if violation is not None]
    checked = {"answers": answers, "refusals": refusals, "candidates": candidates, "turns": len(turns)}
    return Verdict.of(NAME, checked, found, sum(checked.values()))


def _as_call(event: Decision) -> Call:
    """A candidate as the `add_memory` that it stands for: the record that its decision names is what it replaces."""
    named = event.decision if isinstance(event.decision, OBJECT) else {}
    targets = [name for name in named.values() if isinstance(name, str)]
    arguments = {**event.candidate, **({"replaces": targets} if targets else {})}
    taken = None if event.outcome == "rejected" else {"record": event.record}
    place = event.line, event.turn, event.call
    return Call(*place, "agent", "add_memory", arguments, taken, event.error or {}, event.step)


def _wrongly_refused(asked: _Asked) -> Iterator[Violation]:
    code = str((asked.event.error or {}).get("code"))
    reason = _REASONS.get(code)
    if reason is not None and not reason[1](asked):
        yield _violation(asked, reason[0], f"refused as {code}", reason[2])
    elif code == "not_active" and (untold := _untold(asked)):
        yield _violation(asked, "WRT-2", f"refused as {code}", f"because {untold} took its place, and is not named")


def _untold(asked: _Asked) -> str | None:
    """A record in view that took the place of what the call names, where the refusal names none such."""
    error, history, turn, line = asked.event.error or {}, asked.history, asked.turn, asked.event.line
    told = " ".join(str(value) for key, value in error.items() if key != "code")
    ended = (each for target in asked.targets for each in endings(history, target, turn, line))
    there = [each.successor for each in ended if each.successor and in_view(history, turn, each.successor, line)]
    return there[0] if told and there and not any(name in told for name in there) else None


def _wrongly_answered(asked: _Asked) -> Iterator[Violation]:
    for clause, refused, because in _REFUSED:
        if refused(asked):
            yield _violation(asked, clause, "answered", because)
            return


def _violation(asked: _Asked, clause: str, what: str, because: str) -> Violation:
    event, turn = asked.event, asked.turn
    tried = "candidate of a review" if asked.reviewed else event.tool
    where = f"{tried} in {turn.label} call {event.call}, {what}"
    return broken(NAME, clause, event, where, because, path=(turn.label,))


def _withheld(asked: _Asked) -> bool:
    """References are the agent's own: a helper has none (WRT-6)."""
    return asked.event.by != "agent" and asked.event.tool == "read_result"


def _turns(history: History, model: Model) -> Iterator[Violation | None]:
    """Each turn of a session that begins, and each that ends in conflict; None where that is right (TXN-3)."""
    running: dict[Unit, set[str]] = {}
    moved: dict[str, int] = {}  # by agent: the line of what last changed something of it
    staked: set[str] = set()  # turns with something that another can take from them
    for event in history.events:
        if isinstance(event, Call | Decision) and _stakes(event):
            staked.add(event.turn)
        if isinstance(event, Begin) and event.session is not None:
            open_ones = running.setdefault((event.agent, event.session), set())
            yield _begun(event, open_ones)
            if event.error is None:
                open_ones.add(event.turn)
        elif isinstance(event, End):
            turn = model.turns[event.turn]
            running.get(turn.unit, set()).discard(event.turn)
            if event.outcome == "conflict":
                why = "because it replaced, deleted and pinned nothing"
                if moved.get(turn.agent, 0) <= turn.began:
                    why = "because nothing else of its agent was committed or deleted while it was open"
                right = moved.get(turn.agent, 0) > turn.began and turn.id in staked
                yield None if right else broken(NAME, "TXN-3", event, f"conflict of {turn.label}", why)
            elif event.outcome == "committed":
                moved[turn.agent] = event.line
        elif isinstance(event, Review) and event.action == "delete" and event.error is None:
            moved[event.agent] = event.line
        elif isinstance(event, Restart):  # whatever was open has ended with it (TXN-4)
            running.clear()


def _stakes(event: Call | Decision) -> bool:
    """Whether it ends a record, or pins one: nothing else of a turn can be in the way of what others commit."""
    if isinstance(event, Decision):
        stated, taken = event.candidate, event.outcome in ("replace", "delete")
    else:
        stated, taken = event.arguments, event.tool == "delete_memory" or bool(event.arguments.get("replaces"))
    return event.error is None and (taken or bool(stated.get("pinned")))


def _begun(event: Begin, open_ones: Collection[str]) -> Violation | None:
    refused = event.error is not None and event.error.get("code") == "busy"
    if refused and not open_ones:
        why = "because no turn of the session is open"
        return broken(NAME, "TXN-3", event, f"begin of turn {event.turn}, refused as busy", why)
    if event.error is None and open_ones:
        why = f"because turn {min(open_ones)} of the session is open"
        return broken(NAME, "TXN-3", event, f"begin of turn {event.turn}", why)
    return None


def _declared(history: History, turn: Turn, *, ever: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The kinds and labels that a write of `turn` may name; with `ever`, those that a filter may (VER-4)."""
    if not ever:
        return _of_config(turn.config)
    kinds: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    for number, config in _versions(history).get(turn.agent, ()):
        if turn.version is None or number <= turn.version:
            found = _of_config(config)
            kinds, labels = kinds | found[0], labels | found[1]
    return kinds, labels


def _of_config(config: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    memory = setting(config, "harness", "memory")
    if not isinstance(memory, OBJECT):
        return frozenset(), frozenset()
    kinds = memory.get("kinds")
    labels = memory.get("labels")
    names = [name for name in labels if name != "$comment"] if isinstance(labels, OBJECT) else []
    return frozenset(kinds if isinstance(kinds, list) else _KINDS), frozenset(names)


@lru_cache(maxsize=1)
def _versions(history: History) -> Mapping[str, list[tuple[int, Mapping[str, Any]]]]:
    found: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    for event in history.events:
        if isinstance(event, Deploy) and event.version is not None:
            found.setdefault(event.agent, []).append((event.version, event.config))
    return found


_SEARCH = {"query": "wire 4471"}
_TOOLS = {**deploy(), "config": {"harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}}

REFUSALS_JUSTIFIED = Invariant(
    name=NAME,
    clauses=(
        "WRT-1",
        "WRT-2",
        "WRT-4",
        "WRT-6",
        "REC-4",
        "REC-5",
        "SCO-2",
        "PIN-1",
        "PIN-2",
        "SCH-1",
        "TXN-3",
        "EXT-3",
    ),
    holds_when=(
        "Every call of a harness tool, and every candidate of a review, that is refused has the fault that the refusal "
        "names: a tool, a kind or a label that is not declared, a scope that may not be written, a pin where there are "
        "none, a record that has ended or is not in view, a blank query. None that has such a fault is answered. Where "
        "a record was replaced, the refusal names the one that took its place, if that is in view. A turn is refused "
        "as busy where another of its session is open, and only there; it ends in conflict only where it replaced, "
        "deleted or pinned something, and something of its agent was changed meanwhile."
    ),
    counts={
        "answers": "calls of harness tools that were answered",
        "refusals": "calls of harness tools that were refused",
        "candidates": "candidates of reviews that wrote, ended or were rejected",
        "turns": "turns of sessions that began, were refused as busy, or ended in conflict; without any of the four "
        "the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        _TOOLS,
        begin("s0", "account-17"),
        call("s0", "add_memory", {"summary": "a fact", "kind": "fact"}, {"record": record("mem_wire4471")}),
        call("s0", "search_memory", _SEARCH, {"records": []}),
        call("s0", "read_memory", {"id": "mem_wire4471"}, None)
        | {"error": {"code": "no_such_tool", "message": "there is no such tool", "remedy": ""}},
        end("s0"),
    ),
    bad=(
        HEADER,
        _TOOLS,
        begin("s0", "account-17"),
        call("s0", "search_memory", _SEARCH, None)
        | {"error": {"code": "blank_query", "message": "the query is blank", "remedy": ""}},
        end("s0"),
    ),
)
