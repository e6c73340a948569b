"""What the naive model's reviewer makes of two texts (EXT-4), written from docs/decisions/reviewer.md.

It reads the texts that programs let a review find: plain sentences with amounts, dates and a few opposites. Other
texts it need only tell from those.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, TypeAlias

from naive_facts import Plain

# A statement is the words of a text, with amounts as (worth, unit) and dates as (year, month, day).
Statement: TypeAlias = list[Any]

PIECE = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?!\S)"
    r"|(?P<day_first>\d{1,2}) (?P<name>may|june) (?P<year_last>\d{4})(?!\S)"
    r"|(?P<currency>usd|eur) (?P<after>[\d,]+k?)(?!\S)"
    r"|(?P<before>[\d,]+k?) ?(?P<unit>usd|eur|kg|%)(?!\S)"
    r"|(?P<denied>is not|is no longer)(?!\S)"
    r"|(?P<word>\S+)"
)
MONTHS = {"may": 5, "june": 6}
OPPOSITES = [{"approved", "rejected"}, {"open", "closed"}, {"is", "is not"}, {"is", "is no longer"}]
DENIALS = ("is not", "is no longer")
OPEN = ("if", "that", "some", "no")  # after these both a word and its opposite may hold
DEFINITE = ("the", "each", "another")
NO_NOUNS = ("is", "was", "up", "to", "on", "of", "per", "and", "the")


def statement(text: str) -> Statement:
    """Two texts that say the same are equal here: case, white space and prose punctuation say nothing."""
    marked = text.casefold().replace("isn't", "is not").replace("?", " ? ")
    words = [word.strip(".,;:!\"'()") for word in marked.split()]
    return [meant(piece) for piece in PIECE.finditer(" ".join(word for word in words if word))]


def meant(piece: re.Match[str]) -> Any:
    part = piece.groupdict()
    if part["year"]:
        return int(part["year"]), int(part["month"]), int(part["day"])
    if part["name"]:
        return int(part["year_last"]), MONTHS[part["name"]], int(part["day_first"])
    if part["currency"] or part["unit"]:
        return worth(part["after"] or part["before"]), part["currency"] or part["unit"]
    return piece[0]


def worth(number: str) -> Fraction:
    return Fraction(number.removesuffix("k").replace(",", "")) * (1000 if number.endswith("k") else 1)


def content(given: str | None, summary: str) -> Statement:
    """A content that only repeats the summary is none."""
    says = statement(given or "")
    return [] if says == statement(summary) else says


def restates(candidate: Plain, summary: str, evidence: str | None, labels: Plain) -> bool:
    """Whether a candidate says nothing that a record of this summary and content does not."""
    says = content(candidate.get("content"), candidate["summary"])
    return brings_back(candidate, summary, labels) and says in ([], content(evidence, summary))


def brings_back(candidate: Plain, summary: str, labels: Plain) -> bool:
    """The same fact, whatever its evidence? A label that both state and that differs makes another."""
    stated = candidate.get("labels", {})
    differs = any(name in labels and exact(labels[name]) != exact(value) for name, value in stated.items())
    return statement(candidate["summary"]) == statement(summary) and not differs


def corrects(candidate: Plain, summary: str, evidence: str | None, kind: str, labels: Plain) -> bool:
    """Whether it surely corrects a record: kind and labels are the same, and one value differs."""
    stated = candidate.get("labels", {})
    if candidate["kind"] != kind or kind == "event" or not stated:
        return False
    if {name: exact(value) for name, value in stated.items()} != {name: exact(labels[name]) for name in labels}:
        return False
    pairs = [(statement(summary), statement(candidate["summary"]))]
    pairs += [(content(evidence, summary), content(candidate.get("content"), candidate["summary"]))]
    if any(len(old) != len(new) for old, new in pairs):
        return False
    differing = [(old, new, i) for old, new in pairs for i in range(len(old)) if old[i] != new[i]]
    changes = [change for i, change in enumerate(differing) if values(change) not in map(values, differing[:i])]
    return len(changes) == 1 and all(is_of_a_value(*each) for each in differing)


def values(change: tuple[Statement, Statement, int]) -> tuple[Any, Any]:
    old, new, place = change
    return old[place], new[place]


def is_of_a_value(old: Statement, new: Statement, place: int) -> bool:
    """Whether the texts differ there in what is said, and not in what it is said of."""
    before, after = old[place], new[place]
    if "?" in old:
        return False
    if isinstance(before, str) or isinstance(after, str):
        return is_opposite(old, new, place)
    if len(before) != len(after) or (len(before) == 2 and before[1] != after[1]):  # a date and an amount; two units
        return False
    opens = len(after) == 3 and (place == 0 or (place == 1 and new[0] in ("on", "in", "at")))
    return not opens and not names_a_thing(new, place)


def names_a_thing(words: Statement, place: int) -> bool:
    """`the 5 kg box`, `30 day invoices`."""
    return noun_follows(words, place) and (place == 0 or words[place - 1] in DEFINITE)


def noun_follows(words: Statement, place: int) -> bool:
    follows = words[place + 1 : place + 2]
    return bool(follows) and isinstance(follows[0], str) and follows[0] not in NO_NOUNS


def is_opposite(old: Statement, new: Statement, place: int) -> bool:
    """Whether the subject is said to be one thing and its opposite."""
    pair = [old[place], new[place]]
    if pair[::-1] == pair or not any(set(pair) == each for each in OPPOSITES):
        return False
    if any(word in (*OPEN, *DENIALS) for word in old[:place]):
        return False
    if any(word in DENIALS for word in pair):
        return True
    return place > 0 and not noun_follows(old, place) and not any(word in DENIALS for word in old[place:])


def exact(value: Any) -> tuple[str, Any]:
    """REC-5: `1`, `true` and `"1"` differ."""
    return type(value).__name__, value
