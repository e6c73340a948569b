"""Texts to vectors of whole numbers, so that meaning is exact on every machine (SCH-5).

An embedder is one method. What it returns are whole numbers from -127 to 127: they fit a byte, and with at most 1,024
dimensions every inner product, and every partial sum on the way, is a whole number below 2**24 that float32 holds
exactly, so the order in which a library adds does not matter. It knows nothing of records, views or scores.

The default embedder hashes terms and their character n-grams. It finds spellings, not paraphrases: see
docs/decisions/hashing-embedder.md. `wordllama` finds paraphrases, with the extra `meaning`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from math import isqrt
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .analyze import count_terms
from .values import EngineError

Vectors: TypeAlias = NDArray[np.float32]

BOUND = 127
MOST_DIMENSIONS = 1024


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how near they are in meaning."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def edition(self) -> str:
        """What else its vectors depend on, as the version of a model: kept vectors of another edition are of no use."""
        ...

    def __hash__(self) -> int:
        """What it made is remembered under itself."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text: shape (len(texts), dimensions), whole numbers from -BOUND to BOUND.

        The row of a text depends on that text alone. A text without meaning has a row of zeros.
        """
        ...


class HashingEmbedder:
    """Terms and character n-grams, hashed to dimensions and signs.

    A term counts as often as the whole root of its occurrences. What it counts for: WHOLE for itself, and one for each
    n-gram of 3 to 5 characters if it has only letters, so that `approve` is near `approved`, but 9000 not near 9001.
    Of an endless term the first letters give n-grams.
    """

    name = "hashing"
    dimensions = 256
    edition = "1"
    WHOLE = 4
    GRAMS = (3, 4, 5)

    def __init__(self) -> None:
        self._slots: dict[str, bytes] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder. Time is linear in the length of the texts."""
        each = [self._slots_of_text(text) for text in texts]
        slots = np.frombuffer(b"".join(each), dtype="<u2")
        width = 2 * self.dimensions
        if len(each) > 1:
            slots = slots + np.repeat(np.arange(len(each)) * width, [len(one) // 2 for one in each])
        counts = np.bincount(slots, minlength=len(each) * width).reshape(len(each), self.dimensions, 2)
        return _bounded(counts[:, :, 0] - counts[:, :, 1])

    def _slots_of_text(self, text: str) -> bytes:
        known = self._slots
        parts: list[bytes] = []
        for term, count in count_terms(text):
            slots = known.get(term)
            if slots is None:
                slots = self._slots_of_term(term)
            parts.append(slots if count < 4 else slots * isqrt(count))
        return b"".join(parts)

    def _slots_of_term(self, term: str) -> bytes:
        """Slots as 16-bit numbers, 2 * dimension + (1 for minus): kept for terms of a usual length."""
        slots = self._slot(term) * self.WHOLE
        if term.isalpha():
            edged = f"\x02{term[:64]}\x03"
            slots += b"".join(
                self._slot(edged[i : i + size]) for size in self.GRAMS for i in range(len(edged) - size + 1)
            )
        if len(term) <= 32:
            if len(self._slots) >= 1 << 15:
                self._slots.clear()
            self._slots[term] = slots
        return slots

    def _slot(self, feature: str) -> bytes:
        digest = blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=2).digest()
        return (int.from_bytes(digest, "little") % (2 * self.dimensions)).to_bytes(2, "little")


def _bounded(vectors: NDArray[np.int64]) -> Vectors:
    """Rows that go beyond the bound are scaled down to it, by whole-number division towards zero."""
    if vectors.size and max(vectors.max(), -vectors.min()) > BOUND:
        sizes = np.abs(vectors)
        most = np.maximum(sizes.max(axis=1, keepdims=True), BOUND)
        vectors = np.sign(vectors) * (sizes * BOUND // most)
    return vectors.astype(np.float32)


def embedder(name: str) -> Embedder:
    """The embedder of that name. Raises `invalid_value`, naming those there are, or what to install for it."""
    if name not in EMBEDDERS:
        raise EngineError(
            "invalid_value", f"there is no embedder named {name!r}", f"name one of: {', '.join(sorted(EMBEDDERS))}"
        )
    return EMBEDDERS[name]()


def _wordllama() -> Embedder:
    from .wordllama import WordLlamaEmbedder

    return WordLlamaEmbedder()


# One of hashes for all engines: what it keeps of terms follows from the terms alone.
EMBEDDERS: dict[str, Callable[[], Embedder]] = {"hashing": cache(HashingEmbedder), "wordllama": _wordllama}
