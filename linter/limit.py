"""How many findings of one file are told: what a hundred thousand mistakes have in common is seen in the first few."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from .diagnostic import Diagnostic

MOST = 1000
_RANKS = {"error": 0, "warning": 1, "info": 2}


def limited(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """`found` in order, of each file no more than 1,000, the worst first; and one more that says so.

    That one is as bad as the worst that is left out, so that leaving out changes no exit code.
    """
    told: list[Diagnostic] = []
    for _, group in groupby(sorted(found, key=lambda each: each.order), key=lambda each: each.path):
        of_file = list(group)
        if len(of_file) > MOST:
            by_rank = sorted(of_file, key=lambda each: _RANKS[each.severity])
            of_file = sorted([*by_rank[:MOST], _more(by_rank[MOST])], key=lambda each: each.order)
        told += of_file
    return told


def _more(first: Diagnostic) -> Diagnostic:
    message = f"more than {MOST:,} findings in this file: the others are not told"
    return Diagnostic("ST005", first.severity, first.path, first.span, first.pointer, message)
