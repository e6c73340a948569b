"""What search reads of a record: its terms and its vector, worked out once and kept beside the record if one likes.

They follow from the record's text alone, by `analyze` and the embedder, so a store may keep them packed to load a
partition without reading its texts again. It knows nothing of records, partitions or storage.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .analyze import count_terms
from .embed import BOUND, Embedder, Vectors

_FORMAT = 1
_MOST_REMEMBERED, _LONGEST = 2048, 2048  # texts that are remembered, and characters of one: some megabytes
_REMEMBERED: dict[tuple[Embedder, str], Features] = {}


@dataclass(frozen=True, slots=True)
class Features:
    """The terms of a text in the order of their code points, how often each occurs, and the vector, a byte a number."""

    terms: tuple[str, ...]
    counts: tuple[int, ...]
    vector: bytes

    def pack(self) -> bytes:
        """As bytes, for a store. Terms hold no space and no control character."""
        counts = "" if all(count == 1 for count in self.counts) else " ".join(map(str, self.counts))
        return f"{' '.join(self.terms)}\n{counts}\n".encode("utf-8", "surrogatepass") + self.vector

    @classmethod
    def unpack(cls, packed: bytes) -> Features:
        """From `pack`'s bytes."""
        terms, counts, vector = packed.split(b"\n", 2)
        words = tuple(terms.decode("utf-8", "surrogatepass").split(" ")) if terms else ()
        return cls(words, tuple(map(int, counts.split())) if counts else (1,) * len(words), vector)


def read_features(texts: Sequence[str], embedder: Embedder) -> list[Features]:
    """The features of each text. Raises ValueError for vectors that are not of whole numbers within the bound.

    Those of texts read lately are remembered: a fact is read as it is written and as it is committed, and a script
    that is run again has the same texts again.
    """
    known = {text: _REMEMBERED.get((embedder, text)) for text in texts}  # once each: other threads may forget some
    new = [text for text, features in known.items() if features is None]
    read = dict(zip(new, _read(new, embedder), strict=True)) if new else {}
    found = [known[text] or read[text] for text in texts]
    if len(_REMEMBERED) >= _MOST_REMEMBERED:
        _REMEMBERED.clear()
    _REMEMBERED.update(((embedder, text), features) for text, features in read.items() if len(text) <= _LONGEST)
    return found


def _read(texts: Sequence[str], embedder: Embedder) -> list[Features]:
    vectors = embedder.embed(texts)
    if vectors.shape != (len(texts), embedder.dimensions):
        raise ValueError(f"embedder {embedder.name!r} gave the shape {vectors.shape}")
    if not np.all((np.abs(vectors) <= BOUND) & (vectors == np.rint(vectors))):
        raise ValueError(f"embedder {embedder.name!r} gave a number that is not whole or is beyond {BOUND}")
    rows = vectors.astype(np.int8)
    features = []
    for text, row in zip(texts, rows, strict=True):
        counted = count_terms(text)
        features.append(
            Features(tuple(term for term, _ in counted), tuple(count for _, count in counted), row.tobytes())
        )
    return features


@lru_cache(maxsize=_MOST_REMEMBERED)
def _query(text: str, embedder: Embedder) -> tuple[Vectors, float]:
    vector = embedder.embed([text])[0]
    vector.setflags(write=False)  # many searches share it
    return vector, float(vector @ vector)


def read_query(text: str, embedder: Embedder) -> tuple[Vectors, float]:
    """The vector of a query, of shape (dimensions,), not to be changed, and the square of its norm.

    A turn asks the same for each of its model calls until something is said.
    """
    return _query(text, embedder) if len(text) <= _LONGEST else _query.__wrapped__(text, embedder)


def features_made_by(embedder: Embedder) -> str:
    """What must be the same for kept features to be used; else they are read again."""
    made_by = f"{embedder.name} {embedder.edition} {embedder.dimensions}"
    return f"{_FORMAT} {made_by} unicode-{unicodedata.unidata_version}"
