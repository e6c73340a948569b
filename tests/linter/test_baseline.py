"""The baseline file: what is new, what is gone, and a text that changes as little as what it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial import schemas
from seatrial.linter import baseline, lint, read_text
from seatrial.linter.settings import UnusableError

LABELS = (
    '{"a": {"number": 1, "description": "Which a."}, '
    '"bX": {"number": 2, "description": "Which bX."}, '
    '"Cy": {"number": 3, "description": "Which Cy."}}'
)
TWICE = '{"harness": {"memory": {"enabled": true, "labels": ' + LABELS + "}}}"


def entries(text: str) -> list[baseline.Entry]:
    document = read_text(text, path="/r/v1.json")
    return baseline.entries(lint([document]), "/r", {document.path: document})


def test_only_what_is_new_is_new_and_what_was_fixed_is_gone() -> None:
    document = read_text(TWICE.replace("bX", "b").replace('"a"', '"A"'), path="/r/v1.json")
    after, documents = lint([document]), {document.path: document}
    known = baseline.Known(entries(TWICE))
    seen = baseline.compared(after, known, "/r", documents, lambda entry: True)
    assert [each.pointer[-1] for each in seen.new] == ["A"]
    assert [each.pointer for each in seen.accepted] == ["/harness/memory/labels/Cy"]
    assert [each.pointer for each in seen.gone] == ["/harness/memory/labels/bX"]
    assert baseline.compared(after, known, "/r", documents, lambda entry: False).gone == []


def test_the_text_is_sorted_a_line_a_finding_whatever_the_order(tmp_path: Path) -> None:
    known = entries(TWICE)
    made = baseline.text(known)
    assert made == baseline.text(reversed([*known, *known]))
    assert sum("fingerprint" in line for line in made.splitlines()) == 2
    fewer = set(baseline.text(known[:1]).splitlines())
    assert len(set(made.splitlines()) - fewer) == 1
    path = tmp_path / "b.json"
    path.write_text(made, encoding="utf-8")
    assert baseline.read(str(path)) == (sorted(known), 2)
    assert baseline.text([]) == '{\n  "format": 2,\n  "findings": []\n}\n'


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", ":1:1: not a baseline: "),
        (b"<<<<<<< HEAD", ":1:1: not a baseline: "),
        (b'{"format": 3, "findings": []}', ":1:12: not a baseline: "),
        (b'{"format": 1}', ":1:1: not a baseline: "),
        (b'{"format": 1, "findings": [{"path": 3}]}', ":1:28: not a baseline: "),
        (b'{"harness": {}}', ":1:1: not a baseline: "),
        (b"\xff", ": not a baseline: not UTF-8"),
    ],
)
def test_a_broken_baseline_is_told_with_its_place_and_the_remedy(tmp_path: Path, content: bytes, place: str) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(content)
    for new in (True, False):
        with pytest.raises(UnusableError) as told:
            baseline.read(str(path), new=new)
        assert f"b.json{place}" in str(told.value)
        assert "--write-baseline makes one where no file is" in str(told.value)


def test_a_missing_baseline_is_told_unless_it_is_to_be_made(tmp_path: Path) -> None:
    with pytest.raises(UnusableError, match="there is no such baseline; --write-baseline makes it"):
        baseline.read(str(tmp_path / "b.json"))
    assert baseline.read(str(tmp_path / "b.json"), new=True) == ([], 2)
    with pytest.raises(UnusableError, match="cannot be read"):
        baseline.read(str(tmp_path), new=True)


def test_a_baseline_may_be_larger_than_a_config_may(tmp_path: Path) -> None:
    known = [baseline.Entry(f"configs/v{n}.json", "ST401", "/x", "0" * 200) for n in range(5_000)]
    path = tmp_path / "b.json"
    baseline.write(str(path), known)
    assert path.stat().st_size > 1 << 20
    assert baseline.read(str(path)) == (sorted(known), 2)


def test_what_is_written_is_as_the_schema_says() -> None:
    known = entries(TWICE)
    assert schemas.problems("baseline", {"format": 2, "findings": [each._asdict() for each in known]}) == []
