"""Which rules report: prefixes, names and layers."""

from __future__ import annotations

import pytest

from seatrial.linter.rules import RULES
from seatrial.linter.selection import Choice, chosen, code_of, severity_of, unknown_code


@pytest.mark.parametrize(
    ("layers", "told"),
    [
        ([], True),
        ([Choice(select=("ST5",))], True),
        ([Choice(select=("ST4",))], False),
        ([Choice(ignore=("ST5",))], False),
        ([Choice(ignore=("ST4",))], True),
        ([Choice(select=("ST502",), ignore=("ST5",))], True),
        ([Choice(select=("ST5",), ignore=("ST502",))], False),
        ([Choice(select=("ST5",), ignore=("ST5",))], False),
        ([Choice(ignore=("ST5",)), Choice(select=("ST502",))], False),
        ([Choice(select=("ST",)), Choice(ignore=("ST502",))], True),
        ([Choice(ignore=("ST4",)), Choice(select=("ST4",))], False),
        ([Choice(ignore=("ST4",)), Choice(select=("ST5",))], True),
        ([Choice(select=("ST4",)), Choice(select=("ST502",))], False),
    ],
)
def test_the_longest_beginning_of_the_first_layer_that_says_anything_decides(layers: list[Choice], told: bool) -> None:
    assert chosen("ST502", layers) is told


@pytest.mark.parametrize(
    ("layers", "told"),
    [
        ([], False),
        ([Choice(select=("ST",))], False),
        ([Choice(select=("ST602",))], True),
        ([Choice(select=("ST", "ST602"))], True),
        ([Choice(select=("ST602",), ignore=("ST6",))], True),
        ([Choice(ignore=("ST602",)), Choice(select=("ST602",))], False),
        ([Choice(select=("ST",)), Choice(select=("ST602",))], False),
        ([Choice(ignore=("ST1",)), Choice(select=("ST602",))], True),
    ],
)
def test_a_rule_that_must_be_asked_for_is_selected_by_its_whole_code_only(layers: list[Choice], told: bool) -> None:
    assert chosen("ST602", layers, opt_in=True) is told


def test_a_rule_is_named_by_code_beginning_or_name_in_any_case() -> None:
    assert code_of("st401") == code_of("Shared-Number") == "ST401"
    assert code_of("st4") == "ST4"
    assert all(code_of(rule.name) == code for code, rule in RULES.items())


@pytest.mark.parametrize("word", ["", "X", "ST4011", "ST 401", "shared", "SC001", "*"])
def test_what_names_no_rule_is_unknown(word: str) -> None:
    assert code_of(word) is None
    assert "there is no rule" in unknown_code(word)


def test_an_unknown_code_names_the_nearest() -> None:
    assert "; did you mean ST40" in unknown_code("ST40l")
    assert unknown_code("shared-numbr").endswith("did you mean shared-number?")
    assert unknown_code("zzz").endswith("`seatrial rules` lists them")


def test_the_longest_beginning_gives_the_severity() -> None:
    assert severity_of("ST401", {"ST4": "info", "ST401": "warning", "ST5": "error"}) == "warning"
    assert severity_of("ST402", {"ST4": "info", "ST401": "warning"}) == "info"
    assert severity_of("ST501", {"ST4": "info"}) is None
