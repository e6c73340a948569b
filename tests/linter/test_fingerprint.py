"""A finding's identity holds through what does not matter, and no two findings share one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.linter import Diagnostic, Fix, Span, lint, read_text
from seatrial.linter.fingerprint import fingerprints
from seatrial.linter.relative import relative

POINTERS = st.lists(st.text(max_size=3) | st.integers(0, 9), max_size=3).map(tuple)
FOUND = st.builds(
    Diagnostic,
    code=st.sampled_from(["ST101", "ST102"]),
    severity=st.sampled_from(["error", "warning", "info"]),
    path=st.sampled_from(["a/v1.json", "./a/v1.json", "b/v1.json", "<stdin>", "\udcff.json"]),
    span=st.builds(Span, *[st.integers(1, 99)] * 4),
    pointer=POINTERS,
    message=st.text(),
)


def marks(*files: tuple[str, str], root: str = ".") -> list[str]:
    """The fingerprints of what is found in the files (name, text)."""
    documents = {name: read_text(text, path=name) for name, text in files}
    return fingerprints(lint(documents.values()), root, documents)


def mark(text: str, path: str = "v1.yaml", root: str = ".") -> list[str]:
    return marks((path, text), root=root)


@given(diagnostics=st.lists(FOUND))
def test_each_finding_has_its_own(diagnostics: list[Diagnostic]) -> None:
    made = fingerprints(diagnostics, ".", {})
    assert len(set(made)) == len(diagnostics)
    assert all(len(each) == 32 for each in made)


@given(diagnostics=st.lists(FOUND), message=st.text(), line=st.integers(1, 99))
def test_wording_line_and_severity_are_no_part_of_it(diagnostics: list[Diagnostic], message: str, line: int) -> None:
    """oasdiff#612: an ignore tied to a message's wording."""
    span = Span(line, 1, line, 2)
    changed = [
        replace(each, message=message, span=span, severity="info", fix=Fix("write", "1")) for each in diagnostics
    ]
    assert fingerprints(changed, ".", {}) == fingerprints(diagnostics, ".", {})


@given(diagnostics=st.lists(FOUND, min_size=1))
def test_rule_place_and_file_are_part_of_it(diagnostics: list[Diagnostic]) -> None:
    last = diagnostics[-1]
    others = [
        replace(last, code="ST999"),
        replace(last, path="c/v1.json"),
        replace(last, pointer=(*last.pointer, "more", "more", "more", "more")),
    ]
    assert not set(fingerprints(others, ".", {})) & set(fingerprints(diagnostics, ".", {}))


def test_a_line_more_above_changes_nothing() -> None:
    text = "harness:\n  memory: 5\n  extra: 1\n"
    assert mark(text) == mark("# why\n\n" + text)


def test_a_pointer_does_not_run_into_the_path() -> None:
    (one,) = lint([read_text("harness: 5\n", path="v1.yaml")])
    pair = [replace(one, path="a", pointer=("b/c",)), replace(one, path="a/b", pointer=("c",))]
    assert len(set(fingerprints(pair, ".", {}))) == 2


def test_it_is_the_same_from_every_folder_and_through_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "repository"
    (root / "configs").mkdir(parents=True)
    (tmp_path / "link").symlink_to(root)
    monkeypatch.chdir(root)
    names = ["configs/v1.yaml", "./configs/../configs/v1.yaml", str(root / "configs/v1.yaml"),
             str(tmp_path / "link/configs/v1.yaml")]  # fmt: skip
    made = {tuple(mark("harness: 5\n", name)) for name in names}
    monkeypatch.chdir(root / "configs")
    made.add(tuple(mark("harness: 5\n", root=str(root))))
    made.add(tuple(mark("harness: 5\n", root=str(tmp_path / "link"))))
    assert len(made) == 1


def test_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert relative("a b/v1.json", ".") == "a b/v1.json"
    assert relative(str(tmp_path / "v1.json"), str(tmp_path)) == "v1.json"
    assert relative("v1.json", "sub") == "../v1.json"
    assert relative("<stdin>", "sub") == "<stdin>"
    assert relative("v1.json", "/").endswith("/v1.json")
    assert not relative("v1.json", "/").startswith(("/", ".."))


def test_a_link_to_a_file_keeps_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "through").symlink_to(tmp_path / "root")
    (tmp_path / "root" / "v1.json").symlink_to(tmp_path / "elsewhere.json")
    assert relative(str(tmp_path / "through" / "v1.json"), str(tmp_path / "root")) == "v1.json"
