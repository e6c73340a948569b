"""The path from who put something in to who observed it."""

from __future__ import annotations

import os
import subprocess
import sys

from seatrial.simulator.invariants import History
from seatrial.simulator.invariants.examples import HEADER, add, begin, context, deploy, end, record, said, say, search
from seatrial.simulator.invariants.session_isolation import SESSION_ISOLATION

BOTH = ("session", "agent")


def witnesses(*lines: dict[str, object]) -> list[tuple[str, ...]]:
    history = History.parse([HEADER, deploy(read=BOTH, write=BOTH), *lines])
    return [violation.witness for violation in SESSION_ISOLATION.check(history).violations]


def test_it_goes_through_the_record_that_leaked() -> None:
    """A record that is shared on purpose stands beside it, on a path of the same length."""
    written = [add("s0", "mem_shared", scope="agent"), add("s0", "mem_private")]
    seen = context("s1", recalled=[record("mem_shared"), record("mem_private")])
    assert witnesses(begin("s0", "a"), *written, end("s0"), begin("s1", "b"), seen) == [
        ("a turn s0", "add_memory mem_private (session)", "recall in b turn s1 call 1")
    ]


def test_it_tells_the_messages_of_two_turns_apart() -> None:
    first = [begin("s0", "a", "Hello"), say("s0", "Noted."), end("s0")]
    seen = context("s2", messages=said("Noted.", "Hello", "Bye"))
    assert witnesses(*first, begin("s1", "b", "Bye"), end("s1"), begin("s2", "c"), seen) == [
        ("a turn s0", "reply", 'message "Noted." in c turn s2 call 1'),
        ("a turn s0", "user message", 'message "Hello" in c turn s2 call 1'),
        ("b turn s1", "user message", 'message "Bye" in c turn s2 call 1'),
    ]


def test_what_nobody_put_in_has_no_path() -> None:
    assert witnesses(begin("s0", "a"), search("s0", "mem_unknown")) == [
        ("answer of search_memory in a turn s0 call 1",)
    ]


def test_networkx_is_loaded_only_to_explain_a_violation() -> None:
    program = """
import sys
from seatrial.simulator.invariants import INVARIANTS, History
for invariant in INVARIANTS:
    assert invariant.check(History.parse(invariant.good)).status == "holds"
assert "networkx" not in sys.modules
INVARIANTS[0].check(History.parse(INVARIANTS[0].bad))
assert "networkx" in sys.modules
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
