"""Hypothesis strategies for random scenarios: single intents and patterns of them, written as documents."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy, builds, just, lists, one_of, sampled_from

from .acts import agents, go_on, planes, reviews, turns
from .cast import CHANGES, Role
from .intents import Deploy, Restart, Step
from .patterns import (
    alike,
    busy,
    frequent,
    limited,
    pinned,
    previewed,
    races,
    recounted,
    reindexed,
    reviewed,
    summed,
    typed,
    undone,
)
from .writer import Document, write


def _deploys(given: int) -> SearchStrategy[Deploy]:
    """A given version or, where there is no further one or by choice, a derived one."""
    changes = lists(sampled_from(list(CHANGES)), min_size=1, max_size=3).map(tuple)
    return builds(Deploy, agents, planes, one_of(just(()), changes) if given > 1 else changes)


def _steps(given: int) -> SearchStrategy[list[Step]]:
    """One step or the steps of a pattern."""
    single: SearchStrategy[Step] = one_of(*[turns] * 7, *[go_on] * 3, *[reviews] * 3, just(Restart()))
    return one_of(
        single.map(lambda step: [step]), single.map(lambda step: [step]), _deploys(given).map(lambda step: [step]),
        races, undone, previewed, pinned, reviewed, busy, recounted, recounted, frequent,
        reindexed, summed, limited, typed, alike,
    )  # fmt: skip


def scenarios(
    roles: Sequence[Role], *, derived: bool = True, scenario: str = "a random script"
) -> SearchStrategy[Document]:
    """Documents of scenarios in which one or more agents of `roles` play. They load without a finding.

    With `derived` the deploys also promote versions that are derived from the given ones.
    """
    return intended(roles, derived=derived).map(lambda drawn: write(*drawn, scenario))


def intended(roles: Sequence[Role], *, derived: bool, most: int = 8) -> SearchStrategy[tuple[list[Role], list[Step]]]:
    """Who plays in a scenario, and what they do there: two to `most` steps, or patterns of a few."""
    given = max(len(role.versions) for role in roles)
    return builds(
        lambda first, size, parts: (
            _cast(roles, first, size),
            [step for part in parts for step in part if derived or not (isinstance(step, Deploy) and step.changes)],
        ),
        st.integers(0, len(roles) - 1),
        sampled_from([1, 2, 2, 3]),
        lists(_steps(given), min_size=min(2, most), max_size=most),
    )


def _cast(roles: Sequence[Role], first: int, most: int) -> list[Role]:
    return [*roles[first:], *roles[:first]][:most]
