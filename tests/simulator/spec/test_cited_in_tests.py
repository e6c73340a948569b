"""Which tests are found to cite which clauses."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest

from seatrial.simulator.spec.in_tests import UnreadableTest, checkout, cited_below


def cited(folder: Path, text: str) -> list[tuple[str, str]]:
    (folder / "test_a.py").write_text(dedent(text), encoding="utf-8")
    return [(clause, test.removeprefix("t/test_a.py")) for clause, test in cited_below(folder, "t")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def test_rec_1_it(): ...", [("REC-1", "::test_rec_1_it")]),
        ("def test_txn_3_ext_5(): ...", [("TXN-3", "::test_txn_3_ext_5"), ("EXT-5", "::test_txn_3_ext_5")]),
        ("async def test_rec_1(): ...", [("REC-1", "::test_rec_1")]),
        ("def test_rec_1():\n    'REC-1 again'", [("REC-1", "::test_rec_1")]),
        (
            "def test_it():\n    'As SCH-1, SCH-2 say; UTF-8, SHA-256.'",
            [("SCH-1", "::test_it"), ("SCH-2", "::test_it")],
        ),
        ("'VIEW-2: all of it'\ndef test_it(): ...", [("VIEW-2", "")]),
        ("class TestIt:\n    'PIN-3'\n    def test_a(self): ...", [("PIN-3", "::TestIt")]),
        ("class TestIt:\n    def test_pin_3(self): ...", [("PIN-3", "::TestIt::test_pin_3")]),
        ("@pytest.mark.parametrize('x', [1])\ndef test_rec_1(x): ...", [("REC-1", "::test_rec_1")]),
        ("def test_rec_99(): ...", [("REC-99", "::test_rec_99")]),
    ],
)
def test_a_test_cites_by_its_name_and_its_docstring(tmp_path: Path, text: str, found: list[tuple[str, str]]) -> None:
    assert cited(tmp_path, text) == found


@pytest.mark.parametrize(
    "text",
    [
        "'VIEW-2'",  # no test in it
        "'VIEW-2'\n@pytest.mark.slow\ndef test_it(): ...",
        "def test_it():\n    'VIEW has VIEW-, VIEW-x and MYVIEW-2'",
        "def test_it():\n    x = 'VIEW-2'  # VIEW-2",
        "def view_2(): ...",
        "@pytest.fixture\ndef rec_1():\n    'REC-1'",
        "@pytest.mark.slow\ndef test_rec_1(): ...",
        "@pytest.mark.skip(reason='REC-1')\ndef test_rec_1(): ...",
        "class Helper:\n    def test_rec_1(self): ...",
        "@pytest.mark.slow\nclass TestIt:\n    def test_rec_1(self): ...",
        "def test_view(): ...\ndef test_2(): ...",
        "def outer():\n    def test_rec_1(): ...",
    ],
)
def test_what_is_no_test_or_does_not_run_cites_nothing(tmp_path: Path, text: str) -> None:
    assert cited(tmp_path, text) == []


def test_files_are_told_in_order_and_hidden_ones_are_none(tmp_path: Path) -> None:
    for name in ("b/test_a.py", "a/test_z.py", "a/test_a.py", ".venv/test_a.py", "a/helper.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("def test_rec_1(): ...", encoding="utf-8")
    os.mkfifo(tmp_path / "test_pipe.py")  # nobody will ever write to it
    assert [test for _, test in cited_below(tmp_path, "mine")] == [
        "mine/a/test_a.py::test_rec_1",
        "mine/a/test_z.py::test_rec_1",
        "mine/b/test_a.py::test_rec_1",
    ]


@pytest.mark.parametrize("text", [b"def test_(:", b"\0", b"# coding: no-such\nx = 1", b"'\xff'"])
def test_a_file_that_is_no_python_is_told(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "test_a.py").write_bytes(text)
    with pytest.raises(UnreadableTest, match=r"test_a\.py: "):
        list(cited_below(tmp_path, "t"))


def test_a_doubtful_escape_in_a_test_is_not_told(tmp_path: Path) -> None:
    assert cited(tmp_path, r"def test_rec_1(): '\d'") == [("REC-1", "::test_rec_1")]


def test_this_checkout_has_tests() -> None:
    assert checkout() == Path(__file__).parents[2]


def test_what_was_installed_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another project's tests beside an installed seatrial are not ours."""
    monkeypatch.setattr("seatrial.__file__", str(tmp_path / "lib" / "seatrial" / "__init__.py"))
    assert checkout() is None
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "another"\n', encoding="utf-8")
    assert checkout() is None
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "seatrial"\n', encoding="utf-8")
    assert checkout() == tmp_path / "tests"
