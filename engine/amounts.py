"""Amounts with a unit and percentages in folded words (EXT-4), compared by their worth.

    "9,000 usd", "9000 usd", "usd 9,000", "9k usd"  ->  Amount("usd", 9000)
    "12.5 %", "12.5%", "12.5 percent"               ->  Amount("%", 25/2)

A number without a unit is no amount, nor is one that is part of a name (`INV-2208`, `v2`, `wire 4471 USD`) or of an
expression (`5-10`, `<5`). `9.000` is nine here and nine thousand there: its worth is its spelling, equal to no other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from .units import CURRENCY_CODES, CURRENCY_SIGNS, LONGEST, MONEY, MULTIPLIERS, NAMED_BY_NUMBER, UNITS, unit_named

_SIGNS = "|".join(map(re.escape, CURRENCY_SIGNS))
_NUMBER = re.compile(
    rf"(?P<sign>[+-]?)(?P<before>{_SIGNS}|)(?P<minus>-?)(?P<number>\.?[0-9][0-9.,']{{0,40}})(?P<after>\D*)"
)

_LETTER = re.compile("[a-z]")
_SHARES = ("%", "‰")  # never part of a name

_WHOLE = re.compile(r"0|[1-9][0-9]*")
_COMMAS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_APOSTROPHES = re.compile(r"[1-9][0-9]{0,2}(?:'[0-9]{3})+(?:[.,][0-9]+)?")
_DOTS = re.compile(r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3}){2,}(?:,[0-9]+)?|\.[0-9]{3},[0-9]+)")
_UNCERTAIN = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_FRACTION = re.compile(r"(?:0|[1-9][0-9]*)?[.,][0-9]+")


@dataclass(frozen=True, slots=True)
class Amount:
    """How much of what. `worth` is a spelling where the spelling could mean two numbers."""

    unit: str
    worth: Fraction | str


def amount_at(words: tuple[str, ...], start: int) -> tuple[Amount, int] | None:
    """The amount that begins at a word, and how many words it takes; None if none begins there."""
    before = words[start] in CURRENCY_CODES
    number = _number(words, start + before)
    if number is None or (_names(words, start, number) and number["after"] not in _SHARES):
        return None
    if before:  # "USD 9,000"
        return _amount(number, UNITS[words[start]], width=2) if _bare(number) else None
    if number["before"]:
        return _with_sign_before(words, start, number)
    return _with_unit_joined(words, start, number) if number["after"] else _with_unit_after(words, start, number)


def worth(literal: str) -> Fraction | str | None:
    """What a number is worth; its spelling if that could be two numbers; None if it is a code (`007`, `1,2,3`)."""
    if _UNCERTAIN.fullmatch(literal):
        return literal
    if _WHOLE.fullmatch(literal) or _COMMAS.fullmatch(literal):
        return Fraction(literal.replace(",", ""))
    if _APOSTROPHES.fullmatch(literal):
        return Fraction(literal.replace("'", "").replace(",", "."))
    if _DOTS.fullmatch(literal):
        return Fraction(literal.replace(".", "").replace(",", "."))
    return Fraction(literal.replace(",", ".")) if _FRACTION.fullmatch(literal) else None


def _number(words: tuple[str, ...], place: int) -> re.Match[str] | None:
    return _NUMBER.fullmatch(words[place]) if place < len(words) else None


def _bare(number: re.Match[str]) -> bool:
    return not number["before"] and not number["after"]


def _names(words: tuple[str, ...], start: int, number: re.Match[str]) -> bool:
    """Whether a number is the name of what the word before it says."""
    return start > 0 and words[start - 1] in NAMED_BY_NUMBER and number["number"].isdigit() and not number["before"]


def _amount(number: re.Match[str], unit: str, *, times: int = 1, width: int) -> tuple[Amount, int] | None:
    value = worth(number["number"])
    if value is None or (isinstance(value, str) and times != 1):
        return None
    negative = "-" in (number["sign"], number["minus"])
    name = f"+{unit}" if number["sign"] == "+" else unit  # "+5 %" is a change, "5 %" a share
    if isinstance(value, str):
        return Amount(name, f"-{value}" if negative else value), width
    return Amount(name, (-value if negative else value) * times), width


def _with_sign_before(words: tuple[str, ...], start: int, number: re.Match[str]) -> tuple[Amount, int] | None:
    """`$9,000`, `-$5`, `$9k`, `$2 million`."""
    joined = number["after"]
    times = MULTIPLIERS.get(joined or " ".join(words[start + 1 : start + 2]))
    if joined and times is None:
        return None
    return _amount(number, UNITS[number["before"]], times=times or 1, width=2 if times and not joined else 1)


def _with_unit_joined(words: tuple[str, ...], start: int, number: re.Match[str]) -> tuple[Amount, int] | None:
    """`5kg`, `5%`, `9k USD`. A single letter joined to a number is part of a code, or `the 80s`."""
    joined = number["after"]
    name = unit_named(joined)
    if name and not _LETTER.fullmatch(joined):
        return _amount(number, name, width=1)
    money, width = _unit(words, start + 1)
    if money in MONEY and joined in MULTIPLIERS:
        return _amount(number, money, times=MULTIPLIERS[joined], width=1 + width)
    return None


def _with_unit_after(words: tuple[str, ...], start: int, number: re.Match[str]) -> tuple[Amount, int] | None:
    """`5 kg`, `9,000 USD`, `2 million EUR`, `3 business days`, `20 EUR/month`."""
    place = start + 1
    times = MULTIPLIERS.get(" ".join(words[place : place + 1]))
    money, width = _unit(words, place + 1)
    if times and money in MONEY:
        return _amount(number, money, times=times, width=2 + width)
    name, width = _unit(words, place)
    if not name or (words[place] in CURRENCY_CODES and _belongs_to_next(words, place)):
        return None
    return _amount(number, name, width=1 + width)


def _unit(words: tuple[str, ...], place: int) -> tuple[str, int]:
    """The name of the unit whose spelling begins at a place, and how many words that takes; "" and 0 if none does."""
    for width in range(LONGEST, 0, -1):
        name = unit_named(" ".join(words[place : place + width]))
        if name:
            return name, width
    return "", 0


def _belongs_to_next(words: tuple[str, ...], place: int) -> bool:
    """Whether in `4471 USD 9,000` the currency is that of the second number: unless that has a unit of its own."""
    number = _number(words, place + 1)
    return number is not None and _bare(number) and not _unit(words, place + 2)[0]
