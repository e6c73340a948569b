"""What must not matter does not: random programs, run twice, observed byte for byte.

A program is a list of turns. Records and results are named by where the program makes them, so that a turn which is
dropped in the second run leaves its names with the ids of the first (they then name what never was: VIEW-6).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from world import BOTH, World, config, scopes

from seatrial.engine.values import Plane
from seatrial.engine.views import Partitions

TEXTS = ["wire 4471 approved", "wire 4472 refused", "limit 9,000 USD", "limit raised", "\u627f\u8a8d wire"]
FEW_PINS = {"max_tokens": 40}
SMALL = {"offload_threshold": 4, "summarize_at": 60, "keep_messages": 3}  # so that results are set aside, and summed up
NEVER = "mem_000000000000000000000000"
Name = tuple[int, int]


@dataclass(frozen=True)
class Planned:
    """One turn: where, when, what it does, what its review finds and how it ends."""

    place: int
    session: str
    plane: Plane
    do: tuple[tuple[str, Any], ...]
    found: tuple[tuple[str, str, str | None, Name], ...]  # candidates: summary, scope, decision, the record it names
    outcome: str


names = st.tuples(st.integers(0, 6), st.integers(0, 2))
text = st.sampled_from(TEXTS)
scope = st.sampled_from(["session", "agent"])
actions = st.one_of(
    st.tuples(st.just("add"), st.tuples(text, scope, st.none() | names)),
    st.tuples(st.just("add"), st.tuples(text, scope, st.none())),
    st.tuples(st.just("pin"), st.tuples(text, scope, st.none() | names)),
    st.tuples(st.just("delete"), st.tuples(names, scope)),
    st.tuples(st.just("read"), names),
    st.tuples(st.just("search"), text),
    st.tuples(st.just("reply"), text),
    st.tuples(st.just("tool"), text),
    st.tuples(st.just("result"), names),
    st.tuples(st.just("recollect"), text),
    st.tuples(st.just("state"), st.integers(0, 3)),
)

candidates = st.tuples(text, scope, st.sampled_from([None, None, "add", "skip", "replace", "delete"]), names)
reviews = st.sampled_from(["turn", {"messages": 4}])  # how often turns are reviewed


@st.composite
def programs(draw: st.DrawFn) -> list[Planned]:
    turns = draw(st.integers(2, 7))
    return [
        Planned(
            place=place,
            session=draw(st.sampled_from(["a", "b", "b"])),
            plane=draw(st.sampled_from(["live", "live", "preview"])),
            do=tuple(draw(st.lists(actions, min_size=1, max_size=3))),
            found=tuple(draw(st.lists(candidates, max_size=2))),
            outcome=draw(st.sampled_from(["commit", "commit", "commit", "rollback", "crash"])),
        )
        for place in range(turns)
    ]


def known(record: Name, name: Name, ids: dict[Name, str]) -> str:
    """Its id, where `name` comes later: only what was added before has a name yet."""
    return ids.get(record, NEVER) if record < name else NEVER


def reviewed(turn: Any, planned: Planned, ids: dict[Name, str]) -> list[Any]:
    """The review at the end of the turn, if it is due: what it is handed, and what becomes of each candidate."""
    review = turn.review()
    if review is None:
        return [turn.postponed]
    shown: list[Any] = [review.to_json()]
    for place, (summary, where, word, record) in enumerate(planned.found, start=len(planned.do)):
        name = (planned.place, place)
        candidate: dict[str, Any] = {"summary": summary, "kind": "fact", "scope": where}
        if word is not None:
            candidate["decision"] = {word: known(record, name, ids)} if word in ("replace", "delete") else word
        decided = turn.decide(candidate)
        if decided.record is not None:
            ids.setdefault(name, str(decided.record["id"]))
        shown.append(decided.to_json())
    return shown


def act(turn: Any, action: tuple[str, Any], name: Name, ids: dict[Name, str]) -> Any:
    kind, given = action

    def named(record: Name) -> str:
        return known(record, name, ids)

    if kind in ("add", "pin"):
        summary, where, replaced = given
        more: dict[str, Any] = {} if replaced is None else {"replaces": named(replaced)}
        more["pinned"] = kind == "pin"
        answer = turn.call("add_memory", {"summary": summary, "kind": "fact", "scope": where, **more}).to_json()
        if "answer" in answer:
            ids.setdefault(name, answer["answer"]["record"]["id"])
        return answer
    if kind == "delete":
        record, where = given
        return turn.call("delete_memory", {"id": named(record), "scope": where}).to_json()
    if kind == "read":
        return turn.call("read_memory", {"id": named(given)}).to_json()
    if kind == "search":
        return turn.call("search_memory", {"query": given}).to_json()
    if kind == "recollect":
        return turn.call("search_history", {"query": given}).to_json()
    if kind == "tool":
        ref = turn.tool_result("fetch", given)
        ids.setdefault(name, ref)
        return ref
    if kind == "result":
        return turn.call("read_result", {"ref": named(given)}).to_json()
    return turn.reply(given) if kind == "reply" else turn.set_state({"value": given})


def play(
    world: World,
    program: list[Planned],
    ids: dict[Name, str],
    between: Callable[[World], None] = lambda _: None,
) -> dict[int, str]:
    """What each turn of `program` observed, by its place."""
    seen = {}
    for planned in program:
        turn = world.begin(
            planned.session,
            plane=planned.plane,
            execution=f"turn-{planned.place}",
            at=planned.place * 60_000,
            user=TEXTS[planned.place % len(TEXTS)],
        )
        shown: list[Any] = []
        for place, action in enumerate(planned.do):
            shown.append(turn.model_call().to_json())
            shown.append(act(turn, action, (planned.place, place), ids))
        if planned.outcome == "commit":
            shown += reviewed(turn, planned, ids)
        end = {"commit": turn.commit, "rollback": turn.rollback, "crash": turn.crash}[planned.outcome]
        shown.append(end().to_json())
        shown += [decided.to_json() for decided in turn.extraction.decisions]
        seen[planned.place] = json.dumps(shown)
        between(world)
    return seen


def crowd(world: World) -> None:
    """Another session's turn, for which loaded partitions have to make room."""
    world.keep("filler", "filler")


def shared(every: Any = "turn") -> dict[str, Any]:
    """Sessions that share AGENT records."""
    return apart(every, scope=scopes(BOTH, BOTH))


def apart(every: Any = "turn", **memory: Any) -> dict[str, Any]:
    """Sessions that share nothing, unless `memory` says otherwise."""
    document = config(pinned=FEW_PINS, context=SMALL, extraction={"every": every}, **memory)
    document["harness"]["history"] = {"index": "messages_and_tools"}
    return document


@settings(max_examples=40)
@given(programs(), reviews)
def test_txn_4_reopening_between_turns_changes_no_observation(program: list[Planned], every: Any) -> None:
    ids: dict[Name, str] = {}
    whole = World(document=shared(every))
    expected = play(whole, program, ids)
    ledger = whole.engine.ledger().to_json()
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder) / "store.sqlite", shared(every))
        assert play(world, program, dict(ids), between=World.reopen) == expected
        assert world.engine.ledger().to_json() == ledger
        world.engine.close()


@settings(max_examples=40)
@given(programs(), reviews)
def test_partitions_that_are_dropped_and_loaded_again_change_no_observation(program: list[Planned], every: Any) -> None:
    ids: dict[Name, str] = {}
    expected = play(World(document=shared(every)), program, ids)
    world = World(document=shared(every))
    small = world.engine
    small._partitions = Partitions(small._store, small._partitions._embedder, limit=0)  # no room at all
    assert play(world, program, dict(ids), between=crowd) == expected


@settings(max_examples=40)
@given(programs(), reviews)
def test_txn_2_turns_that_did_not_commit_change_nothing_for_the_others(program: list[Planned], every: Any) -> None:
    ids: dict[Name, str] = {}
    expected = play(World(document=shared(every)), program, ids)
    committed = [planned for planned in program if planned.outcome == "commit"]
    seen = play(World(document=shared(every)), committed, dict(ids))
    assert seen == {place: expected[place] for place in seen}


@settings(max_examples=40)
@given(programs(), reviews)
def test_pre_4_previews_change_nothing_for_live_turns(program: list[Planned], every: Any) -> None:
    ids: dict[Name, str] = {}
    expected = play(World(document=shared(every)), program, ids)
    live = [planned for planned in program if planned.plane == "live"]
    seen = play(World(document=shared(every)), live, dict(ids))
    assert seen == {place: expected[place] for place in seen}


@settings(max_examples=40)
@given(programs(), reviews)
@pytest.mark.parametrize("session", ["a", "b"])
def test_view_2_other_sessions_change_nothing_where_nothing_is_shared(
    session: str, program: list[Planned], every: Any
) -> None:
    ids: dict[Name, str] = {}
    expected = play(World(document=apart(every)), program, ids)
    own = [planned for planned in program if planned.session == session]
    seen = play(World(document=apart(every)), own, dict(ids))
    assert seen == {place: expected[place] for place in seen}


@settings(max_examples=40)
@given(st.lists(actions, min_size=1, max_size=4), st.lists(actions, min_size=1, max_size=4), st.integers(0, 3))
def test_view_5_a_whole_turn_of_another_session_within_an_open_turn_changes_nothing_for_it(
    own: list[tuple[str, Any]], others: list[tuple[str, Any]], when: int
) -> None:
    """Both write AGENT records, and both name the same ones: no dirty read, and none that is not repeatable."""

    def observed(interrupted: bool) -> list[Any]:
        world = World(document=shared())
        ids = {(0, place): world.keep(summary, "c", scope="agent") for place, summary in enumerate(TEXTS[:3])}
        turn = world.begin("a", user="wire limit", execution="open", at=10**7)
        seen: list[Any] = []
        for place, action in enumerate(own):
            if interrupted and place == when:
                other = world.begin("b", execution="other", at=10**7)
                for number, act_of_other in enumerate(others):
                    act(other, act_of_other, (1, number), dict(ids))
                assert other.commit().outcome == "committed"
            seen += [turn.model_call().to_json(), act(turn, action, (2, place), ids)]
        return seen

    assert observed(interrupted=True) == observed(interrupted=False)


@settings(max_examples=40)
@given(programs(), reviews)
def test_the_same_program_gives_the_same_bytes(program: list[Planned], every: Any) -> None:
    runs = []
    for _ in range(2):
        world = World(document=shared(every))
        runs.append((play(world, program, {}), json.dumps(world.engine.ledger().to_json())))
    assert runs[0] == runs[1]
