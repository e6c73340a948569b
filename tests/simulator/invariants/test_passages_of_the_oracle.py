"""What one session put in, standing inside what another observes, on literal traces: leaks and others (VIEW-2)."""

from __future__ import annotations

import sys
from itertools import count
from typing import Any

import pytest

from seatrial.simulator.invariants import INVARIANTS, History
from seatrial.simulator.invariants.examples import HEADER, add, begin, call, context, deploy, end, say, search

Line = dict[str, Any]
SECRET = "Wire 4471 is approved up to 9,000 USD."
BOTH = deploy(read=("session", "agent"), write=("session", "agent"))


def violated(*lines: Line) -> dict[str, set[str]]:
    """The violated invariants of those that judge what is observed, each with its clauses."""
    history = History.parse([HEADER, *lines])
    names = ("session-isolation", "agent-isolation", "plane-isolation", "rollback-atomicity", "flow")
    judged = {each.name: each.check(history).violations for each in INVARIANTS if each.name in names}
    return {name: {violation.clause for violation in found} for name, found in judged.items() if found}


def told(user: str = SECRET, session: str = "a", outcome: str = "committed", **how: Any) -> list[Line]:
    return [begin("s0", session, user, **how), end("s0", outcome)]


def shown(*lines: Line, session: str = "b", user: str = "Good morning", **how: Any) -> list[Line]:
    return [begin("s1", session, user, **how), *lines, end("s1")]


INSIDE = {
    "a summary": context("s1", summary=f"They said: {SECRET}"),
    "a summary of its beginning": context("s1", summary=f"{SECRET} Then more was said."),
    "a longer message": context("s1", messages=[{"role": "user", "text": f"Good morning. Earlier: {SECRET} So?"}]),
    "a part of a message": context("s1", messages=[{"role": "user", "content": [{"text": f"Earlier: {SECRET}"}]}]),
    "a recalled record": context("s1", recalled=[{"id": "mem_own", "note": f"see: {SECRET}"}]),
    "a free field of an answer": call("s1", "search_memory", {"query": "x"}, {"records": [], "note": f"or {SECRET}"}),
    "an error": call("s1", "read_memory", {"id": "x"}, None) | {"error": {"code": "x", "message": f"not {SECRET}"}},
}


@pytest.mark.parametrize("part", INSIDE)
def test_view_2_a_text_of_another_session(part: str) -> None:
    own = [begin("s2", "b"), add("s2", "mem_own", "Lunch is at noon"), end("s2")]
    found = violated(deploy(), *own, *told(), *shown(INSIDE[part]))
    assert found == {"session-isolation": {"VIEW-2"}, "flow": {"VIEW-2"}}


@pytest.mark.parametrize("part", INSIDE)
def test_view_2_a_session_that_said_the_same_itself(part: str) -> None:
    own = [begin("s2", "b"), add("s2", "mem_own", "Lunch is at noon"), end("s2")]
    assert violated(deploy(), *own, *told(), *shown(INSIDE[part], user=f"Note: {SECRET}")) == {}
    replied = [begin("s3", "b", "Hello"), say("s3", f"I see that {SECRET}"), end("s3")]
    assert violated(deploy(), *own, *told(), *replied, *shown(INSIDE[part])) == {}


def test_view_2_the_path_leads_from_who_said_it() -> None:
    history = History.parse([HEADER, deploy(), *told(), *shown(INSIDE["a summary"])])
    (violation,) = next(each for each in INVARIANTS if each.name == "session-isolation").check(history).violations
    assert violation.observation == f'text "{SECRET}" in summary in b turn s1 call 1'
    assert violation.because == "because it belongs to session a, and session b sees its own only"
    assert violation.witness == ("a turn s0", "user message", violation.observation)


def test_view_2_one_sentence_of_a_long_message() -> None:
    """A summary takes the first sentence of each message."""
    lines = told(f"Hello. {SECRET} Tell the customer, and nobody else but the customer.")
    assert violated(deploy(), *lines, *shown(INSIDE["a summary"])) != {}


@pytest.mark.parametrize("scope", ["agent", "session"])
def test_view_2_what_an_agent_record_tells_all_sessions(scope: str) -> None:
    wrote = [begin("s0", "a", SECRET), add("s0", "mem_wire", SECRET, scope=scope), end("s0")]
    assert bool(violated(BOTH, *wrote, *shown(INSIDE["a summary"]))) == (scope == "session")


def test_view_3_what_was_rightly_shown_stays_in_the_conversation() -> None:
    """A later version that no longer reads AGENT records goes on with a conversation that quotes one."""
    wrote = [begin("s0", "a", "Hello"), add("s0", "mem_wire", SECRET, scope="agent"), end("s0")]
    found = {"records": [{"id": "mem_wire", "summary": SECRET}]}
    read = [begin("s2", "b", "Hello"), call("s2", "search_memory", {"query": "wire"}, found), end("s2")]
    later = {**deploy(write=("session", "agent")), "version": 2}
    goes_on = context("s1", summary=f"Found: {SECRET}")
    begun = {**begin("s1", "b", "Hello"), "version": 2}
    assert violated(BOTH, *wrote, *read, later, begun, goes_on, end("s1")) == {}
    assert violated(BOTH, *wrote, later, begun, goes_on, end("s1")) != {}


def test_txn_2_a_text_of_an_undone_turn() -> None:
    lines = [deploy(), *told(outcome="rolled_back"), *shown(INSIDE["a summary"], session="a")]
    assert violated(*lines) == {"rollback-atomicity": {"TXN-2"}}
    assert violated(deploy(), *told(), *shown(INSIDE["a summary"], session="a")) == {}


def test_view_4_a_text_of_a_preview() -> None:
    lines = [deploy(), *told(plane="preview"), *shown(INSIDE["a summary"], session="a")]
    assert set(violated(*lines)) == {"session-isolation", "plane-isolation"}
    assert violated(deploy(), *told(), *shown(INSIDE["a summary"], session="a", plane="preview")) == {}


@pytest.mark.parametrize(("session", "outcome"), [(None, "committed"), ("a", "rolled_back"), ("a", "committed")])
def test_view_2_a_turn_sees_what_it_said_itself(session: str | None, outcome: str) -> None:
    first = [begin("s0", session, SECRET), end("s0", outcome)]
    again = [begin("s1", session, f"Again: {SECRET}"), INSIDE["a longer message"], end("s1", outcome)]
    assert violated(deploy(), *first, *again) == {}


def test_view_1_a_text_of_another_agent() -> None:
    lines = [deploy(), deploy("auditor"), *told(agent="auditor"), *shown(INSIDE["a summary"], session="a")]
    assert "agent-isolation" in violated(*lines)


@pytest.mark.parametrize("text", ["Yes, please.", "Is it approved?", "mem_0123456789abcdef01234567"])
def test_view_2_what_is_short_or_a_name_may_be_there_by_accident(text: str) -> None:
    assert violated(deploy(), *told(text), *shown(context("s1", summary=f"Earlier: {text}"))) == {}


def test_view_2_a_canary_is_no_accident() -> None:
    text = "It is canary0123456789abcdef"
    assert violated(deploy(), *told(text), *shown(context("s1", summary="or canary0123456789abcdef"))) != {}


def test_view_2_what_the_system_says_to_all_is_nobodys() -> None:
    """The agent of one session repeats an error that the agent of another one meets later."""
    notice = {"code": "not_found", "message": "there is no such record: search for it first"}
    met = call("s0", "read_memory", {"id": "x"}, None) | {"error": notice}
    first = [begin("s0", "a", "Hello"), met, say("s0", notice["message"]), end("s0")]
    again = call("s1", "read_memory", {"id": "x"}, None) | {"error": notice}
    assert violated(deploy(), *first, *shown(again)) == {}
    config = deploy()
    config["config"]["instructions"] = f"Remember: {SECRET}"
    assert violated(config, *told(), *shown(INSIDE["a summary"])) == {}


def test_view_2_replies_that_are_not_told_are_not_judged() -> None:
    lines = [deploy(), *told(), *shown(context("s1", messages=[{"role": "assistant", "text": f"Well, {SECRET}"}]))]
    assert violated(*lines) == {}
    assert violated(*lines, begin("s4", "c"), say("s4", "Hello"), end("s4")) != {}


def test_reading_is_linear_in_the_length_of_a_trace() -> None:
    """Many sessions that say nearly the same, and all that they said shown again and again."""

    def cost(turns: int) -> int:
        """The calls of functions that it takes: no clock, which a busy machine would move."""
        lines: list[Line] = [HEADER, deploy()]
        for number in range(turns):
            said = f"Wire 4471 is approved up to {number} USD, as I said before."
            seen = context(f"t{number}", messages=[{"role": "user", "text": said}], summary=said)
            lines += [begin(f"t{number}", f"s{number}", said), seen, search(f"t{number}"), end(f"t{number}")]
        history = History.parse(lines)
        calls = count()
        sys.setprofile(lambda *_: next(calls) and None)
        try:
            assert all(not each.check(history).violations for each in INVARIANTS if each.name == "session-isolation")
        finally:
            sys.setprofile(None)
        return next(calls)

    assert cost(400) < 5 * cost(100)
