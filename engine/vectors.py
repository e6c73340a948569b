"""The vectors of a partition in a faiss inner-product index that scores every candidate exactly (SCH-5).

A byte holds a whole number from -127 to 127 as it is, so the index is faiss's scalar quantizer with 8 direct signed
bits: a quarter of the memory of floats and no loss. Its own search sorts all it scores and starts threads for one
query, so the rows are decoded by blocks and multiplied by faiss's kernel: see docs/decisions/faiss.md. A few rows
wait as bytes until there are enough for an index. It knows nothing of records or views.
"""

from __future__ import annotations

from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from .embed import MOST_DIMENSIONS, Vectors
from .ranking import Floats

_FAISS: Any = faiss  # its stubs leave out the kernels
_BLOCK = 2048  # rows that are decoded at a time: 2 MiB at 256 dimensions
_FEW = 64  # rows that make no index yet: making one takes longer than many products


class VectorIndex:
    """Rows of vectors, appended and never changed."""

    def __init__(self, dimensions: int) -> None:
        if not 0 < dimensions <= MOST_DIMENSIONS:
            raise ValueError(f"an embedder has 1 to {MOST_DIMENSIONS} dimensions, not {dimensions}")
        self._dimensions = dimensions
        self._few: NDArray[np.int8] = np.empty((1, dimensions), np.int8)
        self._size = 0
        self._index: Any = None

    def add(self, vectors: NDArray[np.int8]) -> None:
        """Appends rows of shape (n, dimensions)."""
        start, self._size = self._size, self._size + len(vectors)
        if self._size > _FEW:
            self._append(vectors if self._index is not None else np.concatenate((self._few[:start], vectors)))
            return
        if self._size > len(self._few):
            grown = np.empty((min(_FEW, 2 * self._size), self._dimensions), np.int8)
            grown[:start] = self._few[:start]
            self._few = grown
        self._few[start : self._size] = vectors

    def _append(self, vectors: NDArray[np.int8]) -> None:
        if self._index is None:
            self._index = faiss.IndexScalarQuantizer(
                self._dimensions, faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT
            )
            self._few = np.empty((0, self._dimensions), np.int8)  # a slice would keep the rows alive
        threads = _one_thread()
        try:
            self._index.add(vectors.astype(np.float32))
        finally:
            faiss.omp_set_num_threads(threads)

    def products(self, query: Vectors, rows: int) -> Floats:
        """The inner products of a query, of shape (dimensions,), with each of the first `rows` rows: whole numbers."""
        if self._index is None:  # exact in any order, as the kernel's (see embed.py)
            return (self._few[:rows].astype(np.float32) @ query).astype(np.float64)
        index, pointer = self._index, faiss.swig_ptr
        found = np.empty(rows, dtype=np.float32)
        block = np.empty((min(rows, _BLOCK), index.d), dtype=np.float32)
        threads = _one_thread()
        try:
            for start in range(0, rows, _BLOCK):
                size = min(rows - start, _BLOCK)
                index.reconstruct_n_c(start, size, pointer(block))
                _FAISS.fvec_inner_products_ny(pointer(found[start:]), pointer(query), pointer(block), index.d, size)
        finally:
            faiss.omp_set_num_threads(threads)
        return found.astype(np.float64)


def _one_thread() -> int:
    """Keeps faiss from starting and spinning threads for a few microseconds' work; gives the number to put back."""
    threads: int = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    return threads
