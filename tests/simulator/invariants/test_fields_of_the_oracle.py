"""What a record says, and in which scope it is, on literal traces: right and wrong."""

from __future__ import annotations

import pytest
from literal import Line, clauses, judge

from seatrial.simulator.invariants import Violation
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
    stored,
)

BOTH = ("session", "agent")
TEXT = "Wire 4471 is approved up to 9,000 USD"
WHOLE = {**record("mem_wire", TEXT), "content": "The operator said so.\n", "kind": "guidance"}


def only(name: str, *lines: Line) -> Violation:
    (violation,) = judge(name, *lines).violations
    return violation


WROTE = [
    deploy(),
    begin("s0", "a"),
    call(
        "s0",
        "add_memory",
        {"summary": TEXT, "content": "The operator said so.\n", "kind": "guidance"},
        {"record": WHOLE},
    ),
    end("s0"),
    begin("s1", "a"),
]
PATHS = {
    "recall": lambda shown: context("s1", recalled=[shown]),
    "pins": lambda shown: context("s1", pins=[shown]),
    "search": lambda shown: call("s1", "search_memory", {"query": "wire"}, {"records": [shown]}),
    "read": lambda shown: call("s1", "read_memory", {"id": "mem_wire"}, {"record": shown}),
    "an operator's list": lambda shown: review("list", answer={"records": [shown]}),
    "an operator's plain list": lambda shown: review("list", answer=[shown]),
    "an operator's read": lambda shown: review("read", "mem_wire", answer={"record": shown}),
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, []),
        ({"content": "The operator said so."}, ["REC-1"]),
        ({"content": None}, ["REC-1"]),
        ({"content": ""}, ["REC-1"]),
        ({"content": "The operator…"}, []),
        ({"content": "The auditor…"}, ["REC-1"]),
        ({"summary": "Wire 4471 is approved up to 90,000 USD"}, ["REC-1"]),
        ({"summary": "Wire 4471 is approved ..."}, []),
        ({"summary": f" {TEXT}"}, ["REC-1"]),
        ({"kind": "fact"}, ["REC-1"]),
        ({"kind": "fact", "content": "x"}, ["REC-1", "REC-1"]),
    ],
)
def test_rec_1_a_record_is_read_as_it_was_written(path: str, fields: Line, wrong: list[str]) -> None:
    assert clauses("records-as-written", *WROTE, PATHS[path]({**WHOLE, **fields}), end("s1")) == wrong


@pytest.mark.parametrize("path", PATHS)
def test_rec_1_what_a_path_does_not_show_is_not_judged(path: str) -> None:
    assert clauses("records-as-written", *WROTE, PATHS[path]({"id": "mem_wire"}), end("s1")) == []


def test_rec_1_the_path_leads_from_the_write_to_what_was_read() -> None:
    shown = PATHS["read"]({**WHOLE, "content": "The operator"})
    violation = only("records-as-written", *WROTE, shown, end("s1"))
    assert violation.because == "because it was written as 'The operator said so.\\n', and is 'The operator'"
    assert violation.observation == "answer of read_memory in a turn s1 call 1: content"
    assert violation.witness == ("a turn s0", "add_memory mem_wire (session)", violation.observation)
    assert (violation.record, violation.line) == ("mem_wire", 7)


@pytest.mark.parametrize(
    ("stated", "answered", "wrong"),
    [
        ({}, {}, []),
        ({"content": "long"}, {"content": "long"}, []),
        ({"content": "long"}, {"content": "lo"}, ["REC-1"]),
        ({}, {"content": "made of the summary"}, []),
        ({"kind": "fact"}, {"kind": "event"}, ["REC-1"]),
    ],
)
def test_rec_1_the_answer_to_a_write_tells_what_was_stated(stated: Line, answered: Line, wrong: list[str]) -> None:
    shown = {"id": "mem_wire", "summary": TEXT, **answered}
    wrote = call("s0", "add_memory", {"summary": TEXT, **stated}, {"record": shown})
    assert clauses("records-as-written", deploy(), begin("s0", "a"), wrote, end("s0")) == wrong


def test_rec_1_what_only_the_answer_tells_stays_so() -> None:
    wrote = call("s0", "add_memory", {"summary": TEXT}, {"record": {"id": "mem_wire", "content": None}})
    lines = [deploy(), begin("s0", "a"), wrote, end("s0"), begin("s1", "a")]
    assert clauses("records-as-written", *lines, PATHS["read"]({"id": "mem_wire", "content": "x"})) == ["REC-1"]


def test_rec_1_a_record_that_is_written_again_says_either() -> None:
    lines = [*WROTE, add("s1", "mem_wire", "Wire 4471 is rejected"), end("s1"), begin("s2", "a")]
    for summary, wrong in ((TEXT, []), ("Wire 4471 is rejected", []), ("Wire 4471", ["REC-1"])):
        found = call("s2", "search_memory", {"query": "wire"}, {"records": [{"id": "mem_wire", "summary": summary}]})
        assert clauses("records-as-written", *lines, found, end("s2")) == wrong


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"kind": "guidance", "content": "The operator said so.\n"}, []),
        ({"content": None, "kind": "fact"}, ["REC-1"] * 2),
    ],
)
def test_rec_1_the_ledger_keeps_what_was_written(fields: Line, wrong: list[str]) -> None:
    kept = stored("mem_wire", "s0", "a", **{"summary": TEXT, **fields})
    assert clauses("records-as-written", *WROTE, end("s1"), kept) == wrong


def test_rec_1_what_a_review_writes_is_its_candidate() -> None:
    right = decision("s0", TEXT, "add", "mem_wire")
    changed = {**right, "record": record("mem_wire", "Wire 4471")}
    assert clauses("records-as-written", deploy(), begin("s0", "a"), right, end("s0")) == []
    assert clauses("records-as-written", deploy(), begin("s0", "a"), changed, end("s0")) == ["REC-1"]


@pytest.mark.parametrize(
    ("old", "stated", "answered", "wrong"),
    [
        (True, {}, False, []),
        (True, {"pinned": True}, True, []),
        (True, {}, True, ["WRT-2"]),
        (False, {}, True, []),
    ],
)
def test_wrt_2_a_replacement_takes_over_no_pin(old: bool, stated: Line, answered: bool, wrong: list[str]) -> None:
    def written(name: str, pinned: bool, arguments: Line) -> Line:
        shown = {"record": {"id": name, "summary": "x", "pinned": pinned}}
        return call("s0", "add_memory", {"summary": "x", **arguments}, shown)

    lines = [written("mem_old", old, {"pinned": old}), written("mem_new", answered, {"replaces": "mem_old", **stated})]
    assert clauses("records-as-written", deploy(), begin("s0", "a"), *lines, end("s0")) == wrong


def scoped(stated: str | None, told: str | None, *, writes: tuple[str, ...] = BOTH) -> list[Line]:
    arguments = {"summary": TEXT} if stated is None else {"summary": TEXT, "scope": stated}
    shown = {"id": "mem_wire"} if told is None else {"id": "mem_wire", "scope": told}
    wrote = call("s0", "add_memory", arguments, {"record": shown})
    return [deploy(read=BOTH, write=writes), begin("s0", "a"), wrote, end("s0")]


@pytest.mark.parametrize(
    ("stated", "told", "writes", "wrong"),
    [
        (None, "session", BOTH, []),
        (None, "agent", BOTH, ["SCO-2"]),
        (None, None, BOTH, []),
        ("agent", "agent", BOTH, []),
        ("agent", "session", BOTH, ["SCO-2"]),
        ("session", "agent", BOTH, ["SCO-2"]),
        ("agent", "AGENT", BOTH, []),
        (None, "agent", ("agent",), []),
        (None, "session", ("agent",), ["SCO-2"]),
        ("agent", None, ("session",), ["SCO-2"]),
        ("agent", "session", ("session",), ["SCO-2", "SCO-2"]),
    ],
)
def test_sco_2_a_record_has_the_scope_that_it_must(
    stated: str | None, told: str | None, writes: tuple[str, ...], wrong: list[str]
) -> None:
    assert clauses("scopes-kept", *scoped(stated, told, writes=writes)) == wrong


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("told", "wrong"), [("session", []), ("agent", ["SCO-2"])])
def test_sco_2_the_scope_is_the_same_on_every_path(path: str, told: str, wrong: list[str]) -> None:
    shown = PATHS[path]({"id": "mem_wire", "scope": told})
    assert clauses("scopes-kept", *scoped(None, "session"), begin("s1", "a"), shown, end("s1")) == wrong


def test_sco_2_without_a_config_nothing_is_known_of_scopes() -> None:
    _, *rest = scoped(None, "agent")
    assert clauses("scopes-kept", {"type": "deploy", "agent": "clerk", "version": 1}, *rest) == []


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("session", "session", []),
        ("agent", "agent", []),
        ("session", "agent", ["WRT-3"]),
        ("agent", "session", ["WRT-3"]),
    ],
)
def test_wrt_3_a_replacement_keeps_the_scope(old: str, new: str, wrong: list[str]) -> None:
    """Else one session could take a shared fact away from all others."""
    correction = add("s1", "mem_new", "Wire 4471 is rejected", scope=new, replaces="mem_wire")
    lines = [*scoped(old, old), begin("s1", "a"), correction, end("s1")]
    assert clauses("scopes-kept", *lines) == wrong
    asked = {"summary": "Wire 4471 is rejected", "scope": new}
    reviewed = decision("s1", "", "replace", "mem_new", target="mem_wire", candidate=asked)
    assert clauses("scopes-kept", *scoped(old, old), begin("s1", "a"), reviewed, end("s1")) == wrong


@pytest.mark.parametrize(("writes", "wrong"), [(BOTH, []), (("agent",), []), (("session",), ["WRT-3"])])
@pytest.mark.parametrize("key", ["deleted", "would_delete"])
def test_wrt_3_only_what_a_version_writes_it_deletes(writes: tuple[str, ...], wrong: list[str], key: str) -> None:
    later = {**deploy(read=BOTH, write=writes), "version": 2}
    gone = call("s1", "delete_memory", {"id": "mem_wire", "scope": "agent"}, {key: "mem_wire"})
    lines = [*scoped("agent", "agent"), later, {**begin("s1", "a"), "version": 2}, gone, end("s1")]
    assert clauses("scopes-kept", *lines) == wrong


@pytest.mark.parametrize(
    ("kept", "stated", "writes", "wrong"),
    [
        ("agent", None, BOTH, ["SCO-2"]),
        ("agent", "session", BOTH, ["SCO-2"]),
        ("session", "agent", BOTH, ["SCO-2"]),
        ("agent", "agent", BOTH, []),
        ("agent", None, ("agent",), []),
        ("session", None, BOTH, []),
    ],
)
@pytest.mark.parametrize("key", ["deleted", "would_delete"])
def test_sco_2_a_delete_is_about_the_scope_of_its_record(
    kept: str, stated: str | None, writes: tuple[str, ...], wrong: list[str], key: str
) -> None:
    """To delete an AGENT record needs `agent` to be stated, or to be the only scope; by a call or by a review."""
    later = {**deploy(read=BOTH, write=writes), "version": 2}
    said = {} if stated is None else {"scope": stated}
    before = [*scoped(kept, kept), later, {**begin("s1", "a"), "version": 2}]
    gone = call("s1", "delete_memory", {"id": "mem_wire", **said}, {key: "mem_wire"})
    assert clauses("scopes-kept", *before, gone, end("s1")) == wrong
    reviewed = decision("s1", "", "delete", target="mem_wire", candidate={"summary": "It is rejected", **said})
    assert clauses("scopes-kept", *before, reviewed, end("s1")) == wrong


def test_sco_2_without_a_config_nobody_knows_what_a_delete_is_about() -> None:
    untold = {"type": "deploy", "agent": "clerk", "version": 1}
    gone = call("s1", "delete_memory", {"id": "mem_wire"}, {"deleted": "mem_wire"})
    assert clauses("scopes-kept", untold, *scoped("agent", "agent")[1:], begin("s1", "a"), gone, end("s1")) == []


def told_operators(labels: Line, *later: Line) -> list[str]:
    """The clauses violated where an operator is shown a record that was written with customer_id c-17."""
    stated = {"customer_id": "c-17"}
    wrote = call("s0", "add_memory", {"summary": TEXT, "labels": stated}, {"record": {**WHOLE, "labels": stated}})
    looked = review("list", answer={"records": [{**WHOLE, "labels": labels}]})
    lines = [labelling(deploy(), customer_id=5), begin("s0", "a"), wrote, end("s0"), *later, looked]
    return [each for each in clauses("labels-stable", *lines) if each != "VER-2"]


@pytest.mark.parametrize("labels", [{}, {"customer_id": "C-17"}, {"region": "c-17"}, {"customer_id": "c-17", "x": 1}])
def test_rec_5_operators_are_shown_the_labels_that_were_written(labels: Line) -> None:
    assert told_operators({"customer_id": "c-17"}) == []
    assert told_operators(labels) == ["REC-5"]


def test_rec_5_operators_may_be_shown_any_name_that_a_version_gives_the_number() -> None:
    renamed = {**labelling(deploy(), client=5), "version": 2}
    assert told_operators({"client": "c-17"}, renamed) == told_operators({"customer_id": "c-17"}, renamed) == []
    assert told_operators({"client": "c-18"}, renamed) == ["REC-5"]
