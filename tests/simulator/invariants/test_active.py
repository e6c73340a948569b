"""What the oracle remembers of who finds which records ACTIVE."""

from __future__ import annotations

import gc

from seatrial.simulator.invariants import History
from seatrial.simulator.invariants.active import active
from seatrial.simulator.invariants.examples import HEADER, add, begin, context, deploy, end
from seatrial.simulator.invariants.model import read


def test_no_history_but_the_latest_is_kept() -> None:
    lines = [
        HEADER,
        deploy(),
        begin("s0", "account-17", "hello"),
        add("s0", "mem_one", "One"),
        end("s0"),
        begin("s1", "account-17", "hello"),
        context("s1"),
        end("s1"),
    ]

    def kept() -> int:
        history = History.parse(lines)
        assert list(active(history, read(history).turns["s1"], 7)) == ["mem_one"]
        del history
        gc.collect()
        return sum(type(each) is History for each in gc.get_objects())

    assert [kept() for _ in range(4)] == [kept()] * 4
