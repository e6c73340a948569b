"""The arithmetic of scores: made of operations that every machine rounds alike, and right (SCH-3, SCH-6, SCH-7)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.engine.ranking import (
    HALF_LIFE,
    KEYWORDS,
    MEANING,
    ONE,
    RECENCY,
    Logarithms,
    best,
    halves,
    least,
    power_of_two,
    recency,
    score,
)

TIMES = st.integers(-(2**45), 2**46)


def recency_of(at: int, now: int) -> float:
    half_lives, decays = halves(np.array([at], dtype=np.int64))
    return float(recency(half_lives, decays, now)[0]) / ONE


def test_sch3_the_weights_are_those_written_down() -> None:
    assert (MEANING, KEYWORDS, RECENCY, HALF_LIFE) == (70, 21, 9, 2_592_000_000)


@given(*[st.integers(0, ONE)] * 3)
def test_sch3_a_score_is_the_weighted_sum_and_stays_within_0_and_1(meaning: int, keywords: int, recent: int) -> None:
    columns = [np.array([float(part)]) for part in (meaning, keywords, recent)]
    found = float(score(columns[0], columns[1], columns[2])[0])
    assert 0 <= found <= ONE
    assert abs(found - (70 * meaning + 21 * keywords + 9 * recent) / 100) <= 0.5


@given(TIMES, st.integers(0, 2**42))
def test_sch6_recency_halves_with_every_half_life(at: int, age: int) -> None:
    assert recency_of(at, at + age) == pytest.approx(0.5 ** (age / HALF_LIFE), abs=1.01e-9)
    assert recency_of(at, at + HALF_LIFE) == 0.5


@given(TIMES, TIMES)
def test_sch6_an_age_is_at_least_0(one: int, other: int) -> None:
    assert recency_of(max(one, other), min(one, other)) == 1.0


@given(TIMES, TIMES, TIMES)
def test_sch6_what_is_newer_is_never_less_recent(one: int, other: int, now: int) -> None:
    assert recency_of(max(one, other), now) >= recency_of(min(one, other), now)


def test_logarithms_are_those_of_the_library() -> None:
    logarithms = Logarithms()
    table = logarithms.upto(5000)
    assert table[1] == 0.0
    assert np.allclose(table[1:], np.log(np.arange(1, len(table))), rtol=0, atol=4e-15)
    assert np.array_equal(logarithms.upto(100_000)[: len(table)], table)
    assert len(logarithms.upto(100_000)) > 100_000


@given(st.floats(-1, 1))
def test_powers_of_two_are_those_of_the_library(fraction: float) -> None:
    assert power_of_two(fraction) == pytest.approx(2.0**fraction, rel=1e-15)


@given(st.floats(0, 1))
def test_sch2_the_least_number_of_billionths_is_not_below_the_bound_and_equal_stays(min_score: float) -> None:
    count = least(min_score)
    assert count >= 1
    assert count / ONE >= min_score
    assert count == 1 or (count - 1) / ONE < min_score


@pytest.mark.parametrize("similarity", [0.0, 0.1, 0.35, 0.7, 0.999999999, 1.0])
def test_sch2_a_similarity_written_with_nine_decimals_is_met_exactly(similarity: float) -> None:
    assert least(similarity) == max(1, round(similarity * ONE))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), max_size=30), st.integers(1, 12))
def test_sch7_the_best_are_those_of_a_full_sort(rows: list[tuple[int, int, int]], limit: int) -> None:
    keys = np.array(rows, dtype=np.float64).reshape(len(rows), 3)
    places = best(limit, keys[:, 0], keys[:, 1], keys[:, 2]).tolist()
    assert len(set(places)) == len(places)
    expected = sorted(rows, reverse=True)
    assert sorted((rows[place] for place in places), reverse=True)[:limit] == expected[:limit]
    ties = {row for row in rows if row == expected[min(limit, len(rows)) - 1]} if rows else set()
    assert all(place in places for place, row in enumerate(rows) if row in ties)


def test_sch6_far_ages_are_no_error() -> None:
    assert (recency_of(-(2**45), 2**46), math.isfinite(recency_of(2**46, -(2**45)))) == (0.0, True)
