"""The desk, played rule by rule, with a rule and an invariant of our own."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule
from hypothesis.strategies import SearchStrategy

from seatrial.testing import MemoryMachine, OpenTurn, scenario_settings

CONFIGS = Path(__file__).parents[1] / "configs"


class DeskMachine(MemoryMachine):
    configs = (CONFIGS / "desk.v1.yaml", CONFIGS / "desk.v2.yaml")
    session_names = ("account-17", "account-22")

    def summaries(self) -> SearchStrategy[str]:
        return st.sampled_from(["Order 17 may be refunded", "Order 22 may be refunded", "The card fee is 5 %"])

    @precondition(lambda self: self.turns)
    @rule(turn=MemoryMachine.open_turns)
    def asks_for_rulings(self, turn: OpenTurn) -> None:
        answer = self.do(turn, {"search_memory": {"query": "refunded", "kinds": ["ruling"]}})
        if answer is not None and "answer" in answer:
            assert all(hit["kind"] == "ruling" for hit in answer["answer"]["records"])

    @invariant()
    def no_more_is_recalled_than_the_config_allows(self) -> None:
        assert all(len(line["recalled"]) <= 3 for line in self.observed() if line["type"] == "context")


TestDesk = DeskMachine.TestCase
TestDesk.settings = scenario_settings(max_examples=25, stateful_step_count=25, shrink=False)
