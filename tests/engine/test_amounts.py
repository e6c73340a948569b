"""EXT-4: amounts with a unit and dates are values; bare numbers and codes are subjects."""

from __future__ import annotations

from fractions import Fraction

import pytest

from seatrial.engine.amounts import Amount
from seatrial.engine.dates import Date
from seatrial.engine.reviewer import statement

AMOUNTS = [
    ("9,000 USD", "usd", 9000),
    ("9000 usd", "usd", 9000),
    ("USD 9,000", "usd", 9000),
    ("US$9,000.00", "usd", 9000),
    ("9k USD", "usd", 9000),
    ("1.5 million EUR", "eur", 1_500_000),
    ("\u20ac1.234,50", "eur", Fraction("1234.5")),
    ("1'234'567 CHF", "chf", 1_234_567),
    ("-$5", "$", -5),
    ("$-5", "$", -5),
    ("12,5 %", "%", Fraction("12.5")),
    ("12.50%", "%", Fraction("12.5")),
    ("12 per cent", "%", 12),
    ("+5 %", "+%", 5),
    (".5 kg", "kg", Fraction(1, 2)),
    ("0,500 kg", "kg", Fraction(1, 2)),
    ("9.000 kg", "kg", "9.000"),
    ("3 business days", "business_day", 3),
    ("20 EUR/month", "eur/month", 20),
    ("80 km/h", "km/h", 80),
    ("9000\u5186", "yen", 9000),
    ("3\u4e07\u5186", "10000_yen", 3),
    ("5 \u0440\u0443\u0431\u043b\u0435\u0439", "rub", 5),
    ("5 \u043a\u0433", "kg", 5),
]

DATES = [
    ("2024-05-06", "ymd", (2024, 5, 6)),
    ("2024/5/6", "ymd", (2024, 5, 6)),
    ("6 May 2024", "ymd", (2024, 5, 6)),
    ("6th of May, 2024", "ymd", (2024, 5, 6)),
    ("May 6, 2024", "ymd", (2024, 5, 6)),
    ("06.05.2024", "ymd", (2024, 5, 6)),
    ("2024\u5e745\u67086\u65e5", "ymd", (2024, 5, 6)),
    ("6 \u043c\u0430\u044f 2024", "ymd", (2024, 5, 6)),
    ("5\u67086\u65e5", "md", (5, 6)),
    ("June 6th", "md", (6, 6)),
    ("May 2024", "ym", (2024, 5)),
    ("2024-05-06T10:30Z", "ymdt", (2024, 5, 6, "t10:30z")),
    ("05/06/2024", "either/", ("05/06/2024",)),
]

BARE = [
    "wire 4471",
    "INV-2208",
    "v2",
    "version 1.5",
    "room 12 m2",
    "wire 4471 USD",
    "account no 12 EUR",
    "try 5 times",
    "eth 0",
    "5 invoices",
    "9,000",
    "007 USD",
    "1,2,3 kg",
    "5-10 kg",
    "<5 kg",
    "the 80s",
    "5h",
    "2024",
    "Q3 2024",
    "10:30",
    "2024-13-45",
    "customer 6 may withdraw",
    "code 6 March",
    "192.168.2024.1",
    "9" * 5000 + " USD",
]


@pytest.mark.parametrize(("text", "unit", "worth"), AMOUNTS)
def test_ext_4_an_amount_is_its_worth_and_unit_however_written(text: str, unit: str, worth: Fraction | str) -> None:
    assert statement(text) == (Amount(unit, worth),)


@pytest.mark.parametrize(("text", "fields", "value"), DATES)
def test_ext_4_a_date_is_its_day_however_written(text: str, fields: str, value: tuple[int | str, ...]) -> None:
    assert statement(text) == (Date(fields, value),)


@pytest.mark.parametrize("text", BARE)
def test_ext_4_bare_numbers_and_codes_are_no_values(text: str) -> None:
    assert all(isinstance(item, str) for item in statement(text))


def test_ext_4_a_currency_between_two_numbers_belongs_to_the_one_it_can_belong_to() -> None:
    assert statement("batch of 4471 USD 9,000") == ("batch", "of", "4471", Amount("usd", Fraction(9000)))
    assert statement("sold 4471 USD 9,000 EUR") == (
        "sold",
        Amount("usd", Fraction(4471)),
        Amount("eur", Fraction(9000)),
    )
