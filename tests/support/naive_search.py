"""What a search must find and how it must score, by lists and whole numbers (SCH-2 to SCH-7).

Of the engine it takes the analyzer, the embedder and the constants of the score, and nothing that computes one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import fsum, log, sqrt
from typing import Protocol, TypeVar

from naive_facts import Begun, blank

from seatrial.engine.analyze import analyze
from seatrial.engine.embed import HashingEmbedder
from seatrial.engine.ranking import HALF_LIFE, KEYWORDS, MEANING, RECENCY

BILLION = 10**9
EMBEDDER = HashingEmbedder()
Scores = dict[str, float]


class Text(Protocol):
    """What can be found: a record or an event."""

    @property
    def text(self) -> str: ...

    @property
    def turn(self) -> Begun: ...

    @property
    def newest_first(self) -> tuple[int, int, str]: ...


Found = TypeVar("Found", bound=Text)


def search(
    active: list[Found],
    admitted: list[Found],
    query: str,
    *,
    mode: str,
    min_score: float,
    limit: int,
    now: int,
) -> list[tuple[Found, Scores]]:
    """The best of `admitted`, best first; document frequencies are those of `active`, the whole view (SCH-4)."""
    if blank(query):  # SCH-1: filters alone list newest first
        newest = sorted(admitted, key=lambda record: record.newest_first)
        return [(record, scores(0, 0, 0, 0)) for record in newest[:limit]]
    keywords = [0] * len(active) if mode == "vector" else by_keywords(active, query)
    meaning = [0] * len(active) if mode == "lexical" else by_meaning(active, query)
    hits = []
    for record, k, m in zip(active, keywords, meaning, strict=True):
        if record in admitted and (k > 0 or (m > 0 and m / BILLION >= min_score)):  # SCH-2
            r = round(0.5 ** (max(0, now - record.turn.at) / HALF_LIFE) * BILLION)  # SCH-6
            score = round(Fraction(MEANING * m + KEYWORDS * k + RECENCY * r, 100))
            hits.append((-score, record.newest_first, record, scores(score, m, k, r)))
    return [(record, shown) for *_, record, shown in sorted(hits, key=lambda hit: hit[:2])[:limit]]


def scores(score: int, meaning: int, keywords: int, recency: int) -> Scores:
    return {
        "score": score / BILLION,
        "meaning": meaning / BILLION,
        "keywords": keywords / BILLION,
        "recency": recency / BILLION,
    }


def by_keywords(active: Sequence[Text], query: str) -> list[int]:
    """SCH-4, in billionths: the cosine of TF-IDF, as scikit-learn defines it."""
    bags = [Counter(analyze(each.text)) for each in active]
    terms = {term for bag in bags for term in bag}
    rare = {term: 1 + log((1 + len(bags)) / (1 + len([bag for bag in bags if term in bag]))) for term in terms}
    asked = weights(Counter(analyze(query)), rare)
    return [billionths(fsum(asked.get(term, 0) * w for term, w in weights(bag, rare).items())) for bag in bags]


def weights(bag: Counter[str], rare: dict[str, float]) -> dict[str, float]:
    """Each known term's, of a vector of length 1."""
    vector = {term: count * rare[term] for term, count in bag.items() if term in rare}
    length = sqrt(fsum(w * w for w in vector.values()))
    return {term: w / length for term, w in vector.items()}


def by_meaning(active: Sequence[Text], query: str) -> list[int]:
    """SCH-5, in billionths: cosines of whole numbers, never below 0."""
    asked, *vectors = ([int(x) for x in row] for row in EMBEDDER.embed([query, *(each.text for each in active)]))
    return [max(0, billionths(cosine(asked, vector))) for vector in vectors]


def cosine(one: list[int], other: list[int]) -> float:
    squares = sum(x * x for x in one) * sum(x * x for x in other)
    return sum(x * y for x, y in zip(one, other, strict=True)) / sqrt(squares) if squares else 0.0


def billionths(value: float) -> int:
    """Rounded to 9 decimals (SCH-5)."""
    return round(Decimal(float(value)) * BILLION)
