"""How many findings of one file are looked for, and how many of them are told.

What a hundred thousand mistakes have in common is seen in the first few, and what is found is kept in memory. What is
not looked for is never passed over in silence; what is only not told has gone through all stages before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

from .diagnostic import Diagnostic

TOLD = 1000
LOOKED_FOR = 20_000  # by reading, by the schema, and by each rule
_RANKS = {"error": 0, "warning": 1, "info": 2}


def limited(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """`found` in order, of each file no more than 1,000, the worst first; and one more that says so.

    That one is as bad as the worst that is left out, so that leaving out changes no exit code.
    """
    told: list[Diagnostic] = []
    for _, group in groupby(sorted(found, key=lambda each: each.order), key=lambda each: each.path):
        of_file = list(group)
        if len(of_file) > TOLD:
            by_rank = sorted(of_file, key=lambda each: (not each.cut, _RANKS[each.severity]))
            of_file = sorted([*by_rank[:TOLD], _more(by_rank[TOLD])], key=lambda each: each.order)
        told += of_file
    return told


def looked_for(found: Iterator[Diagnostic]) -> list[Diagnostic]:
    """The first 20,000 of what is found in one file, and where there are more the one that says so."""
    return cut(list(islice(found, LOOKED_FOR + 1)))


def cut(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """`found` of one file, with what says that no more was looked for in place of what is past the first 20,000."""
    if len(found) <= LOOKED_FOR:
        return list(found)
    first = found[LOOKED_FOR]
    message = f"more than {LOOKED_FOR:,} findings in this file: the others are not looked for"
    return [*found[:LOOKED_FOR], Diagnostic("ST005", "error", first.path, first.span, (), message, cut=True)]


def _more(first: Diagnostic) -> Diagnostic:
    message = f"more than {TOLD:,} findings in this file: the others are not told"
    return Diagnostic("ST005", first.severity, first.path, first.span, first.pointer, message)
