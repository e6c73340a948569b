"""What covers each clause: gathered from the tables of rules, invariants and faults, from scenarios, and from tests.

docs/spec.md says what counts as cover, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from seatrial.linter.rules import RULES as CONFIG_RULES

from ..faults import FAULTS
from ..invariants import INVARIANTS, RERUNS
from ..rules import RULES as SCENARIO_RULES
from .clauses import CLAUSES, Clause

Kind: TypeAlias = Literal["rules", "invariants", "faults", "scenarios", "tests"]
Lack: TypeAlias = Literal["test", "check", "fault", "scenario"]

KINDS: tuple[Kind, ...] = ("rules", "invariants", "faults", "scenarios", "tests")


@dataclass(frozen=True, slots=True)
class Citation:
    """One thing that names a clause: a rule (its code), an invariant, a fault, a scenario (its path) or a test."""

    clause: str
    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class Cover:
    """What covers one clause: names by kind, each in the order of its table. `lacks` is what is missing."""

    clause: Clause
    by: dict[Kind, tuple[str, ...]]
    lacks: tuple[Lack, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """The cover of every clause, in the order of the table, and the citations of clauses that do not exist."""

    covers: tuple[Cover, ...]
    unknown: tuple[Citation, ...]


def survey(
    scenarios: Iterable[tuple[str, Sequence[str]]],
    tests: Iterable[tuple[str, str]] | None,
    *,
    of_a_suite: bool = False,
) -> Survey:
    """The cover that there is.

    `scenarios` are (path, clauses) pairs; `tests` are (clause, test) pairs, or None where tests are not looked at: then
    none is missed. For somebody's own suite, `of_a_suite`, a clause lacks only a scenario: all else is not theirs to
    bring.
    """
    citations = [*_of_tables(), *(Citation(clause, "scenarios", path) for path, cited in scenarios for clause in cited)]
    citations += [Citation(clause, "tests", test) for clause, test in tests or ()]
    covers = []
    for clause in CLAUSES.values():
        mine = [each for each in citations if each.clause == clause.id]
        by = {kind: tuple(dict.fromkeys(each.name for each in mine if each.kind == kind)) for kind in KINDS}
        lacks = _lacking_of_a_suite(by) if of_a_suite else _lacking(by, tests is not None)
        covers.append(Cover(clause, by, tuple(lacks)))
    return Survey(tuple(covers), tuple(each for each in citations if each.clause not in CLAUSES))


def _of_tables() -> Iterator[Citation]:
    for rule in (*CONFIG_RULES.values(), *SCENARIO_RULES.values()):
        yield from (Citation(clause, "rules", rule.code) for clause in rule.clauses)
    for invariant in INVARIANTS:
        yield from (Citation(clause, "invariants", invariant.name) for clause in invariant.clauses)
    for second in RERUNS:
        yield from (Citation(clause, "invariants", second.name) for clause in second.clauses)
    yield from (Citation(fault.clause, "faults", fault.name) for fault in FAULTS.values())


def _lacking(by: dict[Kind, tuple[str, ...]], tests_looked_at: bool) -> Iterator[Lack]:
    if tests_looked_at and not by["tests"]:
        yield "test"
    if not (by["rules"] or by["invariants"] or by["scenarios"]):
        yield "check"
    if by["invariants"] and not by["faults"]:
        yield "fault"


def _lacking_of_a_suite(by: dict[Kind, tuple[str, ...]]) -> Iterator[Lack]:
    if not by["scenarios"]:
        yield "scenario"
