"""A search reaches whatever its agents can come to, and tells of no fault that is not there, whatever the config."""

from __future__ import annotations

from typing import Any

import pytest
from hunting import DESK, LEDGER, RATES
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from seatrial.simulator.fuzzing import Document, roles, scenarios
from seatrial.simulator.fuzzing.search import Budget, search
from seatrial.simulator.fuzzing.trial import judged, script_of
from seatrial.simulator.invariants import INVARIANTS, RERUNS, SecondRun
from seatrial.testing import configs

PLAIN = {"agent": "plain", "harness": {"memory": {"enabled": True, "tools": ["add_memory"]}}}
CASTS: dict[str, list[Any]] = {
    "all": [DESK, LEDGER, RATES],
    "one that states little": [PLAIN],
    "one of sessions": [DESK],
    "one that reads its session": [LEDGER],
    "one without sessions": [RATES],
    "two of sessions": [DESK, LEDGER],
}


def missed(cast: list[Any], seed: int, examples: int) -> list[str]:
    """What a search of these agents did not come to, although it can."""
    playing = roles(cast)
    outcome = search(playing, seed, Budget(examples, None, lambda: 0.0), shrink=False)
    assert outcome.found is None
    names = [*(each.name for each in INVARIANTS), *(each.name for each in RERUNS)]
    return [*outcome.tally.unreached(playing), *outcome.tally.unchecked(playing, names)]


@pytest.mark.parametrize("name", ["all", "one that states little"])
def test_what_agents_can_come_to_is_reached_and_checked(name: str) -> None:
    assert missed(CASTS[name], 0, 300) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("name", CASTS)
def test_it_is_reached_with_other_seeds(name: str, seed: int) -> None:
    assert missed(CASTS[name], seed, 500) == []


# Of agents that are drawn: two or more configs of one name are versions of it.
CASTS_DRAWN = st.lists(configs() | configs(agent="desk"), min_size=1, max_size=3)
DRAWN = CASTS_DRAWN.flatmap(lambda cast: scenarios(roles(cast)))
SECONDS = st.none() | st.sampled_from(RERUNS)


def alarms(document: Document, again: SecondRun | None) -> tuple[Any, ...]:
    script = script_of(document, {})
    assert script is not None
    return judged(script, () if again is None else (again,)).problems


@settings(max_examples=150, phases=[Phase.generate])
@given(DRAWN, SECONDS)
def test_nothing_is_wrong_with_scenarios_of_any_config(document: Document, again: SecondRun | None) -> None:
    assert alarms(document, again) == ()


@pytest.mark.slow
@settings(max_examples=5000, phases=[Phase.generate])
@given(DRAWN, SECONDS)
def test_nothing_is_wrong_with_many_of_them(document: Document, again: SecondRun | None) -> None:
    assert alarms(document, again) == ()
