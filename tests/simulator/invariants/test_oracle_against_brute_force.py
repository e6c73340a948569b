"""Random small histories: verdicts and counts equal a restatement that tries everything with everything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from isolation import ISOLATION

from seatrial.simulator.invariants import History
from seatrial.simulator.invariants.examples import HEADER, add, begin, context, deploy, end, record, said, search

OUTCOMES = ("committed", "committed", "rolled_back", "crashed", "conflict")
AGENTS = ("clerk", "clerk", "clerk", "auditor", "keeper")
READS = {"clerk": ("session", "agent"), "auditor": ("session",), "keeper": ("agent",)}


@dataclass
class Ran:
    """A turn, as the restatement knows it."""

    name: str
    agent: str
    session: str | None
    plane: str
    began: int
    ended: int | None = None
    outcome: str | None = None


@dataclass
class World:
    """A history as it is drawn: its lines, its turns, what was put in, and what was looked at."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    turns: list[Ran] = field(default_factory=list)
    put: list[tuple[str, str | None, Ran]] = field(default_factory=list)  # a record's id or a text, its scope, its turn
    looks: list[tuple[Ran, bool, list[tuple[str, str | None, Ran]]]] = field(default_factory=list)  # whether a context

    @property
    def now(self) -> int:
        return len(self.lines)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    world = World([HEADER, *(deploy(agent, read, ("session", "agent")) for agent, read in READS.items())])
    for _ in range(draw(st.integers(3, 24))):
        running = [turn for turn in world.turns if turn.ended is None]
        kinds = ["begin", *(["add", "search", "context", "end"] if running else [])]
        kind = draw(st.sampled_from(kinds))
        if kind == "begin":
            _begin(draw, world)
            continue
        turn = draw(st.sampled_from(running))
        if kind == "add":
            name, scope = f"mem_{world.now:05d}", draw(st.sampled_from(["session", "agent"]))
            world.lines.append(add(turn.name, name, f"fact {name}", scope=scope))
            world.put.append((name, scope, turn))
        elif kind == "end":
            turn.outcome = draw(st.sampled_from(OUTCOMES))
            world.lines.append(end(turn.name, turn.outcome))
            turn.ended = world.now
        else:
            _look(draw, world, turn, kind)
    return world


def _begin(draw: st.DrawFn, world: World) -> None:
    agent = draw(st.sampled_from(AGENTS))
    session = None if agent == "keeper" else draw(st.sampled_from(["a", "b"]))
    turn = Ran(f"s{world.now}", agent, session, draw(st.sampled_from(["live", "preview"])), world.now + 1)
    text = f"said in {turn.name}"
    world.lines.append(begin(turn.name, session, text, agent=agent, plane=turn.plane))
    world.turns.append(turn)
    world.put.append((text, None, turn))


def _look(draw: st.DrawFn, world: World, turn: Ran, kind: str) -> None:
    records = [item for item in world.put if item[1] is not None]
    shown = draw(st.lists(st.sampled_from(records), unique_by=lambda item: item[0], max_size=2)) if records else []
    if kind == "search":
        world.lines.append(search(turn.name, *(name for name, _, _ in shown)))
    else:
        texts = [item for item in world.put if item[1] is None]
        spoken = draw(st.lists(st.sampled_from(texts), unique_by=lambda item: item[0], max_size=2))
        hits = [record(name) for name, _, _ in shown]
        messages = said(*(text for text, _, _ in spoken))
        world.lines.append(context(turn.name, recalled=hits, messages=messages))
        shown = [*shown, *spoken]
    world.looks.append((turn, kind == "context", shown))


def reasons(observer: Ran, scope: str | None, writer: Ran) -> set[str]:
    """The clauses that forbid `observer` something, each stated by itself."""
    unreadable = scope is not None and scope not in READS[observer.agent]
    if observer is writer:
        return {"VIEW-3"} if unreadable else set()
    same_agent = observer.agent == writer.agent
    private = same_agent and scope != "agent"
    committed_before = writer.outcome == "committed" and writer.ended is not None and writer.ended < observer.began
    tests = {
        "VIEW-1": not same_agent,
        "VIEW-2": private and observer.session is not None and observer.session != writer.session,
        "VIEW-3": same_agent and unreadable,
        "VIEW-4": observer.plane == "live" and writer.plane == "preview",
        "VIEW-5": not committed_before and (writer.ended is None or writer.ended > observer.began),
        "VIEW-7": private and observer.session is None,
        "TXN-2": writer.outcome != "committed",
    }
    return {clause for clause, forbids in tests.items() if forbids}


def brute_probes(world: World, of: Callable[[set[str]], bool]) -> int:
    """How many looks could have shown something whose reasons satisfy `of`, of what there was at all."""
    return sum(
        any(
            of(reasons(observer, scope, writer))
            for _, scope, writer in world.put
            if writer.ended is not None and (is_context or scope is not None)
        )
        for observer, is_context, _ in world.looks
    )


RESTATED: dict[str, tuple[set[str], dict[str, Callable[[set[str]], bool]]]] = {
    "session-isolation": (
        {"VIEW-1", "VIEW-2", "VIEW-3", "VIEW-4", "VIEW-5", "VIEW-7"},
        {"cross_session_probes": lambda found: found in ({"VIEW-2"}, {"VIEW-2", "VIEW-3"})},
    ),
    "agent-isolation": ({"VIEW-1"}, {"cross_agent_probes": lambda found: found == {"VIEW-1"}}),
    "plane-isolation": ({"VIEW-4"}, {"preview_probes": lambda found: found == {"VIEW-4"}}),
    "rollback-atomicity": ({"TXN-2"}, {"rollback_probes": lambda found: found == {"TXN-2"}}),
}


@given(worlds())
@settings(max_examples=400)
def test_verdicts_and_probes_equal_the_restatement(world: World) -> None:
    history = History.parse(world.lines)
    assert [*RESTATED] == [invariant.name for invariant in ISOLATION]
    for invariant in ISOLATION:
        forbidding, counts = RESTATED[invariant.name]
        expected = [
            name
            for observer, _, shown in world.looks
            for name, scope, writer in shown
            if reasons(observer, scope, writer) & forbidding
        ]
        verdict = invariant.check(history)
        assert len(verdict.violations) == len(expected)
        assert {each.record for each in verdict.violations if each.record} == {e for e in expected if "mem_" in e}
        for count, of in counts.items():
            assert verdict.checked[count] == brute_probes(world, of)
        matters = sum(verdict.checked[count] for count in counts)
        assert verdict.status == ("violated" if expected else "holds" if matters else "unknown")


@given(worlds())
def test_a_violation_says_why_and_by_which_path(world: World) -> None:
    history = History.parse(world.lines)
    for invariant in ISOLATION:
        for violation in invariant.check(history).violations:
            assert violation.clause in invariant.clauses
            assert violation.because.startswith("because ")
            start, _, observation = violation.witness
            assert observation == violation.observation
            assert start.split()[-1] in {turn.name for turn in world.turns}


@given(worlds())
def test_judging_twice_gives_the_same(world: World) -> None:
    first, second = ([invariant.check(History.parse(world.lines)) for invariant in ISOLATION] for _ in range(2))
    assert first == second
