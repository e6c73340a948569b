"""CTX-3: the extract that stands in where the model gives no summary."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.engine import count_tokens
from seatrial.engine.summaries import extract

anything = st.text(st.characters(exclude_categories=()), max_size=60)


@given(st.none() | anything.filter(str.strip), st.lists(anything, min_size=1, max_size=8), st.integers(1, 400))
def test_ctx_3_an_extract_fits_and_keeps_the_latest(summary: str | None, said: list[str], limit: int) -> None:
    told: list[dict[str, Any]] = [{"role": "user", "text": text} for text in said]
    text = extract(summary, told, limit, count_tokens)
    assert text == extract(summary, told, limit, count_tokens)
    assert text.strip()
    assert count_tokens(text) <= max(1, limit // 4)
    if limit == 400 and not text.startswith("…"):
        assert len(text.split("\n")) >= len(said)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("Approved up to 9,000.50 USD. No more.", "Approved up to 9,000.50 USD."),
        ("承認します。上限は九千ドルです。", "承認します。"),
        ("\n  One line\nanother", "One line"),
        ("Really?! Yes.", "Really?!"),
        ("", ""),
        ("x" * 400, "x" * 160 + "…"),
    ],
)
def test_ctx_3_the_first_sentence_of_a_message(said: str, sentence: str) -> None:
    assert extract(None, [{"role": "user", "text": said}], 4000, count_tokens) == f"user: {sentence}".rstrip()


def test_ctx_3_an_extract_names_tools_and_references() -> None:
    """CTX-4: what is summed up can still be read."""
    told: list[dict[str, Any]] = [
        {"role": "tool", "name": "fetch\nall", "ref": "ref_1", "text": "Two entries. Matched."},
        {"role": "tool", "name": "fetch", "ref": "ref_2", "preview": "Entry 1", "note": "…"},
        {"role": "tool", "name": "fetch", "ref": "ref_3", "note": "Set aside."},
    ]
    assert extract("Before.\n", told, 4000, count_tokens).split("\n") == [
        "Before.",
        "fetch all [ref_1]: Two entries.",
        "fetch [ref_2]: Entry 1",
        "fetch [ref_3]: Set aside.",
    ]


def test_ctx_3_what_an_extract_has_left_out_stays_left_out() -> None:
    told: list[dict[str, Any]] = [{"role": "user", "text": text} for text in ("One.", "Two.", "Three.")]
    first = extract(None, told, 32, count_tokens)
    assert first == "…\nuser: Two.\nuser: Three."
    assert extract(first, told[:1], 400, count_tokens) == "…\nuser: Two.\nuser: Three.\nuser: One."
