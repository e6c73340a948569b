"""When two runs find the same: whatever is moved, reordered or written otherwise, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from seatrial.linter import lint, read_text
from seatrial.linter.fingerprint import fingerprints
from seatrial.linter.suppressions import suppressed, suppressions

MEMORY: dict[str, Any] = {
    "enabled": True,
    "scope": {"read": ["session", "agnt"], "write": ["session"]},
    "tools": ["add_memory", "search_memory", "forget", "add_memory"],
    "kinds": ["fact", "facts", "ruling", "rulings"],
    "search": {"mode": "lexical", "min_score": 0.5},
    "pinned": {"max_tokens": "many"},
    "labels": {
        "amount": {"number": 3, "description": "TODO"},
        "amounts": {"number": 3.0, "description": "TODO"},
        "Case": {"number": 4},
        "due": {},
    },
}
CONFIG: dict[str, Any] = {"agent": "a", "colour": {"x": 1}, "harness": {"memory": MEMORY}}


def prints(*texts: str, kind: Any = None) -> dict[str, str]:
    """Fingerprint -> code, of what is found in v1, v2, …; of YAML if not of JSON, whatever the name."""
    names = [f"v{number}" for number in range(1, len(texts) + 1)]
    documents = {
        name: read_text(text, path=f"a/{name}.{kind or 'x'}", kind=kind)
        for name, text in zip(names, texts, strict=True)
    }
    for name, document in documents.items():
        document.path = f"a/{name}.x"
    by_path = {each.path: each for each in documents.values()}
    comments = [it for each in documents.values() for it in suppressions(each)]
    found = suppressed(lint(documents.values()), comments, by_path)
    return dict(zip(fingerprints(found, ".", by_path), [each.code for each in found], strict=True))


def of(*values: Any) -> dict[str, str]:
    return prints(*map(json.dumps, values))


def memory(**settings: Any) -> dict[str, Any]:
    return {"harness": {"memory": {"enabled": True, **settings}}}


KNOWN = of(CONFIG)


def test_there_is_enough_to_tell_apart() -> None:
    codes = sorted(KNOWN.values())
    assert len(codes) > 12
    assert set(codes) >= {
        "ST101",
        "ST102",
        "ST103",
        "ST104",
        "ST105",
        "ST302",
        "ST401",
        "ST402",
        "ST403",
        "ST404",
    }


@st.composite
def reordered(draw: st.DrawFn, value: Any) -> Any:
    """The same value with the keys of every object in another order."""
    if isinstance(value, list):
        return [draw(reordered(each)) for each in value]
    if not isinstance(value, dict):
        return value
    keys = draw(st.permutations(list(value)))
    return {key: draw(reordered(value[key])) for key in keys}


@given(
    indent=st.sampled_from([None, 1, 4]),
    ascii_only=st.booleans(),
    flow=st.sampled_from([True, False, None]),
    before=st.sampled_from(["", "\n", "\n\n  \n"]),
    language=st.sampled_from(["json", "yaml"]),
)
def test_the_same_however_it_is_written(
    indent: int | None, ascii_only: bool, flow: bool | None, before: str, language: str
) -> None:
    if language == "json":
        text = before + json.dumps(CONFIG, indent=indent, ensure_ascii=ascii_only)
    else:
        text = before + yaml.safe_dump(CONFIG, indent=indent, default_flow_style=flow, sort_keys=False)
    assert prints(text, kind=language) == KNOWN


@given(value=reordered({**CONFIG, "harness": {"memory": {**MEMORY, "labels": {"Case": {"number": 4}, "due": {}}}}}))
def test_the_same_in_another_order_of_keys(value: Any) -> None:
    """But for labels: of two with one number it is the second that is told."""
    labels = {"Case": {"number": 4}, "due": {}}
    assert of(value) == of({**CONFIG, "harness": {"memory": {**MEMORY, "labels": labels}}})


@given(data=st.data())
def test_the_same_where_other_items_come_first(data: st.DataObject) -> None:
    front = {"tools": ["read_memory", "delete_memory"], "kinds": ["summary", "event", "decision"]}
    changed = {
        key: [*data.draw(st.lists(st.sampled_from(items), unique=True)), *MEMORY[key]] for key, items in front.items()
    }
    assert of({**CONFIG, "harness": {"memory": {**MEMORY, **changed}}}) == KNOWN


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        # another wrong value at the same place
        ("ST103", memory(tools=["forget"]), memory(tools=["erase"])),
        ("ST103", memory(search={"min_score": 35}), memory(search={"min_score": 36})),
        ("ST102", memory(pinned={"max_tokens": "many"}), memory(pinned={"max_tokens": ["many"]})),
        ("ST102", memory(pinned={"max_tokens": [1]}), memory(pinned={"max_tokens": [2]})),
        ("ST102", memory(pinned={"max_tokens": {"a": 1}}), memory(pinned={"max_tokens": {"a": 2}})),
        ("ST102", memory(enabled="1"), memory(enabled=1)),
        ("ST201", {"sessions": False, **memory(scope={"read": [], "write": ["agent"]})},
         {"sessions": False, **memory(scope={"read": ["session"], "write": ["agent"]})}),
        ("ST404", memory(labels={"a": {"number": 1, "description": "TODO"}}),
         memory(labels={"a": {"number": 1, "description": ""}})),
        # another place that it is compared with
        ("ST403", memory(labels={"cases": {"number": 1}, "case": {"number": 2}}),
         memory(labels={"Case": {"number": 1}, "case": {"number": 2}})),
        ("ST403", memory(kinds=["cases", "case"]), memory(kinds=["CASE", "case"])),
        ("ST401", memory(labels={"x": {"number": 1}, "b": {"number": 1}}),
         memory(labels={"y": {"number": 1}, "b": {"number": 1}})),
        # something else that it says of the whole
        ("ST204", memory(enabled=False, kinds=["a"]), memory(enabled=False, kinds=["a"], pinned={"max_tokens": 9})),
        ("ST205", memory(enabled=False, tools=["add_memory"]),
         memory(enabled=False, tools=["add_memory", "read_memory"])),
        ("ST205", memory(scope={"read": ["agent"], "write": []}, tools=["add_memory"]),
         memory(scope={"read": ["agent"], "write": []}, tools=["add_memory", "delete_memory"])),
        ("ST202", memory(scope={"read": [], "write": ["session"]}), memory(scope={"read": [], "write": ["agent"]})),
    ],
)  # fmt: skip
def test_what_is_found_of_something_else_is_new(code: str, before: Any, after: Any) -> None:
    old = [mark for mark, each in of(before).items() if each == code]
    new = [mark for mark, each in of(after).items() if each == code]
    assert len(old) == len(new) == 1
    assert old != new


@pytest.mark.parametrize(
    ("code", "versions", "changed"),
    [
        ("ST504", [memory(kinds=["a", "b", "c"]), memory(kinds=["b", "c"])], memory(kinds=["c"])),
        ("ST506", [memory(scope={"read": ["session", "agent"]}), memory(scope={"read": ["agent"]})],
         memory(scope={"read": []})),
        ("ST501", [memory(labels={"a": {"number": 1}, "b": {"number": 2}}), memory(labels={"b": {"number": 2}})],
         memory(labels={})),
        ("ST502", [memory(labels={"a": {"number": 1}}), memory(labels={"a": {"number": 2}})],
         memory(labels={"a": {"number": 3}})),
    ],
)  # fmt: skip
def test_what_another_change_of_versions_costs_is_new(code: str, versions: list[Any], changed: Any) -> None:
    old = {mark for mark, each in of(*versions).items() if each == code}
    new = {mark for mark, each in of(versions[0], changed).items() if each == code}
    assert len(old) == 1
    assert new - old


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (memory(colour=1), memory(colour=2)),  # a key that nobody knows is one, whatever it holds
        (memory(labels={"BAD": {"number": 1, "description": "Whose."}}),
         memory(labels={"BAD": {"number": 2, "description": "Whose it is."}})),
        (memory(labels={"a": {"description": "Whose."}}), memory(labels={"a": {"description": "Whose it is."}})),
        (memory(search={"mode": "lexical", "min_score": 1.0}), memory(search={"mode": "lexical", "min_score": 1})),
    ],
)  # fmt: skip
def test_what_changes_beside_it_makes_nothing_new(before: Any, after: Any) -> None:
    assert of(before) == of(after) != {}


def test_comments_that_suppress_nothing_are_told_apart_by_what_they_say() -> None:
    one, two = "# seatrial: ignore[ST105]\n", "# seatrial: ignore[ST206]\n"
    tail = "agent: a\nharness: {}\n"
    first, both = prints(one + tail), prints(f"{two}agent: a\n{one}harness: {{}}\n")
    assert len(first) == 1
    assert len(both) == 2
    assert set(first) < set(both)


def test_a_list_in_a_list_is_an_item_like_any_other() -> None:
    assert set(of(memory(tools=[["a"]]))) <= set(of(memory(tools=["read_memory", ["a"]])))
    assert not set(of(memory(tools=[["a"]]))) & set(of(memory(tools=[["b"]])))
