"""Hypothesis strategies for what reviews find: many things, what is there already, what was deleted, what corrects."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import builds, just, lists, one_of, sampled_from, tuples

from .acts import adds, deletes, facts, gone, later, plain, planes, scopes, sessions, some, texts, weighted
from .intents import (
    Add,
    Candidate,
    Deploy,
    Do,
    GoOn,
    Many,
    Pick,
    Record,
    Reply,
    Restart,
    Review,
    Search,
    Step,
    Text,
    Turn,
)
from .likeness import FAMILIES, Likeness
from .words import FACT, Words

# A partition becomes large, at once or by and by, and is searched; perhaps some of it ends, or it is loaded anew.
_crowds = sampled_from([(Many(70),), (Many(40),), (Many(17, wide=True),), (Many(70, scope="agent"),)])
large = builds(
    lambda session, crowds, between, looking: [
        *(Turn(0, session, do=Do(extract=crowd)) for crowd in crowds),
        *between,
        replace(looking, session=session),
    ],
    session=sessions,
    crowds=lists(_crowds, min_size=1, max_size=2),
    between=lists(just(Restart()) | builds(Review, just("delete"), builds(Pick, just("any"))), max_size=1),
    looking=builds(
        Turn,
        just(0),
        just(0),
        planes,
        plain,
        builds(Do, some(adds | deletes | builds(Search, plain, limit=sampled_from([None, 1, 3])), 1, 3)),
        later,
    ),
)


def _review(sessions: tuple[int, int], found: Candidate, between: list[Review], again: Candidate) -> list[Step]:
    """What a review finds is there already, is corrected, or was deleted by an operator, also in another session."""
    record = replace(again.record, kind=found.record.kind, scope=found.record.scope)
    candidates = (found, replace(again, record=record))
    turns = [Turn(0, session, do=Do(extract=(each,))) for session, each in zip(sessions, candidates, strict=True)]
    return [turns[0], *between, turns[1]]


_restated = builds(Text, just(FACT), builds(Pick, sampled_from(["own", "ended", "shared"])), st.booleans())
_corrected = builds(Text, builds(Words, form=sampled_from([1, 2]), canary=just(False)))
reviewed = builds(
    _review,
    sessions=sampled_from([(0, 0), (0, 1)]),
    found=builds(Candidate, builds(Record, one_of(facts, just(Text(Words(canary=False)))), scope=scopes)),
    between=lists(builds(Review, just("delete"), builds(Pick, just("any"))), max_size=1),
    again=one_of(
        builds(Candidate, builds(Record, _restated)),
        builds(Candidate, builds(Record, _corrected)),
        builds(Candidate, builds(Record, texts), sampled_from(["replace", "delete"])),
    ),
)


# A candidate is rejected, and one after it is not (EXT-3).
_rejected = sampled_from([Record(kind=9), Record(labels=(31,))])
spoilt = builds(
    lambda session, *found: [Turn(0, session, do=Do((Reply(), Reply(), Reply()), extract=found))],
    sessions,
    builds(Candidate, _rejected),
    builds(Candidate, builds(Record, texts)),
)

# A review replaces or deletes what a turn added, and names it (EXT-4).
_news = Record(Text(Words(canary=True)))
decided = builds(
    lambda session, scope, fact, decision: [
        Turn(0, session, do=Do((Add(Record(fact, scope=scope)),))),
        Turn(0, session, do=Do((Reply(), Reply(), Reply()), extract=(Candidate(_news, decision),))),
    ],
    sessions,
    scopes,
    facts,
    sampled_from(["replace", "delete"]),
)


def _removed(added: Add, opened: tuple[Step, ...], after: tuple[Step, ...]) -> list[Step]:
    """An operator deletes an AGENT record, perhaps while a turn is open that sees it no longer (ADM-2)."""
    return [Turn(do=Do((added,))), *opened, Review("delete", Pick("shared")), *after]


# A review finds anew what was deleted: it is no other session's business where the scope is not read (EXT-5, VIEW-5).
_found_anew = builds(
    lambda session, loud: Turn(
        session=session,
        do=Do(
            (Reply(), Reply(), Reply()),  # said often enough for a review that comes by messages
            extract=(Candidate(Record(Text(again=Pick("ended"), loud=loud), scope="agent")),),
        ),
    ),
    sampled_from([1, 1, 1, 0]),
    st.booleans(),
)
_of_the_agent = builds(Add, builds(Record, facts, scope=just("agent")))
_unread = Deploy(changes=("both scopes", "reads the session"))
removed = weighted(
    (
        3,
        builds(
            lambda deploys, *steps: [*deploys, *_removed(*steps)],
            weighted((2, just((_unread,))), (1, just(()))),
            _of_the_agent,
            just(()),
            tuples(_found_anew),
        ),
    ),
    (
        2,
        builds(
            _removed,
            _of_the_agent,
            just((Turn(session=1, do=Do(ending="open")),)),
            tuples(builds(GoOn, do=builds(Do, tuples(gone | builds(Search))))),
        ),
    ),
)


def _compared(session: int, likenesses: tuple[Likeness, ...], once: bool) -> list[Step]:
    """Reviews find texts, and then others that say the same, correct them, or seem to: in one review, or the next."""
    first = tuple(Candidate(likeness=each) for each in likenesses)
    second = tuple(Candidate(likeness=each, half=1) for each in likenesses)
    parts = ((*first, *second),) if once else (first, second)
    return [Turn(0, session, do=Do(extract=part)) for part in parts]


alike = builds(
    _compared,
    session=sessions,
    likenesses=some(
        builds(
            Likeness,
            family=st.integers(0, len(FAMILIES) - 1),
            first=st.integers(0, 11),
            second=st.integers(0, 11),
            labels=sampled_from(["both"] * 5 + ["neither", "differ", "second"]),
            content=sampled_from(["neither"] * 5 + ["first", "second", "both"]),
            kind=sampled_from(["one"] * 6 + ["two", "event"]),
            number=st.integers(0, 31),
        ),
        2,
        6,
    ),
    once=st.booleans(),
)
