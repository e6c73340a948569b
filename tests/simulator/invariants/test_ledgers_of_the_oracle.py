"""The ledger beside what the turns did, on literal traces: it is compared, and never believed."""

from __future__ import annotations

import pytest
from isolation import BOTH, judged, looked, violated, wrote

from seatrial.simulator.invariants.examples import (
    context,
    deploy,
    record,
    search,
    stored,
)


def test_sco_2_the_scope_is_the_stated_one_else_the_only_one_else_session() -> None:
    leak = looked("s1", "b", search("s1", "mem_of_s0"))
    assert violated(deploy(read=BOTH, write=("agent",)), *wrote("s0", "a"), *leak) == {}
    assert violated(deploy(read=BOTH, write=BOTH), *wrote("s0", "a"), *leak) == {"session-isolation": "VIEW-2"}


def test_sco_2_the_ledger_is_not_believed() -> None:
    """cadis#155: a SESSION record stored as AGENT, and then recalled by everybody."""
    lines = [deploy(read=BOTH, write=BOTH), *wrote("s0", "a"), *looked("s1", "b", search("s1", "mem_of_s0"))]
    violations = judged(*lines, stored("mem_of_s0", "s0", "a", "agent"))["session-isolation"].violations
    assert [violation.clause for violation in violations] == ["VIEW-2", "SCO-2"]
    assert violations[1].because == "because a turn s0 wrote it with scope session"


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("scope", "agent", {"session-isolation": "SCO-2"}),
        ("session", "b", {"session-isolation": "VIEW-2"}),
        ("session", None, {"session-isolation": "VIEW-2"}),
        ("agent", "auditor", {"agent-isolation": "VIEW-1"}),
        ("plane", "preview", {"plane-isolation": "PRE-1"}),
        ("scope", "SESSION", {}),
        ("session", "a", {}),
    ],
)
def test_a_record_is_kept_where_it_was_written(field: str, value: str | None, expected: dict[str, str]) -> None:
    entry = {**stored("mem_of_s0", "s0", "a"), field: value}
    assert violated(deploy(), *wrote("s0", "a"), entry) == expected


def test_a_sessionless_record_is_kept_under_no_session() -> None:
    sessionless = deploy(read=("agent",), write=("agent",))
    entry = stored("mem_of_s0", "s0", None, "agent")
    assert violated(sessionless, *wrote("s0", None), entry) == {}
    assert violated(sessionless, *wrote("s0", None), {**entry, "session": "a"}) == {"session-isolation": "VIEW-2"}


def test_sco_2_a_stated_scope_is_read_in_either_case() -> None:
    lines = [deploy(read=BOTH, write=BOTH), *wrote("s0", "a", scope="AGENT")]
    assert violated(*lines, *looked("s1", "b", search("s1", "mem_of_s0"))) == {}


def test_a_ledger_that_tells_nothing_of_a_field_is_not_accused() -> None:
    bare = {"type": "record", "id": "mem_of_s0", "summary": "what s0 knows"}
    assert violated(deploy(), *wrote("s0", "a"), bare) == {}


def test_a_use_in_the_ledger_that_no_observation_shows() -> None:
    use = {"type": "use", "turn": "s1", "call": 1, "source": "recall", "records": ["mem_of_s0"]}
    lines = [deploy(), *wrote("s0", "a"), *looked("s1", "b", context("s1"))]
    assert violated(*lines, use) == {"session-isolation": "VIEW-2"}
    shown = [deploy(), *wrote("s0", "a"), *looked("s1", "b", context("s1", recalled=[record("mem_of_s0")]))]
    assert violated(*shown, use) == {"session-isolation": "VIEW-2"}, "told once, where it was observed"
