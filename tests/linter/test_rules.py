"""Every rule has a page, and its examples show it and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import pytest

from seatrial import schemas
from seatrial.linter import lint, read_text
from seatrial.linter.rules import RULES, Example, Rule
from seatrial.linter.suppressions import suppressed, suppressions


def found(examples: tuple[Example, ...], opt_in: Collection[str] = ()) -> list[str]:
    documents = {example.name: read_text(example.text, path=example.name) for example in examples}
    comments = [each for document in documents.values() for each in suppressions(document)]
    return [each.code for each in suppressed(lint(documents.values(), opt_in), comments, documents)]


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
class TestEveryRule:
    def test_its_bad_example_breaks_this_rule_once_and_no_other(self, rule: Rule) -> None:
        assert found(rule.bad, [rule.code] if rule.opt_in else ()) == [rule.code]

    def test_its_good_example_is_clean(self, rule: Rule) -> None:
        assert found(rule.good, [rule.code] if rule.opt_in else ()) == []

    def test_it_has_a_whole_page(self, rule: Rule) -> None:
        assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", rule.name)
        assert not rule.checks.endswith(".")
        assert rule.why.endswith(".")

    def test_its_module_is_named_after_it(self, rule: Rule) -> None:
        name = f"{rule.code.lower()}_{rule.name.replace('-', '_')}.py"
        assert (Path(__file__).parents[2] / "linter" / "rules" / name).is_file()


def test_the_table_lists_every_rule_once_in_order() -> None:
    assert [rule.code for rule in RULES.values()] == list(RULES) == sorted(RULES)
    modules = {path.name[:5].upper() for path in (Path(__file__).parents[2] / "linter" / "rules").glob("st*.py")}
    assert modules == set(RULES)
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


def test_every_code_in_the_agent_schema_is_a_rule() -> None:
    assert set(re.findall('"(ST[0-9]{3})"', schemas.text("agent"))) <= set(RULES)
