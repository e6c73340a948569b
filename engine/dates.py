"""Dates in folded words (EXT-4), the same day equal however it is written.

    "2024-05-06", "6 may 2024", "may 6th 2024", "06.05.2024", "2024 年 5 月 6 日"  ->  Date("ymd", (2024, 5, 6))

`05/06/2024` is May here and June there: it equals only its own spelling. Years alone, quarters, weekdays and times of
day are no dates: a bare number is a subject, and what happens on Mondays may also happen on Fridays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .units import NAMED_BY_NUMBER

_YEAR_FIRST = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(t[0-9:.]{4,15}(?:z|[+-][0-9:]{4,6})?)?")
_DOTTED = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})")
_EITHER = re.compile(r"[0-9]{1,2}([-/])[0-9]{1,2}\1[0-9]{4}")
_DAY = re.compile(r"(0?[1-9]|[12][0-9]|3[01])(?:st|nd|rd|th)?")
_YEAR = re.compile(r"(?:1[6-9]|2[0-9])[0-9]{2}")

# In English, and as a Russian date has them.
_MONTHS = (
    "january jan января",
    "february feb февраля",
    "march mar марта",
    "april apr апреля",
    "may мая",
    "june jun июня",
    "july jul июля",
    "august aug августа",
    "september sep sept сентября",
    "october oct октября",
    "november nov ноября",
    "december dec декабря",
)
MONTHS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_ALSO_VERBS = frozenset({"may", "march"})
_BEFORE_DATES = frozenset({"on", "by", "until", "till", "before", "after", "from", "since", "due"})


@dataclass(frozen=True, slots=True)
class Date:
    """A day, or part of one: `fields` says which (`ymd`, `md`, `ym`), or that the spelling could mean two days."""

    fields: str
    value: tuple[int | str, ...]


def date_at(words: tuple[str, ...], start: int) -> tuple[Date, int] | None:
    """The date that begins at a word, and how many words it takes; None if none begins there."""
    date = _in_one_word(words[start])
    if date:
        return date, 1
    if start and words[start - 1] in NAMED_BY_NUMBER and words[start].isdigit():
        return None  # "customer 6 may withdraw"
    return _japanese(words, start) or _day_first(words, start) or _month_first(words, start)


def _in_one_word(word: str) -> Date | None:
    found = _YEAR_FIRST.fullmatch(word)
    if found:
        clock = (found[5],) if found[5] else ()
        return _checked(int(found[1]), int(found[3]), int(found[4]), *clock)
    found = _DOTTED.fullmatch(word)
    if found:
        return _checked(int(found[3]), int(found[2]), int(found[1]))
    found = _EITHER.fullmatch(word)
    return Date(f"either{found[1]}", (word,)) if found else None


def _checked(year: int, month: int, day: int, *clock: str) -> Date | None:
    right = 1 <= month <= 12 and 1 <= day <= 31
    return Date("ymdt" if clock else "ymd", (year, month, day, *clock)) if right else None


def _japanese(words: tuple[str, ...], start: int) -> tuple[Date, int] | None:
    """`2024 年 5 月 6 日`, with or without the year."""
    parts = words[start : start + 6]
    if len(parts) == 6 and parts[1::2] == ("年", "月", "日") and all(map(_short, parts[::2])):
        date = _checked(int(parts[0]), int(parts[2]), int(parts[4]))
        return (date, 6) if date else None
    if len(parts) >= 4 and parts[1:4:2] == ("月", "日") and _short(parts[0]) and _short(parts[2]):
        date = _checked(0, int(parts[0]), int(parts[2]))
        return (Date("md", date.value[1:]), 4) if date else None
    return None


def _short(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 4


def _day_first(words: tuple[str, ...], start: int) -> tuple[Date, int] | None:
    """`6 May 2024`, `6th of May`. `6 may` alone only where a date is due: it may be a verb."""
    day = _DAY.fullmatch(words[start])
    place = start + 1
    if day and words[place : place + 1] == ("of",):
        place += 1
    if day is None or place >= len(words) or words[place] not in MONTHS:
        return None
    month = MONTHS[words[place]]
    if place + 1 < len(words) and _YEAR.fullmatch(words[place + 1]):
        return Date("ymd", (int(words[place + 1]), month, int(day[1]))), place + 2 - start
    verb = (
        words[place] in _ALSO_VERBS and (start == 0 or words[start - 1] not in _BEFORE_DATES) and words[start].isdigit()
    )
    return None if verb else (Date("md", (month, int(day[1]))), place + 1 - start)


def _month_first(words: tuple[str, ...], start: int) -> tuple[Date, int] | None:
    """`May 6, 2024`, `May 6`, `May 2024`."""
    month = MONTHS.get(words[start])
    if month is None or start + 1 >= len(words):
        return None
    if _YEAR.fullmatch(words[start + 1]):
        return Date("ym", (int(words[start + 1]), month)), 2
    day = _DAY.fullmatch(words[start + 1])
    if day is None:
        return None
    if start + 2 < len(words) and _YEAR.fullmatch(words[start + 2]):
        return Date("ymd", (int(words[start + 2]), month, int(day[1]))), 3
    return Date("md", (month, int(day[1]))), 2
