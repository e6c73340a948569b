"""The page that says how the parts fit together, beside the tree: files, names, parameters and the trace's keys."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from seatrial.schemas import load

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
SECTIONS = {text.partition("\n")[0]: text for text in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
PARTS = ("schemas", "linter", "engine", "simulator")
BUILT_IN = {"len"}

CALLED = re.compile(r"\b([A-Za-z_]\w*)\(((?:[^()]|\([^()]*\))*)\)")
REACHED = re.compile(r"\.([a-z_]\w*)\b")
FILE = re.compile(r"`((?:\w+/)*\w+\.py)`")
ROW = re.compile(r"^\| `(\w+)` \| (.*) \|$", re.MULTILINE)


@cache
def defined(part: str) -> dict[str, list[set[str]]]:
    """Each name that the sources of a part define, with the parameters or fields of each that has it."""
    found: dict[str, list[set[str]]] = {}
    for path in sorted((ROOT / part).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for name, parameters in _names(node):
                found.setdefault(name, []).append(parameters)
    return found


def _names(node: ast.AST) -> Iterator[tuple[str, set[str]]]:
    if isinstance(node, ast.FunctionDef):
        yield node.name, {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
    elif isinstance(node, ast.ClassDef):
        made = (each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__")
        stated = (each.target for each in node.body if isinstance(each, ast.AnnAssign))
        fields = {target.id for target in stated if isinstance(target, ast.Name)}
        yield node.name, fields | {name for each in made for _, names in _names(each) for name in names}
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from ((each.id, set()) for each in targets if isinstance(each, ast.Name))
        yield from ((each.attr, set()) for each in targets if isinstance(each, ast.Attribute))


def code(part: str) -> str:
    """The examples of a part's section, without what is said of them."""
    return "\n".join(
        re.sub("#.*", "", block) for block in re.findall(r"```python\n(.*?)```", SECTIONS[part], re.DOTALL)
    )


@pytest.mark.parametrize("part", PARTS)
def test_what_the_page_calls_is_there_and_takes_what_it_is_given(part: str) -> None:
    names, calls = defined(part), CALLED.findall(code(part))
    assert calls
    for name, arguments in calls:
        given = set(re.findall(r"\b(\w+)=", arguments))
        assert name in BUILT_IN or any(given <= each for each in names.get(name, [])), f"{name}({arguments})"


@pytest.mark.parametrize("part", PARTS)
def test_what_the_page_reads_of_a_value_is_there(part: str) -> None:
    assert [name for name in REACHED.findall(code(part)) if name not in defined(part)] == []


def test_every_file_that_the_page_names_is_there() -> None:
    named = FILE.findall(PAGE)
    assert named
    sources = [path for part in (*PARTS, "src/seatrial") for path in (ROOT / part).rglob("*.py")]
    assert [name for name in named if not any(path.as_posix().endswith(f"/{name}") for path in sources)] == []


def test_every_folder_that_the_page_lists_is_there_and_every_part_is_listed() -> None:
    listed = re.findall(r"^\| `([\w/]+)/` \|", PAGE, re.MULTILINE)
    assert [folder for folder in listed if not (ROOT / folder).is_dir()] == []
    assert {*PARTS} <= {*listed}


def test_every_key_of_a_trace_is_told() -> None:
    rows = dict(ROW.findall(SECTIONS["The trace"]))
    forms = load("trace")["$defs"]
    kinds = [each["if"]["properties"]["type"]["const"] for each in load("trace")["allOf"]]
    assert [*rows] == kinds
    for kind in kinds:
        if kind != "record":  # it is told as a whole, below the table
            told = set(re.findall(r"`(\w+)`", rows[kind]))
            assert {*forms[kind]["properties"]} - {"type"} <= told, kind
