"""calls-within-limits: no turn makes more model calls than its version allows, and every review that is due is made."""

from __future__ import annotations

import math

from .events import Context, End, Postponed
from .examples import HEADER, begin, context, deploy, end
from .history import History
from .model import Turn, read
from .plain import as_number, setting
from .verdict import Invariant, Verdict, Violation, broken

NAME = "calls-within-limits"
DEFAULT = 50


def check(history: History) -> Verdict:
    """The model calls of each turn: their number, their numbers, and what was left out for want of one."""
    turns = read(history).turns
    calls: dict[str, list[Context]] = {}
    postponed = [event for event in history.events if isinstance(event, Postponed)]
    for event in history.events:
        if isinstance(event, Context):
            calls.setdefault(event.turn, []).append(event)
    found = []
    for name, made in calls.items():
        turn, limit = turns[name], _limit(turns[name])
        latest = 0
        for place, each in enumerate(made, start=1):
            where = f"context in {turn.label} call {each.call}"
            if max(place, each.call) > limit:
                why = f"because it is model call {max(place, each.call)} of the turn, and the limit is {limit}"
                found.append(broken(NAME, "TXN-5", each, where, why, path=(turn.label,)))
            elif each.call <= latest:
                why = f"because the one before it was call {latest}: every call counts"
                found.append(broken(NAME, "TXN-5", each, where, why, path=(turn.label,)))
            latest = max(latest, each.call)
    for left in postponed:
        turn = turns[left.turn]
        made = calls.get(left.turn, [])
        if made and turn.config and made[-1].call < _limit(turn):
            why = f"because the turn had made {made[-1].call} of its {_limit(turn)} model calls"
            where = f"a review postponed in {turn.label}"
            found.append(broken(NAME, "TXN-5", turn, where, why, path=(turn.label,)))
    found += [_silent(turn) for turn in _unreviewed(history)]
    checked = {
        "turns": len(calls),
        "calls": sum(map(len, calls.values())),
        "at_the_limit": sum(made[-1].call >= _limit(turns[name]) for name, made in calls.items()),
        "reviews_postponed": len(postponed),
    }
    return Verdict.of(NAME, checked, found, len(calls))


def _limit(turn: Turn) -> float:
    """The model calls that a turn may make; no end to them where nothing is known of its version."""
    limit = as_number(setting(turn.config, "limits", "model_calls"))
    if limit is not None:
        return int(limit)
    return DEFAULT if turn.config else math.inf


def _unreviewed(history: History) -> list[Turn]:
    """Turns that committed under a version that reviews each turn, and neither made nor postponed a review (EXT-1)."""
    turns = read(history).turns
    looked = {event.turn for event in history.events if isinstance(event, Context)}
    reviewing = {event.turn for event in history.events if isinstance(event, Context) and event.purpose == "memory"}
    excused = {event.turn for event in history.events if isinstance(event, Postponed)}
    if not reviewing:
        return []  # a system that does not tell of its reviews
    ended = [turns[event.turn] for event in history.events if isinstance(event, End)]
    return [
        turn
        for turn in ended
        if turn.committed and turn.id in looked and _each_turn(turn) and turn.id not in (reviewing | excused)
    ]


def _each_turn(turn: Turn) -> bool:
    memory = setting(turn.config, "harness", "memory")
    every = setting(memory, "extraction", "every")
    return setting(memory, "enabled") is True and bool(turn.writes) and every in (None, "turn")


def _silent(turn: Turn) -> Violation:
    why = "because the turn committed, its version reviews every turn, and nothing says that the review was postponed"
    return broken(NAME, "TXN-5", turn, f"end of {turn.label}", why, path=(turn.label,))


CALLS_WITHIN_LIMITS = Invariant(
    name=NAME,
    clauses=("TXN-5",),
    holds_when=(
        "Every model call of a turn, also one for a review or a summary, is counted, none exceeds `limits.model_calls` "
        "of its version, a review is postponed only for want of a call, and none is left out in silence."
    ),
    counts={
        "turns": "turns that made model calls; without one the verdict is unknown",
        "calls": "model calls",
        "at_the_limit": "turns that made as many calls as they may",
        "reviews_postponed": "reviews that did not fit",
    },
    check=check,
    good=(HEADER, deploy(), begin("s0", "account-17"), context("s0", 1), context("s0", 2), end("s0")),
    bad=(
        HEADER,
        {**deploy(), "config": {"limits": {"model_calls": 1}, "harness": {}}},
        begin("s0", "account-17"),
        context("s0", 1),
        context("s0", 2),
        end("s0"),
    ),
)
