"""docs/rules holds the page of every rule as the rule says it now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seatrial.cli.rule_pages import INDEX, pages, write
from seatrial.linter.rules import RULES
from seatrial.simulator.rules import RULES as SCENARIO_RULES

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
PAGES = pages()
STALE = "docs/rules is not current: `make rule-pages`, or `python -m seatrial.cli.rule_pages docs/rules`"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_current(name: str) -> None:
    path = FOLDER / name
    assert path.is_file(), STALE
    assert path.read_text(encoding="utf-8") == PAGES[name], STALE


def test_no_page_is_left_of_a_rule_that_is_gone() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES), STALE


def test_every_rule_has_a_page_that_the_index_links_to_once_and_in_order() -> None:
    linked = re.findall(r"^\| \[(\w+)\]\((\w+\.md)\) \|", PAGES[INDEX], re.MULTILINE)
    assert linked == [(code, f"{code}.md") for code in (*RULES, *SCENARIO_RULES)]
    assert list(PAGES) == [INDEX, *(page for _, page in linked)]


@pytest.mark.parametrize("code", RULES)
def test_the_page_of_a_rule_for_configs_shows_what_the_linter_says_of_the_bad_example(code: str) -> None:
    said = re.findall(r"`seatrial lint` says\n\n```text\n(.*?)```", PAGES[f"{code}.md"], re.DOTALL)
    assert len(said) == 1
    assert f" {code} {RULES[code].name}: " in said[0]


def test_writing_takes_away_what_is_no_page_any_more_and_changes_nothing_else(tmp_path: Path) -> None:
    for name in ("ST000.md", "ST101.md", "notes.txt"):
        (tmp_path / name).write_text("old", encoding="utf-8")
    write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*PAGES, "notes.txt"}
    assert (tmp_path / "ST101.md").read_text(encoding="utf-8") == PAGES["ST101.md"]
