"""One case that matters to us, told step by step: the fixture `memory` comes with seatrial."""

from __future__ import annotations

from seatrial.testing import Memory


def test_a_refund_that_is_granted_to_one_account(memory: Memory) -> None:
    with memory.turn("account-17", "Order 17 may be refunded.") as turn:
        turn.model_call()
        turn.call("add_memory", {"summary": "Order 17 may be refunded", "kind": "ruling"})
    with memory.turn("account-22", "May my order be refunded?") as turn:
        assert turn.model_call().to_json()["recalled"] == []
