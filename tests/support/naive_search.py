"""What a search must find and how it must score, by scikit-learn and whole numbers (SCH-2 to SCH-7).

Of the engine it takes the analyzer, the embedder and the constants of the score, and nothing that computes one.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import sqrt

from naive_facts import Wrote, blank
from sklearn.feature_extraction.text import TfidfVectorizer

from seatrial.engine.analyze import analyze
from seatrial.engine.embed import HashingEmbedder
from seatrial.engine.ranking import HALF_LIFE, KEYWORDS, MEANING, RECENCY

BILLION = 10**9
EMBEDDER = HashingEmbedder()
Scores = dict[str, float]


def search(
    active: list[Wrote],
    admitted: list[Wrote],
    query: str,
    *,
    mode: str,
    min_score: float,
    limit: int,
    now: int,
) -> list[tuple[Wrote, Scores]]:
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


def by_keywords(active: list[Wrote], query: str) -> list[int]:
    """SCH-4, in billionths."""
    if not any(analyze(record.text) for record in active):
        return [0] * len(active)
    vectorizer = TfidfVectorizer(analyzer=analyze)
    fitted = vectorizer.fit_transform([record.text for record in active])
    return [billionths(cosine) for cosine in (fitted @ vectorizer.transform([query]).T).toarray()[:, 0]]


def by_meaning(active: list[Wrote], query: str) -> list[int]:
    """SCH-5, in billionths: cosines of whole numbers, never below 0."""
    asked, *vectors = ([int(x) for x in row] for row in EMBEDDER.embed([query, *(each.text for each in active)]))
    return [max(0, billionths(cosine(asked, vector))) for vector in vectors]


def cosine(one: list[int], other: list[int]) -> float:
    squares = sum(x * x for x in one) * sum(x * x for x in other)
    return sum(x * y for x, y in zip(one, other, strict=True)) / sqrt(squares) if squares else 0.0


def billionths(value: float) -> int:
    """Rounded to 9 decimals (SCH-5)."""
    return round(Decimal(float(value)) * BILLION)
