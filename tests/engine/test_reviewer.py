"""The deterministic reviewer: what it skips, replaces and adds (EXT-3, EXT-4, EXT-5, EXT-6)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from records import record

from seatrial.engine.reviewer import Candidate, Decision, Labels, restates, review, statement
from seatrial.engine.reviewer import known as already_known
from seatrial.engine.values import Record, Scope, Status

CUSTOMER: Labels = ((5, "c-17"),)


def known(
    summary: str,
    content: str | None = None,
    *,
    name: str = "r1",
    kind: str = "fact",
    labels: Labels = CUSTOMER,
    scope: Scope = "session",
    status: Status = "ACTIVE",
) -> Record:
    return record(name, summary, content, kind=kind, labels=labels, scope=scope, status=status)


def candidate(
    summary: str, content: str | None = None, *, kind: str = "fact", labels: Labels = CUSTOMER, scope: Scope = "session"
) -> Candidate:
    return Candidate(summary, content, kind, labels, scope)


def everything(_: Record) -> bool:
    return True


def nothing(_: Record) -> bool:
    return False


def decide(
    new: Candidate,
    *old: Record,
    shared: Sequence[Record] = (),
    deleted: Sequence[Record] = (),
    writable: Callable[[Record], bool] = everything,
) -> Decision:
    return review(new, old, shared, deleted=deleted, writable=writable)


def outcome(old: str, new: str) -> str:
    """What becomes of `new` where `old` is known, of one kind and one customer."""
    return decide(candidate(new), known(old)).outcome


def stored(new: Candidate, name: str) -> Record:
    return known(new.summary, new.content, name=name, kind=new.kind, labels=new.labels, scope=new.scope)


RESTATED = [
    ("Wire 4471 is approved up to 9,000 USD", "wire 4471 is approved, up to 9,000 USD!"),
    ("Wire 4471 is approved up to 9,000 USD", "Wire 4471 is approved up to USD 9000"),
    ("Wire 4471 is approved up to 9,000 USD", "Wire 4471 is approved up to 9k USD."),
    ("The deadline is 6 May 2024", "The deadline is 2024-05-06"),
    ("Account 17 is not open", "Account 17 isn't open"),
    ("\u4e0a\u9650\u306f9000\u5186\u3067\u3059\u3002", "\u4e0a\u9650\u306f 9000 \u5186\u3067\u3059"),
    (
        "\u041b\u0438\u043c\u0438\u0442 \u2014 5 \u0440\u0443\u0431\u043b\u0435\u0439",
        "\u043b\u0438\u043c\u0438\u0442: 5 \u0440\u0443\u0431.",
    ),
]

CORRECTED = [
    ("Wire 4471 is approved up to 9,000 USD", "Wire 4471 is approved up to 9,500 USD", "an amount"),
    ("Wire 4471 has a 9,000 USD limit", "Wire 4471 has a 9,500 USD limit", "an amount"),
    ("The fee is 5%", "The fee is 7.5 percent", "an amount"),
    ("The balance is -5 USD", "The balance is 5 USD", "an amount"),
    ("The fee is 9.000 EUR", "The fee is 9.500 EUR", "an amount"),
    ("The fee is 20 EUR/month", "The fee is 25 EUR/month", "an amount"),
    ("Approved up to 9,000 USD until 6 May 2024", "Approved up to 9,500 USD until 6 May 2024", "an amount"),
    ("Approved up to 9,000 USD until 6 May 2024", "Approved up to 9,000 USD until 2024-06-30", "a date"),
    ("The quote is due by 6 May", "The quote is due by 7 May", "a date"),
    ("\u4e0a\u9650\u306f9000\u5186\u3067\u3059", "\u4e0a\u9650\u306f9500\u5186\u3067\u3059", "an amount"),
    (
        "\u0421\u0440\u043e\u043a \u2014 6 \u043c\u0430\u044f 2024",
        "\u0421\u0440\u043e\u043a \u2014 7 \u043c\u0430\u044f 2024",
        "a date",
    ),
    ("Wire 4471 is approved", "Wire 4471 is rejected", "an opposite"),
    ("Operator Ann approved wire 4471", "Operator Ann rejected wire 4471", "an opposite"),
    ("Wire 4471 is approved if Ann signs", "Wire 4471 is rejected if Ann signs", "an opposite"),
    ("Wire 4471 is approved", "Wire 4471 is not approved", "an opposite"),
    ("Account 17 isn't open", "Account 17 is open", "an opposite"),
    ("Account 17 is active", "Account 17 is no longer active", "an opposite"),
    ("Alerts are on", "Alerts are off", "an opposite"),
]

BOTH_KEPT = [
    # the subject differs
    ("Wire 4471 is approved up to 9,000 USD", "Wire 4472 is approved up to 9,000 USD"),
    ("Wire 4471 is approved up to 9,000 USD", "Wire 4472 is approved up to 9,500 USD"),
    ("Wire 4471 USD is approved", "Wire 4472 USD is approved"),
    ("Invoice INV-2208 is paid", "Invoice INV-2209 is paid"),
    ("Use API v2", "Use API v3"),
    ("Version 1.5 is safe", "Version 1.6 is safe"),
    ("Room 12 m2 is booked", "Room 14 m2 is booked"),
    ("Try 5 times", "Try 6 times"),
    ("Ann approves wires", "Bob approves wires"),
    ("C++ is allowed", "C is allowed"),
    ("Customer 6 may withdraw", "Customer 7 may withdraw"),
    ("The 80s are archived", "The 90s are archived"),
    ("The 5 kg box is out of stock", "The 10 kg box is out of stock"),
    ("30 day invoices are paid late", "60 day invoices are paid late"),
    ("The 2024-05-01 statement is missing", "The 2024-06-01 statement is missing"),
    ("On 1 May the bank closed early", "On 8 May the bank closed early"),
    ("2024-05-01: bank closed", "2024-05-02: bank closed"),
    # bare numbers, and signs that are not folded
    ("The limit is 9,000", "The limit is 9.000"),
    ("The limit is 9000", "The limit is 9500"),
    ("The offset is -5", "The offset is 5"),
    ("Keep x < 5", "Keep x > 5"),
    ("Is wire 4471 approved?", "Is wire 4471 approved"),
    ("Is wire 4471 approved?", "Is wire 4471 rejected?"),
    ("Is the fee 5 USD?", "Is the fee 7 USD?"),
    # amounts that cannot be compared
    ("The limit is 9,000 USD", "The limit is 9,000 EUR"),
    ("The limit is 9,000 USD", "The limit is $9,500"),
    ("The limit is 9,000 USD", "The limit is 9.500 USD"),
    ("The limit is 5-10 kg", "The limit is 5-12 kg"),
    ("The change is +5%", "The change is 5%"),
    ("Due on 05/06/2024", "Due on 2024-06-05"),
    ("Due by 6 May", "Due by 6 May 2024"),
    # more than one value differs: which is the subject?
    ("The 5 kg box costs 9 EUR", "The 10 kg box costs 18 EUR"),
    ("Orders above 1,000 EUR get 5% off", "Orders above 5,000 EUR get 10% off"),
    ("Raised from 9,000 USD to 9,500 USD", "Raised from 9,500 USD to 9,900 USD"),
    ("Wire 4471 is approved up to 9,000 USD", "Wire 4471 is rejected up to 9,500 USD"),
    # opposites of another thing, of some, or of a case
    ("The open account is 17", "The closed account is 17"),
    ("Customer has open invoices", "Customer has closed invoices"),
    ("If the account is open, charge it", "If the account is closed, charge it"),
    ("Wires that are approved go out", "Wires that are not approved go out"),
    ("Some wires are approved", "Some wires are not approved"),
    ("No wire is approved", "No wire is rejected"),
    ("Wire 4471 is not approved", "Wire 4471 is not rejected"),
    ("Wire 4471 is only approved", "Wire 4471 is not only approved"),
    ("Wire 4471 is approved", "Wire 4471 was approved"),
    ("Wire 4471 is approved", "Wire 4471 is pending"),
    # one says more
    ("Wire 4471 is approved", "Wire 4471 is approved up to 9,000 USD"),
    ("Customer accepts wires", "Customer does not accept wires"),
]


@pytest.mark.parametrize(("old", "new"), RESTATED)
def test_ext_4_equal_text_is_skipped(old: str, new: str) -> None:
    assert outcome(old, new) == outcome(new, old) == "skip"


@pytest.mark.parametrize(("old", "new", "what"), CORRECTED)
def test_ext_4_a_text_that_differs_in_one_stated_value_replaces(old: str, new: str, what: str) -> None:
    decision = decide(candidate(new), known(old))
    assert decision == Decision("replace", "r1", f"It differs from record r1 only in {what}.")
    assert outcome(new, old) == "replace"


@pytest.mark.parametrize(("old", "new"), BOTH_KEPT)
def test_ext_4_facts_that_share_words_but_not_their_subject_are_both_kept(old: str, new: str) -> None:
    assert outcome(old, new) == outcome(new, old) == "add"


REPORTS = [
    ("mem0#1674: restating deleted the fact", "Ann likes cheese pizza", "Ann likes cheese pizza.", "skip"),
    ("mem0#1750: an unrelated fact overwrote", "Ann likes tea", "Bob likes tea", "add"),
    ("mem0#4896: both sides of a contradiction stayed", "Alerts are enabled", "Alerts are disabled", "replace"),
    ("mem0#4580: a contradiction deleted and added nothing", "Fee is 5 USD", "Fee is 7 USD", "replace"),
    ("agent-memory-server#110: one path had no dedupe", "Account 17 is closed", "account 17 is closed", "skip"),
    (
        "agent-memory-server#200: merges snowballed over topics",
        "Ann drinks tea daily",
        "Ann drinks tea and coffee",
        "add",
    ),
    ("clawdi#61: running again duplicated", "Wire 4471 is approved", "Wire 4471 is approved", "skip"),
]


@pytest.mark.parametrize(("old", "new", "right"), [row[1:] for row in REPORTS], ids=[row[0] for row in REPORTS])
def test_ext_4_reported_faults(old: str, new: str, right: str) -> None:
    assert outcome(old, new) == right


def test_ext_4_it_looks_past_the_most_similar_known() -> None:
    others = [known("Wire 4472 is approved", name="a"), known("Wire 4473 is approved", name="b")]
    assert decide(candidate("Wire 4471 is approved"), *others, known("wire 4471 is approved", name="c")).target == "c"
    assert decide(candidate("Wire 4471 is approved"), *others, known("Wire 4471 is rejected", name="c")).target == "c"


def test_ext_4_an_equal_record_counts_before_one_it_would_correct() -> None:
    old = [known("Fee is 5 USD", name="a"), known("Fee is 7 USD", name="b")]
    assert decide(candidate("Fee is 7 USD"), *old) == Decision("skip", "b", "Record b already says so.")


@pytest.mark.parametrize(
    ("kind", "labels"),
    [
        ("guidance", CUSTOMER),
        ("fact", ((5, "c-18"),)),
        ("fact", ((6, "c-17"),)),
        ("fact", ((5, "c-17"), (6, True))),
        ("fact", ()),
    ],
)
def test_ext_4_replace_needs_the_same_kind_and_labels(kind: str, labels: Labels) -> None:
    assert decide(candidate("Fee is 7 USD", kind=kind, labels=labels), known("Fee is 5 USD")).outcome == "add"


def test_ext_4_replace_needs_labels() -> None:
    assert decide(candidate("Fee is 7 USD", labels=()), known("Fee is 5 USD", labels=())).outcome == "add"


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, "1"), (True, "true"), ("c-17", "C-17")])
def test_ext_4_label_values_compare_exactly(one: str | int | bool, other: str | int | bool) -> None:
    """REC-5, crewAI#7605: what differs in a label is of another subject, also where the words are equal."""
    old = known("Fee is 5 USD", labels=((5, one),))
    assert decide(candidate("Fee is 7 USD", labels=((5, other),)), old).outcome == "add"
    assert decide(candidate("Fee is 5 USD", labels=((5, other),)), old).outcome == "add"


def test_ext_4_a_restatement_with_fewer_labels_or_another_kind_is_skipped() -> None:
    assert decide(candidate("Fee is 5 USD", labels=(), kind="guidance"), known("Fee is 5 USD")).outcome == "skip"


def test_ext_4_an_event_corrects_no_event() -> None:
    old = known("Customer paid 500 USD", kind="event")
    assert decide(candidate("Customer paid 700 USD", kind="event"), old).outcome == "add"


CONTENTS = [
    ("Fee is 5 USD", None, "Fee is 5 USD", "Said Ann", "skip"),
    ("Fee is 5 USD", "Said Ann", "Fee is 5 USD", "said Ann.", "skip"),
    ("Fee is 5 USD", "Fee is 5 USD", "Fee is 5 USD", None, "skip"),
    ("Fee is 5 USD", "Said Ann", "Fee is 5 USD", None, "add"),
    ("Fee is 5 USD", "Said Bob", "Fee is 5 USD", "Said Ann", "add"),
    ("Fee", "It is 7 USD", "Fee", "It is 5 USD", "replace"),
    ("Fee is 7 USD", "Ann: 7 USD", "Fee is 5 USD", "Ann: 5 USD", "replace"),
    ("Fee is 7 USD", "Said Ann", "Fee is 5 USD", "Said Ann", "replace"),
    ("Fee is 7 USD", "Said Bob", "Fee is 5 USD", "Said Ann", "add"),
    ("Fee is 7 USD", None, "Fee is 5 USD", "Said Ann", "add"),
    ("Fee is 7 USD", "Until 6 May", "Fee is 5 USD", "Until 7 May", "add"),
]


@pytest.mark.parametrize(("summary", "content", "old_summary", "old_content", "right"), CONTENTS)
def test_ext_4_summary_and_content_both_count(
    summary: str, content: str | None, old_summary: str, old_content: str | None, right: str
) -> None:
    assert decide(candidate(summary, content), known(old_summary, old_content)).outcome == right


def test_ext_3_where_it_may_not_write_the_target_it_adds() -> None:
    decision = decide(candidate("Fee is 7 USD"), known("Fee is 5 USD"), writable=nothing)
    assert (decision.outcome, decision.target) == ("add", None)
    assert "may not write" in decision.reason


def test_ext_3_it_goes_on_to_a_record_that_it_may_write() -> None:
    old = [known("Fee is 5 USD", name="a"), known("Fee is 6 USD", name="b")]
    assert decide(candidate("Fee is 7 USD"), *old, writable=lambda each: each.id == "b").target == "b"


def test_ext_3_it_names_no_record_of_another_scope_or_that_is_not_active() -> None:
    for old in (known("Fee is 5 USD", scope="agent"), known("Fee is 5 USD", status="SUPERSEDED")):
        assert decide(candidate("Fee is 7 USD"), old).outcome == "add"
        assert decide(candidate("Fee is 5 USD"), old).outcome == "add"


def test_ext_3_a_session_candidate_is_skipped_for_an_agent_record_and_never_replaces_it() -> None:
    """sibyl#126, hippo-memory#144: neither a dedupe nor a replacement reaches into another scope."""
    shared = [known("Fee is 5 USD", name="a", scope="agent")]
    assert decide(candidate("fee is 5 USD"), shared=shared).target == "a"
    assert decide(candidate("Fee is 7 USD"), shared=shared).outcome == "add"


def test_ext_5_what_an_operator_deleted_is_not_brought_back() -> None:
    """adk-python#7109, pi-hermes-memory#226: nor with new evidence; another value is another fact."""
    gone = [known("Fee is 5 USD", "Said Ann", status="DELETED")]
    skipped = Decision("skip", None, "An operator deleted a record that says so.")
    assert decide(candidate("fee is 5 USD!", "Said Bob"), deleted=gone) == skipped
    assert decide(candidate("Fee is 7 USD"), deleted=gone).outcome == "add"
    assert decide(candidate("Fee is 5 USD", labels=((5, "c-18"),)), deleted=gone).outcome == "add"


def test_ext_4_it_adds_where_nothing_is_known() -> None:
    assert decide(candidate("Fee is 5 USD")) == Decision("add", None, "No record says so or is surely corrected by it.")


# Properties.

ANY_TEXT = st.text(alphabet=st.characters(codec=None), max_size=60)
SNIPPETS = """
wire 4471 4472 INV-2208 is not isn't approved rejected open closed the a up to until if 9,000 9.000 9k USD EUR $5 -5 5%
5 kg % May 6 2024 2024-05-06 06.05.2024 , . ! ? ( ) ' " \u2014 - \u5186 \u4e0a\u9650
"""
FACT = st.builds(
    "{} {} {}".format,
    st.sampled_from(["Wire 4471", "Wire 4472", "The fee"]),
    st.sampled_from(["is approved", "is rejected", "is not approved", "is 5 USD", "is 7 USD", "is due on 6 May 2024"]),
    st.sampled_from(["", ".", "until 7 May", "until 8 May", "for Ann"]),
)
TEXT = st.one_of(FACT, ANY_TEXT, st.lists(st.sampled_from(SNIPPETS.split()), max_size=12).map(" ".join))
LABELS = st.sampled_from([(), CUSTOMER, ((5, 1),), ((5, True),), ((5, "c-17"), (6, 1))])
FACTS = FACT.map(candidate)
CANDIDATES = FACTS | st.builds(
    Candidate,
    summary=TEXT,
    content=st.none() | TEXT,
    kind=st.sampled_from(["fact", "guidance", "event"]),
    labels=LABELS,
    scope=st.sampled_from(["session", "agent"]),
)
RECORDS = st.lists(CANDIDATES, max_size=5).map(lambda each: [stored(one, f"r{i}") for i, one in enumerate(each)])
CODES = st.one_of(
    st.integers(0, 99_999).map(str),
    st.from_regex("[A-Z]{1,4}-[0-9]{1,6}", fullmatch=True),
    st.from_regex("v[0-9]{1,2}(\\.[0-9]{1,2})?", fullmatch=True),
    st.from_regex("[a-f0-9]{8}", fullmatch=True),
    st.from_regex("[0-9]{1,3}(\\.[0-9]{1,3}){2,3}", fullmatch=True),
)
VALUES = st.sampled_from(
    ["is due", "is approved", "costs 9,000 USD", "costs 9,500 USD", "ends on 6 May 2024", "has 5 %"]
)


@given(CANDIDATES, RECORDS, RECORDS, RECORDS, st.booleans())
def test_ext_4_it_takes_any_text_and_names_only_what_it_may(
    new: Candidate, similar: list[Record], shared: list[Record], gone: list[Record], may: bool
) -> None:
    decision = decide(new, *similar, shared=shared, deleted=gone, writable=lambda _: may)
    mine = {each.id for each in similar if each.scope == new.scope}
    assert decision.outcome != "delete"
    assert decision.reason.endswith(".")
    if decision.outcome == "replace":
        assert may
        assert decision.target in mine
    if decision.outcome == "add":
        assert decision.target is None


@given(FACTS | CANDIDATES, RECORDS)
def test_ext_6_reviewing_the_same_again_changes_nothing(new: Candidate, similar: list[Record]) -> None:
    decision = decide(new, *similar)
    after = [*similar, stored(new, "new")] if decision.outcome != "skip" else similar
    after = [each for each in after if decision.outcome != "replace" or each.id != decision.target]
    assert decide(new, *after).outcome == "skip"


@given(CANDIDATES, CANDIDATES)
def test_ext_4_saying_the_same_is_symmetric_where_both_say_as_much(one: Candidate, other: Candidate) -> None:
    one, other = (dataclasses.replace(each, content=None) for each in (one, other))
    assert restates(one, stored(other, "r")) == restates(other, stored(one, "r"))
    brings_back = already_known(one, (), deleted=[stored(other, "r")]) is not None
    assert brings_back == restates(one, stored(other, "r"))


@given(TEXT)
def test_ext_4_a_text_says_the_same_as_itself_in_capitals(text: str) -> None:
    assume(text.upper().casefold() == text.casefold())  # casefold(upper(x)) differs for a few characters
    assert statement(text.upper()) == statement(text)


@given(CODES, CODES, VALUES, VALUES, st.sampled_from(["Wire {} {}", "{} {}", "For case {}: it {}", "Ann says {} {}"]))
def test_ext_4_another_code_is_another_subject(one: str, other: str, this: str, that: str, form: str) -> None:
    assume(one.casefold() != other.casefold())
    assert outcome(form.format(one, this), form.format(other, that)) == "add"


@given(FACT, FACT)
def test_ext_4_what_replaces_differs_in_one_value_and_replaces_in_turn(one: str, other: str) -> None:
    if outcome(one, other) == "replace":
        assert outcome(other, one) == "replace"
        assert len(statement(one)) == len(statement(other))
        assert len({pair for pair in zip(statement(one), statement(other), strict=True) if pair[0] != pair[1]}) == 1
