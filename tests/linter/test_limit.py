"""Of one file at most 1,000 findings are told, whatever finds them; what is left out changes no exit code."""

from __future__ import annotations

import json

import pytest

from seatrial import schemas
from seatrial.linter import Diagnostic, limit, lint, read_text
from seatrial.linter.check import findings
from seatrial.linter.run import Run
from seatrial.linter.selection import Choice
from seatrial.linter.settings import NONE, Nearest
from seatrial.linter.settings.stages import Rulebook

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


LABEL = "harness:\n  memory:\n    enabled: true\n    labels:\n      ab: {number: %d, description: Which one it is}\n"
REPEATED = f"    kinds: [{', '.join(['fact'] * 1100)}]\n"


def told(*texts: str, **choice: tuple[str, ...]) -> list[Diagnostic]:
    """What a run tells of the versions v1, v2, … of one agent."""
    run = Run(Rulebook(Choice(**choice), Nearest(NONE)))
    return limit.limited(run.findings([read_text(text, path=f"a.v{n}.yaml") for n, text in enumerate(texts, 1)], ()))


def test_what_is_not_selected_keeps_nothing_from_being_told() -> None:
    choices: list[dict[str, tuple[str, ...]]] = [{"select": ("ST5",)}, {"ignore": ("ST105",)}]
    for choice in choices:
        assert [each.code for each in told(LABEL % 1, LABEL % 2 + REPEATED, **choice)] == ["ST502"]
    assert [each.code for each in told(LABEL % 1 + REPEATED + "    zzz: 1\n", select=("ST101",))] == ["ST101"]


def test_of_more_suppressions_than_are_told_none_is_useless() -> None:
    lines = [f"      l{n}: {{number: {n}}}  # seatrial: ignore[ST404]\n" for n in range(1, 1201)]
    text = "harness:\n  memory:\n    enabled: true\n    labels:\n" + "".join(lines)
    assert told(text) == []
    useless = told(text.replace("{number: 7}", "{number: 7, description: A seven it is.}"))
    assert [(each.code, each.span.line) for each in useless] == [("ST901", 11)]


def test_a_file_of_which_not_all_was_looked_for_fails_whatever_is_selected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit, "LOOKED_FOR", 20)
    text = LABEL % 1 + f"    kinds: [{', '.join(['fact'] * 50)}] # seatrial: ignore[ST005, ST105, ST404]\n"
    choices: list[dict[str, tuple[str, ...]]] = [{"select": ("ST5",)}, {"ignore": ("ST005", "ST9")}, {}]
    for choice in choices:
        (only,) = told(text, **choice)
        assert (only.code, only.severity, only.cut) == ("ST005", "error", True)
        assert only.message == f"more than {limit.LOOKED_FOR:,} findings in this file: the others are not looked for"


def test_that_not_all_was_looked_for_is_told_among_thousands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit, "LOOKED_FOR", 1500)
    found = findings([read_text(json.dumps({"harness": {"memory": {"kinds": ["fact"] * MANY}}}), path="v1.yaml")])
    assert len(found) == 1501
    assert {each.cut for each in limit.limited(found) if each.code == "ST005"} == {False, True}


def test_a_deploy_is_refused_with_no_more_problems_than_a_person_reads() -> None:
    assert len(schemas.problems("agent", {"harness": {f"k{n}": 1 for n in range(MANY)}})) == 1001
