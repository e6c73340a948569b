"""Hypothesis strategies for intents: each single, and the few turns together that a kind of fault needs.

Simple values come first, and what matters comes often: a failure shrinks towards the first of each choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy, builds, just, lists, one_of, sampled_from, tuples

from .cast import CHANGES, Role
from .intents import (
    Act,
    Add,
    Call,
    Candidate,
    Delete,
    Deploy,
    Do,
    GoOn,
    Helper,
    History,
    Pick,
    Read,
    Record,
    Reply,
    Restart,
    Result,
    Review,
    Search,
    SetState,
    Step,
    Text,
    Told,
    Turn,
)
from .words import FACT, Words, words
from .writer import Document, write

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


def _some(acts: SearchStrategy[A], least: int, most: int) -> SearchStrategy[tuple[A, ...]]:
    return lists(acts, min_size=least, max_size=most).map(tuple)


_said = words(canaries=0.5)
_marked = words(canaries=1.0)
_plain = words(canaries=0.0, plain=True)
_bare = words(canaries=0.0)
_bare_facts = words(canaries=0.1, plain=True)
_scopes = sampled_from([None, None, None, "session", "agent", "agent"])
_picks = builds(
    Pick,
    whose=sampled_from(["own"] * 5 + ["shared"] * 4 + ["foreign"] * 3 + ["undone", "ended", "other agent", "any"]),
    back=sampled_from([0, 0, 0, 1, 2]),
)
_shared = just(Pick("shared"))
_texts = builds(Text, _said)
_again = builds(Text, _plain, st.none() | _picks, sampled_from([False, False, False, True]))
_labels = lists(st.integers(0, 31), max_size=2).map(tuple)


def _records(texts: SearchStrategy[Text]) -> SearchStrategy[Record]:
    return builds(
        Record,
        text=texts,
        kind=sampled_from([0] * 6 + [1] * 3 + [9]),
        labels=just(()) | _labels,
        scope=_scopes,
        pinned=sampled_from([None, None, None, True, True, False]),
        content=st.none() | st.none() | _marked,
    )


_replaced = one_of(just(()), just(()), _some(_picks, 1, 2))
_adds = builds(Add, _records(_texts | _texts | _again), _replaced)
_replacing = builds(Add, _records(_texts), _some(_picks, 1, 2))
_searches = builds(
    Search,
    words=one_of(_plain, _plain, _bare, st.none()),
    by=sampled_from([None] * 6 + ["nothing", "kind", "label", "ids"]),
    number=st.integers(0, 31),
    picks=just((Pick("foreign"),)) | _some(_picks, 0, 2),
    limit=sampled_from([None, None, None, 1, 3]),
)
_histories = builds(History, _plain | _bare)
_reads, _deletes = builds(Read, _picks), builds(Delete, _picks, sampled_from([None, None, None, "agent", "session"]))
_calls: SearchStrategy[Call] = one_of(_searches, _reads, _adds, _histories, _deletes)
_helpers = builds(Helper, sampled_from(["subagent", "program"]), _some(_calls | builds(Search, _marked), 1, 2))
_told = builds(Told, _marked, sampled_from([0, 0, 1, 2, 9]))
_results = builds(Result, _picks, sampled_from([None, None, 0, 7]))
_acts: SearchStrategy[Act] = one_of(
    builds(Reply, _marked), _adds, _searches, _adds, _searches, _reads, _histories, _told, _results,
    _replacing, _deletes, builds(SetState, _marked), _helpers,
)  # fmt: skip
_decisions = sampled_from([None] * 6 + ["add", "skip", "replace", "replace", "delete"])
_candidates = builds(Candidate, _records(_again), _decisions, _picks)
_extract = one_of(st.none(), _some(_candidates, 0, 2))


def _do(endings: Sequence[str], acts: SearchStrategy[Act] = _acts, most: int = 4) -> SearchStrategy[Do]:
    return builds(Do, _some(acts, 1, most), sampled_from(list(endings)), _extract)


_ENDINGS = ["commit"] * 9 + ["rollback", "rollback", "crash", "fail"]
_planes = sampled_from(["live", "live", "live", "preview"])
_agents = sampled_from([0, 0, 1])
_sessions = sampled_from([0, 0, 1, 1, 2])
_later = sampled_from([0] * 8 + [60, 60 * 24 * 40])
_turns = builds(Turn, _agents, _sessions, _planes, _marked, _do([*_ENDINGS, "open", "open"]), _later)
_go_on = builds(GoOn, sampled_from([0, 0, 1]), _do([*_ENDINGS, "open"]))
_reviews = builds(
    Review,
    action=sampled_from(["delete", "delete", "list", "read"]),
    pick=builds(Pick, sampled_from(["any", "any", "ended", "other agent"]), sampled_from([0, 0, 1, 2])),
    grants=sampled_from(_GRANTS),
    agent=_agents,
)


def _deploys(given: int, *, derived: bool) -> SearchStrategy[Deploy]:
    """A given version or, where there is no further one or by choice, a derived one."""
    changes = lists(sampled_from(list(CHANGES)), min_size=1, max_size=3).map(tuple)
    chosen = one_of(just(()), changes) if given > 1 else changes
    return builds(Deploy, _agents, _planes, chosen if derived else just(()))


_raced: SearchStrategy[Act] = one_of(
    builds(Add, _records(_texts), just((Pick("shared"),))),
    builds(Delete, _shared),
    _adds,
    builds(Read, _shared),
    _searches,
)
_facts = builds(Text, _plain)
_beside: SearchStrategy[Step] = one_of(
    builds(Turn, just(0), just(1), _planes, _marked, builds(Do, _some(_raced, 1, 2))),
    builds(Turn, just(0), just(1), just("live"), _marked, builds(Do, _some(_raced, 1, 2))),
    builds(Review, just("delete"), _shared),
)


def _race(steps: tuple[Add, Turn, Step, GoOn, Turn], found: Candidate | None) -> list[Step]:
    """One turn is open while another, or an operator, changes what both see, or finds what both find."""
    first, opened, beside, after, look = steps
    if found is not None:
        after = replace(after, do=replace(after.do, extract=(found,)))
        if isinstance(beside, Turn):
            beside = replace(beside, do=replace(beside.do, extract=(found,)))
    return [Turn(do=Do((first,))), opened, beside, after, look]


_gone = builds(Read, just(Pick("ended")))
_looking: SearchStrategy[Act] = one_of(_searches, builds(Search), _reads, _histories)
_races = builds(
    _race,
    tuples(
        builds(Add, builds(Record, _facts, scope=just("agent"))),
        builds(Turn, just(0), just(0), _planes, _marked, builds(Do, _some(_raced, 1, 2), just("open"))),
        _beside,
        builds(GoOn, just(0), builds(Do, _some(_raced | _gone, 1, 2))),
        builds(Turn, just(0), sampled_from([0, 1]), just("live"), _marked, builds(Do, _some(_looking, 1, 2))),
    ),
    st.none() | builds(Candidate, builds(Record, _facts, scope=_scopes)),
)

# A session that has an open turn begins another one (TXN-3).
_busy = builds(
    lambda opened, second: [replace(opened, session=second.session), second],
    builds(Turn, just(0), just(0), _planes, _marked, builds(Do, _some(_acts, 0, 1), just("open"))),
    builds(Turn, just(0), _sessions, _planes, _marked, builds(Do, _some(_acts, 0, 1))),
)

_looks: SearchStrategy[Act] = one_of(
    _histories, _searches, builds(Read, just(Pick("undone"))), builds(Result, just(Pick("undone")))
)
# A turn that leaves nothing, and one of its session that looks for it.
_undone = builds(
    lambda session, gone, looking: [replace(gone, session=session), replace(looking, session=session)],
    _sessions,
    builds(
        Turn,
        just(0),
        just(0),
        _planes,
        _marked,
        builds(Do, _some(_acts, 1, 3), sampled_from(["rollback", "crash", "fail"])),
    ),
    builds(Turn, just(0), just(0), just("live"), _marked, builds(Do, _some(_looks, 1, 2))),
)

_own = just(Pick())
_changes: SearchStrategy[Act] = one_of(
    _replacing, _deletes, _adds, builds(SetState, _marked), builds(Add, _records(_texts), tuples(_own)),
    builds(Delete, _own),
)  # fmt: skip
# A preview would change something live, and a live turn goes on.
_previewed = builds(
    lambda session, turns: [replace(turn, session=session) for turn in turns],
    _sessions,
    tuples(
        builds(Turn, just(0), just(0), just("live"), _marked, builds(Do, tuples(_adds))),
        builds(Turn, just(0), just(0), just("preview"), _marked, builds(Do, _some(_changes, 1, 2))),
        builds(Turn, just(0), just(0), just("live"), _marked, builds(Do, _some(_acts | _changes, 1, 3))),
    ),
)

# Pins of several turns and scopes come together, perhaps more than the budget of a later version, and change.
_pins = builds(Add, builds(Record, builds(Text, _said), scope=_scopes, pinned=just(True)))
_pins_of = {scope: builds(Add, builds(Record, builds(Text, _said), scope=just(scope), pinned=just(True)))
            for scope in ("session", "agent")}  # fmt: skip
_changed_pins: SearchStrategy[Act] = one_of(_pins, _replacing, builds(Delete, _shared), _deletes, builds(Reply))
_pinned = builds(
    lambda own, other, deploys, more, last: [own, other, *deploys, *more, replace(last, session=own.session)],
    own=builds(Turn, just(0), _sessions, just("live"), _marked, builds(Do, _some(_pins_of["session"], 1, 4))),
    other=builds(Turn, just(0), _sessions, just("live"), _marked, builds(Do, _some(_pins_of["agent"], 1, 4))),
    deploys=one_of(just(()), just((Deploy(changes=("few pins",)),)), just((Deploy(changes=("both scopes", "pins")),))),
    more=lists(builds(Turn, just(0), _sessions, _planes, _marked, builds(Do, tuples(_pins))), max_size=2),
    last=builds(Turn, just(0), just(0), just("live"), _marked, builds(Do, tuples(_changed_pins, just(Reply())))),
)

# What a turn says and is told, large or small, and a later one of its session that looks for it, perhaps of another
# version, in another plane, after a restart, or much later.
_spoken: SearchStrategy[Act] = one_of(_told, builds(Reply, _marked), _told, builds(SetState, _marked), _adds)
_asked: SearchStrategy[Act] = one_of(
    _histories,
    builds(History),
    builds(Result, just(Pick()), sampled_from([None, None, 0, 7])),
    builds(Reply),
    _searches,
)
_histories_kept = sampled_from([("history of all",), ("history of messages",)])
_between: SearchStrategy[Step] = one_of(
    just(Restart()),
    builds(Deploy, just(0), just("live"), _histories_kept),
    builds(Deploy, just(0), _planes, _histories_kept | sampled_from([("results set aside",), ("summaries",)])),
    builds(Turn, just(0), _sessions, _planes, _marked, builds(Do, _some(_spoken, 1, 2))),
)
_recounted = builds(
    lambda session, first, between, later: [
        replace(first, session=session),
        *between,
        replace(later, session=session),
    ],
    session=_sessions,
    first=builds(Turn, just(0), just(0), _planes, _marked, builds(Do, _some(_spoken, 1, 4))),
    between=lists(_between, max_size=2),
    later=builds(Turn, just(0), just(0), _planes, _marked, builds(Do, _some(_asked, 1, 3)), _later),
)

# What is kept of a turn is settled by its version, whatever the versions before and after it keep (HIS-5).
_reindexed = builds(
    lambda session, before, told, after, looking: [
        *before,
        replace(told, session=session),
        *after,
        replace(looking, session=session),
    ],
    session=_sessions,
    before=just(()) | just((Deploy(changes=("history of messages",)),)),
    told=builds(Turn, just(0), just(0), just("live"), _marked, builds(Do, tuples(_told, builds(Reply, _marked)))),
    after=tuples(builds(Deploy, just(0), just("live"), just(("history of all",)) | _histories_kept)),
    looking=builds(Turn, just(0), just(0), _planes, _marked, builds(Do, tuples(builds(History)))),
)

# Conversations of two sessions are summed up, and go on.
_summed = builds(
    lambda turns: [Deploy(changes=("summaries",)), *(replace(turn, session=n % 2) for n, turn in enumerate(turns))],
    lists(
        builds(Turn, just(0), just(0), just("live"), _marked, builds(Do, _some(builds(Reply, _marked), 1, 3))),
        min_size=4,
        max_size=6,
    ),
)

# A turn goes on beyond what its version allows.
_limited = builds(
    lambda turn: [Deploy(changes=("few calls",)), turn],
    builds(Turn, just(0), _sessions, _planes, _marked, builds(Do, _some(_acts, 4, 6))),
)

# A label's value is sought as a value of another type: 1, true and "1" differ (REC-5).
_typed = builds(
    lambda session, label, wrote, asked: [
        Turn(0, session, do=Do((Add(Record(labels=(4 * wrote + label,))), Search(None, "label", 4 * asked + label))))
    ],
    session=_sessions,
    label=st.integers(0, 1),
    wrote=sampled_from([1, 2, 3]),
    asked=sampled_from([1, 2, 3]),
)

# The same words come often in one session and seldom in another, and some texts are equal: who searches sees its own.
_noted = builds(Add, builds(Record, builds(Text, _bare_facts), scope=sampled_from([None, None, "session", "agent"])))
_frequent = builds(
    lambda turns, looking: [*turns, looking],
    lists(builds(Turn, just(0), _sessions, _planes, _marked, builds(Do, _some(_noted, 2, 5))), min_size=2, max_size=3),
    builds(
        Turn, just(0), _sessions, _planes, _marked,
        builds(Do, _some(builds(Search, _bare_facts, limit=sampled_from([None, 1, 2])), 1, 2)), _later,
    ),
)  # fmt: skip


def _review(sessions: tuple[int, int], found: Candidate, between: list[Review], again: Candidate) -> list[Step]:
    """What a review finds is there already, is corrected, or was deleted by an operator, also in another session."""
    record = replace(again.record, kind=found.record.kind, scope=found.record.scope)
    candidates = (found, replace(again, record=record))
    turns = [Turn(0, session, do=Do(extract=(each,))) for session, each in zip(sessions, candidates, strict=True)]
    return [turns[0], *between, turns[1]]


_restated = builds(Text, just(FACT), builds(Pick, sampled_from(["own", "ended", "shared"])), st.booleans())
_corrected = builds(Text, builds(Words, form=sampled_from([1, 2]), canary=just(False)))
_reviewed = builds(
    _review,
    sessions=sampled_from([(0, 0), (0, 0), (1, 1), (0, 1)]),
    found=builds(Candidate, builds(Record, one_of(_facts, just(Text(Words(canary=False)))), scope=_scopes)),
    between=lists(builds(Review, just("delete"), builds(Pick, just("any"))), max_size=1),
    again=one_of(
        builds(Candidate, builds(Record, _restated)),
        builds(Candidate, builds(Record, _corrected)),
        builds(Candidate, builds(Record, _texts), sampled_from(["replace", "delete"])),
    ),
)


def _steps(given: int, *, derived: bool) -> SearchStrategy[list[Step]]:
    """One step or the steps of a pattern."""
    single: SearchStrategy[Step] = one_of(*[_turns] * 7, *[_go_on] * 3, *[_reviews] * 3, just(Restart()))
    deployed = _deploys(given, derived=derived) if derived or given > 1 else _turns
    return one_of(
        single.map(lambda step: [step]), single.map(lambda step: [step]), deployed.map(lambda step: [step]),
        _races, _undone, _previewed, _pinned, _reviewed, _busy, _recounted, _recounted, _frequent,
        _reindexed, _summed, _limited, _typed,
    )  # fmt: skip


def scenarios(
    roles: Sequence[Role], *, derived: bool = True, scenario: str = "a random script"
) -> SearchStrategy[Document]:
    """Documents of scenarios in which one or more agents of `roles` play. They load without a finding.

    With `derived` the deploys also promote versions that are derived from the given ones.
    """
    return intended(roles, derived=derived).map(lambda drawn: write(*drawn, scenario))


def intended(roles: Sequence[Role], *, derived: bool, most: int = 8) -> SearchStrategy[tuple[list[Role], list[Step]]]:
    """Who plays in a scenario, and what they do there: two to `most` steps, or patterns of a few."""
    given = max(len(role.versions) for role in roles)
    parts = lists(_steps(given, derived=derived), min_size=min(2, most), max_size=most)
    return builds(
        lambda first, most, found: (
            _cast(roles, first, most),
            [step for part in found for step in part if derived or not (isinstance(step, Deploy) and step.changes)],
        ),
        st.integers(0, len(roles) - 1),
        sampled_from([1, 2, 2, 3]),
        parts,
    )


def _cast(roles: Sequence[Role], first: int, most: int) -> list[Role]:
    return [*roles[first:], *roles[:first]][:most]
