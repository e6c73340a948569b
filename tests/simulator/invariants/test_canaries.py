"""Stand-ins for private texts: same length, equal where those are equal, nobody else's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from seatrial.simulator.invariants.reruns.canary import Canaries, texts

TEXT = st.text(st.characters(codec=None) | st.sampled_from(' \n\t"\\<&\u2028é承𠮷🙂aZ9'), max_size=30)


def stands_in(text: str) -> str:
    return Canaries([], [text]).of(text)


@given(TEXT)
def test_it_has_the_same_length_in_characters_and_bytes(text: str) -> None:
    """CTX-7, REC-1: every limit counts it alike."""
    standin = stands_in(text)
    assert [len(char.encode("utf-8", "surrogatepass")) for char in standin] == [
        len(char.encode("utf-8", "surrogatepass")) for char in text
    ]


@given(TEXT)
def test_it_is_as_valid_and_as_blank_as_the_text(text: str) -> None:
    standin = stands_in(text)
    assert (len(standin.strip()), len(standin.lstrip())) == (len(text.strip()), len(text.lstrip()))
    for kept in ("\n", "\x00", "\x85", "\u2028", '"', "\\", "<", "&", "\ud800", "\u200b"):
        assert [char == kept for char in standin] == [char == kept for char in text]


@given(st.lists(TEXT, max_size=8))
def test_equal_texts_stay_equal_and_different_ones_differ(drawn: list[str]) -> None:
    canaries = Canaries([], drawn)
    standins = {text: canaries.of(text) for text in drawn}
    assert all(canaries.of(text) == standin for text, standin in standins.items())
    assert len(set(standins.values())) == len(standins)


def test_a_long_text_becomes_one_that_nobody_else_has() -> None:
    text = "Refunds of March were paid twice"
    standin = stands_in(text)
    assert standin.isalnum()
    assert standin != text
    assert standin != stands_in("Refunds of March were paid once!")


def test_a_stand_in_is_not_a_text_of_the_script() -> None:
    """There are 36 stand-ins of one byte; the one that is left is drawn, and after it the text stands for itself."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    assert Canaries([], letters.replace("q", "")).of("!") == "q"
    assert Canaries([], letters).of("!") == "!"


def test_short_texts_get_different_stand_ins() -> None:
    canaries = Canaries([], [])
    short = "!?.,;:-_+*#~()[]{}"
    assert len({canaries.of(char) for char in short}) == len(short)


def test_public_texts_stand_for_themselves() -> None:
    canaries = Canaries(["c-17"], [])
    assert canaries.of("c-17") == "c-17"
    assert canaries.of("c-18") != "c-18"
    assert canaries.replaced == 1


def test_texts_deep_inside_a_value_are_replaced_and_nothing_else() -> None:
    value = {"open": ["wire 4471", 7, True, None], "reviewed": {"until": "2026-01-31"}}
    changed = Canaries([], []).inside(value)
    assert [type(each) for each in changed.values()] == [list, dict]
    assert next(iter(changed.values()))[1:] == [7, True, None]
    assert not set(texts(changed)) & set(texts(value))
