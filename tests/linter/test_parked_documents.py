"""A document that is parked holds little and answers as before; so linting many files takes no more memory than few."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from seatrial.linter import Document, lint, read_path, read_text

YAML = "# a comment\nharness: &h\n  memory:\n    labels: {a: {number: 1.0}, 顧: {number: 2}}\n"
POINTERS: list[tuple[str | int, ...]] = [(), ("harness",), ("harness", "memory", "labels", "顧", "number"), ("gone", 3)]


def everything(document: Document) -> object:
    spans = [(document.span(pointer, "key"), document.span(pointer)) for pointer in POINTERS]
    lines = [document.line(number) for number in range(7)]
    return document.value, document.text, spans, lines, document.part(("harness",)).value


@pytest.mark.parametrize("keep_text", [True, False])
@pytest.mark.parametrize("name", ["v1.yaml", "v1.json"])
def test_a_parked_document_answers_as_before(tmp_path: Path, name: str, keep_text: bool) -> None:
    text = YAML if name.endswith("yaml") else json.dumps({"harness": {"memory": {"x": "\ud83d\ude00"}}}, indent=1)
    (tmp_path / name).write_text("\ufeff" + text, encoding="utf-8")
    for document in (read_path(tmp_path / name), read_text(text, path=name)):
        before = everything(document)
        document.park(keep_text=keep_text)
        document.park(keep_text=keep_text)
        assert everything(document) == before


def test_a_file_that_is_gone_by_then_still_has_its_value_and_a_place(tmp_path: Path) -> None:
    path = tmp_path / "v1.yaml"
    path.write_text(YAML, encoding="utf-8")
    document = read_path(path)
    value = document.value
    document.park()
    path.unlink()
    assert document.value == value
    assert document.span(("harness", "memory", "labels")) == (1, 1, 1, 3)
    assert document.line(3) == ""


def test_a_file_that_changes_between_its_reading_and_the_comparing_of_versions_is_no_fault(tmp_path: Path) -> None:
    for number, label in ((1, 5), (2, 6)):
        config = {
            "harness": {"memory": {"enabled": True, "labels": {"a": {"number": label, "description": "Which a."}}}}
        }
        (tmp_path / f"v{number}.json").write_text(json.dumps(config))

    def read() -> Iterator[Document]:
        for name in ("v1.json", "v2.json"):
            yield read_path(tmp_path / name)
            (tmp_path / name).write_text("[\n")

    (found,) = lint(read())
    assert (found.code, found.span.line) == ("ST502", 1)


def test_a_large_file_that_is_gone_by_then_is_as_if_empty(tmp_path: Path) -> None:
    path = tmp_path / "v1.json"
    for left in (None, "[", "{"):
        path.write_text(json.dumps({"harness": {"x" * 5000: 1}}))
        document = read_path(path)
        document.park()
        if left is None:
            path.unlink()
        else:
            path.write_text(left)
        assert document.value == {}
        assert document.span(("harness", "x" * 5000)).line == 1


def test_memory_does_not_grow_with_the_files_that_are_in_order(tmp_path: Path) -> None:
    described = {"number": 1, "description": "x" * 100_000}
    text = json.dumps({"harness": {"memory": {"enabled": True, "labels": {"a": described}}}})
    for number in range(60):
        (tmp_path / f"a{number}.v1.json").write_text(text)
        (tmp_path / f"b{number}.v1.yaml").write_text(text)

    def peak(files: list[Path]) -> int:
        lint(map(read_path, files[:2]))  # what is loaded once
        tracemalloc.start()
        try:
            assert lint(map(read_path, files)) == []
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    files = sorted(tmp_path.iterdir(), key=lambda path: path.name[1:])
    assert peak(files) < 1.5 * peak(files[:10])
