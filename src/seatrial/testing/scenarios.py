"""Strategies of scripts: scenarios over a project's own configs, and text that tries to be more than text."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from hypothesis import HealthCheck, Phase, settings
from hypothesis.strategies import SearchStrategy

from seatrial.linter import lint, read_text
from seatrial.simulator.fuzzing import hostile_text as _hostile_text
from seatrial.simulator.fuzzing import roles
from seatrial.simulator.fuzzing.cast import Role, Version
from seatrial.simulator.fuzzing.intents import Step, Turn
from seatrial.simulator.fuzzing.reading import UnsoundConfigs, read_roles
from seatrial.simulator.fuzzing.strategies import intended
from seatrial.simulator.fuzzing.wanted import Wanted
from seatrial.simulator.fuzzing.writer import SESSIONS, write

from .given import Given, plain, told

Configs: TypeAlias = "Given | Sequence[Given] | SearchStrategy[Any]"

_LONGEST = 500


def scripts(
    configs: Configs,
    *,
    sessions: Sequence[str] = SESSIONS,
    subjects: Sequence[str] = (),
    previews: bool = True,
    rollbacks: bool = True,
    interleaved: bool = True,
    deploys: bool = True,
    derived: bool = False,
    operators: bool = True,
    restarts: bool = True,
    helpers: bool = True,
    reviews: bool = True,
    hostile: bool = True,
    max_parts: int = 8,
    name: str = "a random script",
) -> SearchStrategy[dict[str, Any]]:
    """Scenarios, as documents for `check`, in which the agents of `configs` play. Each of them loads.

    `configs` is one config or several: mappings, files (paths), or a strategy of one or of several. Those of one agent
    are its versions in order; a script deploys the first of each, and later ones where it comes to that.

    `sessions` names up to three sessions, `subjects` what texts are about ("order 17"; one line each). What follows is
    left out where it is False: preview turns and deploys; turns that are rolled back, crash or fail; turns that are
    open at the same time; deploys of further versions, and with `derived` of some derived from the given ones;
    operators; restarts; subagents and programs; what the review at a turn's end finds; hostile text. `max_parts` bounds
    a script: a part is one step, or a few that belong together.

    Raises ValueError for a config with errors, OSError for a file that cannot be read. They shrink to a turn or two.
    """
    if not sessions or not all(sessions):
        raise ValueError("`sessions` needs a name")
    if not all(subject.strip() and subject.isprintable() and len(subject) < 400 for subject in subjects):
        raise ValueError("each of `subjects` is one line of less than 400 printable characters")
    wanted = Wanted(previews, rollbacks, interleaved, deploys, operators, restarts, helpers, reviews, hostile,
                    tuple(subjects))  # fmt: skip
    names = tuple(sessions)

    def of(cast: Sequence[Role]) -> SearchStrategy[dict[str, Any]]:
        return intended(cast, derived=derived, most=max_parts).map(lambda drawn: written(*drawn))

    def written(cast: Sequence[Role], steps: Iterable[Step]) -> dict[str, Any]:
        left = list(wanted.of(steps))
        if not any(isinstance(step, Turn) for step in left):
            left = [*wanted.of([Turn()]), *left]
        return write(cast, left, name, names)

    if isinstance(configs, SearchStrategy):
        return configs.flatmap(lambda given: of(roles(_each(given))))
    return of(roles_of(configs))


def scenario_settings(*, shrink: bool = True, **stated: Any) -> settings:
    """Settings of Hypothesis for tests that play scenarios: no deadline, and no tracing of lines, which costs minutes.

    `check`, and the teardown of a machine, make the example that is reported shorter themselves, and further than
    Hypothesis could; without `shrink` it is left to them, which is faster. The rest is that of the profile that is
    loaded, and what is `stated`: `max_examples` and so on.
    """
    phases = [Phase.explicit, Phase.reuse, Phase.generate, *([Phase.shrink] if shrink else [])]
    patient = [HealthCheck.too_slow, HealthCheck.data_too_large]
    usual: dict[str, Any] = {
        "deadline": None,
        "phases": phases,
        "report_multiple_bugs": False,  # one fault mostly violates several invariants, and each would be shrunk
        "suppress_health_check": patient,
    }
    return settings(**(usual | stated))


def hostile_text(*, line: bool = False) -> SearchStrategy[str]:
    """Text that tries to be more than text: markup, forged records, controls, any script, blanks, great length.

    With `line` it is what a summary may hold: one line of at most 500 printable characters, not blank (REC-1).
    """
    return _hostile_text().map(_one_line) if line else _hostile_text()


def _one_line(text: str) -> str:
    kept = "".join(char for char in text if char.isprintable())[:_LONGEST].strip()
    return kept or "?"


def roles_of(configs: Any) -> tuple[Role, ...]:
    """The agents of configs, each with its versions in order. Raises ValueError and OSError."""
    chains: dict[str, list[Version]] = {}
    given = _each(configs)
    if not given:
        raise ValueError("there is no config to draw scripts for")
    for role in (*_from_files([Path(each) for each in given if not isinstance(each, Mapping)]),
                 *roles(_sound(each) for each in given if isinstance(each, Mapping))):  # fmt: skip
        chains.setdefault(role.name, []).extend(role.versions)
    return tuple(Role(name, tuple(chain)) for name, chain in chains.items())


def _each(configs: Any) -> Sequence[Any]:
    return [configs] if isinstance(configs, Mapping | str | os.PathLike) else list(configs)


def _from_files(paths: Sequence[Path]) -> Iterable[Role]:
    """The agents of files. Their configs stand in the scripts, which so can be run anywhere."""
    try:
        found = read_roles(paths, Path())
    except UnsoundConfigs as unsound:
        raise ValueError(told(unsound.errors)) from unsound
    for role in found:
        configs = [{"agent": role.name, **version.config} for version in role.versions]
        yield Role(role.name, tuple(Version(config, config) for config in configs))


def _sound(config: Mapping[str, Any]) -> Mapping[str, Any]:
    copied: Mapping[str, Any] = plain(config, "the config")
    errors = [found for found in lint([read_text(json.dumps(copied), path="<config>")]) if found.severity == "error"]
    if errors:
        raise ValueError(told(errors))
    return copied
