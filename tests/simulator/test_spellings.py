"""Random scenarios that ask for records of every script and form, and for those of large partitions (SCH-1, SCH-4)."""

from __future__ import annotations

from unittest.mock import patch

from hunting import ROLES

from seatrial.engine import view
from seatrial.engine.scoring import nothing
from seatrial.engine.terms import _ByTerm
from seatrial.engine.vectors import VectorIndex
from seatrial.simulator.fuzzing.intents import Add, Do, Many, Pick, Record, Search, Step, Text, Turn
from seatrial.simulator.fuzzing.spellings import SPELLINGS
from seatrial.simulator.fuzzing.trial import judged, script_of
from seatrial.simulator.fuzzing.writer import write


def problems(*steps: Step) -> object:
    script = script_of(write(ROLES[:1], steps), {})
    assert script is not None
    return judged(script).problems


def asked(number: int) -> Turn:
    return Turn(do=Do((Add(Record(Text(spelling=number))), Search(None, spelling=number))))


def test_each_spelling_is_found_by_what_the_table_says() -> None:
    steps = [asked(number) for number in range(len(SPELLINGS))]
    stated = [step["do"][1]["gets"]["records"] for step in write(ROLES[:1], steps)["steps"]]
    assert [bool(records) for records in stated] == [finds for *_, finds in SPELLINGS]
    assert problems(*steps) == ()


def test_a_search_that_knows_no_keyword_is_caught() -> None:
    with patch.object(view, "keywords", lambda parts, query, candidates: nothing(candidates)):
        assert problems(asked(0)) != ()


def test_reviews_that_find_much_make_a_partition_large() -> None:
    """Of many rows vectors have an index of their own, and of many entries terms have."""
    crowded = Turn(do=Do(extract=(Many(40), Many(30), Many(17, wide=True))))
    with (
        patch.object(VectorIndex, "_append", autospec=True, side_effect=VectorIndex._append) as appended,
        patch.object(_ByTerm, "products", autospec=True, side_effect=_ByTerm.products) as read,
    ):
        assert problems(crowded, Turn(do=Do((Search(), Search(limit=1))))) == ()
    assert appended.called
    assert read.called


def test_a_live_record_is_picked_before_what_a_preview_would_put_in_its_place() -> None:
    """PRE-2: a preview and then a live turn change the same record."""
    turns = [Turn(do=Do((Add(),))), Turn(plane="preview", do=Do((Add(replaces=(Pick("live"),)),)))]
    document = write(ROLES[:1], [*turns, Turn(do=Do((Add(replaces=(Pick("live"),)),)))])
    assert [step["do"][0]["add_memory"].get("replaces") for step in document["steps"]] == [None, "rec1", "rec1"]
