"""What --fix makes of configs with slips in them, however they are written, and of any text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import CONFIG, layouts, shuffled
from mended import fixed
from written import Entry, Layout, Node, Writer, entry, node

from seatrial.linter import Document, lint, read_bytes
from seatrial.linter.edits import edit

Choose = Callable[[list[Any]], Any]
MEMORY = ("harness", "memory")
NUMBERS = [
    ("version",),
    ("limits", "model_calls"),
    ("harness", "context", "keep_messages"),
    (*MEMORY, "enabled"),
    (*MEMORY, "search", "min_score"),
    (*MEMORY, "pinned", "max_tokens"),
    (*MEMORY, "labels", "currency", "number"),
]
KEYS = [("limits",), ("harness",), MEMORY, (*MEMORY, "scope"), (*MEMORY, "search", "max_results"),
        ("model", "context_tokens"), (*MEMORY, "extraction")]  # fmt: skip


def slip(word: str, choose: Choose) -> str:
    """The word as one may mistype it."""
    at = choose(list(range(1, len(word))))
    return str(choose([word[:at] + word[at - 1] + word[at:], word.upper(), word.title().replace("_", "")]))


def texts_for_values(root: Node, choose: Choose, layout: Layout) -> None:
    value = entry(root, *choose(NUMBERS))
    value.value = node(str(value.value.scalar).lower())


def digits_of_12(root: Node, choose: Choose, layout: Layout) -> None:
    value = entry(root, *MEMORY, "extraction", "every", "messages")
    if layout.kind != "json":
        value.value = Node(raw="0o24")


def misspelt_word(root: Node, choose: Choose, layout: Layout) -> None:
    words = [
        entry(root, "harness", "history", "index").value,
        entry(root, *MEMORY, "search", "mode").value,
        *(entry(root, *MEMORY, "tools").value.items or []),
        *(entry(root, *MEMORY, "scope", "write").value.items or []),
    ]
    word = choose(words)
    word.scalar = slip(word.scalar, choose)


def repeated_item(root: Node, choose: Choose, layout: Layout) -> None:
    items = entry(root, *choose([(*MEMORY, "kinds"), (*MEMORY, "scope", "read")])).value.items or []
    items.append(Node(scalar=choose(items).scalar))


def needless_tool(root: Node, choose: Choose, layout: Layout) -> None:
    items = entry(root, *MEMORY, "tools").value.items or []
    items.insert(choose([0, 1, len(items)]), Node(scalar="search_memory"))


def misspelt_key(root: Node, choose: Choose, layout: Layout) -> None:
    key: Entry = entry(root, *choose(KEYS))
    key.key = slip(key.key, choose)


SEEDS = [texts_for_values, digits_of_12, misspelt_word, repeated_item, needless_tool, misspelt_key]


@given(
    data=st.data(), layout=layouts, marked=st.booleans(), seeds=st.sets(st.sampled_from(range(len(SEEDS))), min_size=1)
)
@settings(max_examples=150)
def test_what_was_spoilt_is_as_before_and_comments_stay(
    data: st.DataObject, layout: Layout, marked: bool, seeds: set[int]
) -> None:
    root = node(CONFIG)
    data.draw(st.composite(shuffled)(root))
    for number in sorted(seeds):
        SEEDS[number](root, lambda items: data.draw(st.sampled_from(items)), layout)
    text = ("\ufeff" if marked else "") + Writer(root, layout).text
    path = "v3.json" if layout.kind == "json" else "v3.yaml"
    after = fixed(text, path)
    document = read_bytes(after.encode(), path=path)
    assert document.value == CONFIG, text
    assert after.startswith("\ufeff") == marked
    assert fixed(after, path) == after
    for comment in ("# a comment: ", "# so"):
        assert after.count(comment) == text.count(comment)
    assert set(re.findall("\r?\n", after)) == {layout.newline}
    assert after.endswith(layout.newline)


def errors(document: Document) -> int:
    return sum(each.severity == "error" for each in lint([document]))


@given(
    lines=st.lists(
        st.sampled_from(
            [
                "harness:",
                "  memory: &m",
                "    enabled: 'true'",
                "    tools: [search_memory, *t, &t add_memory]",
                "  x: *m",
                "    <<: *m",
                "    kinds: &k",
                "    - a",
                "    - a # c",
                "    - *k",
                "    -",
                "      - a",
                "   serach: {mode: hybird}",
                "    labels: {y: {number: '5'}}",
                "agent: 017",
                "{",
                "}",
                "    scope: {read: [sesion, sesion, ,",
                "]",
                "# c",
                "    tools: [",
                "",
                "    pinned: {max_tokens: ! '5'}",
            ]
        ),
        max_size=12,
    ),
    break_=st.sampled_from(["\n", "\r\n", "\r"]),
)
@settings(max_examples=200)
def test_no_text_is_made_worse(lines: list[str], break_: str) -> None:
    """Whatever it is, fixing ends, and leaves no more errors than there were but for what a misspelt key hid."""
    text = break_.join(lines)
    document = read_bytes(text.encode(), path="v1.yaml")
    after = read_bytes(fixed(text).encode(), path="v1.yaml")
    assert (after.value is None) == (document.value is None)
    if document.value is None:
        assert after.text == document.text
    if not any(each.fix and each.fix.does == "rename" for each in lint([document])):
        assert errors(after) <= errors(document)
    for found in lint([document]):
        change = edit(document, found)
        assert change is None or 0 <= change.start <= change.end <= len(document.text)
