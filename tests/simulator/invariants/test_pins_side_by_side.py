"""Pins of turns that are open at once, on literal traces."""

from __future__ import annotations

from literal import Line, clauses

from seatrial.simulator.invariants.examples import add, begin, call, deploy, end, pinning, record, review

SHARED = pinning(
    deploy(read=("session", "agent"), write=("session", "agent")), 12
)  # each of these pins takes 10 tokens


def pin(turn: str, name: str, summary: str, scope: str = "session") -> Line:
    answer = {"record": {**record(name, summary), "pinned": True}}
    return call(turn, "add_memory", {"summary": summary, "pinned": True, "scope": scope}, answer)


def side_by_side(*meanwhile: Line, scope: str = "agent", outcome: str = "committed") -> list[str]:
    """What is violated where account a pins while another turn does `meanwhile`."""
    first, last = [begin("s1", "a"), pin("s1", "mem_a", "Two sign", scope=scope)], end("s1", outcome)
    return clauses("pin-budget", SHARED, *first, *meanwhile, last)


def test_txn_3_pins_of_turns_that_were_open_at_once_fit_together() -> None:
    """PIN-2: the first to commit wins, whatever each had room for in its own view."""
    shared = [begin("s2", "b"), pin("s2", "mem_b", "Ask late", scope="agent")]
    assert side_by_side(*shared, end("s2")) == ["TXN-3"]
    assert side_by_side(*shared, end("s2"), outcome="conflict") == []
    assert side_by_side(*shared, end("s2", "rolled_back")) == []
    assert side_by_side(*shared) == [], "the other is open: it is its commit that conflicts"
    assert side_by_side(*shared, end("s2"), scope="session") == [], "PIN-4: the listing leaves it out"
    assert side_by_side(begin("s2", "b"), pin("s2", "mem_b", "Ask late"), end("s2")) == [], "VIEW-2"
    assert side_by_side({**shared[0], "plane": "preview"}, shared[1], end("s2")) == [], "PRE-4"
    assert side_by_side(*shared, end("s2"), review("delete", "mem_b")) == [], "ADM-2"


def test_txn_3_a_pin_that_its_own_turn_took_off_is_not_committed() -> None:
    taken_off = add("s1", "mem_c", "Two sign", scope="agent", replaces="mem_a")
    shared = [begin("s2", "b"), pin("s2", "mem_b", "Ask late", scope="agent"), end("s2")]
    assert side_by_side(*shared, taken_off) == []
