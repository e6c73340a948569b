"""Every known mistake, put into a sound config in any layout, is found: its code, its place, and nothing besides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import CONFIG, layouts, shuffled
from written import Entry, Layout, Node, Writer, entry, node

from seatrial.linter import lint, read_bytes

MEMORY = ("harness", "memory")
LABELS = (*MEMORY, "labels")
NUMBERS = [
    ("version",), ("model", "context_tokens"), ("limits", "model_calls"), ("harness", "context", "offload_threshold"),
    ("harness", "context", "summarize_at"), ("harness", "context", "keep_messages"),
    (*MEMORY, "pinned", "max_tokens"), (*MEMORY, "search", "max_results"), (*LABELS, "currency", "number"),
]  # fmt: skip
OBJECTS = [
    ("model",), ("limits",), ("harness",), ("harness", "context"), ("harness", "history"), MEMORY, (*MEMORY, "scope"),
    (*MEMORY, "pinned"), (*MEMORY, "extraction"), (*MEMORY, "search"), (*LABELS, "currency"),
]  # fmt: skip
LISTS = [(*MEMORY, "scope", "read"), (*MEMORY, "tools"), (*MEMORY, "kinds")]
WORDS = [("harness", "history", "index"), (*MEMORY, "search", "mode")]

Choose = Callable[[list[Any]], Any]
Expected = tuple[str, Entry | Node]  # the code, and whose key or value the finding stands at


def entries(root: Node, path: tuple[str, ...]) -> list[Entry]:
    found = entry(root, *path).value.entries
    assert found is not None
    return found


def unknown_key(root: Node, choose: Choose) -> Expected:
    inside = entries(root, choose(OBJECTS))
    added = Entry(choose(["zzz", "顧", "12", "", "x y", "<x", "a/b~c", "\u2028\u0085", "x" * 900]), Node(scalar=1))
    inside.insert(choose([0, len(inside)]), added)
    return "ST101", added


def misspelt_key(root: Node, choose: Choose) -> Expected:
    path = choose([("limits",), (*MEMORY, "pinned"), (*MEMORY, "search", "max_results"), ("harness", "history")])
    misspelt = entry(root, *path)
    misspelt.key = misspelt.key[:-2] + misspelt.key[-1] * 2
    return "ST101", misspelt


def misplaced_key(root: Node, choose: Choose) -> Expected:
    path, to = choose([
        ((*MEMORY, "search", "max_results"), MEMORY), ((*MEMORY, "pinned", "max_tokens"), ("model",)),
        (("harness", "history", "index"), ("harness",)), (("limits", "model_calls"), ("harness", "context")),
    ])  # fmt: skip
    moved = entry(root, *path)
    entries(root, path[:-1]).remove(moved)
    entries(root, to).append(moved)
    return "ST101", moved


def wrong_type(root: Node, choose: Choose) -> Expected:
    path, wrong = choose([
        *((each, wrong) for each in NUMBERS for wrong in ("5", "x", None, True, 1.5, [1], {"x": 1})),
        *((each, wrong) for each in OBJECTS for wrong in (5, "x", None, False, [1])),
        *((each, wrong) for each in LISTS for wrong in (5, "x", None, True, {"x": 1})),
        *((each, wrong) for each in WORDS for wrong in (5, None, True, ["x"])),
        *(((*MEMORY, "enabled"), wrong) for wrong in ("true", "yes", 1, None)),
    ])  # fmt: skip
    entry(root, *path).value = node(wrong)
    return "ST102", entry(root, *path).value


def out_of_range(root: Node, choose: Choose) -> Expected:
    path, wrong = choose([
        *((each, wrong) for each in NUMBERS for wrong in (0, -1, 10**30, -5.0)),
        *(((*MEMORY, "search", "min_score"), wrong) for wrong in (1.0000001, -0.1, 2, 1e300)),
    ])  # fmt: skip
    entry(root, *path).value = node(wrong)
    return "ST103", entry(root, *path).value


def not_among(root: Node, choose: Choose) -> Expected:
    path = choose([*WORDS, (*MEMORY, "tools"), (*MEMORY, "scope", "write")])
    value = entry(root, *path).value
    wrong = Node(scalar=choose(["zzz", "", "Session", "no", "\u202e"]))
    if value.items is None:
        entry(root, *path).value = wrong
    else:
        value.items.insert(choose([0, len(value.items)]), wrong)
    return "ST103", wrong


def missing_key(root: Node, choose: Choose) -> Expected:
    label = entry(root, *LABELS, choose(["customer_id", "currency"]))
    assert label.value.entries is not None
    label.value.entries.pop(next(i for i, each in enumerate(label.value.entries) if each.key == "number"))
    return "ST104", label


def repeated_item(root: Node, choose: Choose) -> Expected:
    items = entry(root, *choose(LISTS)).value.items
    assert items is not None
    again = Node(scalar=choose(items).scalar)
    items.append(again)
    return "ST105", again


def repeated_key(root: Node, choose: Choose) -> Expected:
    inside = entries(root, choose([*OBJECTS, LABELS]))
    first = choose(inside)
    again = Entry(first.key, first.value)
    inside.append(again)
    return "ST002", again


def shared_number(root: Node, choose: Choose) -> Expected:
    labels = entries(root, LABELS)
    numbers = [next(each for each in label.value.entries or () if each.key == "number") for label in labels]
    numbers[1].value = Node(scalar=choose([numbers[0].value.scalar, float(numbers[0].value.scalar)]))
    return "ST401", numbers[1].value


def label_name(root: Node, choose: Choose) -> Expected:
    label = choose(entries(root, LABELS))
    label.key = choose(["Customer", "a-b", "kind", "id", "query", "", "1st", "é", "a\n"])
    return "ST402", label


def no_number(root: Node, choose: Choose) -> Expected:
    """Written otherwise in JSON and in YAML, see below."""
    value = Node(raw="NaN")
    entry(root, *choose(NUMBERS[:-1])).value = value
    return "ST001", value


MISTAKES = {
    each.__name__: each
    for each in (
        unknown_key, misspelt_key, misplaced_key, wrong_type, out_of_range, not_among, missing_key, repeated_item,
        repeated_key, shared_number, label_name, no_number,
    )
}  # fmt: skip


@given(data=st.data(), layout=layouts)
@settings(max_examples=30)
def test_the_sound_config_is_sound_in_every_layout(data: st.DataObject, layout: Layout) -> None:
    root = node(CONFIG)
    data.draw(st.composite(shuffled)(root))
    written = Writer(root, layout)
    document = read_bytes(written.text.encode(), path="v3.json" if layout.kind == "json" else "v3.yaml")
    assert document.value == CONFIG
    assert [each for each in lint([document]) if each.severity == "error"] == []


@pytest.mark.parametrize("mistake", MISTAKES)
@given(data=st.data(), layout=layouts, marked=st.booleans())
@settings(max_examples=40)
def test_a_seeded_mistake_is_found_with_its_code_and_place_and_is_the_only_error(
    mistake: str, data: st.DataObject, layout: Layout, marked: bool
) -> None:
    root = node(CONFIG)
    data.draw(st.composite(shuffled)(root))
    code, where = MISTAKES[mistake](root, lambda items: data.draw(st.sampled_from(items)))
    if isinstance(where, Node) and where.raw == "NaN" and layout.kind != "json":
        code, where.raw = "ST004", data.draw(st.sampled_from([".nan", "-.inf", "2026-01-31", "!x 5", "1e999"]))
    written = Writer(root, layout)
    text = ("\ufeff" if marked and layout.kind != "json" else "") + written.text
    document = read_bytes(text.encode(), path="v3.json" if layout.kind == "json" else "v3.yaml")
    (found,) = [each for each in lint([document]) if each.severity == "error"]
    place = written.keys[where] if isinstance(where, Entry) else written.values[where]
    assert found.code == code, (found, written.text)
    assert found.span == written.span(place), (found, written.text)
