"""How hits are scored and ordered: the constants of the engine, and arithmetic that gives the same bits everywhere.

Only additions, multiplications, divisions and square roots are used, one numpy operation at a time: IEEE 754 rounds
each of them the same way on every machine. Logarithms and powers of a C library are not, so they are made here.

Parts and scores are counted in billionths, as whole numbers in float64: rounding to 9 decimals (SCH-5) is rounding
to a whole number, and the weighted sum is exact. It knows nothing of records, partitions or views.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Hundredths of the score (SCH-3): see docs/decisions/scoring-weights.md.
MEANING, KEYWORDS, RECENCY = 70, 21, 9
HALF_LIFE = 30 * 24 * 60 * 60 * 1000  # milliseconds (SCH-6)
ONE = 1_000_000_000  # billionths

_FEW = 16  # numbers that are quicker one by one than as an array, which gives the same
_LN2 = 0.6931471805599453
_Number = TypeVar("_Number", float, Floats)


def score(meaning: Floats, keywords: Floats, recency: Floats) -> Floats:
    """The weighted sum of the three parts, all in billionths, rounded to whole ones."""
    weighed = MEANING * meaning + KEYWORDS * keywords + RECENCY * recency
    return np.rint(weighed / 100.0)


@lru_cache(maxsize=64)
def least(min_score: float) -> int:
    """The fewest billionths, at least 1, that as a fraction are not below `min_score`: equal stays (SCH-2)."""
    count = max(1, math.floor(min_score * ONE) - 1)
    while count / ONE < min_score:
        count += 1
    return count


class Logarithms:
    """Natural logarithms of the whole numbers, as a table that grows to what is asked."""

    def __init__(self) -> None:
        self._table = _logarithms(0, 1 << 10)

    def upto(self, number: int) -> Floats:
        """A table whose entry i is ln(i), for i from 1 to at least `number`. Entry 0 is 0."""
        if number >= len(self._table):
            self._table = np.concatenate((self._table, _logarithms(len(self._table), 2 * number)))
        return self._table


def _logarithms(start: int, stop: int) -> Floats:
    """ln = e ln 2 + 2 artanh((m - 1) / (m + 1)) with m in [0.7, 1.4]: within 4 units of the last place."""
    numbers = np.arange(start, stop, dtype=np.float64)
    if start == 0:
        numbers[0] = 1.0
    mantissa, exponent = np.frexp(numbers)
    low = mantissa < 0.7071067811865476
    mantissa = np.where(low, 2.0 * mantissa, mantissa)
    exponent = np.where(low, exponent - 1, exponent)
    ratio = (mantissa - 1.0) / (mantissa + 1.0)
    square = ratio * ratio
    series = np.zeros_like(ratio)
    for odd in range(23, 0, -2):
        series = series * square + 1.0 / odd
    logarithms: Floats = exponent * _LN2 + 2.0 * ratio * series
    return logarithms


@overload
def power_of_two(fraction: float) -> float: ...
@overload
def power_of_two(fraction: Floats) -> Floats: ...
def power_of_two(fraction: _Number) -> _Number:
    """2 ** fraction for fractions in [-1, 1], by the exponential series."""
    x = fraction * _LN2
    result = x * 0.0 + 1.0
    for k in range(18, 0, -1):
        result = result * x / k + 1.0
    return result


@lru_cache(maxsize=1024)
def _share(rest: int) -> float:
    """2 ** (rest / HALF_LIFE): records and searches of one turn ask for the same."""
    return power_of_two(rest / HALF_LIFE)


def recency(days: Ints, decay: Floats, now: int) -> Floats:
    """0.5 ** (age / HALF_LIFE) in billionths (SCH-6); an age below 0 counts as 0.

    `days` are whole half-lives since 1970 and `decay` is 2 ** (the rest / HALF_LIFE), as `halves` gives them.
    """
    whole, rest = divmod(now, HALF_LIFE)
    fraction = np.ldexp(decay * _share(-rest), np.minimum(days - whole, 1))
    share: Floats = np.rint(np.minimum(fraction, 1.0) * ONE)
    return share


def halves(at: Ints) -> tuple[Ints, Floats]:
    """A time in milliseconds as whole half-lives since 1970 and 2 ** (the rest / HALF_LIFE)."""
    rests = at % HALF_LIFE
    if len(at) > _FEW:
        return at // HALF_LIFE, power_of_two(rests / HALF_LIFE)
    return at // HALF_LIFE, np.array([_share(rest) for rest in rests.tolist()])


def halved(at: int) -> tuple[int, float]:
    """As `halves`, for one time."""
    whole, rest = divmod(at, HALF_LIFE)
    return whole, _share(rest)


def best(limit: int, *keys: NDArray[np.generic]) -> Ints:
    """Positions that can be among the first `limit` by the keys, largest first, in no order.

    Positions that are equal in all keys are all kept, so the answer may be longer: who decides between them sorts it.
    """
    pool = np.arange(len(keys[0]))
    kept: list[Ints] = []
    missing = limit
    for key in keys:
        if len(pool) <= missing:
            break
        values = key[pool]
        edge = np.partition(values, len(values) - missing)[len(values) - missing]
        above = pool[values > edge]
        kept.append(above)
        missing -= len(above)
        pool = pool[values == edge]
    return np.concatenate((*kept, pool))
