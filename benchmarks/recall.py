"""Recall on loaded partitions against the floor: what the bare arithmetic of one recall costs on this machine.

    python benchmarks/recall.py [--sessions 200] [--records 50] [--shared 0]

Text in, the top 8 out, sessions in rotation. The floor embeds the same text, takes one dense and one sparse product,
adds recency and takes the 8 best: no filters, no exact ties, no view, no records. `--shared` puts so many AGENT records
into every view. Medians, in microseconds; the ratio counts, not the times.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from itertools import accumulate, cycle

import faiss
import numpy as np
import scipy
from scipy import sparse

from seatrial.engine.analyze import count_terms
from seatrial.engine.embed import HashingEmbedder
from seatrial.engine.features import Features, read_features
from seatrial.engine.partition import Partition
from seatrial.engine.values import PartitionKey, Record
from seatrial.engine.view import View

START = 1_700_000_000_000
NOW = START + 90 * 86_400_000
HALF_LIFE = 30 * 86_400_000
EMBEDDER = HashingEmbedder()

Search = Callable[[str], object]


class Words:
    """Sentences of made-up words, as frequent as words are, each with an id and an amount."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        syllables = [consonant + vowel for consonant in "bcdfghjklm" for vowel in "ao"]
        self._words = ["".join(self._random.choices(syllables, k=self._random.randint(1, 4))) for _ in range(8000)]
        self._weights = list(accumulate(1 / (rank + 1) for rank in range(len(self._words))))

    def sentence(self) -> str:
        words = " ".join(self._random.choices(self._words, cum_weights=self._weights, k=12))
        return f"{words} INV-{self._random.randrange(10**6)} {self._random.randrange(1000, 99_999):,} USD"


def records(words: Words, key: PartitionKey, count: int) -> list[Record]:
    return [
        Record(
            id=f"{key.session}-{i}",
            agent=key.agent,
            plane=key.plane,
            scope=key.scope,
            session=key.session,
            summary=words.sentence(),
            content=None,
            kind="fact",
            labels=(),
            pinned=False,
            status="ACTIVE",
            at=START + i * 60_000,
            ordinal=0,
            execution=f"e{i}",
            version=1,
            turn=i + 1,
            source="tool",
        )
        for i in range(count)
    ]


def engine_search(snapshots: list[Partition]) -> Search:
    return lambda query: View(partition.snapshot() for partition in snapshots).search(query, now=NOW)


def floor_search(kept: list[Record], features: list[Features]) -> Search:
    """The arithmetic alone, over arrays that are ready."""
    vocabulary: dict[str, int] = {}
    rows, columns, counts = [], [], []
    for row, each in enumerate(features):
        for term, count in zip(each.terms, each.counts, strict=True):
            rows.append(row)
            columns.append(vocabulary.setdefault(term, len(vocabulary)))
            counts.append(count)
    idf = 1 + np.log((1 + len(kept)) / (1 + np.bincount(columns)))
    matrix = sparse.csr_matrix((np.array(counts) * idf[columns], (rows, columns)), shape=(len(kept), len(vocabulary)))
    matrix = sparse.csr_matrix(sparse.diags(1 / np.sqrt(matrix.multiply(matrix).sum(axis=1).A1)) @ matrix)
    vectors = (
        np.frombuffer(b"".join(each.vector for each in features), np.int8).reshape(len(kept), -1).astype(np.float32)
    )
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
    times = np.array([record.at for record in kept], dtype=np.float64)
    names = [record.id for record in kept]

    def search(query: str) -> list[str]:
        vector = EMBEDDER.embed([query])[0]
        meaning = np.maximum(vectors @ vector, 0) / np.sqrt(vector @ vector)
        asked = np.zeros(len(vocabulary))
        for term, count in count_terms(query):
            column = vocabulary.get(term)
            if column is not None:
                asked[column] = count * idf[column]
        keywords = matrix @ asked / max(np.sqrt(asked @ asked), 1e-9)
        scores = 0.7 * meaning + 0.21 * keywords + 0.09 * np.exp2((times - NOW) / HALF_LIFE)
        top = np.argpartition(-scores, min(8, len(scores) - 1))[:8]
        return [names[place] for place in top[np.argsort(-scores[top])].tolist()]

    return search


def microseconds(searches: list[Search], queries: list[str], calls: int) -> float:
    """The median over rounds of the mean of a round: single calls are shorter than a scheduler's pause."""
    turns = zip(cycle(searches), cycle(queries), strict=False)
    rounds = []
    for _ in range(9):
        start = time.perf_counter()
        for _ in range(calls):
            search, query = next(turns)
            search(query)
        rounds.append((time.perf_counter() - start) / calls * 1e6)
    return statistics.median(rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--records", type=int, default=50)
    parser.add_argument("--shared", type=int, default=0)
    chosen = parser.parse_args()
    words = Words(seed=1)
    shared_key = PartitionKey("agent", "live", "agent", None)
    shared = records(words, shared_key, chosen.shared)
    shared_features = read_features([record.text for record in shared], EMBEDDER)
    shared_partition = Partition(shared_key, EMBEDDER)
    shared_partition.add(shared, shared_features)
    ours, floor, loads = [], [], []
    for number in range(chosen.sessions):
        key = PartitionKey("agent", "live", "session", f"s{number}")
        kept = records(words, key, chosen.records)
        features = read_features([record.text for record in kept], EMBEDDER)
        start = time.perf_counter()
        partition = Partition(key, EMBEDDER)
        partition.add(kept, features)
        loads.append((time.perf_counter() - start) * 1e6)
        ours.append(engine_search([partition, shared_partition] if shared else [partition]))
        if not shared or number == 0:
            floor.append(floor_search(kept + shared, features + shared_features))
    queries = [words.sentence() for _ in range(4999)]  # more than the engine remembers
    calls = 20 if chosen.shared > 1000 else 1000
    for searches in (ours, floor):  # everything is worked out once before it is measured
        microseconds(searches, queries, max(calls // 9, len(searches) // 9 + 1))
    of_floor, of_ours = microseconds(floor, queries, calls), microseconds(ours, queries, calls)
    print(
        f"Python {sys.version.split()[0]}, numpy {np.__version__}, scipy {scipy.__version__}, faiss {faiss.__version__}"
    )
    print(f"{chosen.sessions} sessions of {chosen.records} records, {chosen.shared} shared ones in each view")
    print(f"floor    {of_floor:10.1f} µs")
    print(f"recall   {of_ours:10.1f} µs   {of_ours / of_floor:.2f} times the floor")
    print(f"indexing {statistics.median(loads):10.1f} µs for a partition, from kept features")


if __name__ == "__main__":
    main()
