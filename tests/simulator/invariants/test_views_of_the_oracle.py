"""Who may see what, on literal traces: one leak each, and the same trace without it."""

from __future__ import annotations

from typing import Any

import pytest
from isolation import BOTH, judged, looked, violated, wrote
from literal import Line

from seatrial.simulator.invariants.examples import (
    add,
    begin,
    call,
    context,
    deploy,
    end,
    record,
    said,
    say,
    search,
)


def test_view_5_what_a_turn_writes_without_reading_it_may_stand_in_its_own_conversation() -> None:
    """The answer told its id; a search that finds it is another thing."""
    lines = [deploy(write=BOTH), begin("s0", "a"), add("s0", "mem_shared", scope="agent")]
    shown = context("s0", 2, messages=[{"role": "tool", "answer": {"record": {"id": "mem_shared"}}}])
    assert violated(*lines, shown, end("s0")) == {}
    assert violated(*lines, search("s0", "mem_shared"), end("s0")) == {"session-isolation": "VIEW-3"}


def test_view_1_another_agents_record() -> None:
    lines = [deploy(), deploy("auditor"), *wrote("s0", "a")]
    leak = looked("s1", "a", search("s1", "mem_of_s0"), agent="auditor")
    assert violated(*lines, *leak) == {"session-isolation": "VIEW-1", "agent-isolation": "VIEW-1"}


@pytest.mark.parametrize(
    "leak",
    [
        context("s1", recalled=[record("mem_of_s0")]),
        context("s1", pins=[{"id": "mem_of_s0", "summary": "what s0 knows"}]),
        context("s1", memory='<memory>\n{"id":"mem_of_s0"}\n</memory>'),
        context("s1", instructions="Pinned: mem_of_s0"),
        context("s1", messages=[{"role": "tool", "text": '{"records": ["mem_of_s0"]}'}]),
        context("s1", summary="Earlier, mem_of_s0 was found."),
        search("s1", "mem_of_s0"),
        call("s1", "read_memory", {"id": "mem_of_s0"}, {"record": record("mem_of_s0")}),
        call("s1", "delete_memory", {"id": "mem_of_s0"}, {"deleted": "mem_of_s0"}),
        call("s1", "delete_memory", {"id": "mem_of_s0"}, {"would_delete": "mem_of_s0"}),
        call("s1", "add_memory", {"summary": "new", "replaces": "mem_of_s0"}, {"record": record("mem_of_s1")}),
        call("s1", "add_memory", {"summary": "new", "replaces": ["mem_of_s0"]}, {"record": record("mem_of_s1")}),
        call("s1", "add_memory", {"summary": "what s0 knows"}, {"record": record("mem_of_s0")}),
        call("s1", "search_memory", {"query": "x"}, {"records": [], "note": "see also mem_of_s0"}),
    ],
    ids=lambda line: str(line.get("tool", line["type"])),
)
def test_view_2_another_sessions_record_by_every_way(leak: Line) -> None:
    lines = [deploy(), *wrote("s0", "a"), *looked("s1", "b", leak)]
    assert violated(*lines) == {"session-isolation": "VIEW-2"}
    own = [deploy(), *wrote("s0", "a"), *looked("s1", "a", leak)]
    assert violated(*own) == {}


def test_view_2_an_error_that_names_another_sessions_successor() -> None:
    refusal = call("s1", "delete_memory", {"id": "mem_old"}, None)
    refusal["error"]["message"] = "the record was replaced by mem_of_s0"
    assert violated(deploy(), *wrote("s0", "a"), *looked("s1", "b", refusal)) == {"session-isolation": "VIEW-2"}


def test_view_2_a_successor_out_of_view() -> None:
    old = {**record("mem_of_s0"), "status": "SUPERSEDED", "successor": "mem_of_s1"}
    lines = [deploy(write=BOTH, read=BOTH), *wrote("s0", "a", scope="agent"), *wrote("s1", "a")]
    assert violated(*lines, *looked("s2", "b", search("s2", "mem_of_s0"))) == {}
    shown = call("s2", "read_memory", {"id": "mem_of_s0"}, {"record": old})
    assert violated(*lines, *looked("s2", "b", shown)) == {"session-isolation": "VIEW-2"}


def test_view_2_a_recalled_record_whose_successor_is_out_of_view() -> None:
    lines = [deploy(write=BOTH, read=BOTH), *wrote("s0", "a", scope="agent"), *wrote("s1", "a")]
    hit = {**record("mem_of_s0"), "successor": "mem_of_s1"}
    assert violated(*lines, *looked("s2", "b", context("s2", recalled=[hit]))) == {"session-isolation": "VIEW-2"}


def test_view_2_a_short_id_in_running_text_may_be_there_by_accident() -> None:
    written = [begin("s0", "a"), add("s0", "m1"), end("s0")]
    assert violated(deploy(), *written, *looked("s1", "b", context("s1", instructions="Form m1 is due."))) == {}
    assert violated(deploy(), *written, *looked("s1", "b", search("s1", "m1"))) == {"session-isolation": "VIEW-2"}


def test_view_3_a_conversation_may_hold_what_was_rightly_seen_before() -> None:
    """VER-5: a version that no longer reads agent scope continues the conversation."""
    narrower = {**deploy(write=BOTH), "version": 2}
    seen = [
        deploy(write=BOTH, read=BOTH),
        *wrote("s0", "a", scope="agent"),
        *looked("s1", "b", search("s1", "mem_of_s0")),
    ]
    repeated = context("s2", messages=[{"role": "tool", "text": "found mem_of_s0"}])
    assert violated(*seen, narrower, {**begin("s2", "b"), "version": 2}, repeated) == {}
    other = [{**begin("s2", "c"), "version": 2}, repeated]
    assert violated(*seen, narrower, *other) == {"session-isolation": "VIEW-3"}


def test_view_2_an_id_that_the_session_named_itself_is_no_leak() -> None:
    """VIEW-6: it was refused, and its conversation repeats what it asked."""
    asked = call("s1", "read_memory", {"id": "mem_of_s0"}, None)
    asked["error"]["message"] = "there is no record mem_of_s0"
    repeated = context("s1", 2, messages=[{"role": "tool", "text": "read mem_of_s0: not found"}])
    verdicts = judged(deploy(), *wrote("s0", "a"), *looked("s1", "b", asked, repeated))
    assert verdicts["session-isolation"].status == "holds"


def test_view_2_an_id_that_somebody_wrote_into_a_text_proves_nothing() -> None:
    shared = add("s1", "mem_shared", "as in mem_of_s0", scope="agent")
    lines = [deploy(write=BOTH, read=BOTH), *wrote("s0", "a"), begin("s1", "a"), shared, end("s1")]
    quoting = context("s2", recalled=[record("mem_shared")], memory="mem_shared: as in mem_of_s0")
    assert violated(*lines, *looked("s2", "b", quoting)) == {}


@pytest.mark.parametrize("shape", [{"text": "user of s0"}, {"role": "user", "content": "user of s0"}, "user of s0"])
def test_view_2_another_sessions_message(shape: Any) -> None:
    lines = [deploy(), *wrote("s0", "a")]
    assert violated(*lines, *looked("s1", "b", context("s1", messages=[shape]))) == {"session-isolation": "VIEW-2"}
    assert violated(*lines, *looked("s1", "a", context("s1", messages=[shape]))) == {}


def test_view_2_a_message_that_both_sessions_hold_is_no_leak() -> None:
    lines = [deploy(), begin("s0", "a", "Hello"), say("s0", "Noted."), end("s0")]
    later = looked("s1", "b", say("s1", "Noted."), context("s1", messages=said("Noted.")))
    assert violated(*lines, *later) == {}


def test_view_3_agent_records_only_where_they_are_read() -> None:
    leak = looked("s1", "b", search("s1", "mem_of_s0"))
    shared = wrote("s0", "a", scope="agent")
    assert violated(deploy(write=BOTH), *shared, *leak) == {"session-isolation": "VIEW-3"}
    assert violated(deploy(write=BOTH, read=BOTH), *shared, *leak) == {}


def test_view_3_what_a_turn_cannot_read_it_does_not_read_from_itself() -> None:
    """VIEW-5: a turn may write what it cannot read."""
    lines = [deploy(write=BOTH), begin("s0", "a"), add("s0", "mem_of_s0", scope="agent")]
    assert violated(*lines, end("s0")) == {}
    assert violated(*lines, search("s0", "mem_of_s0"), end("s0")) == {"session-isolation": "VIEW-3"}


def test_view_3_goes_by_the_version_that_the_turn_runs() -> None:
    wider = {**deploy(write=BOTH, read=BOTH), "version": 2}
    seen = [{**begin("s1", "b"), "version": 2}, search("s1", "mem_of_s0"), end("s1")]
    late = [{**begin("s2", "b"), "version": 1}, search("s2", "mem_of_s0"), end("s2")]
    lines = [deploy(write=BOTH), *wrote("s0", "a", scope="agent"), wider, *seen]
    assert violated(*lines) == {}
    assert violated(*lines, *late) == {"session-isolation": "VIEW-3"}


def probes_of(*lines: Line) -> int:
    return judged(*lines)["session-isolation"].checked["cross_session_probes"]


def test_only_what_could_have_shown_it_is_a_probe() -> None:
    """A record shows in contexts that recall and in memory tools' calls; a plain write looks at nothing."""
    silent = [begin("s0", "a", " "), add("s0", "mem_of_s0"), end("s0")]
    assert probes_of(deploy(), *silent, *looked("s1", "b", context("s1"))) == 1
    assert probes_of(deploy(), *silent, *looked("s1", "b", {**context("s1"), "purpose": "memory"})) == 0
    assert probes_of(deploy(), *silent, *looked("s1", "b", add("s1", "mem_of_s1"))) == 0
    assert probes_of(deploy(), *silent, *looked("s1", "b", add("s1", "mem_of_s1", replaces="mem_x"))) == 1
    assert probes_of(deploy(), *silent, *looked("s1", "b", call("s1", "read_result", {"ref": "x"}, None))) == 0
    assert probes_of(deploy(), begin("s0", "a", " "), end("s0"), *looked("s1", "b", context("s1"))) == 0
    spoken = [begin("s0", "a", "Hello"), end("s0")]
    assert probes_of(deploy(), *spoken, *looked("s1", "b", {**context("s1"), "purpose": "memory"})) == 1
    assert probes_of(deploy(), *spoken, *looked("s1", "b", search("s1"))) == 0
    assert probes_of(deploy(), *spoken, *looked("s1", "b", call("s1", "search_history", {}, {"events": []}))) == 1
    assert probes_of(deploy(), *spoken, *looked("s1", "b", call("s1", "read_result", {"ref": "x"}, None))) == 1


def test_view_4_a_previews_record_and_message() -> None:
    lines = [deploy(), *wrote("s0", "a", plane="preview")]
    both = {"session-isolation": "VIEW-4", "plane-isolation": "VIEW-4"}
    assert violated(*lines, *looked("s1", "a", search("s1", "mem_of_s0"))) == both
    assert violated(*lines, *looked("s1", "a", context("s1", messages=said("user of s0")))) == both
    assert violated(*lines, *looked("s1", "a", search("s1", "mem_of_s0"), plane="preview")) == {}


def test_view_5_another_turns_commit_is_seen_by_turns_that_start_later() -> None:
    shared = deploy(read=BOTH, write=BOTH)
    wrote_later = wrote("s1", "a", scope="agent")
    open_turn = [begin("s0", "b"), *wrote_later, search("s0", "mem_of_s1"), end("s0")]
    assert violated(shared, *open_turn) == {"session-isolation": "VIEW-5"}
    assert violated(shared, *wrote_later, *looked("s2", "b", search("s2", "mem_of_s1"))) == {}


def test_view_5_a_record_that_nobody_wrote() -> None:
    assert violated(deploy(), *looked("s0", "a", search("s0", "mem_unknown"))) == {"session-isolation": "VIEW-5"}


def test_wrt_5_a_turn_reads_its_own_writes() -> None:
    assert violated(deploy(), begin("s0", "a"), add("s0", "mem_1"), search("s0", "mem_1"), end("s0")) == {}


def test_view_7_a_sessionless_turn_carries_no_conversation() -> None:
    lines = [deploy(read=("agent",), write=("agent",)), *wrote("s0", None)]
    assert violated(*lines, *looked("s1", None, search("s1", "mem_of_s0"))) == {}
    leak = looked("s1", None, context("s1", messages=said("user of s0")))
    assert violated(*lines, *leak) == {"session-isolation": "VIEW-7"}


def history(turn_id: str, **event: Any) -> Line:
    return call(turn_id, "search_history", {"query": "fact"}, {"events": [{"kind": "reply", **event}]})


@pytest.mark.parametrize("event", [{"turn": "s0", "text": "cut…"}, {"text": "user of s0"}], ids=["turn", "text"])
def test_view_2_an_event_of_another_sessions_history(event: Line) -> None:
    found = history("s1", **event)
    assert violated(deploy(), *wrote("s0", "a"), *looked("s1", "a", found)) == {}
    assert violated(deploy(), *wrote("s0", "a"), *looked("s1", "b", found)) == {"session-isolation": "VIEW-2"}
    undone = wrote("s0", "a", outcome="crashed")
    assert violated(deploy(), *undone, *looked("s1", "a", found)) == {"rollback-atomicity": "TXN-2"}


def test_an_event_that_nobody_is_known_to_have_put_in_is_not_accused() -> None:
    lines = [deploy(), *wrote("s0", "a"), *looked("s1", "b", history("s1", turn="s9", text="something else"))]
    assert judged(*lines)["session-isolation"].violations == ()


RESULT = [begin("s0", "a"), say("s0", "12 entries", "tool", name="fetch", ref="ref_of_s0"), end("s0")]
READ = call("s1", "read_result", {"ref": "ref_of_s0"}, {"text": "12 ent", "offset": 0, "total": 10})


@pytest.mark.parametrize(
    "leak",
    [READ, context("s1", messages=[{"role": "tool", "ref": "ref_of_s0", "note": "set aside"}])],
    ids=["answered", "shown"],
)
def test_ctx_5_a_reference_answers_inside_its_session_and_plane(leak: Line) -> None:
    assert violated(deploy(), *RESULT, *looked("s1", "a", leak)) == {}
    assert violated(deploy(), *RESULT, *looked("s1", "b", leak)) == {"session-isolation": "VIEW-2"}
    preview = [{**RESULT[0], "plane": "preview"}, *RESULT[1:]]
    both = {"session-isolation": "VIEW-4", "plane-isolation": "VIEW-4"}
    assert violated(deploy(), *preview, *looked("s1", "a", leak)) == both
    rolled_back = [*RESULT[:2], end("s0", "rolled_back")]
    assert violated(deploy(), *rolled_back, *looked("s1", "a", leak)) == {"rollback-atomicity": "TXN-2"}


def test_ctx_5_a_reference_that_the_session_named_itself_may_stand_in_its_conversation() -> None:
    refused = call("s1", "read_result", {"ref": "ref_of_s0"}, None)
    repeated = context("s1", 2, messages=[{"role": "tool", "arguments": {"ref": "ref_of_s0"}}])
    assert violated(deploy(), *RESULT, *looked("s1", "b", refused, repeated)) == {}


def test_ctx_2_a_turn_reads_its_own_result() -> None:
    own = [*RESULT[:2], context("s0", messages=[{"ref": "ref_of_s0"}]), {**READ, "turn": "s0"}, end("s0")]
    verdict = judged(deploy(), *own)["session-isolation"]
    assert (verdict.violations, verdict.checked["references"]) == ((), 2)


def with_state(turn: str, session: str, state: Line, seen: Any = None, **how: Any) -> list[Line]:
    """A turn that begins with the state `seen` and sets `state`."""
    shown = [] if seen is None else [context(turn, state=seen)]
    return [begin(turn, session, **how), *shown, say(turn, state, "state"), end(turn, state=state)]


def test_ctx_6_a_state_is_that_of_its_own_session() -> None:
    lines = [deploy(), *with_state("s0", "a", {"n": 1}), *with_state("s1", "b", {"n": 2}, {})]
    assert violated(*lines, *with_state("s2", "a", {"n": 3}, {"n": 1})) == {}
    assert violated(*lines, *with_state("s2", "a", {"n": 3}, {"n": 2})) == {"session-isolation": "VIEW-2"}
    assert violated(*lines, *with_state("s2", "a", {"n": 3}, {"n": 9})) == {"session-isolation": "CTX-6"}
    assert violated(*lines, *with_state("s2", "a", {"n": 3}, {"n": True})) == {"session-isolation": "CTX-6"}


def test_ctx_6_a_committed_turn_reports_its_state() -> None:
    lost = [begin("s1", "a"), say("s1", {"n": 2}, "state"), end("s1", state={"n": 7})]
    assert violated(deploy(), *with_state("s0", "a", {"n": 1}), *lost) == {"session-isolation": "CTX-6"}


def test_view_4_a_preview_continues_the_latest_turn_of_either_plane() -> None:
    lines = [deploy(), *with_state("s0", "a", {"n": 1}), *with_state("s1", "a", {"n": 2}, {"n": 1}, plane="preview")]
    assert violated(*lines, *with_state("s2", "a", {"n": 3}, {"n": 2}, plane="preview")) == {}
    assert violated(*lines, *with_state("s2", "a", {"n": 3}, {"n": 1})) == {}
    newer = [*lines, *with_state("s2", "a", {"n": 3}, {"n": 1})]
    assert violated(*newer, *with_state("s3", "a", {"n": 4}, {"n": 3}, plane="preview")) == {}
    leak = violated(*lines, *with_state("s2", "a", {"n": 3}, {"n": 2}))
    assert leak == {"session-isolation": "VIEW-4", "plane-isolation": "VIEW-4"}


def test_ctx_6_a_sessionless_turn_starts_with_nothing() -> None:
    sessionless = deploy(read=("agent",), write=("agent",))
    first = [begin("s0", None), say("s0", {"n": 1}, "state"), end("s0", state={"n": 1})]
    assert violated(sessionless, *first, *looked("s1", None, context("s1", state=None))) == {}
    leak = [begin("s1", None), context("s1", state={"n": 1}), end("s1")]
    assert violated(sessionless, *first, *leak) == {"session-isolation": "VIEW-7"}


def test_names_compare_literally() -> None:
    """langgraph#8300, langgraphjs#2721: no wildcard, no prefix, no joining."""
    for mine, other in (("john_doe", "john-doe"), ("acme", "acme-corp"), ("A", "a"), ("a/b", "a")):
        lines = [deploy(), *wrote("s0", mine), *looked("s1", other, search("s1", "mem_of_s0"))]
        assert violated(*lines) == {"session-isolation": "VIEW-2"}


SECRET = "Wire 4471 is approved up to 9,000 USD"
SHOWN = {"id": "mem_lunch", "summary": SECRET}


@pytest.mark.parametrize(
    "shown",
    [
        context("s2", recalled=[SHOWN]),
        context("s2", pins=[SHOWN]),
        call("s2", "search_memory", {"query": "wire"}, {"records": [SHOWN]}),
        call("s2", "read_memory", {"id": "mem_lunch"}, {"record": {**SHOWN, "summary": "Lunch", "content": SECRET}}),
    ],
    ids=["recall", "pins", "search", "read"],
)
@pytest.mark.parametrize(("session", "wrong"), [("account-22", ["VIEW-2"]), ("account-17", [])])
def test_view_2_a_record_is_shown_with_the_text_of_another_sessions(
    shown: Line, session: str, wrong: list[str]
) -> None:
    """Where the text is that of a record which may be seen, nothing leaks."""
    secret = [begin("s0", "account-17"), add("s0", "mem_wire4471", SECRET), end("s0")]
    lunch = [begin("s1", session), add("s1", "mem_lunch", "Lunch"), end("s1")]
    found = judged(deploy(), *secret, *lunch, begin("s2", session), shown, end("s2"))["session-isolation"]
    assert [violation.clause for violation in found.violations] == wrong


def test_view_2_equal_texts_of_two_sessions_are_each_ones_own() -> None:
    lines = [deploy()]
    for turn, session, name in (("s0", "account-17", "mem_first"), ("s1", "account-22", "mem_second")):
        lines += [begin(turn, session), add(turn, name, SECRET), end(turn)]
    recalled = context("s2", recalled=[{"id": "mem_second", "summary": SECRET}])
    lines += [begin("s2", "account-22"), recalled, end("s2")]
    assert violated(*lines) == {}
