"""Strategies of scripts: scenarios over a project's own configs, and text that tries to be more than text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from hypothesis import HealthCheck, Phase, settings
from hypothesis.strategies import SearchStrategy

from seatrial.simulator.fuzzing import hostile_text as _hostile_text
from seatrial.simulator.fuzzing import roles
from seatrial.simulator.fuzzing.cast import Role, Version
from seatrial.simulator.fuzzing.intents import Step, Turn
from seatrial.simulator.fuzzing.reading import UnsoundConfigs, read_roles
from seatrial.simulator.fuzzing.strategies import intended
from seatrial.simulator.fuzzing.wanted import Wanted
from seatrial.simulator.fuzzing.writer import SESSIONS, write

from .given import Given, collection, flag, line, said, shown, sound, told, unread, whole

Configs: TypeAlias = "Given | Sequence[Given] | SearchStrategy[Any]"

_LONGEST = 500
_LONGEST_SUBJECT = 399  # what is said of it fits into a line, too


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

    Raises TypeError and ValueError for an argument that is none of this, ValueError for a config with errors, OSError
    for a file that cannot be read. They shrink to a turn or two.
    """
    names = session_names(sessions, "sessions")
    if len(names) > len(SESSIONS):
        raise ValueError(f"`sessions` names up to {len(SESSIONS)} sessions; these are {len(names)}")
    about = collection(subjects, "subjects", "['order 17']")
    for subject in about:
        line(subject, "each of `subjects`", _LONGEST_SUBJECT)
    said("name", "scenario", {"scenario": name, "config": {"harness": {}}, "steps": [{"restart": True}]})
    kinds = {"previews": previews, "rollbacks": rollbacks, "interleaved": interleaved, "deploys": deploys,
             "operators": operators, "restarts": restarts, "helpers": helpers, "reviews": reviews,
             "hostile": hostile}  # fmt: skip
    wanted = Wanted(**{knob: flag(given, knob) for knob, given in kinds.items()}, subjects=about)
    flag(derived, "derived")
    parts = whole(max_parts, "max_parts")

    def of(cast: Sequence[Role]) -> SearchStrategy[dict[str, Any]]:
        return intended(cast, derived=derived, most=parts).map(lambda drawn: written(*drawn))

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
    Hypothesis could; without `shrink` it is left to them, which is faster. The scenario that they show stands for the
    line that reproduces an example in CI. The rest is that of the profile that is loaded, and what is `stated`:
    `max_examples` and so on.
    """
    phases = [Phase.explicit, Phase.reuse, Phase.generate, *([Phase.shrink] if shrink else [])]
    patient = [HealthCheck.too_slow, HealthCheck.data_too_large]
    usual: dict[str, Any] = {
        "deadline": None,
        "phases": phases,
        "print_blob": False,  # the scenario that is shown plays the same
        "report_multiple_bugs": False,  # one fault mostly violates several invariants, and each would be shrunk
        "suppress_health_check": patient,
    }
    return settings(**(usual | stated))


def hostile_text(*, line: bool = False) -> SearchStrategy[str]:
    """Text that tries to be more than text: markup, forged records, controls, any script, blanks, great length.

    With `line` it is what a summary may hold: one line of at most 500 printable characters, not blank (REC-1).
    """
    return _hostile_text().map(_one_line) if line else _hostile_text()


def session_names(given: Any, what: str) -> tuple[str, ...]:
    """The names of sessions that `what` is given, each once. Raises TypeError and ValueError (REC-6)."""
    names = tuple(dict.fromkeys(collection(given, what, "['account-17', 'account-22']")))
    if not names:
        raise ValueError(f"`{what}` needs a name")
    for name in names:
        said(what, "agent", {"agent": name, "harness": {}})  # the same holds for names of agents
    return names


def _one_line(text: str) -> str:
    kept = "".join(char for char in text if char.isprintable())[:_LONGEST].strip()
    return kept or "?"


def roles_of(configs: Any) -> tuple[Role, ...]:
    """The agents of configs, each with its versions in order. Raises ValueError and OSError."""
    chains: dict[str, list[Version]] = {}
    given = written_configs(configs)
    for role in (*_from_files([Path(each) for each in given if not isinstance(each, Mapping)]),
                 *roles(sound(each) for each in given if isinstance(each, Mapping))):  # fmt: skip
        chains.setdefault(role.name, []).extend(role.versions)
    return tuple(Role(name, tuple(chain)) for name, chain in chains.items())


def written_configs(configs: Any) -> Sequence[Given]:
    """Configs as they are written, at least one: mappings, and paths. Raises TypeError and ValueError."""
    if isinstance(configs, SearchStrategy):
        raise TypeError("`configs` of a machine are mappings, and paths of files; a strategy is for `scripts`")
    given = _each(configs)
    for each in given:
        if not isinstance(each, Mapping | str | os.PathLike):
            raise TypeError(
                f"a config is a mapping, or the path of its file; among them is {shown(each)}"
                + ("; a strategy is given alone, as in scripts(configs())" if isinstance(each, SearchStrategy) else "")
            )
    if not given:
        raise ValueError("there is no config: name one, as a mapping or as the path of its file")
    return given


def _each(configs: Any) -> Sequence[Any]:
    if isinstance(configs, Mapping | str | os.PathLike):
        return [configs]
    if isinstance(configs, bytes) or not isinstance(configs, Iterable):
        raise TypeError(f"configs are mappings, or paths of files; this is {shown(configs)}")
    return list(configs)


def _from_files(paths: Sequence[Path]) -> Iterable[Role]:
    """The agents of files. Their configs stand in the scripts, which so can be run anywhere."""
    try:
        found = read_roles(paths, Path())
    except UnsoundConfigs as unsound:
        raise ValueError(told(unsound.errors)) from unsound
    except OSError as unreadable:
        named = Path(unreadable.filename or "")
        raise type(unreadable)(unreadable.errno, unread(named, unreadable)) from unreadable
    for role in found:
        configs = [{"agent": role.name, **version.config} for version in role.versions]
        yield Role(role.name, tuple(Version(config, config) for config in configs))
