"""Each finding in a rule's bad example can be suppressed where it stands, unless the file could not be read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest

from seatrial.linter import Diagnostic, Document, lint, read_text
from seatrial.linter.rules import RULES, Rule
from seatrial.linter.run import Run
from seatrial.linter.selection import USELESS, Choice
from seatrial.linter.settings import NONE, Nearest
from seatrial.linter.settings.stages import Rulebook
from seatrial.linter.suppressions import suppressed, suppressions

SUPPRESSIBLE = [rule for rule in RULES.values() if rule.code != USELESS]


def documents(texts: Mapping[str, str]) -> dict[str, Document]:
    return {name: read_text(text, path=name) for name, text in texts.items()}


def told(texts: Mapping[str, str], rule: Rule) -> list[Diagnostic]:
    """The findings of the rule, and what is told of suppressions, in files by name."""
    read = documents(texts)
    comments = [each for document in read.values() for each in suppressions(document)]
    found = suppressed(lint(read.values(), {rule.code}), comments, read)
    return [each for each in found if each.code in (rule.code, USELESS)]


def found_in(texts: Mapping[str, str], rule: Rule) -> list[Diagnostic]:
    read = documents(texts)
    return [each for each in told(texts, rule) if read[each.path].value is not None]


def above(text: str, line: int, comment: str) -> str:
    lines = text.splitlines()
    indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    return "\n".join([*lines[: line - 1], " " * indent + comment, *lines[line - 1 :], ""])


def inside(config: Any, pointer: tuple[str | int, ...], comment: str) -> None:
    """Gives the comment to the innermost object at the pointer or around it."""
    holder = value = config
    for step in pointer:
        if not isinstance(value, dict | list) or (isinstance(value, dict) and step not in value):
            break
        value = cast("dict[str | int, Any]", value)[step]
        holder = value if isinstance(value, dict) else holder
    holder["$comment"] = comment


@pytest.mark.parametrize("rule", SUPPRESSIBLE, ids=lambda rule: rule.code)
def test_in_yaml_by_a_comment_above_it_or_behind_it(rule: Rule) -> None:
    texts = {example.name: example.text for example in rule.bad if example.name.endswith(("yaml", "yml"))}
    for each in found_in(texts, rule):
        comment = f"# seatrial: ignore[{rule.code}]"
        commented = above(texts[each.path], each.span.line, comment)
        assert told({**texts, each.path: commented}, rule) == []
        lines = texts[each.path].splitlines()
        lines[each.span.line - 1] += f"  {comment} -- why"
        assert told({**texts, each.path: "\n".join(lines)}, rule) == []


@pytest.mark.parametrize("rule", SUPPRESSIBLE, ids=lambda rule: rule.code)
def test_in_json_by_the_comment_of_its_object(rule: Rule) -> None:
    values = {name: each.value for name, each in documents({it.name: it.text for it in rule.bad}).items()}
    texts = {name.rsplit(".", 1)[0] + ".json": json.dumps(value) for name, value in values.items() if value is not None}
    for each in found_in(texts, rule):
        config = json.loads(texts[each.path])
        inside(config, each.pointer, f"seatrial: ignore[{rule.code}] -- why")
        assert told({**texts, each.path: json.dumps(config)}, rule) == []


def spoilt(line: str) -> Iterator[str]:
    """The line with another mistake: in its key, and in its value."""
    key, colon, rest = line.partition(":")
    if not colon or "#" in key:
        return
    yield f"{key}x:{rest}"
    if rest.strip() and rest.strip()[0] not in "{[|>":
        value, sign, comment = rest.partition("  #")
        yield f"{key}: {{zz: 1}}{sign}{comment}"
        yield f"{key}: {value}, {sign}{comment}"


@pytest.mark.parametrize("rule", SUPPRESSIBLE, ids=lambda rule: rule.code)
def test_no_comment_is_called_useless_because_of_another_mistake(rule: Rule) -> None:
    """What the mistake keeps from being judged may be there still: it is told once the mistake is mended."""
    texts = {example.name: example.text for example in rule.bad if example.name.endswith(("yaml", "yml"))}
    for each in found_in(texts, rule):
        commented = above(texts[each.path], each.span.line, f"# seatrial: ignore[{rule.code}]").splitlines()
        assert useless({**texts, each.path: "\n".join(commented)}, rule) == []
        for at, line in enumerate(commented):
            for wrong in spoilt(line):
                changed = "\n".join([*commented[:at], wrong, *commented[at + 1 :]])
                if rule.code != "ST002" and any(it.severity == "error" for it in lint([read_text(changed)])):
                    assert useless({**texts, each.path: changed}, rule) == [], changed


def useless(texts: Mapping[str, str], rule: Rule) -> list[Diagnostic]:
    run = Run(Rulebook(Choice(), Nearest(NONE)))
    return [each for each in run.findings(documents(texts).values(), (rule.code,)) if each.code == USELESS]


def test_most_rules_were_tried_in_both_languages() -> None:
    tried = [rule for rule in SUPPRESSIBLE if found_in({each.name: each.text for each in rule.bad}, rule)]
    assert len(tried) > len(SUPPRESSIBLE) * 0.7
