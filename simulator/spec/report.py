"""The survey of the clauses, for people and for programs. What comes from files goes through `printable`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from seatrial.schemas.wording import nearest, printable

from .clauses import CLAUSES, GROUPS
from .cover import KINDS, Citation, Cover, Lack

_IN_WORDS: dict[Lack, str] = {
    "test": "a test",
    "check": "a rule, an invariant or a scenario",
    "fault": "a fault",
    "scenario": "a scenario",
}
_WIDTHS = tuple(len(kind) + 2 for kind in KINDS)


def table(covers: Sequence[Cover], *, tests: bool) -> Iterator[str]:
    """How much of each kind covers each clause, group by group; `?` for tests that were not looked at."""
    yield f"{'clause':<7}{''.join(f'{kind:>{width}}' for kind, width in zip(KINDS, _WIDTHS, strict=True))}"
    for group, members in groupby(covers, key=lambda cover: cover.clause.group):
        yield ""
        yield GROUPS[group]
        for cover in members:
            counts = [str(len(cover.by[kind]) or "-") if tests or kind != "tests" else "?" for kind in KINDS]
            cells = "".join(f"{count:>{width}}" for count, width in zip(counts, _WIDTHS, strict=True))
            yield f"{cover.clause.id:<7}{cells}  {cover.clause.holds}"
    yield ""
    yield from totals(covers)


def page(cover: Cover, *, tests: bool) -> Iterator[str]:
    """One clause with the names of all that covers it."""
    yield f"{cover.clause.id} ({GROUPS[cover.clause.group]}): {cover.clause.holds}"
    for kind in KINDS:
        names = cover.by[kind]
        looked_at = tests or kind != "tests"
        yield ""
        yield f"{kind.capitalize()}: {len(names) or 'none'}" if looked_at else f"{kind.capitalize()}: not looked at"
        yield from (f"  {printable(name)}" for name in names)
    yield ""
    yield f"Lacks {_lacks(cover)}." if cover.lacks else "Lacks nothing."


def missing(covers: Sequence[Cover]) -> Iterator[str]:
    """The clauses that lack cover, a line each."""
    for cover in covers:
        if cover.lacks:
            yield f"{cover.clause.id:<7} lacks {_lacks(cover)}: {cover.clause.holds}"
    yield from totals(covers)


def totals(covers: Sequence[Cover]) -> Iterator[str]:
    """How many clauses have cover, and which do not."""
    lacking = [cover.clause.id for cover in covers if cover.lacks]
    counted = "1 clause" if len(covers) == 1 else f"{len(covers)} clauses"
    yield f"{counted}: {len(lacking)} without cover ({', '.join(lacking)})" if lacking else f"{counted}, all with cover"


def unknown(citations: Sequence[Citation]) -> Iterator[str]:
    """The citations of clauses that do not exist."""
    for each in citations:
        near = _nearest(each)
        hint = f"; did you mean {near}?" if near else ""
        yield printable(f"{each.name} cites {each.clause}, and there is no such clause{hint}")


def data(
    covers: Sequence[Cover], unknowns: Sequence[Citation], *, tests: str | None, suite: str | None
) -> dict[str, Any]:
    """The survey as `schemas/spec.schema.json` describes it."""
    return {
        "format": 1,
        "suite": suite,
        "tests": tests,
        "clauses": [_clause(cover, tests=tests is not None) for cover in covers],
        "unknown": [{"clause": each.clause, "cited_by": each.name, "nearest": _nearest(each)} for each in unknowns],
        "summary": {"clauses": len(covers), "without_cover": sum(bool(cover.lacks) for cover in covers)},
    }


def _clause(cover: Cover, *, tests: bool) -> dict[str, Any]:
    clause = cover.clause
    named: dict[str, Any] = {kind: list(cover.by[kind]) if tests or kind != "tests" else None for kind in KINDS}
    told = {"id": clause.id, "group": GROUPS[clause.group], "holds": clause.holds}
    return {**told, **named, "lacks": list(cover.lacks)}


def _lacks(cover: Cover) -> str:
    return " and ".join(_IN_WORDS[each] for each in cover.lacks)


def _nearest(citation: Citation) -> str | None:
    return nearest(citation.clause, list(CLAUSES))
