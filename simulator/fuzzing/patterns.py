"""Hypothesis strategies for the few turns together that a kind of fault needs."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy, builds, just, lists, one_of, sampled_from, tuples

from .acts import (
    acts,
    adds,
    bare_facts,
    deletes,
    facts,
    gone,
    helpers,
    histories,
    later,
    marked,
    plain,
    planes,
    reads,
    records,
    replacing,
    said,
    scopes,
    searches,
    sessions,
    shared,
    some,
    texts,
    told,
    weighted,
)
from .intents import (
    Act,
    Add,
    Candidate,
    Delete,
    Deploy,
    Do,
    GoOn,
    History,
    Pick,
    Plane,
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
from .spellings import SPELLINGS

_raced: SearchStrategy[Act] = one_of(
    builds(Add, records(texts), just((Pick("shared"),))),
    builds(Delete, shared),
    adds,
    builds(Read, shared),
    searches,
)
_beside: SearchStrategy[Step] = one_of(
    builds(Turn, just(0), just(1), planes, marked, builds(Do, some(_raced, 1, 2))),
    builds(Turn, just(0), just(1), just("live"), marked, builds(Do, some(_raced, 1, 2))),
    builds(Review, just("delete"), shared),
)


def _race(steps: tuple[Add, Turn, Step, GoOn, Turn], found: Candidate | None) -> list[Step]:
    """One turn is open while another, or an operator, changes what both see, or finds what both find."""
    first, opened, beside, after, look = steps
    if found is not None:
        after = replace(after, do=replace(after.do, extract=(found,)))
        if isinstance(beside, Turn):
            beside = replace(beside, do=replace(beside.do, extract=(found,)))
    return [Turn(do=Do((first,))), opened, beside, after, look]


_looking: SearchStrategy[Act] = one_of(searches, builds(Search), reads, histories)
races = builds(
    _race,
    tuples(
        builds(Add, builds(Record, facts, scope=just("agent"))),
        builds(Turn, just(0), just(0), planes, marked, builds(Do, some(_raced, 0, 2), just("open"))),
        _beside,
        builds(GoOn, just(0), builds(Do, some(weighted((3, _raced), (2, gone), (1, builds(Search))), 1, 2))),
        builds(Turn, just(0), sampled_from([0, 1]), just("live"), marked, builds(Do, some(_looking, 1, 2))),
    ),
    st.none() | builds(Candidate, builds(Record, facts, scope=scopes)),
)

# A session that has an open turn begins another one (TXN-3).
busy = builds(
    lambda opened, second: [replace(opened, session=second.session), second],
    builds(Turn, just(0), just(0), planes, marked, builds(Do, some(acts, 0, 1), just("open"))),
    builds(Turn, just(0), sessions, planes, marked, builds(Do, some(acts, 0, 1))),
)

_looks: SearchStrategy[Act] = one_of(
    histories, searches, builds(Read, just(Pick("undone"))), builds(Result, just(Pick("undone")))
)
# A turn that leaves nothing, and one of its session that looks for it.
undone = builds(
    lambda session, gone, looking: [replace(gone, session=session), replace(looking, session=session)],
    sessions,
    builds(
        Turn,
        just(0),
        just(0),
        planes,
        marked,
        builds(Do, some(acts, 1, 3), sampled_from(["rollback", "crash", "fail"])),
    ),
    builds(Turn, just(0), just(0), just("live"), marked, builds(Do, some(_looks, 1, 2))),
)

_own = just(Pick())
_changes: SearchStrategy[Act] = one_of(
    replacing, deletes, adds, builds(SetState, marked), builds(Add, records(texts), tuples(_own)),
    builds(Delete, _own),
)  # fmt: skip
_live = just(Pick("live"))
_ends: SearchStrategy[Act] = one_of(builds(Add, records(texts), tuples(_live)), builds(Delete, _live))
# A preview would change something live, and a live turn goes on, or changes the same.
contested = builds(
    lambda session, turns: [replace(turn, session=session) for turn in turns],
    sessions,
    tuples(
        builds(Turn, just(0), just(0), just("live"), marked, builds(Do, some(builds(Add, records(texts)), 1, 2))),
        builds(Turn, just(0), just(0), just("preview"), marked, builds(Do, tuples(_ends))),
        builds(Turn, just(0), just(0), just("live"), marked, builds(Do, tuples(_ends))),
    ),
)
previewed = builds(
    lambda session, turns: [replace(turn, session=session) for turn in turns],
    sessions,
    tuples(
        builds(Turn, just(0), just(0), just("live"), marked, builds(Do, tuples(adds))),
        builds(Turn, just(0), just(0), just("preview"), marked, builds(Do, some(_changes, 1, 2))),
        builds(Turn, just(0), just(0), just("live"), marked, builds(Do, some(acts | _changes, 1, 3))),
    ),
)

# Pins of several turns and scopes come together, perhaps more than the budget of a later version, and change.
_pins = builds(Add, builds(Record, builds(Text, said), scope=scopes, pinned=just(True)))
_pins_of = {scope: builds(Add, builds(Record, builds(Text, said), scope=just(scope), pinned=just(True)))
            for scope in ("session", "agent")}  # fmt: skip
_unpinning = builds(Add, builds(Record, builds(Text, said)), tuples(_own))  # WRT-2: a pin is not taken over
_changed_pins: SearchStrategy[Act] = one_of(
    _pins, replacing, _unpinning, builds(Delete, shared), deletes, builds(Reply)
)
pinned = builds(
    lambda own, other, deploys, more, last: [own, other, *deploys, *more, replace(last, session=own.session)],
    own=builds(Turn, just(0), sessions, just("live"), marked, builds(Do, some(_pins_of["session"], 1, 4))),
    other=builds(Turn, just(0), sessions, just("live"), marked, builds(Do, some(_pins_of["agent"], 1, 4))),
    deploys=one_of(just(()), just((Deploy(changes=("few pins",)),)), just((Deploy(changes=("both scopes", "pins")),))),
    more=lists(builds(Turn, just(0), sessions, planes, marked, builds(Do, tuples(_pins))), max_size=2),
    last=builds(Turn, just(0), just(0), just("live"), marked, builds(Do, tuples(_changed_pins, just(Reply())))),
)

# Two turns that are open at once write AGENT pins that fit each for itself and not together, or end one record (TXN-3).
_pins_at_once = builds(Do, some(_pins_of["agent"], 2, 3))
_noted_for_all = builds(Record, facts, scope=just("agent"))
_ends_shared = builds(Do, tuples(builds(Add, _noted_for_all, tuples(shared)) | builds(Delete, shared)))


def _at_once(deploys: tuple[Deploy, ...], first: Turn, both: tuple[Do, Do], plane: Plane) -> list[Step]:
    opened, beside = (Turn(session=session, plane=plane, do=do) for session, do in enumerate(both))
    looking = Turn(session=1, plane=plane, do=Do((Search(),)))
    return [*deploys, first, replace(opened, do=replace(opened.do, ending="open")), beside, GoOn(), looking]


at_once = builds(
    _at_once,
    sampled_from([(), (Deploy(changes=("all tools", "both scopes")),), (Deploy(changes=("both scopes", "few pins")),)]),
    builds(Turn, do=builds(Do, tuples(builds(Add, _noted_for_all)))),
    tuples(_pins_at_once, _pins_at_once) | tuples(_ends_shared, _ends_shared),
    sampled_from(["live", "preview"]),
)

# What a turn says and is told, large or small, and a later one of its session that looks for it, perhaps of another
# version, in another plane, after a restart, or much later.
_spoken: SearchStrategy[Act] = weighted((2, told), (1, builds(Reply, marked)), (1, builds(SetState, marked)), (1, adds))
_asked: SearchStrategy[Act] = one_of(
    histories,
    builds(History),
    builds(Result, just(Pick()), sampled_from([None, None, 0, 7])),
    builds(Reply),
    searches,
)
_histories_kept = sampled_from([("history of all",), ("history of messages",)])
_between: SearchStrategy[Step] = one_of(
    just(Restart()),
    builds(Deploy, just(0), just("live"), _histories_kept),
    builds(Deploy, just(0), planes, _histories_kept | sampled_from([("results set aside",), ("summaries",)])),
    builds(Turn, just(0), sessions, planes, marked, builds(Do, some(_spoken, 1, 2))),
)
recounted = builds(
    lambda session, first, between, later: [
        replace(first, session=session),
        *between,
        replace(later, session=session),
    ],
    session=sessions,
    first=builds(Turn, just(0), just(0), planes, marked, builds(Do, some(_spoken, 1, 4))),
    between=lists(_between, max_size=2),
    later=builds(Turn, just(0), just(0), planes, marked, builds(Do, some(_asked, 1, 3)), later),
)

# What is kept of a turn is settled by its version, whatever the versions before and after it keep (HIS-5).
reindexed = builds(
    lambda session, before, told, after, looking: [
        *before,
        replace(told, session=session),
        *after,
        replace(looking, session=session),
    ],
    session=sessions,
    before=just(()) | just((Deploy(changes=("history of messages",)),)),
    told=builds(Turn, just(0), just(0), just("live"), marked, builds(Do, tuples(told, builds(Reply, marked)))),
    after=tuples(
        builds(
            Deploy,
            just(0),
            just("live"),
            sampled_from([("history of all",), ("history of messages",), ("no history",)]),
        )
    ),
    looking=builds(Turn, just(0), just(0), planes, marked, builds(Do, tuples(builds(History)))),
)

# Conversations of two sessions are summed up, and go on.
summed = builds(
    lambda turns: [Deploy(changes=("summaries",)), *(replace(turn, session=n % 2) for n, turn in enumerate(turns))],
    lists(
        builds(Turn, just(0), just(0), just("live"), marked, builds(Do, some(builds(Reply, marked), 1, 3))),
        min_size=4,
        max_size=6,
    ),
)

# A version is deployed while a turn is open, which goes on under its own (VER-1).
_unlike = sampled_from(["few tools", "no memory", "few calls", "both scopes", "reads the agent", "writes the agent"])
overtaken = builds(
    lambda *steps: list(steps),
    builds(Turn, just(0), sessions, planes, marked, builds(Do, some(adds, 0, 1), just("open"))),
    builds(Deploy, just(0), just("live"), tuples(_unlike)),
    builds(GoOn, just(0), builds(Do, some(adds | searches, 1, 3))),
)

# What a session set as its state is there after a restart (TXN-4, CTX-6).
resumed = builds(
    lambda session, before, after: [replace(before, session=session), Restart(), replace(after, session=session)],
    sessions,
    builds(Turn, just(0), just(0), just("live"), marked, builds(Do, tuples(builds(SetState, marked)))),
    builds(Turn, just(0), just(0), planes, marked, builds(Do, some(_asked, 1, 2))),
)

# A label is declared, and the agent goes back to what it began with, which lacks it (VER-3).
returned = builds(
    lambda agent, plane: [Deploy(agent, plane, ("a label more",)), Deploy(agent, plane, again=True)],
    sampled_from([0, 0, 1]),
    planes,
)

# A recall asks for a result as its context shows it, which is the beginning of one that was set aside (RCL-1).
asked_in_part = builds(
    lambda deploys, turn: [*deploys, turn],
    just(()) | just((Deploy(changes=("results set aside",)),)),
    builds(
        lambda session, user, noted, result: Turn(0, session, user=user, do=Do((*noted, result, Reply()))),
        sessions,
        plain,
        some(builds(Add, builds(Record, builds(Text, bare_facts))), 1, 3),
        builds(Told, plain, just(9)),
    ),
)

# A record is named with another scope than its own (SCO-2).
misplaced = builds(
    lambda session, scopes, act: [
        Turn(0, session, do=Do((Add(Record(scope=scopes[0])),))),
        Turn(0, session, do=Do((act(scopes[1]),))),
    ],
    sessions,
    sampled_from([("agent", "session"), ("session", "agent")]),
    sampled_from([lambda scope: Delete(Pick(), scope), lambda scope: Add(Record(scope=scope), (Pick(),))]),
)

# A helper is asked, and its parent goes on (WRT-6).
helped = builds(
    lambda session, helper, after: [Turn(0, session, do=Do((helper, after)))],
    sessions,
    helpers,
    builds(Reply) | searches,
)

# A turn goes on beyond what its version allows.
limited = builds(
    lambda turn: [Deploy(changes=("few calls",)), turn],
    builds(Turn, just(0), sessions, planes, marked, builds(Do, some(acts, 4, 6))),
)

# A label's value is sought as a value of another type: 1, true and "1" differ (REC-5).
typed = builds(
    lambda deploys, session, label, wrote, asked: [
        *deploys,
        Turn(0, session, do=Do((Add(Record(labels=(4 * wrote + label,))), Search(None, "label", 4 * asked + label)))),
    ],
    deploys=just(()) | just((Deploy(changes=("a label more",)),)),
    session=sessions,
    label=st.integers(0, 1),
    wrote=sampled_from([1, 2, 3]),
    asked=sampled_from([1, 2, 3]),
)

# Records in every script and form are asked for by what finds them, or does not.
spelt = builds(
    lambda session, numbers: [
        Turn(0, session, do=Do((Add(Record(Text(spelling=number))), Search(None, spelling=number))))
        for number in numbers
    ],
    sessions,
    lists(st.integers(0, len(SPELLINGS) - 1), min_size=1, max_size=3),
)

# The same words come often in one session and seldom in another, and some texts are equal: who searches sees its own.
_noted = builds(Add, builds(Record, builds(Text, bare_facts), scope=sampled_from([None, None, "session", "agent"])))
frequent = builds(
    lambda turns, looking: [*turns, looking],
    lists(builds(Turn, just(0), sessions, planes, marked, builds(Do, some(_noted, 2, 5))), min_size=2, max_size=3),
    builds(
        Turn, just(0), sessions, planes, marked,
        builds(Do, some(builds(Search, bare_facts, limit=sampled_from([None, 1, 2])), 1, 2)), later,
    ),
)  # fmt: skip


# A record is replaced, and named again: the refusal tells its successor (WRT-2). Perhaps an operator looks (ADM-1).
_ended = just(Pick("ended"))
renewed = builds(
    lambda session, looks, *acts: [*(Turn(0, session, do=Do((act,))) for act in acts), *looks],
    sessions,
    sampled_from([(), (Review("read", Pick("ended")),), (Review("list"),)]),
    builds(Add, records(texts)),
    builds(Add, records(texts), tuples(_live)),
    one_of(builds(Add, records(texts), tuples(_ended)), builds(Delete, _ended), gone),
)
