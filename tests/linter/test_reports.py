"""The formats: text for people, concise one line each, JSON as its schema says."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial import schemas
from seatrial.linter import lint, read_text
from seatrial.linter.report import FORMATS, Format, Report, render


def report(*files: tuple[str, str]) -> Report:
    documents = [read_text(text, path=path) for path, text in files]
    return Report(documents, lint(documents))


CHAIN = report(
    ("a/v1.json", '{"harness": {"memory": {"labels": {"a": {"number": 5}}, "enabled": false}}}'),
    ("a/v2.json", '{"harness": {"memory":\n  {"labels": {"a": {"number": 6}}, "enabled": false}}}'),
)


def test_text_shows_the_source_line_with_a_caret_and_every_place() -> None:
    assert render(CHAIN, "text", color=False) == (
        'a/v2.json:2:31: error ST502 number-changed: label "a" has number 5 since version 1, and 6 in version 2\n'
        '     2 |   {"labels": {"a": {"number": 6}}, "enabled": false}}}\n'
        "       |                               ^ perhaps: write 5\n"
        '  a/v1.json:1:52: "a" has number 5 here\n'
        '     1 | {"harness": {"memory": {"labels": {"a": {"number": 5}}, "enabled": false}}}\n'
        "       |                                                    ^\n"
        "\n"
        "1 error in 1 of 2 configs\n"
    )


def test_concise_is_one_line_each() -> None:
    assert render(CHAIN, "concise", color=False) == (
        'a/v2.json:2:31: ST502 label "a" has number 5 since version 1, and 6 in version 2\n'
    )


ONE_LINE: list[Format] = ["concise", "github", "junit"]


@pytest.mark.parametrize("form", ONE_LINE)
def test_without_the_source_a_message_names_the_key(form: Format) -> None:
    text = 'harness:\n  memory:\n    enabled: "no"\n    tools: [x]\n    search: {min_score: 35}\n'
    told = render(report(("v1.yaml", text)), form, color=False).replace("&quot;", '"')
    for said in ("enabled: expected true or false", "tools: expected one of", "min_score: 35: the most allowed is 1"):
        assert told.count(said) >= 1
    dated = render(report(("v1.yaml", "harness: {}\nagent: 2026-01-31\n")), form, color=False)
    assert "agent: YAML 1.1 reads 2026-01-31 as a date" in dated
    told = render(report(("v1.yaml", "harness: {memori: {}}\nagnt: 1\n")), form, color=False)
    assert "memori: " not in told
    assert "agnt: " not in told
    assert "number: " not in render(CHAIN, form, color=False)


def test_json_says_everything() -> None:
    document = json.loads(render(CHAIN, "json", color=False))
    jsonschema.Draft202012Validator(schemas.load("report")).validate(document)
    assert document["configs"] == 2
    assert document["summary"] == {"error": 1, "warning": 0, "info": 0}
    (found,) = document["diagnostics"]
    assert found["pointer"] == "/harness/memory/labels/a/number"
    assert (found["path"], found["line"], found["column"], found["end_line"], found["end_column"]) == (
        "a/v2.json", 2, 31, 2, 32,
    )  # fmt: skip
    assert found["related"][0]["path"] == "a/v1.json"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([("v1.json", '{"harness": {}}')], "1 config, nothing found"),
        ([("a.v1.json", '{"harness": {}}'), ("b.v1.json", '{"harness": {}}')], "2 configs, nothing found"),
        ([("a.v1.yaml", "agent: on\nx: 1\nharness: []\n"), ("b.v1.json", '{"harness": {}}')],
         "2 errors, 1 warning in 1 of 2 configs; 1 fixable with --fix"),
    ],
)  # fmt: skip
def test_the_summary_counts(files: list[tuple[str, str]], expected: str) -> None:
    assert render(report(*files), "text", color=False).splitlines()[-1] == expected


def test_only_what_fix_corrects_is_called_a_fix() -> None:
    text = render(
        report(("v1.yaml", 'harness: {memory: {enabled: !!str true, pinned: {max_tokens: "5"}}}')), "text", color=False
    )
    assert " perhaps: write true\n" in text
    assert " fix: write 5\n" in text
    assert text.endswith("2 errors in 1 of 1 config; 1 fixable with --fix\n")


def carets(text: str) -> tuple[str, str]:
    lines = text.splitlines()
    return lines[1].split("| ", 1)[1], lines[2].split("| ", 1)[1]


def test_carets_stand_under_wide_characters_and_tabs() -> None:
    source, marks = carets(render(report(("v1.json", '{"harness":\t{}, "顧客": 1}')), "text", color=False))
    assert source == '{"harness":    {}, "顧客": 1}'
    assert marks == " " * 19 + "^" * 6  # each of the two takes two columns


def test_of_a_long_line_a_window_is_shown() -> None:
    text = '{"harness": {"context": {' + " " * 5000 + '"x": 1' + " " * 5000 + "}}}"
    source, marks = carets(render(report(("v1.json", text)), "text", color=False))
    assert source.startswith("…")
    assert source.endswith("…")
    assert len(source) < 110
    assert source[marks.index("^") : marks.rindex("^") + 1] == '"x"'


def test_color_is_only_style() -> None:
    colored = render(CHAIN, "text", color=True)
    assert "\x1b[1;31m^\x1b[0m" in colored
    assert "\x1b[2m     2 |\x1b[0m " in colored  # what is ours stands back behind what is the file's
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == render(CHAIN, "text", color=False)


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_of_a_file_reaches_the_terminal_raw(form: Format) -> None:
    hostile = "\x1b]0;title\x07\x1b[2J\u202e\u2028\x9b"
    text = json.dumps({"harness": {f"{hostile}": hostile}}, ensure_ascii=False)
    yaml = f'harness:\n  memory: "{hostile.encode("unicode_escape").decode()}"\n'
    out = render(report((f"{hostile}.json", text), ("v1.json", "{" + hostile), ("v1.yaml", yaml)), form, color=False)
    assert all(char.isprintable() or char == "\n" for char in out)


@given(text=st.text(alphabet='{}[]",: \n\t\\xharness\x1b\u202e顧e\u0301😀'), json_kind=st.booleans())
def test_any_text_can_be_reported_in_any_format(text: str, json_kind: bool) -> None:
    made = report(("v1.json" if json_kind else "v1.yaml", text))
    for form in FORMATS:
        out = render(made, form, color=False)
        assert all(char.isprintable() or char == "\n" for char in out)
    jsonschema.Draft202012Validator(schemas.load("report")).validate(json.loads(render(made, "json", color=False)))
