"""One thing that is wrong, told once: the violations of several invariants by the same observation belong together.

session-isolation speaks of all views, so what another agent or a preview put in violates it too; which of them it is
the invariant says that is named for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .verdict import Verdict, Violation

_NAMED_FOR = {"VIEW-1": "agent-isolation", "VIEW-4": "plane-isolation"}


def best_name(invariant: str, clause: str) -> str:
    """The invariant that says best what is wrong where `invariant` is violated by `clause`."""
    return _NAMED_FOR.get(clause, invariant) if invariant == "session-isolation" else invariant


def grouped(verdicts: Iterable[Verdict]) -> dict[str, list[tuple[Violation, ...]]]:
    """The violations, those of one observation by one path together, by the invariant that says best what is wrong.

    That invariant's comes first in its group; else all stand in the order of the verdicts.
    """
    groups: dict[tuple[object, ...], list[Violation]] = {}
    for verdict in verdicts:
        for each in verdict.violations:
            groups.setdefault((each.step, each.line, each.observation, each.record, each.witness), []).append(each)
    found: dict[str, list[tuple[Violation, ...]]] = {}
    for group in map(_best_first, groups.values()):
        found.setdefault(group[0].invariant, []).append(group)
    return found


def others(group: Sequence[Violation]) -> list[str]:
    """The invariants of a group but for the first."""
    return [*dict.fromkeys(each.invariant for each in group if each.invariant != group[0].invariant)]


def _best_first(group: list[Violation]) -> tuple[Violation, ...]:
    name = best_name(group[0].invariant, group[0].clause)
    return tuple(sorted(group, key=lambda each: each.invariant != name))
