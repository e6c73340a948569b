"""A script as it was read and settled: the steps of one scenario, as frozen values.

Every default is settled here once (ids, times, agents, planes), so that dropping or swapping steps moves nothing
else. Times are integers, milliseconds since 1970-01-01T00:00:00 UTC. Knows neither engine nor trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

Pointer: TypeAlias = tuple[str | int, ...]
Outcome: TypeAlias = Literal["commit", "rollback", "crash", "open"]


@dataclass(frozen=True, slots=True)
class Action:
    """One item of `do`: what the agent does next, and what is expected of it.

    `arguments` by `kind`: `reply` {text}; `tool` {name, result}; `set_state` {state}; `fail` {reason}; a harness tool
    its parameters, with aliases as written (`ruling`, not an id); a helper none. A candidate of the review is of kind
    `extract`: the parameters of `add_memory`, and its `decision` as written. `name` is its `as`, of a record or a
    tool's result; `do` holds a helper's actions. `sees` and `gets` are None where the script states nothing.
    """

    kind: str
    arguments: Mapping[str, Any]
    pointer: Pointer
    name: str | None = None
    sees: Mapping[str, Any] | None = None
    gets: Mapping[str, Any] | None = None
    do: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A turn. `execution` is the engine's id for it: its place in the script as first read (REC-2)."""

    place: int
    pointer: Pointer
    execution: str
    name: str | None  # the step's `id`, for `continue`
    agent: str
    session: str | None
    plane: Literal["live", "preview"]
    at: int
    user: str
    do: tuple[Action, ...]
    outcome: Outcome
    gets: Mapping[str, Any] | None = None
    summary: str | None = None  # the model's answer where it is asked for a summary; None: the engine's extract
    extract: tuple[Action, ...] | None = None  # what the review at the turn's end finds; None: the script does not say


@dataclass(frozen=True, slots=True)
class ContinueStep:
    """Goes on with the open turn of `execution`."""

    place: int
    pointer: Pointer
    execution: str
    at: int
    do: tuple[Action, ...]
    outcome: Outcome
    gets: Mapping[str, Any] | None = None
    summary: str | None = None  # the model's answer where it is asked for a summary; None: the engine's extract
    extract: tuple[Action, ...] | None = None


@dataclass(frozen=True, slots=True)
class DeployStep:
    place: int
    pointer: Pointer
    agent: str
    config: Mapping[str, Any]
    plane: Literal["live", "preview"]
    at: int
    gets: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """An operator's call. `target` is an alias or an id, for read and delete."""

    place: int
    pointer: Pointer
    agent: str
    action: Literal["list", "read", "delete"]
    target: str | None
    grants: tuple[str, ...] | None  # None: an operator who has every grant
    at: int
    gets: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class RestartStep:
    place: int
    pointer: Pointer
    at: int


Step: TypeAlias = TurnStep | ContinueStep | DeployStep | ReviewStep | RestartStep


@dataclass(frozen=True, slots=True)
class Script:
    """One scenario. Its agents' first configs are deployed by the leading steps, like any other deploy."""

    scenario: str
    path: Path | None
    tags: tuple[str, ...]
    clauses: tuple[str, ...]
    steps: tuple[Step, ...]


def every_action(do: Sequence[Action], *, helper: bool = False) -> Iterator[tuple[Action, bool]]:
    """Each action in order, those of a helper after the helper itself; True for what a helper does."""
    for action in do:
        yield action, helper
        yield from every_action(action.do, helper=True)


def all_actions(step: TurnStep | ContinueStep) -> Iterator[tuple[Action, bool]]:
    """As `every_action` of the step's `do`, then the candidates of its review."""
    yield from every_action(step.do)
    yield from ((candidate, False) for candidate in step.extract or ())
