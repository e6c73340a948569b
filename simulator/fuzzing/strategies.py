"""Hypothesis strategies for random scenarios: single intents and patterns of them, written as documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy, builds, just, lists, one_of, sampled_from

from .acts import agents, go_on, planes, reviews, turns, weighted
from .cast import CHANGES, Role
from .intents import Deploy, Restart, Review, Step, Turn
from .patterns import (
    asked_in_part,
    at_once,
    busy,
    contested,
    frequent,
    helped,
    limited,
    misplaced,
    overtaken,
    pinned,
    previewed,
    races,
    recounted,
    reindexed,
    renewed,
    resumed,
    returned,
    spelt,
    summed,
    typed,
    undone,
)
from .reviewing import alike, decided, large, removed, reviewed, spoilt
from .wording import Document
from .writer import write


def _deploys(given: int) -> SearchStrategy[Deploy]:
    """A given version or, where there is no further one or by choice, a derived one."""
    changes = lists(sampled_from(list(CHANGES)), min_size=1, max_size=3).map(tuple)
    return builds(Deploy, agents, planes, one_of(just(()), changes) if given > 1 else changes)


def _alone(step: Step) -> list[Step]:
    return [step]


def _of(steps: list[Step], agent: int) -> list[Step]:
    return [
        replace(step, agent=agent) if agent and isinstance(step, Turn | Deploy | Review) else step for step in steps
    ]


def _steps(given: int) -> SearchStrategy[list[Step]]:
    """One step or the steps of a pattern, at times all of another agent."""
    seldom = weighted(
        (4, limited),
        (4, spelt),
        (3, overtaken),
        (2, resumed),
        (2, returned),
        (3, asked_in_part),
        (3, helped),
        (2, misplaced),
        (2, spoilt),
        (1, large),
    )
    steps = weighted(
        (4, turns.map(_alone)), (2, go_on.map(_alone)), (3, reviews.map(_alone)), (2, _deploys(given).map(_alone)),
        (2, races), (2, at_once), (3, undone), (1, previewed), (1, contested), (1, pinned), (2, reviewed), (1, busy),
        (1, recounted), (1, frequent), (1, reindexed), (1, summed), (1, typed), (4, alike), (3, removed),
        (1, renewed), (1, decided), (4, seldom), (1, just([Restart()])),
    )  # fmt: skip
    return builds(_of, steps, sampled_from([0] * 5 + [1]))


def scenarios(
    roles: Sequence[Role], *, derived: bool = True, scenario: str = "a random script"
) -> SearchStrategy[Document]:
    """Documents of scenarios in which one or more agents of `roles` play. They load without a finding.

    With `derived` the deploys also promote versions that are derived from the given ones.
    """
    return intended(roles, derived=derived).map(lambda drawn: write(*drawn, scenario))


def intended(roles: Sequence[Role], *, derived: bool, most: int = 6) -> SearchStrategy[tuple[list[Role], list[Step]]]:
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
