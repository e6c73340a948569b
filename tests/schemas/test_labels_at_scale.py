"""The successor schema decides alike whole and in the part that concerns a version; trades; and many labels (VER-2)."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.schemas import Labels


def config(**labels: int) -> dict[str, Any]:
    return {"harness": {"memory": {"labels": {name: {"number": number} for name, number in labels.items()}}}}


def messages(*configs: Any) -> list[list[str]]:
    labels = Labels()
    found = []
    for version, each in enumerate(configs, 1):
        found.append([problem.message for problem in labels.problems(each, version)])
        labels.add(version, each)
    return found


NUMBERS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 7), max_size=6)


@given(st.lists(NUMBERS, min_size=1, max_size=4), NUMBERS)
def test_the_part_of_the_schema_that_is_asked_finds_what_the_whole_finds(
    versions: list[dict[str, int]], last: dict[str, int]
) -> None:
    """But for what the version before had wrong in the same way, and for numbers that two labels share (ST401)."""
    labels = Labels()
    for version, each in enumerate(versions, 1):
        labels.add(version, config(**each))
    before = versions[-1]
    whole = set()
    for error in jsonschema.Draft202012Validator(labels.schema()).iter_errors(config(**last)):
        if error.validator == "required":
            whole |= {name for name in labels.declared if name not in last and name in before}
        else:
            name = error.absolute_path[-2]
            if list(last.values()).count(last[name]) == 1 and before.get(name) != last[name]:
                whole.add(name)
    found = labels.problems(config(**last), len(versions) + 1)
    named = " ".join(problem.message for problem in found)
    assert {name for name in whole if f'"{name}"' in named} == whole
    assert bool(found) == bool(whole)


@pytest.mark.parametrize(
    ("chain", "told"),
    [
        (
            [config(a=1, b=2, c=3, d=4), config(b=1, c=2, d=3, a=4)],
            ['labels "b", "a", "d" and "c" traded their numbers 2, 1, 4 and 3 in version 2'],
        ),
        (  # dropped in one version, swapped when it is back
            [config(a=1, b=2), config(), config(a=2, b=1)],
            ['labels "a" and "b" swapped their numbers 1 and 2 in version 3'],
        ),
        (  # one label moves first, the other follows
            [config(a=1, b=2), config(a=2), config(a=2, b=1)],
            ['labels "b" and "a" swapped their numbers 2 and 1 in version 3'],
        ),
        (  # a label that leads into a ring is not in it
            [config(a=1, b=2, x=9), config(a=1, b=2, x=9, y=8), config(a=2, b=1, x=8, y=8)],
            ['labels "a" and "b" swapped their numbers 1 and 2 in version 3'],
        ),
    ],
)
def test_trades_are_told_as_trades_whenever_they_happen(chain: list[Any], told: list[str]) -> None:
    assert messages(*chain)[-1] == told


def test_a_ring_behind_a_label_that_leads_into_it_is_found() -> None:
    labels = Labels()
    labels.add(1, config(a=1, b=2, x=5))
    labels.add(2, config(a=3, b=2, x=5))  # 3 belongs to a from now on, too
    (moved, ring) = labels.problems(config(x=3, a=2, b=1), 3)
    assert moved.message == 'label "x" has number 5 since version 1, and 3 in version 3, which belongs to "a"'
    assert ring.message == 'labels "a" and "b" swapped their numbers 1 and 2 in version 3'


class Counted(dict[str, Any]):
    """A dictionary that counts how often it is asked."""

    asked = 0

    def __getitem__(self, key: str) -> Any:
        Counted.asked += 1
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        Counted.asked += 1
        return super().get(key, default)


@pytest.mark.parametrize("sound", [True, False])
def test_a_chain_costs_what_reading_it_costs(sound: bool) -> None:
    """Asked in proportion to versions and labels: four times as many of both, sixteen times as much, no more."""

    def cost(size: int) -> int:
        labels = Labels()
        labels.declared = Counted()
        labels.owners = Counted()  # type: ignore[assignment]  # keys of any type serve the count
        Counted.asked = 0
        for version in range(1, size + 1):
            numbers = {f"l{number}": number for number in range(1, 10 * size)}
            if not sound:
                numbers[f"l{version}"] = 100_000 + version
            labels.problems(config(**numbers), version)
            labels.add(version, config(**numbers))
        return Counted.asked

    assert cost(20) <= 4.5**2 * cost(5)


def test_many_labels_that_all_move_are_told_in_the_time_of_a_few() -> None:
    """A version that renames, moves or drops thousands of labels does not make each be compared with each."""
    size = 1_000
    labels = Labels()
    labels.add(1, config(**{f"a{n}": n for n in range(1, size + 1)}))
    assert len(labels.problems(config(**{f"b{n}": n for n in range(1, size + 1)}), 2)) == size
    moved = config(**{f"a{n}": n + 1 for n in range(1, size + 1)})
    assert len(labels.problems(moved, 2)) == size
    (ring,) = labels.problems(config(**{f"a{n}": n % size + 1 for n in range(1, size + 1)}), 2)
    assert len(ring.elsewhere) == 2 * size - 1
    assert len(labels.problems(config(), 2)) == size
