"""Reviews in the naive model: when one is due, what becomes of each candidate, what the commit looks at again (EXT)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import naive_tools as tools
from naive import Naive, RefusalError, refuse_if
from naive_context import state
from naive_facts import Begun, Decided, Ended, Erased, Noted, Plain, Reviewed, Said, Wrote
from naive_reviewer import brings_back, corrects, restates
from naive_search import search


@dataclass(frozen=True)
class Judged:
    """What becomes of a candidate. `targets`: any one of them may be named; none of them: no record is."""

    outcome: str
    targets: tuple[str, ...] = ()
    record: Wrote | None = None
    again: bool = False  # whether the commit decided otherwise


# When


def unreviewed(memory: Naive, turn: Begun) -> list[Said]:
    """EXT-2: the messages of the session and the plane that no review of a committed turn has covered."""
    covered = [said for review in memory.every(Reviewed) if review.turn in memory.committed() for said in review.covers]
    turns = [each for each in memory.earlier(turn) if each.plane == turn.plane]
    messages = [said for each in [*turns, turn] for said in memory.said(each) if said.carried]
    return [said for said in messages if said not in covered]


def is_reviewed(memory: Naive, turn: Begun) -> bool:
    return any(review.turn is turn for review in memory.every(Reviewed))


def is_due(memory: Naive, turn: Begun) -> bool:
    """EXT-2: once a turn, where anything may be written, when enough was said."""
    enough = len(unreviewed(memory, turn)) >= turn.config.messages_for_review
    return bool(turn.config.writes) and enough and not is_reviewed(memory, turn)


def review(memory: Naive, turn: Begun) -> Plain | None:
    """What the model must be handed (EXT-1); None where no review is due, or the turn has no call left (TXN-5)."""
    if not is_due(memory, turn):
        return None
    if memory.calls(turn) >= turn.config.model_calls:
        memory.happen(Noted(turn, "postponed"))
        return None
    call, messages = memory.spend_call(turn), unreviewed(memory, turn)
    memory.happen(Noted(turn, "model_call"), Reviewed(turn, tuple(messages)))
    return {
        "call": call,
        "purpose": "memory",
        "model": turn.config.reviewing_model,
        "pins": [],
        "state": state(memory, turn),
        "summary": None,
        "messages": [said.message for said in messages],
        "recalled": [],
    }


# What


def decide(memory: Naive, turn: Begun, candidate: Plain, made: str) -> Judged:
    """EXT-3. `made` is the id that the engine gave, if it made a record. Raises RefusalError where it is rejected."""
    memory.happen(Noted(turn, "decision"))
    before = memory.happened
    try:
        judged = judge(memory, turn, candidate, made)
    except RefusalError:
        memory.become(before)
        memory.happen(Decided(turn, Judged("rejected")))
        raise
    memory.happen(Decided(turn, judged, candidate))
    return judged


def judge(memory: Naive, turn: Begun, candidate: Plain, made: str) -> Judged:
    decision = candidate.get("decision")
    word, named = next(iter(decision.items())) if isinstance(decision, dict) else (decision, None)
    given = {key: value for key, value in candidate.items() if key != "decision"}
    refuse_if(("invalid_value", word not in (None, "add", "skip", "replace", "delete")))
    record = tools.draft(memory, turn, given, made, "extraction")
    target = None if named is None else tools.target(memory, turn, named, record.scope)
    if word == "skip":
        return Judged("skip")
    if target is not None and says_it(given, target):  # text that says the same does not show a record wrong
        return Judged("skip", (target.id,))
    said = [each for each in saying(memory, turn, given, record.scope) if each is not target]
    if said and target is not None:  # a record says it already: only the wrong one goes
        tools.delete(memory, turn, target, "extraction")
        return Judged("delete", (target.id,))
    if said:
        return Judged("skip", tuple(each.id for each in said))
    if operators_deleted(memory, turn, given, record.scope) or written_unread(memory, turn, given, record.scope):
        return Judged("skip")
    if saved_by_the_agent(memory, turn, given, record.scope):
        return Judged("skip")
    if word is None:
        target = corrected(memory, turn, given, record.scope)
        word = "add" if target is None else "replace"
    return carry_out(memory, turn, given, made, word, target)


def carry_out(memory: Naive, turn: Begun, given: Plain, made: str, word: str, target: Wrote | None) -> Judged:
    replaces = {"replaces": target.id} if word == "replace" and target is not None else {}
    record = tools.draft(memory, turn, given | replaces, made, "extraction")
    tools.write(memory, turn, record)
    if word == "delete" and target is not None:  # the candidate lands too
        tools.delete(memory, turn, target, "extraction")
    return Judged(word, () if target is None else (target.id,), record)


def says_it(candidate: Plain, record: Wrote) -> bool:
    return restates(candidate, record.summary, record.content, record.labels)


def saying(memory: Naive, turn: Begun, candidate: Plain, scope: str) -> list[Wrote]:
    """EXT-3: of its own scope; only where there is none, of AGENT for a SESSION candidate."""
    said = [record for record in memory.active(turn) if says_it(candidate, record)]
    own = [record for record in said if record.scope == scope]
    return own or [record for record in said if scope == "session"]


def corrected(memory: Naive, turn: Begun, candidate: Plain, scope: str) -> Wrote | None:
    """EXT-3, EXT-4: the most similar one, but for what another candidate of the review states (EXT-6)."""
    stated = [each.candidate for each in decided(memory, turn) if each.candidate is not None]
    found = [
        record
        for record in memory.active(turn)
        if record.scope == scope
        and corrects(candidate, record.summary, record.content, record.kind, record.labels)
        and not any(says_it(each, record) for each in stated)
    ]
    hits = search(memory.active(turn), found, candidate["summary"], mode="hybrid", min_score=0, limit=64, now=turn.at)
    return hits[0][0] if hits else None


def operators_deleted(memory: Naive, turn: Begun, candidate: Plain, scope: str) -> bool:
    """EXT-5: whether it restates what an operator deleted in its scope, as it is now (ADM-2)."""
    erased = [each.id for each in memory.every(Erased)]
    return any(
        record.id in erased and brings_back(candidate, record.summary, record.labels)
        for record in of_scope(memory, turn, scope, everyones=scope in turn.config.reads)
    )


def written_unread(memory: Naive, turn: Begun, candidate: Plain, scope: str) -> bool:
    """VIEW-5: what the session wrote to a scope that the version does not read counts here, and here only."""
    return scope not in turn.config.reads and any(
        memory.status(turn, record) == "ACTIVE" and says_it(candidate, record)
        for record in of_scope(memory, turn, scope, everyones=False)
    )


def saved_by_the_agent(memory: Naive, turn: Begun, candidate: Plain, scope: str) -> bool:
    """EXT-5: in this turn, by `add_memory`, whatever became of it."""
    return any(
        record.turn is turn
        and record.source == "tool"
        and record.scope in (scope, "agent")
        and record.would_delete is None
        and says_it(candidate, record)
        for record in memory.every(Wrote)
    )


def of_scope(memory: Naive, turn: Begun, scope: str, *, everyones: bool) -> list[Wrote]:
    """What is in a scope by now, in the planes that the turn sees: of its own session, or of all where it is AGENT."""
    return [
        record
        for record in memory.every(Wrote)
        if record.scope == scope
        and record.turn.agent == turn.agent
        and record.turn.plane in ("live", turn.plane)
        and (record.turn is turn or record.turn in memory.committed())
        and (memory.same_session(turn, record.turn) or (scope == "agent" and everyones))
        and record.would_delete is None
    ]


# The commit


def commit(memory: Naive, turn: Begun) -> str:
    """The outcome: `committed`, or `conflict`: as to what its review wrote, then as to what it names (TXN-3)."""
    conflict = look_again(memory, turn) or memory.was_second(turn) or memory.agent_pins_exceed(turn)
    memory.happen(Ended(turn, "conflict" if conflict else "committed"))
    return memory.outcome(turn)


def look_again(memory: Naive, turn: Begun) -> bool:
    """TXN-3: an add of the review that equals what was committed meanwhile becomes SKIP. A replacement that does is a
    conflict: what it replaced cannot be given back."""
    again = [each for each in decided(memory, turn) if each.judged.record is not None]
    late = [each for each in again if is_said_meanwhile(memory, turn, each.judged.record)]
    if any(each.judged.outcome == "replace" for each in late):
        return True
    withdrawn = [each.judged.record for each in late]
    memory.become(
        replace(fact, judged=withdraw(fact.judged)) if fact in late else fact
        for fact in memory.happened
        if fact not in withdrawn
    )
    memory.happen(*(Noted(turn, "decision") for _ in late))
    return False


def decided(memory: Naive, turn: Begun) -> list[Decided]:
    return [fact for fact in memory.every(Decided) if fact.turn is turn]


def withdraw(judged: Judged) -> Judged:
    return replace(judged, outcome="skip" if judged.outcome == "add" else judged.outcome, record=None, again=True)


def is_said_meanwhile(memory: Naive, turn: Begun, record: Any) -> bool:
    """Whether a record that others committed says what `record` says, or one that an operator deleted did."""
    if record.id in memory.named(turn):  # the turn has ended it since
        return False
    candidate = {"summary": record.summary, "content": record.content, "kind": record.kind, "labels": record.labels}
    others = memory.as_of_now(turn, lambda now: saying(memory, now, candidate, record.scope))
    kept = [other for other in others if other.id not in memory.named(turn)]
    return bool(kept) or operators_deleted(memory, turn, candidate, record.scope)
