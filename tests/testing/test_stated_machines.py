"""What a subclass of MemoryMachine states: nonsense is told by its name when the class is made or its test starts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from seatrial.testing import MemoryMachine, configs, scenario_settings

DESK: dict[str, Any] = {"agent": "desk", "harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}


def machine(**stated: Any) -> type[MemoryMachine]:
    return type("Desk", (MemoryMachine,), {"configs": DESK, **stated})


def played(made: type[MemoryMachine]) -> None:
    short = scenario_settings(max_examples=5, stateful_step_count=8, shrink=False, database=None)
    run_state_machine_as_test(made, settings=short)


@rule()
def ruled(self: Any) -> None:
    """A rule."""


@invariant()
def held(self: Any) -> None:
    """An invariant."""


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ({"second_runs": "determinism"}, r"Desk: `second_runs` takes several names.* write \['determinism'\]"),
        ({"second_runs": ["determinsm"]}, "no second run determinsm; did you mean determinism"),
        ({"second_runs": ["session-isolation"]}, "no second run session-isolation; there are determinism"),
        ({"second_runs": 3}, "`second_runs` is True, False or several names"),
        ({"session_names": "north"}, r"`session_names` takes several names.* write \['north'\]"),
        ({"session_names": []}, "`session_names` needs a name"),
        ({"session_names": ["north", " "]}, '`session_names`: " "'),
        ({"previews": "no"}, r"`previews` is True or False; this is 'no'"),
        ({"derived": 1}, r"`derived` is True or False; this is 1"),
        ({"configs": []}, "there is no config: name one"),
        ({"configs": 3}, "configs are mappings, or paths"),
        ({"configs": configs()}, "a strategy is for `scripts`"),
        ({"preview": False}, "no `preview`; did you mean `previews`"),
        ({"session_name": ["north"]}, "did you mean `session_names`"),
        ({"message": lambda self: st.just("Hello.")}, "did you mean `messages`"),
        ({"deploys": False}, r"`deploys` is an argument of `scripts`; .* as in `deploy = None`"),
        ({"sessions": ["north"]}, "`sessions` is a machine's own.* sessions are named by `session_names`"),
        ({"turns": 3}, "`turns` is a machine's own"),
        ({"observed": held}, "`observed` is a machine's own"),
        ({"records": ruled}, "`records` is a machine's own"),
        ({"play": None}, "`play` is a machine's own"),
        ({"messages": st.just("Hello.")}, r"`messages` is a method that gives a strategy, `def messages\(self\)`"),
    ],
)
def test_nonsense_is_told_when_the_class_is_made(stated: dict[str, Any], told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^Desk: .*{told.removeprefix('Desk: ')}"):
        machine(**stated)


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ({"configs": "gone.yaml"}, "Desk: `configs`: gone.yaml: No such file or directory; the test runs in"),
        ({"configs": Path()}, r"Desk: `configs`: \. is a folder: name the config files in it"),
        ({"configs": {"harness": {"memry": {}}}}, r"Desk: `configs`: a config has errors:\n.*ST101"),
        ({"messages": lambda self: "Hello."}, r"Desk.messages gives a strategy .*; this is 'Hello.'"),
        ({"new_records": lambda self, turn: {}}, r"Desk.new_records gives a strategy .*; this is {}"),
    ],
)
def test_the_rest_is_told_when_its_test_starts(stated: dict[str, Any], told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{told}"):
        played(machine(**stated))


def test_without_configs_it_says_so() -> None:
    class Nobody(MemoryMachine):
        """It may be a base of others."""

    with pytest.raises(TypeError, match="Nobody states no `configs`"):
        played(Nobody)


def test_what_is_the_projects_own_is_left_alone(tmp_path: Path) -> None:
    """Also what can be looked at once only, and names that are near to those that are stated."""
    for number in (1, 2):
        (tmp_path / f"desk.v{number}.yaml").write_text("harness: {memory: {enabled: true}}\n", encoding="utf-8")
    taken_away: Callable[..., None] = lambda self: None  # noqa: E731
    made = machine(
        configs=tmp_path.glob("desk.*.yaml"),
        config=DESK,
        session_names=iter(["north", "south"]),
        queries=lambda self: st.just("x"),
        query=lambda self: "x",
        says=ruled,
        message=held,
        hostile=["a list of ours"],
        replace=taken_away,
        restart=None,
        open_turns=MemoryMachine.open_turns.filter(bool),
    )
    played(made)
    played(type("Further", (made,), {"preview_names": [], "query": "y"}))
    assert list(made.session_names) == ["north", "south"]
