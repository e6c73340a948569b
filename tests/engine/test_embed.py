"""Vectors of whole numbers, and the cosine they give (SCH-5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.engine.embed import BOUND, HashingEmbedder, Vectors, embedder
from seatrial.engine.features import Features, features_made_by, read_features
from seatrial.engine.values import EngineError
from seatrial.engine.vectors import VectorIndex

EMBEDDER = HashingEmbedder()
TEXTS = st.text() | st.sampled_from(["wire 4471 approved", "東京都の猫", "a " * 5000, "Approved " * 300])


def cosine(one: str, other: str) -> float:
    a, b = EMBEDDER.embed([one, other]).astype(np.int64)
    return float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))


@given(st.lists(TEXTS, max_size=5))
def test_sch5_numbers_are_whole_and_bounded_and_a_text_decides_its_row(texts: list[str]) -> None:
    vectors = EMBEDDER.embed(texts)
    assert vectors.shape == (len(texts), EMBEDDER.dimensions)
    assert np.array_equal(vectors, np.rint(vectors))
    assert np.abs(vectors).max(initial=0) <= BOUND
    for row, text in enumerate(texts):
        assert np.array_equal(vectors[row], HashingEmbedder().embed([text])[0])


def test_sch5_the_same_numbers_on_every_machine() -> None:
    """Of a hash that Python does not salt: these numbers may only change together with the format of features."""
    (features,) = read_features(["Wire 4471 approved up to 9,000 USD"], EMBEDDER)
    assert sha256(features.pack()).hexdigest() == ("90d2c41d0996ee2fba86dcac2a5ac3a66d4bccce0f8c9c2b9c60dee35c212163")


def test_sch5_spellings_are_near_and_numbers_are_themselves() -> None:
    assert cosine("approved", "approve") > 0.3 > cosine("approved", "ledger")
    assert cosine("9000", "9001") < 0.3
    assert cosine("Wire 4471 approved", "wire 4471, APPROVED!") == 1.0


def test_sch5_a_text_without_terms_means_nothing() -> None:
    assert not EMBEDDER.embed(["... !"]).any()


def test_an_embedder_is_chosen_by_name() -> None:
    assert embedder("hashing").name == "hashing"
    with pytest.raises(EngineError, match="'hushing'") as refused:
        embedder("hushing")
    assert (refused.value.code, "hashing" in refused.value.remedy) == ("invalid_value", True)


@given(
    st.integers(1, 40).flatmap(
        lambda width: st.lists(
            st.lists(st.integers(-BOUND, BOUND) | st.just(BOUND), min_size=width, max_size=width),
            min_size=2,
            max_size=5,
        )
    )
)
def test_sch5_inner_products_are_exact(rows: list[list[int]]) -> None:
    vectors = np.array(rows, dtype=np.int64)
    index = VectorIndex(vectors.shape[1])
    index.add(vectors[:1].astype(np.int8))
    index.add(vectors[1:].astype(np.int8))
    for query in vectors:
        found = index.products(query.astype(np.float32), len(rows) - 1)
        assert found.tolist() == (vectors[:-1] @ query).tolist()


def test_sch5_inner_products_at_the_bound_are_exact_in_every_block() -> None:
    index = VectorIndex(1024)
    rows = np.full((2050, 1024), BOUND, dtype=np.int8)
    rows[::2] *= -1
    index.add(rows)
    found = index.products(np.full(1024, BOUND, dtype=np.float32), 2050)
    assert found.tolist() == [-1024 * BOUND**2, 1024 * BOUND**2] * 1025


@pytest.mark.parametrize("piece", [1, 7, 63, 64, 65, 130])
def test_sch5_inner_products_stay_exact_when_few_rows_become_an_index(piece: int) -> None:
    rows = np.random.default_rng(1).integers(-BOUND, BOUND + 1, (130, 1024), dtype=np.int8)
    query = rows[-1].astype(np.float32)
    wanted = (rows.astype(np.int64) @ rows[-1].astype(np.int64)).tolist()
    index = VectorIndex(1024)
    for start in range(0, len(rows), piece):
        index.add(rows[start : start + piece])
        size = min(start + piece, len(rows))
        assert index.products(query, size).tolist() == wanted[:size]
        assert index.products(query, 1).tolist() == wanted[:1]


def test_a_vector_index_has_a_bounded_width() -> None:
    with pytest.raises(ValueError, match="1 to 1024"):
        VectorIndex(1025)


@given(TEXTS)
def test_features_come_back_from_a_store_as_they_were(text: str) -> None:
    (features,) = read_features([text], EMBEDDER)
    assert Features.unpack(features.pack()) == features


def test_features_name_what_made_them() -> None:
    assert features_made_by(EMBEDDER).startswith("1 hashing 1 256 unicode-")


class Fractions:
    """An embedder that breaks its promise."""

    name = "fractions"
    edition = "1"
    dimensions = 2

    def __init__(self, number: float) -> None:
        self.number = number

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), 2), self.number, dtype=np.float32)


@pytest.mark.parametrize("number", [0.5, 128.0, float("nan")])
def test_sch5_an_embedder_that_is_not_exact_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="fractions"):
        read_features(["x"], Fractions(number))
