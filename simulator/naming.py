"""The names that a script writes where a tool takes ids: which there are, where they stand, and what they stand for.

Pure functions over a script. It knows no engine, and not what ids the names turn out to have.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .script import Action, ContinueStep, Step, TurnStep, all_actions
from .words import WORDS


def never_an_id(name: str) -> str:
    """An id as a record could have it, for a name whose record was never added, or whose result was never told.

    Nothing has it.
    """
    return "mem_" + hashlib.sha256(f"never added: {name}".encode("utf-8", "surrogatepass")).hexdigest()[:24]


def named_in(steps: Iterable[Step]) -> Iterator[tuple[str, bool]]:
    """The names that steps give to records and results, and whether they say that these will be refused."""
    for step in steps:
        if isinstance(step, TurnStep | ContinueStep):
            for action, _ in all_actions(step):
                if action.name is not None:
                    yield action.name, _refused(action.gets) or _refused(step.gets)


def _refused(gets: Mapping[str, Any] | None) -> bool:
    """Whether the script says that something is refused."""
    return gets is not None and ("error" in gets or gets.get("outcome") == "rejected")


def written(action: Action) -> Iterator[str]:
    """The names and ids in an action's arguments, as written."""
    decision = action.arguments.get("decision")
    yield from decision.values() if isinstance(decision, Mapping) else ()
    for parameter in WORDS[action.kind].ids:
        value = action.arguments.get(parameter, ())
        yield from [value] if isinstance(value, str) else value


def resolved(action: Action, id_of: Callable[[str], str]) -> dict[str, Any]:
    """The action's arguments with ids for names."""
    arguments = dict(action.arguments)
    if isinstance(arguments.get("decision"), Mapping):  # of a candidate
        arguments["decision"] = {word: id_of(name) for word, name in arguments["decision"].items()}
    for parameter in WORDS[action.kind].ids:
        value = arguments.get(parameter)
        if isinstance(value, str):
            arguments[parameter] = id_of(value)
        elif value is not None:
            arguments[parameter] = [id_of(name) for name in value]
    return arguments
