"""The deterministic reviewer: what becomes of one candidate of a review (EXT-3, EXT-4, EXT-5).

A pure function over values. It compares a candidate with the records that it is shown and knows nothing of where they
are kept, how the most similar were found, or what happens to its decision.

It is careful: it skips what says nothing new, replaces only a record whose text differs in one stated value, deletes
nothing, and adds whatever it is not sure of, for what it adds too much can be seen and consolidated, and what it drops
or replaces too much cannot. See docs/decisions/reviewer.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from .amounts import Amount, amount_at
from .dates import MONTHS, Date, date_at
from .folding import words
from .opposites import FUNCTION_WORDS, denies, with_negations
from .units import CURRENCY_CODES
from .values import LabelValue, Record, Scope

Outcome: TypeAlias = Literal["add", "replace", "delete", "skip"]
Labels: TypeAlias = tuple[tuple[int, LabelValue], ...]
Statement: TypeAlias = tuple[str | Amount | Date, ...]

_REMEMBERED_TEXT = 4096  # characters
_DIGIT = re.compile("[0-9]")
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "each", "every", "another"})
_DATE_LEADS = frozenset({"on", "in", "at"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a review found worth remembering. `labels` are (number, value) pairs, as in a record."""

    summary: str
    content: str | None
    kind: str
    labels: Labels
    scope: Scope


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a candidate, and why, in one sentence.

    `target` is the record that it replaces or deletes, or that already says what it says; None for an add, and for a
    skip because of a record that an operator deleted.
    """

    outcome: Outcome
    target: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class _Text:
    """A summary and a content as statements. A content that only repeats the summary is none."""

    summary: Statement
    content: Statement


def statement(text: str) -> Statement:
    """A text as its folded words, with amounts and dates as their worth: equal statements say the same (EXT-4)."""
    return _remembered(text) if len(text) <= _REMEMBERED_TEXT else _statement(text)


@lru_cache(maxsize=1024)
def _remembered(text: str) -> Statement:
    """The same records are compared with the candidates of every review."""
    return _statement(text)


def _statement(text: str) -> Statement:
    plain = with_negations(words(text))
    found: list[str | Amount | Date] = []
    place = 0
    while place < len(plain):
        word = plain[place]
        begins = word in MONTHS or word in CURRENCY_CODES or _DIGIT.search(word)
        value = (date_at(plain, place) or amount_at(plain, place)) if begins else None
        found.append(value[0] if value else word)
        place += value[1] if value else 1
    return tuple(found)


def restates(candidate: Candidate, record: Record) -> bool:
    """Whether a candidate says nothing that the record does not: its text is equal, or its summary is and it is all.

    Kinds do not matter. Labels do where both state one: the same words of another customer are another fact.
    """
    return _restates(_text(candidate), candidate.labels, record)


def known(
    candidate: Candidate,
    similar: Iterable[Record],
    agent_records: Iterable[Record] = (),
    *,
    deleted: Iterable[Record] = (),
) -> Decision | None:
    """A skip, where a record says what the candidate says, or one that an operator deleted did (EXT-4, EXT-5).

    The records are those of `review`.
    """
    text = _text(candidate)
    shared = [record for record in agent_records if record.status == "ACTIVE" and record.scope == "agent"]
    for record in (*_own(candidate, similar), *shared):
        if _restates(text, candidate.labels, record):
            return Decision("skip", record.id, f"Record {record.id} already says so.")
    if any(_brings_back(text, candidate.labels, record) for record in deleted):
        return Decision("skip", None, "An operator deleted a record that says so.")
    return None


def review(
    candidate: Candidate,
    similar: Iterable[Record],
    agent_records: Iterable[Record] = (),
    *,
    deleted: Iterable[Record] = (),
    writable: Callable[[Record], bool],
) -> Decision:
    """The outcome for a candidate.

    `similar` are the most similar ACTIVE records of the candidate's scope in view, most similar first; `agent_records`
    are AGENT records in view, of which a SESSION candidate may be a restatement; `deleted` are the records of its scope
    that an operator deleted. `writable` says which records the turn may replace.
    """
    similar = list(similar)
    skip = known(candidate, similar, agent_records, deleted=deleted)
    if skip is not None:
        return skip
    text = _text(candidate)
    own = _own(candidate, similar)
    corrected = [(record, change) for record in own if (change := _correction(candidate, text, record))]
    for record, change in corrected:
        if writable(record):
            return Decision("replace", record.id, f"It differs from record {record.id} only in {change}.")
    if corrected:
        record, change = corrected[0]
        return Decision("add", None, f"It corrects {change} of record {record.id}, which this turn may not write.")
    return Decision("add", None, "No record says so or is surely corrected by it.")


def _own(candidate: Candidate, records: Iterable[Record]) -> list[Record]:
    """The ACTIVE ones of the candidate's scope."""
    return [record for record in records if record.status == "ACTIVE" and record.scope == candidate.scope]


def _text(value: Candidate | Record) -> _Text:
    summary = statement(value.summary)
    content = statement(value.content or "")
    return _Text(summary, () if content == summary else content)


def _restates(text: _Text, labels: Labels, record: Record) -> bool:
    if _of_another(labels, record.labels):
        return False
    known = _text(record)
    return text.summary == known.summary and text.content in ((), known.content)


def _brings_back(text: _Text, labels: Labels, record: Record) -> bool:
    """Whether a candidate states the fact of a record that an operator deleted, whatever evidence it adds (EXT-5)."""
    return not _of_another(labels, record.labels) and text.summary == statement(record.summary)


def _of_another(labels: Labels, others: Labels) -> bool:
    """Whether both state a label and differ in it."""
    known = {number: _exact(value) for number, value in others}
    return any(number in known and known[number] != _exact(value) for number, value in labels)


def _exact(value: LabelValue) -> tuple[str, LabelValue]:
    """REC-5: `1`, `true` and `"1"` differ."""
    return type(value).__name__, value


def _correction(candidate: Candidate, text: _Text, record: Record) -> str | None:
    """What a candidate corrects in a record, in words; None if it is not sure to correct it.

    An `event` corrects nothing: what happened again, with another amount or on another day, did not undo the first.
    """
    if candidate.kind != record.kind or candidate.kind == "event" or not _same_labels(candidate.labels, record.labels):
        return None
    known = _text(record)
    changes: list[tuple[object, object]] = []
    for old, new in ((known.summary, text.summary), (known.content, text.content)):
        found = _changes(old, new)
        if found is None:
            return None
        changes += [change for change in found if change not in changes]
    if len(changes) != 1:  # of two values that differ, one may be the subject: "the 5 kg box costs 9 EUR"
        return None
    return {Amount: "an amount", Date: "a date"}.get(type(changes[0][0]), "an opposite")


def _same_labels(labels: Labels, others: Labels) -> bool:
    """Whether both have the same labels, and at least one."""
    ours, theirs = ({number: _exact(value) for number, value in each} for each in (labels, others))
    return bool(ours) and ours == theirs


def _changes(old: Statement, new: Statement) -> list[tuple[object, object]] | None:
    """The values in which two statements differ; None if they differ in anything else."""
    if len(old) != len(new):
        return None
    places = [place for place, (before, after) in enumerate(zip(old, new, strict=True)) if before != after]
    if "?" in old and places:  # a question states nothing
        return None
    if all(_states(old, new, place) for place in places):
        return [(old[place], new[place]) for place in places]
    return None


def _states(old: Statement, new: Statement, place: int) -> bool:
    before, after = old[place], new[place]
    if isinstance(before, Amount) and isinstance(after, Amount):
        alike = before.unit == after.unit and type(before.worth) is type(after.worth)
        return alike and not _identifies(new, place)
    if isinstance(before, Date) and isinstance(after, Date):
        return before.fields == after.fields and not _identifies(new, place) and not _opens(new, place)
    return denies(old, new, place)


def _identifies(words: Statement, place: int) -> bool:
    """Whether a value tells which thing is meant: `the 5 kg box`, `30 day invoices`, `each 2024-05-01 statement`."""
    follows = words[place + 1 : place + 2]
    named = bool(follows) and isinstance(follows[0], str) and follows[0] not in FUNCTION_WORDS
    return named and (place == 0 or words[place - 1] in _DEFINITE)


def _opens(words: Statement, place: int) -> bool:
    """Whether a date opens the text: then it says when something was, and another day has its own."""
    return place == 0 or (place == 1 and words[0] in _DATE_LEADS)
