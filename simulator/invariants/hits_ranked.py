"""hits-ranked: hits tell how they were scored, and they and listings stand in the order of their scores and times.

How alike two texts are is not computed anew: that would share the engine's idea of words. What is looked at is whether
the numbers can be true beside each other and beside what was asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

from .answered import Answered, answered
from .events import Review
from .examples import HEADER, begin, call, deploy, end, record
from .history import History
from .model import Model, Write, read
from .plain import OBJECT, as_number, id_of, moment
from .verdict import Invariant, Verdict, Violation, broken

NAME = "hits-ranked"
_PARTS = ("meaning", "keywords", "recency")
_STEP = 1e-9  # numbers are rounded to 9 decimals (SCH-5)


class _Hit(NamedTuple):
    """A hit whose numbers are told; `age` in seconds at the turn, None where a time is not told."""

    name: str | None
    summary: Any
    content: Any
    score: float
    parts: tuple[float, ...]
    at: datetime | None
    age: float | None
    write: Write | None

    @property
    def meaning(self) -> float:
        return self.parts[0]

    @property
    def keywords(self) -> float:
        return self.parts[1]

    @property
    def recency(self) -> float:
        return self.parts[2]


def check(history: History) -> Verdict:
    """Each answer of a search and each recall whose hits tell their score and its parts."""
    model = read(history)
    found: list[Violation] = []
    answers = scored = 0
    for answer in answered(history):
        now = moment(answer.turn.at)
        hits = [hit for each in answer.hits if (hit := _hit(each, now, model)) is not None]
        answers += len(hits) > 0
        scored += len(hits)
        wrong = [*_range(hits), *_order(hits)]
        if answer.query is None or answer.query.strip():  # filters alone score nothing
            wrong += [*_recency(hits), *_reasons(hits, answer)]
        for clause, hit, why in wrong:
            summary = hit.summary if isinstance(hit.summary, str) else None
            told = broken(NAME, clause, answer.event, answer.where, f"because {why}", record=hit.name, summary=summary)
            found.append(told)
    listings = [(event, _times(event)) for event in history.events if isinstance(event, Review)]
    for listing, times in listings:
        if any(then > first for first, then in pairwise(times)):
            where = f"operator's {listing.action} of {listing.agent}"
            found.append(broken(NAME, "ADM-1", listing, where, "because a newer record stands behind an older one"))
    checked = {
        "ranked_answers": answers,
        "scored_hits": scored,
        "listings": sum(len(times) > 1 for _, times in listings),
    }
    return Verdict.of(NAME, checked, found, scored + checked["listings"])


def _times(event: Review) -> list[datetime]:
    """The times of the records in an answer, where all of them are told."""
    records = event.answer.get("records") if isinstance(event.answer, OBJECT) else event.answer
    listed = records if isinstance(records, list) else []
    times = [moment(each.get("at")) if isinstance(each, OBJECT) else None for each in listed]
    told = [at for at in times if at is not None]
    return told if len(told) == len(times) else []


def _hit(told: Any, now: datetime | None, model: Model) -> _Hit | None:
    if not isinstance(told, OBJECT):
        return None
    score = as_number(told.get("score"))
    numbers = [part for key in _PARTS if (part := as_number(told.get(key))) is not None]
    if score is None or len(numbers) < len(_PARTS):
        return None
    at = moment(told.get("at"))
    age = None if at is None or now is None else max(0.0, (now - at).total_seconds())
    name = id_of(told)
    write = next(iter(model.writes.get(name or "", ())), None)
    return _Hit(name, told.get("summary"), told.get("content"), score, tuple(numbers), at, age, write)


_Wrong = tuple[str, _Hit, str]


def _range(hits: list[_Hit]) -> Iterator[_Wrong]:
    for hit in hits:
        if min(hit.score, *hit.parts) >= 0 and max(hit.score, *hit.parts) <= 1:
            continue
        for name, number in zip(("score", *_PARTS), (hit.score, *hit.parts), strict=True):
            if not 0 <= number <= 1:
                yield "SCH-3", hit, f"its {name} is {number}, and each is from 0 to 1"


def _order(hits: list[_Hit]) -> Iterator[_Wrong]:
    for first, then in pairwise(hits):
        if then.score > first.score:
            yield "SCH-7", then, f"its score is {then.score}, and it stands behind one with {first.score}"
        elif then.score == first.score and first.at is not None and then.at is not None and then.at > first.at:
            yield "SCH-7", then, "its score equals that of the one before it, and it is newer"
        elif then.score == first.score and first.write and then.write and _later(then.write, first.write):
            yield "SCH-7", then, "its score equals that of the one before it, and its turn wrote it later"
        elif then.score < first.score and all(b >= a for a, b in zip(first.parts, then.parts, strict=True)):
            yield "SCH-3", then, f"no part of its score is less than of the one before it, and {first.score} is more"


def _later(write: Write, other: Write) -> bool:
    """Whether the same turn wrote it later, in the same scope: elsewhere ordinals say nothing."""
    alike = write.origin.turn.id == other.origin.turn.id and write.origin.scope == other.origin.scope
    return alike and write.line > other.line


def _recency(hits: list[_Hit]) -> Iterator[_Wrong]:
    """0.5 ** (age / half-life), whatever the half-life: the oldest of an answer tells what the others must have."""
    aged = [(hit.age, hit) for hit in hits if hit.age is not None]
    for age, hit in aged:
        if age == 0 and hit.recency != 1:
            yield "SCH-6", hit, f"its age is 0, and its recency {hit.recency}"
    most, oldest = max(aged, key=lambda each: each[0], default=(0.0, None))
    if oldest is None or not most or not 0 < oldest.recency <= 1:
        return
    for age, hit in aged:
        part = age / most
        expected = oldest.recency**part
        if abs(hit.recency - expected) > 2 * _STEP * (1 + part * expected / oldest.recency):
            why = f"its recency is {hit.recency} at an age of {age:g} s, where one of {most:g} s has {oldest.recency}"
            yield "SCH-6", hit, why


def _reasons(hits: list[_Hit], answer: Answered) -> Iterator[_Wrong]:
    """Each is a hit by a keyword, or by its meaning; and a text that is the query has all its words, as often."""
    query, mode, least = answer.query, answer.stated("mode"), as_number(answer.stated("min_score")) or 0
    for hit in hits:
        by_keyword = hit.keywords > 0 and mode != "vector"
        by_meaning = hit.meaning > 0 and hit.meaning >= least and mode != "lexical"
        if not by_keyword and not by_meaning:
            yield "SCH-2", hit, f"it is no hit: keywords {hit.keywords}, meaning {hit.meaning}, `min_score` {least}"
        if by_keyword and not hit.content and hit.summary == query and abs(hit.keywords - 1) > _STEP:
            yield "SCH-4", hit, f"its text is the query, and its keywords are {hit.keywords}"


def _scored(score: float, meaning: float) -> Mapping[str, Any]:
    told = {"score": score, "meaning": meaning, "keywords": 0.5, "recency": 1}
    return {**record(f"mem_of{meaning}"), **told}


_BEGUN = (HEADER, deploy(), begin("s0", "account-17"))

HITS_RANKED = Invariant(
    name=NAME,
    clauses=("SCH-2", "SCH-3", "SCH-4", "SCH-6", "SCH-7", "ADM-1"),
    holds_when=(
        "Score, meaning, keywords and recency of each hit are from 0 to 1; hits stand by score, equal ones newest "
        "first and the later of one turn first, and none is before one that is more in no part and less in some; "
        "recency is 1 at age 0 and halves in equal times; each is a hit by a keyword or by a meaning of at least the "
        "`min_score` that the config states; and a record whose text is the query has keywords of 1, if any. An "
        "operator's listing begins with what is newest."
    ),
    counts={
        "ranked_answers": "searches and recalls with a hit that tells its score and its parts",
        "scored_hits": "these hits",
        "listings": "operators' listings that tell the times of two records or more; without such hits or listings the "
        "verdict is unknown",
    },
    check=check,
    good=(
        *_BEGUN,
        call("s0", "search_memory", {"query": "wire"}, {"records": [_scored(0.7, 0.6), _scored(0.3, 0.2)]}),
        end("s0"),
    ),
    bad=(
        *_BEGUN,
        call("s0", "search_memory", {"query": "wire"}, {"records": [_scored(0.3, 0.2), _scored(0.7, 0.6)]}),
        end("s0"),
    ),
)
