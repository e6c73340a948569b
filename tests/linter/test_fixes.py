"""What --fix makes of a text: what is plain is written, all else stays as it was, to the letter."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import CONFIG, layouts, shuffled
from written import Entry, Layout, Node, Writer, entry, node

from seatrial.linter import Diagnostic, Document, lint, read_bytes, read_text
from seatrial.linter.check import findings
from seatrial.linter.edits import edit, fixable
from seatrial.linter.fixes import corrected, repaired


def look(documents: Iterable[Document]) -> tuple[dict[str, Document], list[Diagnostic]]:
    taken = list(documents)
    return {each.path: each for each in taken}, findings(taken)


def fixed(text: str, path: str = "v1.yaml") -> str:
    repair = repaired([read_bytes(text.encode(), path=path)], look)
    return repair.after[path].data.decode()


def memory(*lines: str) -> str:
    return "harness:\n  memory:\n    enabled: true\n" + "".join(f"    {line}\n" for line in lines)


def errors(document: Document) -> int:
    return sum(each.severity == "error" for each in lint([document]))


PAIRS = {
    "a key without quotes stays without": (memory("serach: {mode: hybrid}"), memory("search: {mode: hybrid}")),
    "a key in double quotes": (memory('"serach": {}'), memory('"search": {}')),
    "a key in single quotes": (memory("'serach': {}"), memory("'search': {}")),
    "a key in another case": (memory("search: {MaxResults: 5}"), memory("search: {max_results: 5}")),
    "a key and what is below it": (
        memory("serach:  # how", "  mod: hybird", "  max_results: '5'  # five"),
        memory("search:  # how", "  mode: hybrid", "  max_results: 5  # five"),
    ),
    "a word keeps its quotes": (
        memory("search: {mode: 'hybird'}", 'scope: {read: ["sesion"], write: [sesion]}'),
        memory("search: {mode: 'hybrid'}", 'scope: {read: ["session"], write: [session]}'),
    ),
    "texts that are numbers": (
        memory("pinned: {max_tokens: '2000'}", 'search: {min_score: "0.5"}'),
        memory("pinned: {max_tokens: 2000}", "search: {min_score: 0.5}"),
    ),
    "a value of YAML 1.1": (memory("kinds: [fact, no, 'on']"), memory("kinds: [fact, \"no\", 'on']")),
    "digits of YAML 1.1": (
        memory("pinned: {max_tokens: 0o100}", "search: {min_score: 1e-1}"),
        memory("pinned: {max_tokens: 64}", "search: {min_score: 0.1}"),
    ),
    "a key of YAML 1.1": (
        memory("labels:", "  y: {number: 1, description: Year.}"),
        memory("labels:", '  "y": {number: 1, description: Year.}'),
    ),
    "a date": (memory("kinds: [2026-01-31]"), memory('kinds: ["2026-01-31"]')),
    "an item and its line": (
        memory("kinds:", "- fact  # first", "# of two", "- event", "- fact  # again", "# end"),
        memory("kinds:", "- fact  # first", "# of two", "- event", "# end"),
    ),
    "the only item": (memory("tools:", "- search_memory  # why"), memory("tools: []  # why")),
    "the only item below a comment": (
        memory("tools:", "  # none", "  - search_memory"),
        memory("tools:", "  # none", "  []"),
    ),
    "the only item below a comment and no deeper than its key": (
        memory("tools:", "# none", "- search_memory"),
        memory("tools:", "# none", "  []"),
    ),
    "items in brackets": (
        memory("kinds: [fact, event, fact, event ]", "tools: [ search_memory ]", "scope: {read: [session,session,]}"),
        memory("kinds: [fact, event ]", "tools: []", "scope: {read: [session,]}"),
    ),
    "the first item": (memory("tools: [search_memory, read_memory]"), memory("tools: [read_memory]")),
    "items on lines of their own": (
        memory("tools: [", "  search_memory,  # needless", "  read_memory,  # reads", "  read_memory  # again", "]"),
        memory("tools: [", "  read_memory,  # reads", "]"),
    ),
    "all of one list": (
        memory("tools: [search_memory, search_memory]", "kinds:", "  - 'fact'", '  - "fact"', "  - fact"),
        memory("tools: []", "kinds:", "  - 'fact'"),
    ),
    "an anchor that nothing names": (memory('search: {max_results: &n "5"}'), memory("search: {max_results: &n 5}")),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("marked", ["", "\ufeff"])
def test_yaml(name: str, line_break: str, marked: str) -> None:
    before, after = (marked + text.replace("\n", line_break) for text in PAIRS[name])
    assert fixed(before) == after
    assert fixed(after) == after
    assert fixed(before.removesuffix(line_break)) == after.removesuffix(line_break)


JSON = {
    '{"harness": {"memroy": {"enabled": "true"}}}': '{"harness": {"memory": {"enabled": true}}}',
    '{"harness":{"memory":{"enabled":true,"tools":["search_memory","read_memory"],"kinds":["a","a"]}}}':
    '{"harness":{"memory":{"enabled":true,"tools":["read_memory"],"kinds":["a"]}}}',
    '{\r\n\t"harness": {"memory": {"enabled": true, "tools": [\r\n\t\t"read_memory",\r\n\t\t"search_memory"\r\n\t]}}}':
    '{\r\n\t"harness": {"memory": {"enabled": true, "tools": [\r\n\t\t"read_memory"\r\n\t]}}}',
    '{"harness": {"memory": {"enabled": true, "tools": [\n  "search_memory",\n  "read_memory"\n]}}}\n':
    '{"harness": {"memory": {"enabled": true, "tools": [\n  "read_memory"\n]}}}\n',
    '{"harness": {"memory": {"enabled": true, "tools": [\n  "search_memory"\n]}}}\n':
    '{"harness": {"memory": {"enabled": true, "tools": []}}}\n',
    '\ufeff{"harness": {"memory": {"enabled": true, "\\u0073earchh": {}}}}':
    '\ufeff{"harness": {"memory": {"enabled": true, "search": {}}}}',
}  # fmt: skip


@pytest.mark.parametrize("before", JSON)
def test_json(before: str) -> None:
    assert fixed(before, "v1.json") == JSON[before]


UNTOUCHED = {
    "a number for a text": memory("labels: {a: {number: 1, description: 5}}"),
    "a text for a list": memory("tools: add_memory"),
    "a key that is there already": memory("search: {mode: hybrid}", "serach: {mode: lexical}"),
    "two keys for one": memory("serach: {mode: hybrid}", "searhc: {mode: lexical}"),
    "a key that is only like another": memory("lapses: {}", "tooling: [a]"),
    "a word that is only like another": memory("search: {mode: hydra}", "scope: {read: [season]}"),
    "digits that may be octal": memory("pinned: {max_tokens: '0100'}"),
    "a number that is too large anyway": memory("search: {max_results: '5000000'}"),
    "a slip that repeats an item": memory("scope: {read: [session, sesion]}"),
    "a key that is no text": memory("labels: {12: {number: 1}}"),
    "a near name": memory("kinds: [fact, facts]"),
    "a text with a tag": memory('pinned: {max_tokens: !!str "2000"}'),
    "a block": memory("pinned:", "  max_tokens: |", "    2000"),
    "an alias": memory('labels: {a: {number: 5, description: &d "6"}, b: {number: *d}}'),
    "what an alias repeats": memory('labels: {a: &a {number: "5"}, b: *a}'),
    "what a merge repeats": memory('labels: {a: &a {number: "5"}, b: {<<: *a, description: The other.}}'),
    "an anchor in use": memory("kinds: [fact, &f fact]", "labels: {a: {number: 1, description: *f}}"),
    "a slip that repeats an item after it": memory("scope: {read: [sesion, session]}"),
    "a slip that repeats what another slip does": memory("scope: {read: [Session, sesion]}"),
    "a number that another label has": memory("labels: {a: {number: '5'}, b: {number: 5}}"),
    "what is merged, and overridden": memory('labels: {a: &a {number: "5"}, b: {<<: *a, number: 6}}'),
    "an item below a comment about what comes next": memory(
        "tools:", "  - add_memory", "  # seatrial: ignore[ST103]", "  - search_memory", "  - sezrch"
    ),
    "the same in brackets": memory(
        "tools: [", "  # why", "  # seatrial: ignore[ST103] -- so", "  # and", "  search_memory,", "  sezrch]"
    ),
    "a list whose lines a comment speaks of": (
        "harness:\n  memory:\n    # seatrial: ignore[ST102]\n"
        "    {enabled: true, tools: [\n      search_memory\n    ], kinds: 5}\n"
    ),
    "a key given twice": memory('pinned: {max_tokens: "1"}', "pinned: {max_tokens: 2000}"),
    "what cannot be read": memory('pinned: {max_tokens: "1"', "tools: [search_memory]"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNTOUCHED)
def test_what_is_not_plain_stays(name: str) -> None:
    text = UNTOUCHED[name]
    assert [each for each in look([read_bytes(text.encode(), path="v1.yaml")])[1] if each.severity != "info"]
    assert fixed(text) == text


def test_what_is_never_fixed_is_not_called_fixable() -> None:
    """But for what only the proof tells: there is another label with that number, or a comment would speak of more."""
    told = []
    for name, text in UNTOUCHED.items():
        document = read_bytes(text.encode(), path="v1.yaml")
        told += [name for each in look([document])[1] if fixable(document, each)]
    assert told == ["a number that another label has", "a list whose lines a comment speaks of"]


def test_versions_are_never_made_to_agree() -> None:
    """ST502 has a fix to show, the number of before; what is right, nobody knows."""
    texts = [memory(f"labels: {{a: {{number: {number}}}}}") for number in (5, 6)]
    documents = [read_bytes(text.encode(), path=f"a/v{at}.yaml") for at, text in enumerate(texts, start=1)]
    repair = repaired(documents, look)
    assert next(each.fix for each in look(documents)[1] if each.code == "ST502") is not None
    assert repair.fixed == {}
    assert [each.text for each in repair.after.values()] == texts


def test_only_what_is_told_is_fixed() -> None:
    document = read_bytes(memory('pinned: {max_tokens: "5"}', "tools: [search_memory]").encode(), path="v1.yaml")
    told = [each for each in lint([document]) if each.code == "ST206"]
    after, done = corrected(document, told)
    assert after.text == memory('pinned: {max_tokens: "5"}', "tools: []")
    assert done == told


def test_no_item_goes_before_one_that_is_accepted() -> None:
    """It would be found at another place, and no longer be known as accepted."""
    document = read_bytes(memory("kinds: [fact, fact, event, event]").encode(), path="v1.yaml")
    first, second = lint([document])
    assert corrected(document, [first])[0] is document
    assert corrected(document, [second])[0].text == memory("kinds: [fact, fact, event]")


@pytest.mark.parametrize("count", [3, 40, 400])
def test_one_fix_that_does_not_hold_keeps_no_other_from_it(count: int) -> None:
    labels = [f'l{n}: {{number: "{n + 1}"}}' for n in range(count)]
    sound = [label.replace('"', "") for label in labels]
    twice = 'z: &a {number: "999"}, zz: *a'
    text = memory(f"labels: {{{', '.join(labels)}, {twice}}}")
    assert fixed(text) == memory(f"labels: {{{', '.join(sound)}, {twice}}}")


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


@pytest.mark.parametrize("wrong", ["value", "key", "item"])
def test_thousands_are_fixed_in_a_time_that_grows_as_they_do(wrong: str) -> None:
    """Each with each would take minutes. The bound is far above what it takes, and far below that."""
    count = 1_500
    stated: dict[str, object] = {"enabled": True}
    if wrong == "item":
        stated["kinds"] = ["ruling", *["fact"] * (count + 1)]
    else:
        key = "number" if wrong == "value" else "nubmer"
        stated["labels"] = {
            f"l{n}": {key: str(n) if wrong == "value" else n, "description": f"What {n} is about."}
            for n in range(1, count + 1)
        }
    document = read_text(json.dumps({"harness": {"memory": stated}}, indent=1), path="v1.json")

    started = time.process_time()
    mended = repaired([document], look)
    assert time.process_time() - started < 12
    assert len(mended.fixed["v1.json"]) == count
    assert [each for each in lint([mended.after["v1.json"]]) if each.severity == "error"] == []


def test_the_edits_of_a_long_list_are_found_in_a_time_that_grows_as_it_does() -> None:
    """Each with each would take a minute."""
    kinds = ["ruling", *["fact"] * 19_000]
    document = read_text(
        json.dumps({"harness": {"memory": {"enabled": True, "kinds": kinds}}}, indent=1), path="v1.json"
    )
    found = findings([document])
    started = time.process_time()
    assert sum(edit(document, each) is not None for each in found) == 18_999
    assert time.process_time() - started < 8
    after, done = corrected(document, found)
    assert (len(done), after.value["harness"]["memory"]["kinds"]) == (18_999, ["ruling", "fact"])


def test_what_was_not_looked_through_is_not_corrected() -> None:
    """What comes to light in place of what was fixed would be taken for what the fix has brought."""
    kinds = ["ruling", *["fact"] * 20_100]
    document = read_text(json.dumps({"harness": {"memory": {"enabled": "true", "kinds": kinds}}}), path="v1.json")
    assert corrected(document, findings([document])) == (document, [])


@pytest.mark.parametrize("path", ["v1.json", "v1.yaml"])
def test_a_file_with_two_byte_order_marks_is_told_and_left(path: str) -> None:
    text = '\ufeff\ufeff{"harness": {"memory": {"enabled": "true"}}}'
    document = read_bytes(text.encode(), path=path)
    assert [(each.code, each.severity) for each in lint([document])] == [("ST003", "error")]
    assert fixed(text, path) == text
