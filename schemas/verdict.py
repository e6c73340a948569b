"""What a schema says of a value: jsonschema decides, this puts it in order. One cause gives one problem."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from .labels import Labels, shared_numbers
from .loader import load
from .problem import Pointer, Problem
from .quick import surely_valid

MOST = 1000


def problems(schema: str | Mapping[str, Any], value: Any, most: int = MOST) -> list[Problem]:
    """What `schema`, or the shipped schema of that name, finds wrong with `value`: one problem a cause.

    Looking ends once there are more than `most`, by themselves so many as nobody reads: each costs as much as the
    first.
    """
    if surely_valid(schema, value):
        return []
    whole = load(schema) if isinstance(schema, str) else schema
    from . import explain, validator, vocabulary

    check = validator.named(schema) if isinstance(schema, str) else validator.validator(schema)
    words = vocabulary.Vocabulary(whole)
    found: dict[Problem, None] = {}
    for error in check.iter_errors(value):
        for problem in explain.explained(cast("explain.Error", error), words, value):
            found[problem] = None
            if len(found) > most:
                return _without_clashes(reduced(found), value)
    return _without_clashes(reduced(found), value)


def reduced(found: Iterable[Problem]) -> list[Problem]:
    """`found` without repetitions and without what only follows from another problem of it.

    - of several problems with one value its type comes first: the others judge what it is not;
    - a key that is missing because it is misspelt, or stands at the wrong place, is not missing as well;
    - a condition between settings waits until the settings it speaks of are in order.
    """
    found = list(dict.fromkeys(found))
    mistyped = {problem.pointer for problem in found if problem.keyword == "type"}
    unknown = [problem for problem in found if problem.keyword == "additionalProperties"]
    written = {start for problem in unknown for meant in problem.meant for start in _starts(meant)}
    plain = {start for problem in found if not problem.conditional for start in _starts(problem.pointer)}

    def follows(problem: Problem) -> bool:
        if problem.keyword != "additionalProperties":
            if problem.keyword != "type" and problem.pointer in mistyped:
                return True
            if not written.isdisjoint(problem.meant):
                return True
        return problem.conditional and problem.pointer in plain

    return [problem for problem in found if not follows(problem)]


def _without_clashes(found: list[Problem], value: Any) -> list[Problem]:
    """`found`, where no fix is safe that would write into a list what is there already, or what another writes."""
    lists: dict[Pointer, Counter[str]] = {}
    for problem in found:
        if problem.fix is not None and problem.fix.does == "write" and _is_item(problem.pointer):
            lists.setdefault(problem.pointer[:-1], Counter())[problem.fix.text] += 1
    for pointer, texts in lists.items():
        items = value
        for step in pointer:
            items = items[step]
        texts.update(json.dumps(item, ensure_ascii=False) for item in items if not isinstance(item, dict | list))
    return [
        problem._replace(fix=problem.fix._replace(safe=False))
        if problem.fix is not None and lists.get(problem.pointer[:-1], Counter())[problem.fix.text] > 1
        else problem
        for problem in found
    ]


def _is_item(pointer: Pointer) -> bool:
    return bool(pointer) and isinstance(pointer[-1], int)


def _starts(pointer: Pointer) -> Iterator[Pointer]:
    """The pointer and every pointer to what it is inside of."""
    return (pointer[:length] for length in range(len(pointer) + 1))


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
