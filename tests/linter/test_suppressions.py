"""Comments that hold findings back, where they hold, and what is told of those that do not (ST901)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.linter import Diagnostic, lint, read_text
from seatrial.linter.suppressions import suppressed, suppressions
from seatrial.linter.yaml_comments import comments


def told(*texts: str, kind: str = "yaml") -> list[Diagnostic]:
    """The findings in configs v1, v2, …, of one agent, after suppression."""
    documents = {f"v{n}.{kind}": read_text(text, path=f"v{n}.{kind}") for n, text in enumerate(texts, start=1)}
    found = lint(documents.values())
    return suppressed(found, [it for each in documents.values() for it in suppressions(each)], documents)


def lines(*texts: str, kind: str = "yaml") -> list[tuple[int, str]]:
    return [(each.span.line, each.code) for each in told(*texts, kind=kind)]


def config(line: str, above: str = "", after: str = "") -> str:
    """A config whose line 6 (7 with a line above it) holds a label named BAD (ST402)."""
    head = f"agent: a\nharness:\n  memory:\n    enabled: true\n    labels:\n{above}"
    return f"{head}      {line}\n      good: {{number: 9, description: A good one.}}{after}\n"


BAD = "BAD: {number: 1, description: A bad one.}"


@pytest.mark.parametrize(
    "comment",
    [
        "# seatrial: ignore[ST402]",
        "#seatrial:ignore[ST402]",
        "#   seatrial:  ignore[ label-name ]",
        "# seatrial: ignore[st402] -- the partner's spelling",
        "# seatrial: ignore[ST402] -- see #12, ignore[it]",
        "# the partner's spelling # seatrial: ignore[ST402]",
        "# seatrial: ignore[ST402] # the partner's spelling",
    ],
)
def test_on_the_line_or_above_it(comment: str) -> None:
    assert lines(config(BAD)) == [(6, "ST402")]
    assert lines(config(f"{BAD}  {comment}")) == []
    assert lines(config(BAD, f"      {comment}\n")) == []
    assert lines(config(BAD, f"{comment}\n   # more\n")) == []


@pytest.mark.parametrize("above", ["{}\n\n", "{}\n      other: {{number: 7, description: Something else.}}\n"])
def test_above_is_directly_above(above: str) -> None:
    found = told(config(BAD, above.format("      # seatrial: ignore[ST402]")))
    assert [each.code for each in found] == ["ST901", "ST402"]
    assert found[0].message == "this suppresses nothing: ST402 finds nothing here; it finds something in line 8"


def test_one_comment_for_several_rules_and_several_findings() -> None:
    line = "{Ab: {number: 1, description: x}, Cd: {number: 1, description: x}}"
    text = f"agent: a\nharness:\n  memory:\n    enabled: true\n    labels: {line}"
    assert {code for _, code in lines(text)} >= {"ST401", "ST402"}
    every = sorted({code for _, code in lines(text)})
    assert lines(f"{text}  # seatrial: ignore[{', '.join(every)}]\n") == []


def test_the_line_of_a_finding_in_a_block_is_also_that_of_its_key() -> None:
    text = "agent: a\nharness:\n  memory:\n    tools: {}\n      a: 1\n"
    assert lines(text.format("")) == [(5, "ST102")]
    assert lines(text.format(" # seatrial: ignore[ST102]")) == []


@pytest.mark.parametrize(
    "line",
    [
        'BAD: {number: 1, description: "x # seatrial: ignore[ST402]"}',
        "BAD: {number: 1, description: 'x # seatrial: ignore[ST402]'}",
        "BAD:\n        number: 1\n        description: x#seatrial:ignore[ST402]",
    ],
)
def test_within_a_text_it_is_no_comment(line: str) -> None:
    assert lines(config(line)) == [(6, "ST402")]


def test_within_a_block_of_text_it_is_no_comment_and_after_its_header_it_is_one() -> None:
    block = "BAD:\n        number: 1\n        description: {}\n          # seatrial: ignore[ST402]\n          text"
    assert lines(config(block.format("|"))) == [(6, "ST402")]
    assert lines(config(block.format(">- # seatrial: ignore[ST101]"))) == [(6, "ST402"), (8, "ST901")]
    after = (
        "last:\n        number: 1\n        description: |\n          As said.\n      # seatrial: ignore[ST402]\n      "
        + BAD
    )
    assert [code for _, code in lines(config(after))] == [code for _, code in lines(config(after)) if code == "ST401"]


@pytest.mark.parametrize(
    ("comment", "column", "message"),
    [
        ("# seatrial: ignore", 13, "it names no rule: write `seatrial: ignore[CODE]`"),
        ("# seatrial: ignore ST402", 13, "rules stand in brackets: write `seatrial: ignore[ST402]`"),
        (
            "# seatrial: ignore: ST402, near-names -- why",
            13,
            "rules stand in brackets: write `seatrial: ignore[ST402, near-names]`",
        ),
        ("# seatrial: ignore this", 13, "it names no rule: write `seatrial: ignore[CODE]`"),
        ("# seatrial: ignore[]", 13, "it names no rule: write `seatrial: ignore[CODE]`"),
        ("# seatrial: ignore[ST402] because", 13, "after the brackets only a reason may stand, after ` -- `"),
        ("# seatrial: ignore[ST402x]", 30, 'there is no rule "ST402x"; did you mean ST402?'),
        ("# seatrial: ignore[ST4]", 30, '"ST4" is the beginning of several codes: name each rule'),
        ("# seatrial: ignore[ST901]", 30, "ST901 is not held back by a comment: ignore it in the settings"),
        ("# seatrial: ignore[ST105]", 30, "this suppresses nothing: ST105 finds nothing here"),
    ],
)
def test_a_comment_that_does_nothing_is_told_at_its_place(comment: str, column: int, message: str) -> None:
    (found,) = told(f"agent: a  {comment}\nharness: {{}}\n")
    assert (found.code, found.severity, found.span.line, found.message) == ("ST901", "warning", 1, message)
    assert found.span.column == column


@pytest.mark.parametrize("codes", ["ST402,ST402", "ST402, label-name", "ST402] # seatrial: ignore[ST402"])
def test_what_is_held_back_already_is_told(codes: str) -> None:
    found = told(config(f"{BAD}  # seatrial: ignore[{codes}]"))
    assert [(each.code, each.message) for each in found] == [("ST901", "ST402 is held back here already")]
    assert found[0].span.column > 70


def test_of_comments_above_each_other_the_second_is_told() -> None:
    found = told(config(f"{BAD}  # seatrial: ignore[ST402]", "      # seatrial: ignore[ST402]\n"))
    assert [(each.span.line, each.message) for each in found] == [(7, "ST402 is held back here already")]


def test_a_label_with_another_error_is_judged_for_its_description() -> None:
    """The number is wrong, or the name; the description is read all the same, and its suppression is of use."""
    for label, wrong in (('bad: {number: "1", description: TODO}', "ST102"), ("BAD: {number: 1}", "ST402")):
        assert lines(config(label)) == [(6, wrong), (6, "ST404")] or lines(config(label)) == [(6, "ST404"), (6, wrong)]
        assert lines(config(f"{label}  # seatrial: ignore[ST404]")) == [(6, wrong)]


def test_of_several_codes_each_is_judged_alone() -> None:
    found = told(config(f"{BAD}  # seatrial: ignore[ST402, ST401]"))
    assert [(each.code, each.message[25:30]) for each in found] == [("ST901", "ST401")]


def test_only_what_would_have_been_found_is_told_as_useless() -> None:
    document = read_text("agent: a  # seatrial: ignore[ST105]\nharness: {}\n", path="v1.yaml")
    for silent in ("ST105", "ST901"):

        def would_find(path: str, code: str, silent: str = silent) -> bool:
            return code != silent

        assert suppressed([], suppressions(document), {"v1.yaml": document}, would_find) == []


def test_across_versions_the_findings_own_place_counts() -> None:
    first, second = config("a: {number: 1}"), config("a: {number: 2}")
    comment = "      # seatrial: ignore[ST502]\n"
    labels = [each for each in told(first, second) if each.code == "ST502"]
    assert [each.path for each in labels] == ["v2.yaml"]
    assert "ST502" not in [each.code for each in told(first, config("a: {number: 2}", comment))]
    other = [each for each in told(config("a: {number: 1}", comment), second) if each.code in ("ST502", "ST901")]
    assert [(each.path, each.code) for each in other] == [("v1.yaml", "ST901"), ("v2.yaml", "ST502")]


BAD_IN_JSON = '{%s "number": 1, "description": "Who."}'
MEMORY = f'{{"agent": "a", "harness": {{%s "memory": {{%s "enabled": true, "labels": {{%s "BAD": {BAD_IN_JSON}}}}}}}}}'
COMMENT = '"$comment": "seatrial: ignore[ST402]",'


def in_json(level: int, comment: str = COMMENT) -> str:
    return MEMORY % tuple(comment if level == n else "" for n in range(4))


def test_in_json_the_comment_of_the_findings_object() -> None:
    assert lines(in_json(9), kind="json") == [(1, "ST402")]
    assert lines(in_json(2), kind="json") == []  # the finding is at a member of this object
    assert lines(in_json(3), kind="json") == []  # the finding is at this object
    for level in (0, 1):
        found = told(in_json(level), kind="json")
        assert [each.code for each in found] == ["ST901", "ST402"]
        assert found[0].pointer[-1] == "$comment"


def test_in_json_a_list_belongs_to_the_object_that_holds_it() -> None:
    scope = '{"agent": "a", "harness": {"memory": {"enabled": true, "scope": {%s "read": ["session", "session"]}}}}'
    assert lines(scope % "", kind="json") == [(1, "ST105")]
    assert lines(scope % COMMENT.replace("402", "105"), kind="json") == []


def test_a_comment_key_holds_in_yaml_too_and_other_comments_say_nothing() -> None:
    assert lines(config(BAD, '      $comment: "seatrial: ignore[ST402] -- why"\n')) == []
    assert lines(in_json(2, '"$comment": "not seatrial: ignore[ST402]",'), kind="json") == [(1, "ST402")]
    assert lines(in_json(2, '"$comment": 3,'), kind="json")[-1][1] == "ST402"


def test_what_an_alias_stands_for_is_looked_at_once() -> None:
    bomb = "a: &a {$comment: 'seatrial: ignore[ST105]'}\nb: [*a, *a]\nc: &c {x: *a}\nd: [*c, *c]\n"
    assert len(suppressions(read_text(bomb, path="v1.yaml"))) == 1


def test_a_file_without_a_value_has_no_suppressions() -> None:
    assert suppressions(read_text("# seatrial: ignore[ST001]\n{", path="v1.yaml")) == []


def test_a_second_document_that_cannot_be_parsed_hides_no_comment_of_the_first() -> None:
    found = told(config(f"{BAD}  # seatrial: ignore[ST402]") + '---\n"a": {\n# seatrial: ignore[ST402]\n]\n')
    assert [each.code for each in found if each.code != "ST901"] == ["ST003"]


def test_comments_end_at_every_break_that_yaml_1_2_has_and_at_no_other() -> None:
    found = list(comments("a: 1 # x\u2028y\x85z\rb: 2 # w\r\n# v"))
    assert [(each.text, each.alone) for each in found] == [(" x\u2028y\x85z", False), (" w", False), (" v", True)]


@given(st.text("ab\"'#:|>-[]{},!&* \n\t\\%", max_size=30))
def test_no_text_that_is_read_breaks_the_search_for_comments(text: str) -> None:
    text += "\nx: 1 # seatrial: ignore"
    document = read_text(text, path="v1.yaml")
    for each in suppressions(document):
        assert each.span.line <= text.count("\n") + 1
