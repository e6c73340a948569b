"""Our own memory system, judged by its trace."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from notes import Notes

from seatrial.testing import check_trace

ACCOUNTS = st.sampled_from(["account-17", "account-22"])
TEXTS = st.sampled_from(["Order 17 may be refunded", "The card fee is 5 %"])


@given(st.lists(st.tuples(ACCOUNTS, TEXTS, st.booleans()), max_size=12))
def test_no_account_finds_notes_of_another(happens: list[tuple[str, str, bool]]) -> None:
    notes = Notes()
    for account, text, keep in happens:
        if keep:
            notes.add(account, text)
        else:
            notes.find(account, text.split(maxsplit=1)[0])
    check_trace(notes.trace)


def test_what_is_said_of_isolation_was_looked_for() -> None:
    notes = Notes()
    notes.add("account-17", "Order 17 may be refunded")
    notes.find("account-17", "Order")
    notes.find("account-22", "Order")
    check_trace(notes.trace, require=["session-isolation"])
