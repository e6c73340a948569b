"""`sees` and `gets`: what holds, and what is said where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from seatrial.simulator.expect import Names, Reply, check_gets, check_sees, same

AT = ("steps", 0, "do", 0, "gets")


def names(**known: str) -> Names:
    made = Names()
    for name, record in known.items():
        made.learn(name, record)
    return made


KNOWN = names(ruling="mem_1", limit="mem_2")


def record(record_id: str, **fields: Any) -> dict[str, Any]:
    return {"id": record_id, "summary": f"about {record_id}", "labels": {}, "status": "ACTIVE", "score": 0.5, **fields}


def context(*recalled: str, **parts: Any) -> dict[str, Any]:
    found = [record(each) for each in recalled]
    return {"recalled": found, "pins": [], "state": {}, "text": "", "tokens": 10, **parts}


def sees(expected: Mapping[str, Any], told: Mapping[str, Any]) -> list[str]:
    return [f"{failure.expected} / {failure.seen}" for failure in check_sees(expected, told, KNOWN, AT)]


def gets(expected: Mapping[str, Any], answer: Any = None, error: str | None = None) -> list[str]:
    refusal = None if error is None else {"code": error, "message": f"it is {error}", "remedy": ""}
    return [
        f"{failure.expected} / {failure.seen}" for failure in check_gets(expected, Reply(answer, refusal), KNOWN, AT)
    ]


@pytest.mark.parametrize(
    ("expected", "recalled"),
    [
        ([], []),
        (["ruling", "limit"], ["mem_1", "mem_2"]),
        ({"only": ["limit", "ruling"]}, ["mem_1", "mem_2"]),
        ({"only": []}, []),
        ({"has": ["limit"]}, ["mem_1", "mem_2"]),
        ({"lacks": ["limit"]}, ["mem_1"]),
        ({"has": ["ruling"], "lacks": ["limit"]}, ["mem_1", "mem_3"]),
    ],
)
def test_recalled_holds(expected: Any, recalled: list[str]) -> None:
    assert sees({"recalled": expected}, context(*recalled)) == []
    assert sees({"pins": expected}, context(pins=[record(each) for each in recalled])) == []
    assert gets({"records": expected}, {"records": [record(each) for each in recalled]}) == []


@pytest.mark.parametrize(
    ("expected", "recalled"),
    [
        ([], ["mem_1"]),
        (["ruling"], []),
        (["ruling", "limit"], ["mem_2", "mem_1"]),
        (["ruling"], ["mem_1", "mem_2"]),
        ({"only": ["ruling"]}, ["mem_1", "mem_2"]),
        ({"only": ["ruling", "limit"]}, ["mem_1"]),
        ({"only": ["ruling"]}, ["mem_1", "mem_1"]),
        ({"has": ["limit"]}, ["mem_1"]),
        ({"lacks": ["limit"]}, ["mem_2"]),
        ({"has": ["ruling"], "lacks": ["limit"]}, ["mem_1", "mem_2"]),
    ],
)
def test_recalled_does_not_hold(expected: Any, recalled: list[str]) -> None:
    assert len(sees({"pins": expected}, context(pins=[record(each) for each in recalled]))) == 1
    assert len(sees({"recalled": expected}, context(*recalled))) == 1
    assert len(gets({"records": expected}, {"records": [record(each) for each in recalled]})) == 1


def test_a_failure_speaks_in_names_and_in_ids_and_points_to_the_expectation() -> None:
    found = list(check_sees({"recalled": {"only": ["ruling", "lost"]}}, context("mem_2", "mem_3"), KNOWN, ("steps", 0)))
    assert [(failure.pointer, failure.expected, failure.seen) for failure in found] == [
        (
            ("steps", 0, "recalled", "only"),
            "only [ruling (mem_1), lost (never added)], in any order",
            '[limit (mem_2) "about mem_2", mem_3 "about mem_3"]',
        )
    ]


def test_state_is_compared_whole() -> None:
    assert sees({"state": {"open": 1}}, context(state={"open": 1})) == []
    assert sees({"state": {"open": 1}}, context(state={"open": 1, "more": 2})) == ['{"open":1} / {"more":2,"open":1}']
    assert sees({"state": {"open": 1}}, context(state={"open": True})) == ['{"open":1} / {"open":true}']


def test_text_is_found_as_written_and_as_json_writes_it() -> None:
    told = context(text='{"text":"He said \\"no\\"\\nand left"}')
    assert sees({"text": ["He said", 'said "no"', '"no"\nand']}, told) == []
    assert sees({"text": "yes"}, told) == ['a context that holds "yes" / a context without it']


def test_lacks_text_is_not_fooled_by_the_encoding_either() -> None:
    told = context(text='{"text":"He said \\"no\\""}')
    assert sees({"lacks_text": ["yes", "maybe"]}, told) == []
    assert len(sees({"lacks_text": "He said"}, told)) == 1
    assert len(sees({"lacks_text": 'said "no"'}, told)) == 1


@pytest.mark.parametrize(
    ("expected", "held"),
    [
        (10, True),
        (9, False),
        ({"min": 10, "max": 10}, True),
        ({"max": 9}, False),
        ({"min": 11}, False),
        ({"min": 1}, True),
    ],
)
def test_tokens(expected: Any, held: bool) -> None:
    assert (sees({"tokens": expected}, context()) == []) is held


def test_an_error_fails_every_expectation_but_its_own() -> None:
    assert gets({"error": "not_found"}, error="not_found") == []
    assert gets({"error": "not_found", "text": "it is"}, error="not_found") == []
    assert gets({"error": "not_found"}, error="busy") == ["the error not_found / the error busy: it is busy"]
    assert gets({"error": "not_found"}, {"deleted": "mem_1"}) == [
        'the error not_found / the answer {"deleted":"mem_1"}'
    ]
    assert gets({"error": "busy"}) == ["the error busy / no error"]
    others: list[dict[str, Any]] = [{"records": []}, {"events": []}, {"record": {}}, {"text": ""}, {"score": {}}]
    for expected in others:
        assert gets(expected, error="busy") == ["an answer / the error busy: it is busy"]


def test_records_of_an_answer_without_records_do_not_hold() -> None:
    assert gets({"records": []}, {"record": record("mem_1")}) != []


def test_a_record_is_compared_field_by_field_with_names_for_ids() -> None:
    told = {
        "record": record("mem_1", labels={"n": 1}, successor="mem_2", replaces=["mem_2"]),
        "would_replace": ["mem_2"],
    }
    fields = {
        "id": "ruling",
        "successor": "limit",
        "replaces": ["limit"],
        "would_replace": ["limit"],
        "labels": {"n": 1},
    }
    assert gets({"record": fields}, told) == []
    assert gets({"record": {"successor": "ruling"}}, told) == ["ruling (mem_1) / limit (mem_2)"]
    assert gets({"record": {"labels": {"n": True}}}, told) == ['{"n":true} / {"n":1}']
    assert gets({"record": {"labels": {}}}, told) == ['{} / {"n":1}']
    assert gets({"record": {"colour": 1}}, told) == ["1 / no such field"]
    assert gets({"record": {"summary": "ruling"}}, told) == ['"ruling" / "about mem_1"']


def test_no_record_is_no_pass() -> None:
    assert len(gets({"record": {"status": "ACTIVE"}}, {"deleted": "mem_1"})) == 1


def test_every_score_lies_within_its_bounds_and_there_is_one() -> None:
    told = {"records": [record("mem_1", score=0.9), record("mem_3", score=0.4)]}
    assert gets({"score": {"min": 0.4, "max": 0.9}}, told) == []
    assert gets({"score": {"min": 0.5}}, told) == ["score of at least 0.5 / 0.4 for mem_3"]
    assert gets({"score": {"max": 0.8}}, told) == ["score of at most 0.8 / 0.9 for ruling (mem_1)"]
    assert len(gets({"score": {"min": 0}}, {"records": []})) == 1


def test_text_of_an_answer_is_looked_for_in_each_of_its_texts() -> None:
    told = {"record": record("mem_1", content='a "quoted"\nline')}
    assert gets({"text": ["about mem_1", '"quoted"\nline']}, told) == []
    assert len(gets({"text": "nowhere"}, told)) == 1


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ("1", 1, False),
        ([1], [1, 1], False),
        ({"a": 1}, {"a": 1}, True),
    ],
)
def test_values_compare_as_json_does(left: Any, right: Any, equal: bool) -> None:
    assert same(left, right) is equal
    assert same(right, left) is equal
