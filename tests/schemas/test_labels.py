"""Labels along the versions of an agent (VER-2): the successor schema, and what it finds in words."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.schemas import Labels, Problem, config_problems, load, problems


def config(**labels: int) -> dict[str, Any]:
    return {"harness": {"memory": {"labels": {name: {"number": number} for name, number in labels.items()}}}}


def chain(*configs: Any) -> list[tuple[int, Problem]]:
    """What each version of a chain, from 1, is told."""
    labels = Labels()
    found = []
    for version, each in enumerate(configs, 1):
        found += [(version, problem) for problem in labels.problems(each, version)]
        labels.add(version, each)
    return found


GONE = 'label "a" (number 5, version 1) is gone in version 2: every later version keeps it'
CHANGED = 'label "a" has number 5 since version 1, and {} in version {}'
SWAPPED = 'labels "{}" and "{}" swapped their numbers {} and {} in version 2'
RENAMED = 'label "a" of version 1 is renamed to "b" in version 2: number 5 stays with the name "a"; {}'
DECLARE = 'keep the name, or declare both, "b" with number {}'
TAKEN = 'number {} belongs to label "a" since version {}, and in version 3 to "{}"; write {}, which is free'
CHANGED_TO_TAKEN = 'label "b" has number 6 since version 1, and 5 in version 2, which belongs to "a"'
CASES = [
    # the chain, then what is found: version, rule, where, message
    ([config(a=5), config(a=5, b=6)], []),
    ([config(a=5), config(a=6)], [(2, "ST502", "a/number", CHANGED.format(6, 2))]),
    ([config(a=5), config(b=6)], [(2, "ST501", "", GONE)]),
    ([config(a=5), config(b=5)], [(2, "ST503", "b/number", RENAMED.format(DECLARE.format(6)))]),
    # a swap is called a swap, and a ring a trade
    ([config(a=1, b=2), config(a=2, b=1)], [(2, "ST502", "a/number", SWAPPED.format("a", "b", 1, 2))]),
    (
        [config(a=1, b=2, c=3), config(a=2, b=3, c=1)],
        [(2, "ST502", "a/number", 'labels "a", "b" and "c" traded their numbers 1, 2 and 3 in version 2')],
    ),
    (
        [config(a=1, b=2, c=3, d=4), config(a=2, b=1, c=4, d=3)],
        [
            (2, "ST502", "a/number", SWAPPED.format("a", "b", 1, 2)),
            (2, "ST502", "c/number", SWAPPED.format("c", "d", 3, 4)),
        ],
    ),
    # a number freed in one version and taken in a later one is found
    (
        [config(a=5), config(), config(c=5)],
        [(2, "ST501", "", GONE), (3, "ST503", "c/number", TAKEN.format(5, 1, "c", 6))],
    ),
    # what one version did is not told again of the next
    (
        [config(a=5), config(a=6), config(a=6), config(a=7), config(a=5)],
        [(2, "ST502", "a/number", CHANGED.format(6, 2)), (4, "ST502", "a/number", CHANGED.format(7, 4))],
    ),
    (
        [config(a=5), config(a=6), config(a=5, b=6)],
        [(2, "ST502", "a/number", CHANGED.format(6, 2)), (3, "ST503", "b/number", TAKEN.format(6, 2, "b", 7))],
    ),
    # each number that is proposed is another one, and one that no version has had
    (
        [config(a=5, z=9), config(z=9), config(b=5, c=9, d=30)],
        [
            (2, "ST501", "", GONE),
            (3, "ST503", "b/number", TAKEN.format(5, 1, "b", 31)),
            (
                3,
                "ST503",
                "c/number",
                'label "z" of version 1 is renamed to "c" in version 3: number 9 stays with the name "z"; keep the '
                'name, or declare both, "c" with number 32',
            ),
        ],
    ),
    # above the largest number there is none
    (
        [config(a=2**53 - 1, b=1), config(b=1), config(b=1, c=2**53 - 1)],
        [
            (2, "ST501", "", GONE.replace("5", str(2**53 - 1))),
            (3, "ST503", "c/number", TAKEN.format(2**53 - 1, 1, "c", 2)),
        ],
    ),
    # two causes are two problems
    (
        [config(b=6, a=5), config(b=5)],
        [(2, "ST502", "b/number", CHANGED_TO_TAKEN), (2, "ST501", "", GONE)],
    ),
    # a number that two labels of one version share is told once, as ST401
    ([config(a=5), config(a=5, b=5)], []),
    # what is not well formed is for the agent schema to tell
    ([config(a=5), {"harness": {"memory": {"labels": {"a": {"number": "5"}}}}}], []),
    ([config(a=5), {"harness": {"memory": {"labels": []}}}, {"harness": 1}, {}], []),
]


@pytest.mark.parametrize(("configs", "expected"), CASES)
def test_one_cause_is_told_once(configs: list[Any], expected: list[tuple[int, str, str, str]]) -> None:
    """buf (measured): four messages for a swap, none for a number that was freed and taken again."""
    found = [
        (version, problem.rule, problem.where.removeprefix("/harness/memory/labels").removeprefix("/"), problem.message)
        for version, problem in chain(*configs)
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("last", "where"), [({"harness": {"memory": {}}}, "/harness/memory"), ({"harness": {}}, "/harness")]
)
def test_all_labels_gone_at_once_are_one_problem(last: Any, where: str) -> None:
    ((_, found),) = chain(config(a=1, b=2), last)
    assert (found.rule, found.where, found.at) == ("ST501", where, "key")
    assert found.message.startswith('labels "a" (number 1, version 1) and "b" (number 2, version 1) are gone')


def test_a_problem_names_every_place_that_belongs_to_it() -> None:
    ((_, found),) = chain(config(a=1, b=2), config(a=2, b=1))
    assert [(each.version, each.pointer[-2:]) for each in found.elsewhere] == [
        (None, ("b", "number")),
        (1, ("a", "number")),
        (1, ("b", "number")),
    ]


LABELS = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 5), max_size=4).filter(
    lambda labels: len(set(labels.values())) == len(labels)
)


@given(st.lists(LABELS, min_size=1, max_size=4))
def test_the_successor_schema_accepts_exactly_what_keeps_every_label_and_number(versions: list[dict[str, int]]) -> None:
    labels = Labels()
    kept: dict[str, int] = {}
    for version, each in enumerate(versions, 1):
        legal = all(each.get(name) == number for name, number in kept.items()) and not any(
            number in kept.values() for name, number in each.items() if name not in kept
        )
        schema = labels.schema()
        jsonschema.Draft202012Validator.check_schema(schema)
        assert jsonschema.Draft202012Validator(schema).is_valid(config(**each)) == legal
        assert bool(labels.problems(config(**each), version)) == (not legal)
        if not legal:
            return
        labels.add(version, config(**each))
        kept.update(each)


@given(st.lists(LABELS, min_size=2, max_size=4))
def test_every_problem_points_into_its_version(versions: list[dict[str, int]]) -> None:
    for version, problem in chain(*(config(**each) for each in versions)):
        assert problem.pointer[:2] == ("harness", "memory")
        if len(problem.pointer) > 3:
            assert problem.pointer[3] in versions[version - 1]
        for place in problem.elsewhere:
            there = version if place.version is None else int(place.version)
            assert place.pointer[3] in versions[there - 1]


def test_a_deploy_is_told_why_it_is_refused() -> None:
    """VER-2: naming the label and both versions."""
    (found,) = config_problems(config(a=6), [(1, config(a=5))], version=2)
    assert str(found) == ('/harness/memory/labels/a/number: label "a" has number 5 since version 1, and 6 in version 2')
    assert config_problems(config(a=5, b=6), [(1, config(a=5))], version=2) == []


def test_the_successor_schema_is_read_with_the_agent_schema() -> None:
    labels = Labels()
    labels.add(1, config(a=5))
    both = labels.successor_of(load("agent"))
    jsonschema.Draft202012Validator.check_schema(both)
    assert sorted(found.rule for found in problems(both, config(a=6, B=7))) == ["ST402", "ST502"]
    assert problems(both, config(a=5)) == []
