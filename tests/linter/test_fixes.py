"""What --fix makes of a text: what is plain is written, all else stays as it was, to the letter."""

from __future__ import annotations

import json
import time

import pytest
from mended import fixed, look, memory

from seatrial.linter import lint, read_bytes, read_text
from seatrial.linter.check import findings
from seatrial.linter.edits import edit
from seatrial.linter.fixes import corrected, fixable, repaired

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
    "a scenario": "scenario: x\nsteps: []\n" + memory('pinned: {max_tokens: "1"}'),
    "what cannot be read": memory('pinned: {max_tokens: "1"', "tools: [search_memory]"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNTOUCHED)
def test_what_is_not_plain_stays(name: str) -> None:
    text = UNTOUCHED[name]
    assert [each for each in look([read_bytes(text.encode(), path="v1.yaml")])[1] if each.severity != "info"]
    assert fixed(text) == text


@pytest.mark.parametrize("name", UNTOUCHED)
def test_what_is_never_fixed_is_not_called_fixable(name: str) -> None:
    document = read_bytes(UNTOUCHED[name].encode(), path="v1.yaml")
    assert fixable(document, look([document])[1]) == []


def test_what_an_accepted_finding_keeps_from_being_fixed_is_not_called_fixable() -> None:
    document = read_bytes(memory("kinds: [fact, fact, event, event]").encode(), path="v1.yaml")
    first, second = lint([document])
    assert fixable(document, [first]) == []
    assert fixable(document, [first, second]) == [first, second]


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_fixed_is_called_fixable(name: str) -> None:
    document = read_bytes(PAIRS[name][0].encode(), path="v1.yaml")
    told = look([document])[1]
    assert set(corrected(document, told)[1]) <= set(fixable(document, told)) != set()


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


def test_of_many_fixes_those_that_do_not_hold_are_told_apart_at_once() -> None:
    """Each of 200 dates is there twice: in quotes the second would be repeated. By halves they are not all found."""
    dates = [f"{2000 + year}-01-{day:02d}" for year in range(20) for day in range(1, 11)]
    before = ", ".join(f"{date}, {date}" for date in dates)
    after = ", ".join(f'"{date}", {date}' for date in dates)
    assert fixed(memory(f"kinds: [{before}]")) == memory(f"kinds: [{after}]")


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
