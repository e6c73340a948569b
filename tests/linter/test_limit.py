"""Of one file at most 1,000 findings are told, whatever finds them; what is left out changes no exit code."""

from __future__ import annotations

import json

import pytest

from seatrial import schemas
from seatrial.linter import lint, read_text

MANY = 5000
FILES = {
    "unknown keys": ("v1.json", json.dumps({"harness": {f"k{n}": 1 for n in range(MANY)}})),
    "items of a wrong type": ("v1.json", json.dumps({"harness": {"memory": {"kinds": [1] * MANY}}})),
    "repeated items": ("v1.yaml", json.dumps({"harness": {"memory": {"kinds": ["fact"] * MANY}}})),
    "repeated keys": ("v1.json", '{"harness": {' + ", ".join(['"context": {}'] * MANY) + "}}"),
    "shared numbers": (
        "v1.json",
        json.dumps({"harness": {"memory": {"labels": {f"l{n}": {"number": 1} for n in range(MANY)}}}}),
    ),
    "no numbers": ("v1.json", '{"harness": {"x": [' + ", ".join(["NaN"] * MANY) + "]}}"),
    "no texts": ("v1.yaml", "harness:\n" + "".join(f"  {n}: x\n" for n in range(MANY))),
}


@pytest.mark.parametrize("case", FILES)
def test_a_thousand_findings_and_one_that_says_so(case: str) -> None:
    name, text = FILES[case]
    other = read_text("{}", path="v2.json")
    found = lint([read_text(text, path=name), other])
    assert [each.code for each in found if each.path == other.path] == ["ST104"]
    of_file = [each for each in found if each.path == name]
    assert len(of_file) == 1001
    (more,) = [each for each in of_file if each.code == "ST005"]
    assert (more.severity, more.message) == ("error", "more than 1,000 findings in this file: the others are not told")


def test_a_thousand_are_told_whole() -> None:
    found = lint([read_text(json.dumps({"harness": {f"k{n}": 1 for n in range(1000)}}), path="v1.json")])
    assert [each.code for each in found] == ["ST101"] * 1000


def test_the_worst_are_told_first() -> None:
    hints = "".join(f"    - n: 0{n}\n" for n in range(10, 10 + MANY))
    found = lint([read_text(f"harness:\n  memory:\n    x:\n{hints}", path="v1.yaml")])
    assert [each.code for each in found if each.severity == "error"] == ["ST101"]
    assert len(found) == 1001
    (more,) = [each for each in found if each.code == "ST005"]
    assert more.severity == "warning"  # as bad as the worst that is left out


def test_a_deploy_is_refused_with_no_more_problems_than_a_person_reads() -> None:
    assert len(schemas.problems("agent", {"harness": {f"k{n}": 1 for n in range(MANY)}})) == 1001
