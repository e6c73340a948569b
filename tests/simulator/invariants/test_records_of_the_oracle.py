"""What becomes of records, on literal traces: one deviation each, and what is right beside it."""

from __future__ import annotations

from typing import Any

import pytest
from literal import Line, clauses

from seatrial.simulator.invariants import INVARIANTS
from seatrial.simulator.invariants.examples import (
    add,
    begin,
    call,
    context,
    decision,
    deploy,
    end,
    labelling,
    record,
    review,
    search,
    stored,
)

WROTE = [deploy(), begin("s0", "a"), add("s0", "mem_first", "Runs are on Thursdays"), end("s0")]
BOTH = deploy(read=("session", "agent"), write=("session", "agent"))


def replaced(turn: str, old: str, new: str, **how: Any) -> list[Line]:
    return [add(turn, new, "Runs are on Fridays", replaces=old, **how)]


def kept(name: str, turn: str = "s0", **fields: Any) -> Line:
    return stored(name, turn, "a", **{"summary": "Runs are on Thursdays", **fields})


def history(*steps: tuple[str, str]) -> list[Line]:
    """Versions of a record: (status, turn), or (status, "") by an operator."""
    return [
        {"status": status, **({"by": "execution", "execution": by} if by else {"by": "operator", "operator": "o"})}
        for status, by in steps
    ]


@pytest.mark.parametrize(
    "shown",
    [
        search("s1", "mem_first"),
        context("s1", recalled=[record("mem_first")]),
        context("s1", pins=[record("mem_first")]),
        call("s1", "read_memory", {"id": "mem_first"}, {"record": record("mem_first")}),
    ],
    ids=["search", "recall", "pins", "read"],
)
def test_wrt_2_a_replaced_record_is_shown(shown: Line) -> None:
    """CSM#99, symaira-memory#555: one rule for what is active, by every path."""
    lines = [*WROTE, begin("s1", "a"), *replaced("s1", "mem_first", "mem_second"), shown, end("s1")]
    assert clauses("deleted-is-gone", *lines) == ["WRT-2"]


def test_wrt_4_a_replaced_record_may_be_read_as_superseded() -> None:
    old = {**record("mem_first"), "status": "SUPERSEDED", "successor": "mem_second"}
    read_it = call("s1", "read_memory", {"id": "mem_first"}, {"record": old})
    lines = [*WROTE, begin("s1", "a"), *replaced("s1", "mem_first", "mem_second"), read_it, end("s1")]
    assert clauses("deleted-is-gone", *lines) == []


def test_txn_2_what_an_undone_turn_replaced_is_still_there() -> None:
    undone = [begin("s1", "a"), *replaced("s1", "mem_first", "mem_second"), end("s1", "rolled_back")]
    lines = [*WROTE, *undone, begin("s2", "a"), search("s2", "mem_first"), end("s2")]
    assert clauses("deleted-is-gone", *lines) == []


def test_pre_2_a_preview_hides_from_previews_only() -> None:
    would = call(
        "s1", "add_memory", {"summary": "x", "replaces": "mem_first"},
        {"record": record("mem_new"), "would_replace": ["mem_first"]},
    )  # fmt: skip
    preview = [begin("s1", "a", plane="preview"), would, end("s1")]
    live = [begin("s2", "a"), search("s2", "mem_first"), end("s2")]
    again = [begin("s3", "a", plane="preview"), search("s3", "mem_first"), end("s3")]
    assert clauses("deleted-is-gone", *WROTE, *preview, *live) == []
    assert clauses("deleted-is-gone", *WROTE, *preview, *again) == ["WRT-2"]


def test_pre_2_a_preview_that_reads_what_another_would_replace_changes_nothing() -> None:
    would = {"record": record("mem_new", "Runs are on Fridays"), "would_replace": ["mem_first"]}
    asked = {"summary": "Runs are on Fridays", "replaces": "mem_first"}
    preview = [begin("s1", "a", plane="preview"), call("s1", "add_memory", asked, would), end("s1")]
    reading = [begin("s2", "a", plane="preview"), call("s2", "read_memory", {"id": "mem_new"}, would), end("s2")]
    lines = [*WROTE, *preview, *reading]
    assert [each.name for each in INVARIANTS if clauses(each.name, *lines)] == []


@pytest.mark.parametrize(
    ("fields", "clause"),
    [
        ({"status": "DELETED", "versions": history(("ACTIVE", "s0"), ("DELETED", ""))}, None),
        ({"status": "ACTIVE", "versions": history(("ACTIVE", "s0"), ("DELETED", ""))}, "ADM-2"),
        ({"status": "DELETED", "versions": history(("ACTIVE", "s0"), ("DELETED", "s0"))}, "ADM-2"),
        ({"status": "DELETED", "summary": "", "versions": history(("ACTIVE", "s0"), ("DELETED", ""))}, "ADM-2"),
    ],
)
def test_adm_2_the_ledger_after_a_deletion(fields: Line, clause: str | None) -> None:
    lines = [*WROTE, review("delete", "mem_first"), kept("mem_first", **fields)]
    assert clauses("still-readable", *lines) == ([] if clause is None else [clause])


def test_adm_2_a_listing_without_what_was_deleted() -> None:
    lines = [*WROTE, review("delete", "mem_first"), review("list", answer={"records": []})]
    assert clauses("still-readable", *lines) == ["ADM-2"]
    shown = review("list", answer={"records": [{"id": "mem_first", "status": "ACTIVE"}]})
    assert clauses("still-readable", *lines[:-1], shown) == ["ADM-2"]


def test_adm_2_an_operator_of_another_agent_is_told_nothing_of_it() -> None:
    """VIEW-6: found by a state machine."""
    lines = [*WROTE, review("delete", "mem_first")]
    refused = review("read", "mem_first", error={"code": "not_found"})
    assert clauses("still-readable", *lines, refused) == ["ADM-2"]
    assert clauses("still-readable", *lines, {**refused, "agent": "another"}) == []


@pytest.mark.parametrize(
    ("ledger", "wrong"),
    [
        ([kept("mem_first", status="SUPERSEDED", successor="mem_b"), kept("mem_b", replaces=["mem_first"])], []),
        ([kept("mem_first", status="SUPERSEDED")], ["WRT-2"]),
        ([kept("mem_first", successor="mem_b"), kept("mem_b", replaces=["mem_first"])], ["WRT-2"]),
        ([kept("mem_first", status="SUPERSEDED", successor="mem_b")], ["WRT-2"]),
        (
            [
                kept("mem_first", status="SUPERSEDED", successor="mem_b"),
                kept("mem_b", replaces=["mem_first"], scope="agent"),
            ],
            ["WRT-3"],
        ),
        (
            [
                kept("mem_first", status="SUPERSEDED", successor="mem_b"),
                stored("mem_b", "s0", "b", replaces=["mem_first"]),
            ],
            ["WRT-3"],
        ),
        (
            [
                kept("mem_first", status="SUPERSEDED", successor="mem_b"),
                kept("mem_b", replaces=["mem_first"]),
                kept("mem_c", replaces=["mem_first"]),
            ],
            ["WRT-2"],
        ),
        (
            [
                kept("mem_first", status="SUPERSEDED", successor="mem_b", replaces=["mem_b"]),
                kept("mem_b", status="SUPERSEDED", successor="mem_first", replaces=["mem_first"]),
            ],
            ["WRT-2"],
        ),
    ],
    ids=["sound", "no successor", "active", "gone", "other scope", "other session", "fork", "cycle"],
)
def test_wrt_2_chains_of_successors(ledger: list[Line], wrong: list[str]) -> None:
    """LaPis#281, pensyve#227."""
    assert clauses("supersede-chain", *WROTE, *ledger) == wrong


def test_wrt_2_what_a_turn_replaced_is_not_active_in_the_ledger() -> None:
    lines = [*WROTE, begin("s1", "a"), *replaced("s1", "mem_first", "mem_second"), end("s1")]
    assert clauses("supersede-chain", *lines, kept("mem_first"), kept("mem_second", "s1")) == ["WRT-2"]


SECOND = kept("mem_second", "s1", replaces=["mem_first"])
REPLACED = kept("mem_first", status="SUPERSEDED", successor="mem_second")


@pytest.mark.parametrize(
    ("ending", "after", "ledger", "wrong"),
    [
        ("replace", [], [REPLACED, SECOND], []),
        ("replace", [], [kept("mem_first", status="DELETED"), SECOND], ["WRT-2"]),
        ("replace", [review("delete", "mem_first")], [kept("mem_first", status="DELETED"), SECOND], []),
        (
            "replace",
            [],
            [kept("mem_first", status="SUPERSEDED", successor="mem_b"), kept("mem_b", replaces=["mem_first"])],
            ["WRT-2"],
        ),
        ("delete", [], [kept("mem_first", status="DELETED")], []),
        ("delete", [], [REPLACED, SECOND], ["WRT-2"]),
        ("delete", [], [kept("mem_first")], ["WRT-2"]),
    ],
)
def test_wrt_2_what_became_of_a_record_is_what_was_done_to_it(
    ending: str, after: list[Line], ledger: list[Line], wrong: list[str]
) -> None:
    done = {
        "replace": replaced("s1", "mem_first", "mem_second"),
        "delete": [call("s1", "delete_memory", {"id": "mem_first"}, {"deleted": "mem_first"})],
    }
    lines = [*WROTE, begin("s1", "a"), *done[ending], end("s1"), *after]
    assert clauses("supersede-chain", *lines, *ledger) == wrong


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"version": 1, "source": "tool"}, []),
        ({"execution": "s9"}, ["REC-1", "REC-1"]),
        ({"execution": None}, ["REC-1"]),
        ({"version": 7}, ["REC-1"]),
        ({"session": "b"}, ["REC-1"]),
        ({"source": "extraction"}, ["REC-1"]),
        ({"summary": "another"}, ["REC-1"]),
        ({"versions": history(("DELETED", "s0"), ("ACTIVE", "s0"))}, ["REC-3"]),
        ({"versions": [{"status": "ACTIVE"}]}, ["REC-3"]),
        ({"versions": history(("ACTIVE", "s7"))}, ["REC-3"]),
        ({"status": "ACTIVE", "versions": history(("ACTIVE", "s0"), ("DELETED", ""))}, ["REC-3"]),
        (
            {
                "versions": [
                    {"status": "ACTIVE", "execution": "s0", "at": "2026-01-02T00:00:00Z"},
                    {"status": "ACTIVE", "execution": "s0", "at": "2026-01-01T00:00:00Z"},
                ]
            },
            ["REC-3"],
        ),
    ],
)
def test_rec_1_provenance(fields: Line, wrong: list[str]) -> None:
    """mem0#4467, mem0#5923: a complete, ordered, true history."""
    entry = kept("mem_first", **{key: value for key, value in fields.items() if key not in ("execution", "session")})
    entry |= {key: fields[key] for key in ("execution", "session") if key in fields}
    assert clauses("provenance", *WROTE, entry) == wrong


def labelled(labels: Line, shown: Line, *, later: Line | None = None) -> list[Line]:
    wrote = call("s0", "add_memory", {"summary": "x", "labels": labels}, {"record": record("mem_x")})
    wrote["answer"]["record"]["labels"] = labels
    found = call("s1", "search_memory", {"query": "x"}, {"records": [{**record("mem_x"), "labels": shown}]})
    first = labelling(deploy(), customer_id=5)
    second = [] if later is None else [{**later, "version": 2}]
    version = 1 if later is None else 2
    return [
        first,
        begin("s0", "a"),
        wrote,
        end("s0"),
        *second,
        {**begin("s1", "a"), "version": version},
        found,
        end("s1"),
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [("c-17", "C-17"), (1, True), (1, "1"), ("é", "e\u0301"), (False, 0)],
)
def test_rec_5_values_of_labels_compare_exactly(written: Any, shown: Any) -> None:
    """mem0#5160, agent-framework#6237."""
    assert clauses("labels-stable", *labelled({"customer_id": written}, {"customer_id": written})) == []
    assert clauses("labels-stable", *labelled({"customer_id": written}, {"customer_id": shown})) == ["REC-5"]


def test_ver_2_a_version_that_renumbers_a_label_was_deployed() -> None:
    later = labelling(deploy(), customer_id=6)
    found = clauses("labels-stable", *labelled({"customer_id": "c"}, {"customer_id": "c"}, later=later))
    assert found == ["VER-2"]


def test_ver_2_a_version_that_gives_a_number_to_another_label_was_deployed() -> None:
    later = labelling(deploy(), customer_id=6, region=5)
    found = clauses("labels-stable", *labelled({"customer_id": "c"}, {"region": "c"}, later=later))
    assert found == ["VER-2", "VER-2"]


def test_pre_2_an_answer_that_does_not_say_what_a_preview_would_replace() -> None:
    silent = [begin("s1", "a", plane="preview"), *replaced("s1", "mem_first", "mem_new"), end("s1")]
    assert clauses("preview-leaves-live", *WROTE, *silent) == ["PRE-2"]


def test_pre_2_a_preview_that_changed_the_status_of_a_live_record() -> None:
    quiet = [begin("s1", "a", plane="preview"), end("s1")]
    changed = kept("mem_first", status="DELETED", versions=history(("ACTIVE", "s0"), ("DELETED", "s1")))
    assert clauses("preview-leaves-live", *WROTE, *quiet, changed) == ["PRE-2"]


def test_pre_3_the_ledger_does_not_say_what_a_preview_would_delete() -> None:
    would = call("s1", "delete_memory", {"id": "mem_first"}, {"would_delete": "mem_first"})
    preview = [begin("s1", "a", plane="preview"), would, end("s1")]
    marker = stored("mem_mark", "s1", "a", plane="preview", would_delete="mem_first")
    assert clauses("preview-leaves-live", *WROTE, *preview, kept("mem_first"), marker) == []
    assert clauses("preview-leaves-live", *WROTE, *preview, kept("mem_first")) == ["PRE-3"]


@pytest.mark.parametrize(
    ("candidate", "wrong"),
    [
        ("RUNS  are on thursdays!", ["EXT-4"]),
        ("Runs are on Thursdays", ["EXT-4"]),
        ("Runs are on Fridays", []),
        ("Runs are on Thursdays?", []),
        ("Runs are on -5 Thursdays", []),
    ],
)
def test_ext_4_a_review_adds_what_is_there(candidate: str, wrong: list[str]) -> None:
    """agent-memory-server#110: one rule on every path."""
    lines = [*WROTE, begin("s1", "a"), decision("s1", candidate, "add", "mem_again"), end("s1")]
    assert clauses("no-pile-up", *lines) == wrong


def test_ext_5_a_review_brings_back_what_an_operator_deleted() -> None:
    """adk-python#7109, pi-hermes-memory#226."""
    again = [begin("s1", "a"), decision("s1", "runs are on thursdays", "add", "mem_again"), end("s1")]
    assert clauses("no-pile-up", *WROTE, review("delete", "mem_first"), *again) == ["EXT-5"]


def test_txn_3_two_reviews_that_find_the_same_at_once() -> None:
    shared = {"summary": "Two sign", "kind": "fact", "scope": "agent"}
    one, two = ({**decision(turn, "Two sign", "add", f"mem_{turn}"), "candidate": shared} for turn in ("s0", "s1"))
    lines = [BOTH, begin("s0", "a"), begin("s1", "b"), one, end("s0"), two, end("s1")]
    assert clauses("no-pile-up", *lines) == ["EXT-4"]


def test_view_5_a_record_that_leaves_an_open_turn() -> None:
    shared = [BOTH, begin("s0", "a"), add("s0", "mem_shared", scope="agent"), end("s0"), begin("s1", "b")]
    other = [begin("s2", "a"), call("s2", "delete_memory", {"id": "mem_shared"}, {"deleted": "mem_shared"}), end("s2")]
    gone = call("s1", "read_memory", {"id": "mem_shared"}, None)
    assert clauses("snapshot-reads", *shared, *other, gone, end("s1")) == ["VIEW-5"]
    assert clauses("snapshot-reads", *shared, review("delete", "mem_shared"), gone, end("s1")) == []  # ADM-2


def test_txn_3_two_turns_replace_one_record() -> None:
    """mem0#6515, adk-python#5244: concurrent writes lost."""
    shared = [BOTH, begin("s0", "a"), add("s0", "mem_shared", scope="agent"), end("s0")]
    both = [begin("s1", "a"), begin("s2", "b")]
    changes = [add(turn, f"mem_{turn}", scope="agent", replaces="mem_shared") for turn in ("s1", "s2")]
    assert clauses("snapshot-reads", *shared, *both, *changes, end("s1"), end("s2")) == ["TXN-3"]
    assert clauses("snapshot-reads", *shared, *both, *changes, end("s1"), end("s2", "conflict")) == []


@pytest.mark.parametrize(("outcome", "wrong"), [("committed", ["TXN-3"]), ("conflict", [])])
def test_txn_3_an_operator_deletes_what_an_open_turn_replaced(outcome: str, wrong: list[str]) -> None:
    lines = [*WROTE, begin("s1", "a"), *replaced("s1", "mem_first", "mem_new"), review("delete", "mem_first")]
    assert clauses("snapshot-reads", *lines, end("s1", outcome)) == wrong


def test_adm_2_an_operator_deletes_what_was_replaced_and_committed() -> None:
    lines = [*WROTE, begin("s1", "a"), *replaced("s1", "mem_first", "mem_new"), end("s1")]
    assert clauses("snapshot-reads", *lines, review("delete", "mem_first")) == []


def shown_in_conversation(turn: str, name: str, **fields: Any) -> Line:
    answered = {"role": "tool", "name": "add_memory", "answer": {"record": record(name)}}
    return context(turn, 2, messages=[answered], **fields)


@pytest.mark.parametrize(
    ("outcome", "wrong"),
    [("committed", []), ("rolled_back", ["VIEW-3"])],
)
def test_view_3_a_session_is_told_what_it_wrote_to_a_scope_that_it_does_not_read(
    outcome: str, wrong: list[str]
) -> None:
    """The answer stands in the conversation, of its turn and of those that continue it if it commits."""
    wrote = [begin("s0", "a"), add("s0", "mem_first", scope="session"), shown_in_conversation("s0", "mem_first")]
    later = [begin("s1", "a"), shown_in_conversation("s1", "mem_first"), end("s1")]
    shared = deploy(read=("agent",), write=("session", "agent"))
    assert clauses("session-isolation", shared, *wrote, end("s0", outcome), *later) == wrong


@pytest.mark.parametrize("session", ["a", "b"])
def test_view_3_what_a_session_does_not_read_is_not_recalled(session: str) -> None:
    shared = deploy(read=("session",), write=("session", "agent"))
    wrote = [begin("s0", "a"), add("s0", "mem_first", scope="agent"), end("s0")]
    recalled = [begin("s1", session), context("s1", recalled=[record("mem_first")]), end("s1")]
    assert clauses("session-isolation", shared, *wrote, *recalled) == ["VIEW-3"]


def test_view_3_a_conversation_of_another_session_is_not_told() -> None:
    shared = deploy(read=("session",), write=("session", "agent"))
    wrote = [begin("s0", "a"), add("s0", "mem_first", scope="agent"), end("s0")]
    later = [begin("s1", "b"), shown_in_conversation("s1", "mem_first"), end("s1")]
    assert clauses("session-isolation", shared, *wrote, *later) == ["VIEW-3"]
