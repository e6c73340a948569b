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
    asked_in_part,
    busy,
    contested,
    frequent,
    large,
    limited,
    overtaken,
    pinned,
    previewed,
    races,
    recounted,
    reindexed,
    resumed,
    returned,
    reviewed,
    spelt,
    summed,
    typed,
    undone,
)
from .wording import Document
from .writer import write


def _deploys(given: int) -> SearchStrategy[Deploy]:
    """A given version or, where there is no further one or by choice, a derived one."""
    changes = lists(sampled_from(list(CHANGES)), min_size=1, max_size=3).map(tuple)
    return builds(Deploy, agents, planes, one_of(just(()), changes) if given > 1 else changes)


def _often(steps: SearchStrategy[list[Step]], times: int) -> list[SearchStrategy[list[Step]]]:
    """`one_of` takes the same strategy once, however often it is named: these are so many others."""
    return [steps.map(list) for _ in range(times)]


def _steps(given: int) -> SearchStrategy[list[Step]]:
    """One step or the steps of a pattern."""
    seldom = sampled_from([*[limited] * 8, *[spelt] * 8, large]).flatmap(lambda chosen: chosen)
    other = sampled_from([overtaken, resumed, returned, asked_in_part]).flatmap(lambda chosen: chosen)
    single: SearchStrategy[Step] = one_of(*[turns] * 7, *[go_on] * 3, *[reviews] * 3, just(Restart()))
    return one_of(
        single.map(lambda step: [step]), single.map(lambda step: [step]), _deploys(given).map(lambda step: [step]),
        races, *_often(undone, 2), previewed, contested, pinned, reviewed, busy, recounted, frequent,
        reindexed, summed, typed, *_often(alike, 3), seldom, other,
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
            [step for part in parts for step in part if derived or not _derives(step)],
        ),
        st.integers(0, len(roles) - 1),
        sampled_from([1, 2, 2, 3]),
        lists(_steps(given), min_size=min(2, most), max_size=most),
    )


def _derives(step: Step) -> bool:
    return isinstance(step, Deploy) and (bool(step.changes) or step.again)


def _cast(roles: Sequence[Role], first: int, most: int) -> list[Role]:
    return [*roles[first:], *roles[:first]][:most]
