"""Hypothesis strategies for single intents: texts, records, acts, turns.

Simple values come first, and what matters comes often: a failure shrinks towards the first of each choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy, builds, just, lists, one_of, sampled_from

from .intents import (
    Act,
    Add,
    Call,
    Candidate,
    Delete,
    Do,
    GoOn,
    Helper,
    History,
    Pick,
    Read,
    Record,
    Reply,
    Result,
    Review,
    Search,
    SetState,
    Text,
    Told,
    Turn,
)
from .words import words

A = TypeVar("A")

_GRANTS = (
    None,
    None,
    (),
    ("SELECT *",),
    ("SELECT financial.*",),
    ("SELECT financial.AgentMemory.document", "UPDATE financial.AgentMemory.document"),
    ("SELECT financial.AgentMemory.*", "UPDATE financial.AgentMemory.*"),
)


def some(acts: SearchStrategy[A], least: int, most: int) -> SearchStrategy[tuple[A, ...]]:
    return lists(acts, min_size=least, max_size=most).map(tuple)


def weighted(*choices: tuple[int, SearchStrategy[A]]) -> SearchStrategy[A]:
    """One of the strategies, each so often: `one_of` takes one once, however often it is named.

    Each has one of the first places, to which a failure shrinks.
    """
    places = [*range(len(choices)), *(place for place, (often, _) in enumerate(choices) for _ in range(often - 1))]
    return sampled_from(places).flatmap(lambda place: choices[place][1])


said = words(canaries=0.5)
marked = words(canaries=1.0)
plain = words(canaries=0.0, plain=True)
_bare = words(canaries=0.0)
bare_facts = words(canaries=0.1, plain=True)
scopes = sampled_from([None, None, None, "session", "agent", "agent"])
_picks = builds(
    Pick,
    whose=sampled_from(["own"] * 5 + ["shared"] * 4 + ["foreign"] * 3 + ["undone", "ended", "other agent", "any"]),
    back=sampled_from([0, 0, 0, 1, 2]),
)
shared = just(Pick("shared"))
texts = builds(Text, said)
facts = builds(Text, plain)
_again = builds(Text, plain, st.none() | _picks, sampled_from([False, False, False, True]))
_labels = lists(st.integers(0, 31), max_size=2).map(tuple)


def records(texts: SearchStrategy[Text]) -> SearchStrategy[Record]:
    return builds(
        Record,
        text=texts,
        kind=sampled_from([0] * 6 + [1] * 3 + [9]),
        labels=just(()) | _labels,
        scope=scopes,
        pinned=sampled_from([None, None, None, True, True, False]),
        content=st.none() | st.none() | marked,
    )


_replaced = one_of(just(()), just(()), some(_picks, 1, 2))
adds = builds(Add, records(weighted((2, texts), (1, _again))), _replaced)
replacing = builds(Add, records(texts), some(_picks, 1, 2))
searches = builds(
    Search,
    words=weighted((2, plain), (1, _bare), (1, st.none())),
    by=sampled_from([None] * 6 + ["nothing", "kind", "label", "ids"]),
    number=st.integers(0, 31),
    picks=just((Pick("foreign"),)) | some(_picks, 0, 2),
    limit=sampled_from([None] * 6 + [1, 1, 3, 8, 9]),
)
histories = builds(History, plain | _bare)
gone = builds(Read, just(Pick("ended")))
reads, deletes = builds(Read, _picks), builds(Delete, _picks, sampled_from([None, None, "agent", "session"]))
_calls: SearchStrategy[Call] = one_of(searches, reads, adds, histories, deletes)
helpers = builds(Helper, sampled_from(["subagent", "program"]), some(_calls | builds(Search, marked), 1, 2))
told = builds(Told, marked, sampled_from([0, 0, 1, 2, 9]))
_results = builds(Result, _picks, sampled_from([None, None, 0, 7]))
acts: SearchStrategy[Act] = weighted(
    (1, builds(Reply, marked)), (2, adds), (2, searches), (1, reads), (1, histories), (1, told), (1, _results),
    (1, replacing), (1, deletes), (1, builds(SetState, marked)), (2, helpers),
)  # fmt: skip
_decisions = sampled_from([None] * 6 + ["add", "skip", "replace", "replace", "delete"])
_candidates = builds(Candidate, records(_again), _decisions, _picks)
_extract = one_of(st.none(), some(_candidates, 0, 2))


def _do(endings: Sequence[str], acts: SearchStrategy[Act] = acts, most: int = 4) -> SearchStrategy[Do]:
    return builds(Do, some(acts, 1, most), sampled_from(list(endings)), _extract)


_ENDINGS = ["commit"] * 9 + ["rollback", "rollback", "crash", "fail"]
planes = sampled_from(["live", "live", "live", "preview"])
agents = sampled_from([0, 0, 1])
sessions = sampled_from([0, 0, 1, 1, 2])
later = sampled_from([0] * 8 + [60, 60 * 24 * 40])
turns = builds(Turn, agents, sessions, planes, marked, _do([*_ENDINGS, "open", "open"]), later)
go_on = builds(GoOn, sampled_from([0, 0, 1]), _do([*_ENDINGS, "open"]))
reviews = builds(
    Review,
    action=sampled_from(["delete", "delete", "list", "read", "read"]),
    pick=builds(Pick, sampled_from(["any", "any", "ended", "other agent"]), sampled_from([0, 0, 1, 2])),
    grants=sampled_from(_GRANTS),
    agent=agents,
)
