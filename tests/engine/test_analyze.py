"""What the analyzer finds in a text (SCH-1, SCH-4), in every script, in linear time."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from seatrial.engine.analyze import analyze, blank, count_terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Wire approved.", ["wire", "approved"]),
        ("a 7 Я", ["a", "7", "я"]),
        ("INV-4471", ["inv-4471", "inv", "4471"]),
        ("acct_17", ["acct_17", "acct", "17"]),
        ("acct17", ["acct17", "acct", "17"]),
        (
            "getUserName XMLFile USD iOS",
            ["getusername", "get", "user", "name", "xmlfile", "xml", "file", "usd", "ios", "i", "os"],
        ),
        ("/etc/hosts", ["etc/hosts", "etc", "hosts"]),
        ("9,000 USD", ["9000", "usd"]),
        ("1,234,567", ["1234567"]),
        ("1,2,3 and 1,000,00", ["1", "2", "3", "and", "1", "000", "00"]),
        ("12.5% off", ["12.5%", "12.5", "12", "5", "off"]),
        ("$9,000.50", ["$", "9000.50", "9000", "50"]),
        ("C++, C# and c", ["c++", "c", "c#", "c", "and", "c"]),
        ("da39a3ee5e6b4b0d", ["da39a3ee5e6b4b0d"]),
        ("2024-05-01", ["2024-05-01", "2024", "05", "01"]),
        ("x\u22125", ["x-5", "x", "5"]),
        ("it\u2019s", ["it's", "it", "s"]),
        ("東京都", ["東京", "京都", "東", "京", "都"]),
        ("猫", ["猫"]),
        ("カタカナ", ["カタ", "タカ", "カナ"]),
        ("ｶﾀｶﾅ", ["カタ", "タカ", "カナ"]),
        ("물을", ["물을", "물", "을"]),
        ("ไทย", ["ไท", "ทย"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("ПРИВЕТ мир", ["привет", "мир"]),
        ("STRASSE straße ﬁn ＵＳＤ", ["strasse", "strasse", "fin", "usd"]),
        ("٩٬٠٠٠ ٥", ["9000", "5"]),
        ("ok👍🏽👩‍💻→x", ["ok", "👍", "👩", "💻", "→", "x"]),
        ("🇩🇪🇺🇸", ["🇩🇪", "🇺🇸"]),
        ("co\u00adoperate zero\u200bwidth", ["cooperate", "zero", "width"]),
        ("... -- !?", []),
        ("", []),
    ],
)
def test_sch4_terms_of_a_text(text: str, terms: list[str]) -> None:
    assert sorted(analyze(text)) == sorted(terms)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("9000", "approved up to 9,000 USD"),
        ("9,000", "approved up to 9000 USD"),
        ("4471", "invoice INV-4471"),
        ("inv-4471", "see (INV-4471)."),
        ("config.yaml", "it is in deploy/config.yaml"),
        ("user_name", "the column user_name is empty"),
        ("猫", "黒猫が好き"),
        ("оплата", "Оплата прошла"),
        ("😀", "done😀!"),
        ("café", "CAFE\u0301 bill"),
    ],
)
def test_sch1_what_is_asked_for_is_found(query: str, text: str) -> None:
    """adk-python#5501: a tokenizer for ASCII only."""
    assert set(analyze(query)) & set(analyze(text))


@given(st.text())
def test_terms_are_folded_whole_and_never_blank(text: str) -> None:
    for term in analyze(text):
        assert term
        assert not any(char.isspace() or unicodedata.category(char) == "Cc" for char in term)
        assert term == unicodedata.normalize("NFKC", term)


@given(st.text(), st.text())
def test_a_space_parts_texts(one: str, other: str) -> None:
    assert analyze(f"{one} \n {other}") == analyze(one) + analyze(other)


@given(st.text())
def test_counted_terms_are_the_terms_sorted(text: str) -> None:
    assert [term for term, count in count_terms(text) for _ in range(count)] == sorted(analyze(text))


def test_sch4_scikit_learn_takes_the_analyzer() -> None:
    fitted = TfidfVectorizer(analyzer=analyze).fit(["Wire 4471 東京", "x"])
    assert sorted(fitted.vocabulary_) == sorted({"wire", "4471", "東京", "東", "京", "x"})


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b", "\u00ad\u2060", "\u3000", "\ufe0f", "\x00"])
def test_sch1_what_shows_nothing_is_blank(text: str) -> None:
    assert blank(text)


@pytest.mark.parametrize("text", [".", "?", "猫", "\u200bx"])
def test_sch1_what_shows_something_is_not_blank(text: str) -> None:
    assert not blank(text)


@pytest.mark.parametrize(
    "part",
    [
        "a\u0301\u0323",
        "\u0315\u0300",
        "1,000,",
        "12",
        "-",
        "a-",
        "aB",
        "漢字",
        "#",
        "++",
        "\U0001f1e9",
        "%,",
        "a1",
        "\u200d",
        "👍🏽",
    ],
)
def test_time_is_linear_in_the_length(part: str) -> None:
    """Ten times the text takes about ten times as long; a quadratic step would take a hundred times."""

    def seconds(length: int) -> float:
        text = part * (length // len(part))
        start = time.process_time()
        analyze(text)
        return time.process_time() - start

    short = min(seconds(20_000) for _ in range(3))
    assert seconds(200_000) < 40 * short + 0.05
