"""Which tests cite which clauses: read from their syntax trees, so that nothing is imported and nothing runs.

A test cites a clause by its name (`test_view_2_…`) or in its docstring (VIEW-2); the docstring of a file cites for the
file, that of a class for the class. Tests that are skipped, or marked `slow` and so left out of `make test`, do not
count.
"""

from __future__ import annotations

import ast
import re
import tomllib
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import seatrial

from .clauses import GROUPS

_CITED = re.compile(rf"\b({'|'.join(GROUPS)})-([0-9]+)\b")
_LEFT_OUT = frozenset({"skip", "slow"})

Test: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class UnreadableTest(Exception):  # noqa: N818 - an answer to expect, told by its name, not an error of ours
    """A file of tests that is no Python, or cannot be read."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: {reason}")


def checkout() -> Path | None:
    """The folder of tests beside the sources that run; None where seatrial was installed without them."""
    root = Path(seatrial.__file__).resolve().parents[2]
    settings, tests = root / "pyproject.toml", root / "tests"
    if not (settings.is_file() and tests.is_dir()):
        return None
    project = tomllib.loads(settings.read_text(encoding="utf-8")).get("project", {})
    return tests if project.get("name") == "seatrial" else None


def cited_below(folder: Path, shown: str) -> Iterator[tuple[str, str]]:
    """(clause, test) pairs of all files test_*.py below `folder`, in the order of files and lines.

    A test is named as pytest names it, its file below `shown`. The clause may be one that does not exist. Raises
    UnreadableTest.
    """
    for path in files_below(folder):
        try:
            with warnings.catch_warnings(action="ignore"):  # of escapes in their texts, say: theirs to mind
                tree = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError) as wrong:
            raise UnreadableTest(path, getattr(wrong, "strerror", None) or str(wrong)) from wrong
        yield from _in_body(tree, f"{shown}/{path.relative_to(folder).as_posix()}")


def files_below(folder: Path) -> list[Path]:
    """The files that pytest would take for tests, in order; hidden folders are not entered."""
    found = (path for path in folder.rglob("test_*.py") if path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def _in_body(node: ast.Module | ast.ClassDef, name: str) -> Iterator[tuple[str, str]]:
    """What a file or a class cites, and each test in it. One in which no test runs cites nothing."""
    inner = [each for each in node.body if _is_test(each)]
    if inner:
        yield from ((clause, name) for clause in _cited(node, ""))
    for each in inner:
        if isinstance(each, ast.ClassDef):
            yield from _in_body(each, f"{name}::{each.name}")
        elif isinstance(each, Test):
            yield from ((clause, f"{name}::{each.name}") for clause in _cited(each, each.name))


def _is_test(node: ast.stmt) -> bool:
    """Whether pytest collects it, by its default names, and `make test` runs it."""
    if isinstance(node, ast.ClassDef):
        return node.name.startswith("Test") and not _left_out(node) and any(map(_is_test, node.body))
    return isinstance(node, Test) and node.name.startswith("test") and not _left_out(node)


def _left_out(node: Test | ast.ClassDef) -> bool:
    marks = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    return any(isinstance(mark, ast.Attribute) and mark.attr in _LEFT_OUT for mark in marks)


def _cited(node: Test | ast.ClassDef | ast.Module, name: str) -> dict[str, None]:
    """The clauses of a name and of a docstring, each once, in order."""
    in_name = [f"{a.upper()}-{b}" for a, b in pairwise(name.split("_")) if a.upper() in GROUPS and b.isdecimal()]
    in_text = [f"{group}-{number}" for group, number in _CITED.findall(ast.get_docstring(node) or "")]
    return dict.fromkeys(in_name + in_text)
