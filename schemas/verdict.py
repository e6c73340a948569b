"""What a schema says of a value: jsonschema decides, this puts it in order. One cause gives one problem."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from .labels import Labels, shared_numbers
from .loader import load
from .problem import Problem


def problems(schema: str | Mapping[str, Any], value: Any) -> list[Problem]:
    """What `schema`, or the shipped schema of that name, finds wrong with `value`: one problem a cause."""
    from . import explain, validator

    check = validator.named(schema) if isinstance(schema, str) else validator.validator(schema)
    errors = list(check.iter_errors(value))
    if not errors:
        return []
    root = load(schema) if isinstance(schema, str) else schema
    return reduced(problem for error in errors for problem in explain.explained(cast("explain.Error", error), root))


def reduced(found: Iterable[Problem]) -> list[Problem]:
    """`found` without repetitions and without what only follows from another problem of it.

    - of several problems with one value its type comes first: the others judge what it is not;
    - a key that is missing because it is misspelt, or stands at the wrong place, is not missing as well;
    - a condition between settings waits until the settings it speaks of are in order.
    """
    found = list(dict.fromkeys(found))
    mistyped = {problem.pointer for problem in found if problem.keyword == "type"}
    written = [meant for problem in found if problem.keyword == "additionalProperties" for meant in problem.meant]
    plain = [problem.pointer for problem in found if not problem.conditional]

    def follows(problem: Problem) -> bool:
        if problem.pointer in mistyped and problem.keyword not in ("type", "additionalProperties"):
            return True
        if problem.keyword != "additionalProperties" and any(
            key[: len(meant)] == meant for meant in problem.meant for key in written
        ):
            return True
        return problem.conditional and any(pointer[: len(problem.pointer)] == problem.pointer for pointer in plain)

    return [problem for problem in found if not follows(problem)]


def config_problems(
    config: Any, earlier: Iterable[tuple[int, Mapping[str, Any]]] = (), version: int | None = None
) -> list[Problem]:
    """Why `config` may not be deployed; empty if it may.

    The agent schema first; then two labels with one number; then what the successor schema of the `earlier` versions,
    (number, config) in order, says of it (VER-2). `version` is the number the config would get, named in messages.
    Earlier versions are taken as deployed: they are not checked again.
    """
    found = problems("agent", config)
    if not found:
        found = shared_numbers(config)
    if not found:
        labels = Labels()
        for number, document in earlier:
            labels.add(number, document)
        found = labels.problems(config, version)
    return found
