"""EXT-4: what of a text says nothing, and what tells two facts apart."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.engine.folding import words
from seatrial.engine.reviewer import statement

SAME = [
    ("Wire 4471 is approved", "wire 4471 IS  approved."),
    ("Wire 4471 is approved", "\u201cWire 4471\u201d \u2014 is approved!!"),
    ("Wire 4471 is approved", "(Wire 4471) is\u00a0approved\u2026"),
    ("Wire 4471 is approved", "wire\u200b4471 is approved\ufeff"),
    ("Ann, Bob and Cid; all sign", "Ann Bob and Cid all sign"),
    ("Limit: 9,000 USD", "limit - 9,000 usd".replace("- 9", "\u2014 9")),
    ("say 'yes' to it", 'Say "yes" to it'),
    ("it\u2019s Ann's", "It's ANN'S"),
    ("Stra\u00dfe 5", "STRASSE 5"),
    ("caf\u00e9", "cafe\u0301"),
    ("\uff21\uff22\uff23\uff11\uff12\uff13", "abc123"),
    ("\u0665 kg", "5 kg"),
    ("\u22125 C", "-5 c"),
    ("\u20135 C", "-5 c"),
    ("10\u201320 C", "10-20 C"),
    ("9\u00a0000 km", "9'000 km"),
    ("Balance (500)", "balance ( 500 )"),
    ("\u4e0a\u9650\u306f\uff1a\u4e5d\u5343\u5186\u3002", "\u4e0a\u9650\u306f \u4e5d\u5343\u5186"),
    ("\u041e\u0434\u043e\u0431\u0440\u0435\u043d\u043e!", "\u043e\u0434\u043e\u0431\u0440\u0435\u043d\u043e"),
    ("\u2764\ufe0f", "\u2764"),
    ("Approved ?!", "approved?"),
    ("The `code` runs", "the code runs"),
    ("- approved", "approved"),
]

DIFFERENT = [
    ("-5", "5"),
    ("\u22125", "5"),
    ("Change of -5 %", "Change of 5 %"),
    ("Change of +5 %", "Change of 5 %"),
    ("x < 5", "x > 5"),
    ("x <5", "x 5"),
    ("9,000", "9.000"),
    ("1.5", "15"),
    ("1,5", "15"),
    ("1.5", "1 5"),
    ("1, 5", "15"),
    ("$5", "\u20ac5"),
    ("$5", "5"),
    ("5 %", "5 \u2030"),
    ("5 %", "5"),
    ("C++", "C"),
    ("C#", "C"),
    ("C", "C-"),
    ("A+", "A-"),
    ("5'", '5"'),
    ("Pipe of 5\u2033", "Pipe of 5"),
    ("Balance (500)", "Balance 500"),
    ("Balance (500 USD)", "Balance 500 USD"),
    ("[0, 5]", "(0, 5)"),
    ("Approved?", "Approved"),
    (
        "\u03b5\u03b3\u03ba\u03c1\u03af\u03b8\u03b7\u03ba\u03b5;",
        "\u03b5\u03b3\u03ba\u03c1\u03af\u03b8\u03b7\u03ba\u03b5.",
    ),
    ("!x", "x"),
    ("a != b", "a = b"),
    ("we're open", "were open"),
    ("john_doe", "john-doe"),
    ("john-doe", "john doe"),
    ("john.doe", "johndoe"),
    ("INV-2208", "INV 2208"),
    ("INV-2208", "INV2208"),
    ("no table", "notable"),
    ("10:30", "1030"),
    ("10:30", "10 30"),
    ("1/2", "12"),
    ("1/2", "1 2"),
    ("10-20", "1020"),
    ("10-20", "10 20"),
    ("x\u00b2", "x2"),
    ("1\u00bd", "11/2"),
    ("R&D", "RD"),
    ("#5", "5"),
    ("@ops", "ops"),
    ("*.txt", ".txt"),
    (".env", "env"),
    ("-v", "v"),
    ("--dry-run", "dry-run"),
    ("~5", "5"),
    ("\U0001f44d", "\U0001f44e"),
    ("\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7"),
    ("...", "!!!"),
    ("\u306f\u3044", "\u3044\u3044\u3048"),
    ("\u30b9\u30d7\u30fc\u30f3", "\u30b9\u30d7\u30f3"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_ext_4_case_white_space_and_prose_punctuation_say_nothing(one: str, other: str) -> None:
    assert words(one) == words(other)
    assert statement(one) == statement(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_ext_4_what_tells_two_facts_apart_is_not_folded(one: str, other: str) -> None:
    assert words(one) != words(other)
    assert statement(one) != statement(other)


@given(st.text(alphabet=st.characters(codec=None)))
def test_ext_4_no_text_makes_folding_fail(text: str) -> None:
    """Lone surrogates and unassigned characters included."""
    found = words(text)
    assert bool(found) == bool(text.strip())
    assert not any(set(" \t\n") & set(word) for word in found)


@given(st.lists(st.from_regex("[a-z]{1,8}", fullmatch=True), min_size=1), st.randoms(use_true_random=False))
def test_ext_4_prose_marks_around_words_change_nothing(plain: list[str], random: Random) -> None:
    marks = [".", ",", "!", ";", ":", " \u2014", " -", "\u3002", "\u060c", "\u2026", '"', "\u00bb", ")"]
    dressed = [word.upper() if random.random() < 0.3 else word for word in plain]
    text = " \n ".join(
        f"{random.choice(['', chr(171), '(', '[', chr(8220)])}{word}{random.choice(marks)}" for word in dressed
    )
    assert words(text) == tuple(plain)


@pytest.mark.parametrize(
    "piece",
    [
        "!",
        "? ",
        "?",
        "'a ",
        '"',
        "(",
        "(1",
        "-",
        " -",
        "\u2013",
        "a\u0301",
        "\u0301",
        "9,",
        "9 ",
        "1 usd ",
        "1 may ",
        "\u5186",
        "is not ",
    ],
)
def test_ext_4_the_time_is_linear_in_the_length(piece: str) -> None:
    """Sixteen times the text takes about sixteen times as long, not 256 times."""

    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        start = process_time()
        assert statement(text)
        return process_time() - start

    short = min(seconds(4_200 + 7 * i) for i in range(3))
    assert seconds(67_200) < 100 * short
