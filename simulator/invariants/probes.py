"""How much was checked: observations, and the probes among them.

A **probe** of a clause is an observation made while there was something that this clause, and no other, kept from the
observer: had the memory system forgotten the clause, this observation could have shown it. An observation of records (a
context of a call with purpose `turn`; a memory tool's call) is a probe of records; a context, a search of history and
the reading of a result are probes of what was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from .events import Call, Context, Decision, End
from .history import History
from .model import Model, Origin, Unit, clauses_against, read, replaced

MEMORY_TOOLS = ("add_memory", "read_memory", "delete_memory", "search_memory")
PAST_TOOLS = ("search_history", "read_result")


@dataclass(frozen=True, slots=True)
class Looks:
    """How often a turn looked: contexts that recall, contexts in all, calls of memory tools, and of the others."""

    recalling: int
    contexts: int
    memory: int
    past: int

    def plus(self, other: Looks) -> Looks:
        return Looks(
            self.recalling + other.recalling,
            self.contexts + other.contexts,
            self.memory + other.memory,
            self.past + other.past,
        )


def observations(history: History) -> int:
    """How many contexts, answers, refusals and committed states the trace holds."""
    turns = read(history).turns
    return sum(
        isinstance(event, (Context, Call, Decision)) or (isinstance(event, End) and turns[event.turn].committed)
        for event in history.events
    )


def probes(history: History, of: Callable[[frozenset[str]], bool]) -> int:
    """How many observations were made while something existed whose forbidding clauses satisfy `of`."""
    found = 0
    for kept, look in _alike(history).items():
        kinds = {spoken for spoken, clauses in kept if of(clauses)}
        found += look.contexts if True in kinds else look.recalling if False in kinds else 0
        found += (look.memory if False in kinds else 0) + (look.past if True in kinds else 0)
    return found


@lru_cache(maxsize=1)
def _alike(history: History) -> dict[frozenset[tuple[bool, frozenset[str]]], Looks]:
    """The looks of all turns that may not see the same, by what they may not see."""
    looks = _looks(history)
    found: dict[frozenset[tuple[bool, frozenset[str]]], Looks] = {}
    for turn, kept in _kept_from(history).items():
        before = found.get(kept)
        found[kept] = looks[turn] if before is None else before.plus(looks[turn])
    return found


@lru_cache(maxsize=1)
def _kept_from(history: History) -> dict[str, frozenset[tuple[bool, frozenset[str]]]]:
    """For each turn, what it may not see: whether it is spoken or a record, and the clauses that forbid it.

    Of what is forbidden alike only the first that ended: later ones are not in the turn's snapshot either (VIEW-5).
    """
    own: dict[Unit, list[Origin]] = {}
    groups: dict[tuple[object, ...], list[Origin]] = {}
    for origin in _origins(history):
        turn = origin.turn
        own.setdefault(turn.unit, []).append(origin)
        groups.setdefault((turn.agent, turn.plane, origin.scope, turn.outcome), []).append(origin)
    # Sessions that are foreign to a turn are forbidden alike: of two the earlier one shows it, if it is not its own.
    firsts = [sorted(group, key=_ended)[:2] for group in groups.values()]
    found = {}
    for turn in read(history).turns.values():
        foreign = (next((each for each in two if each.turn.unit != turn.unit), None) for two in firsts)
        origins = (*own.get(turn.unit, ()), *(each for each in foreign if each is not None))
        found[turn.id] = frozenset((each.scope is None, frozenset(clauses_against(turn, each))) for each in origins)
    return found


def _ended(origin: Origin) -> int:
    assert origin.turn.ended is not None  # of `_origins` all have
    return origin.turn.ended


@lru_cache(maxsize=1)
def _looks(history: History) -> dict[str, Looks]:
    recalling, contexts, memory, past = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for event in history.events:
        if isinstance(event, Context):
            contexts[event.turn] += 1
            recalling[event.turn] += event.purpose == "turn"
        elif isinstance(event, Decision):
            memory[event.turn] += 1
        elif isinstance(event, Call):
            # A plain write looks at nothing: it is answered with what it said.
            memory[event.turn] += event.tool in MEMORY_TOOLS and (event.tool != "add_memory" or bool(replaced(event)))
            past[event.turn] += event.tool in PAST_TOOLS
    return {turn: Looks(recalling[turn], contexts[turn], memory[turn], past[turn]) for turn in read(history).turns}


@lru_cache(maxsize=1)
def _origins(history: History) -> tuple[Origin, ...]:
    """One origin for all that are forbidden alike: of a session, plane, scope and outcome, the one that ended first."""
    found: dict[tuple[object, ...], Origin] = {}
    for origin in _all(read(history)):
        turn = origin.turn
        if turn.ended is None:
            continue  # nobody can begin after it
        key = (turn.unit, turn.plane, origin.scope, turn.outcome)
        kept = found.get(key)
        if kept is None or (kept.turn.ended is not None and turn.ended < kept.turn.ended):
            found[key] = origin
    return tuple(found.values())


def _all(model: Model) -> Iterator[Origin]:
    for writes in model.writes.values():
        yield from (write.origin for write in writes)
    for heard in model.said.values():
        for origins in heard.values():
            yield from origins
    yield from (origin for _, origin in model.states)
