"""A partition takes in its own records, each once, and ends them for good (VIEW-5, WRT-2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from seatrial.engine.embed import HashingEmbedder
from seatrial.engine.partition import Partition
from seatrial.engine.values import PartitionKey, Record

EMBEDDER = HashingEmbedder()
SESSION = PartitionKey("reconciler", "live", "session", "account-17")

MakeRecord = Callable[..., Record]


def partition(*records: Record) -> Partition:
    made = Partition(SESSION, EMBEDDER)
    made.add(records)
    return made


def test_it_takes_records_of_its_own_key_only(make_record: MakeRecord) -> None:
    """langgraph#8300: names compare literally. langgraphjs#2721: prefixes and joined names mean nothing."""
    held = Partition(PartitionKey("reconciler", "live", "session", "john_doe"), EMBEDDER)
    for session in ("john-doe", "john_doe2", "john", "John_doe"):
        with pytest.raises(ValueError, match="belongs to"):
            held.add([make_record("a", "wire", session=session)])
    for changes in ({"plane": "preview"}, {"scope": "agent"}, {"agent": "reconciler2"}):
        with pytest.raises(ValueError, match="belongs to"):
            held.add([make_record("a", "wire", session="john_doe", **changes)])
    assert (len(held), list(held.snapshot().records())) == (0, [])


def test_an_id_is_taken_once(make_record: MakeRecord) -> None:
    held = partition(make_record("a", "wire"), make_record("gone", "wire", status="DELETED"))
    for again in (["a"], ["gone"], ["b", "b"]):
        with pytest.raises(ValueError, match="here already"):
            held.add(make_record(record_id, "other") for record_id in again)
    assert [record.id for record in held.snapshot().records()] == ["a"]


def test_a_record_ends_and_never_returns(make_record: MakeRecord) -> None:
    held = partition(make_record("a", "wire"))
    superseded = replace(make_record("a", "wire"), status="SUPERSEDED", successor="b")
    for wrong in (make_record("a", "wire"), replace(superseded, id="b"), replace(superseded, session="x")):
        with pytest.raises(ValueError, match="not an ending"):
            held.replace(wrong)
    held.replace(superseded)
    between = held.snapshot()
    held.replace(replace(superseded, status="DELETED"))
    assert (between.get("a"), held.snapshot().get("a")) == (superseded, None)


def test_its_size_grows_with_what_it_holds(make_record: MakeRecord) -> None:
    sizes = [
        partition(*(make_record(f"r{i}", f"wire {i} " + "word" * 10) for i in range(count))).nbytes
        for count in (0, 10, 1000)
    ]
    assert sizes == sorted(sizes)
    assert 500 * 1000 < sizes[2] < 3000 * 1000
