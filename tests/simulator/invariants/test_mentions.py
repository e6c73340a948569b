"""Ids are found as whole words, by a search that looks only where one may begin."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from seatrial.simulator.invariants.mentions import words_like

NAMES = st.lists(st.text("mr-_1é# ", min_size=7, max_size=9), min_size=1, max_size=6)
BETWEEN = st.sampled_from((" ", "\n", '"', "\\n", "m", "é", ""))


@given(st.data())
def test_it_finds_what_a_look_at_every_word_finds(data: st.DataObject) -> None:
    names = data.draw(NAMES)
    parts = data.draw(st.lists(st.tuples(st.sampled_from(names), BETWEEN), max_size=12))
    text = "".join(part for pair in parts for part in pair)
    every = [word for word in re.findall(r"[\w-]+", text) if len(word) >= 8]
    found = words_like(names).findall(text)
    assert [word for word in found if word in names] == [word for word in every if word in names]


def test_a_part_of_a_word_is_no_mention() -> None:
    assert words_like(["mem_wire4471"]).findall("mem_wire4471, xmem_wire4471, mem_wire44712") == [
        "mem_wire4471",
        "mem_wire44712",
    ]
