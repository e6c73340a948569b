"""Texts that say the same of a subject, correct each other, or seem to: and what a review makes of two of them (EXT-4).

The table states what docs/decisions/reviewer.md says, and shares nothing with whoever compares the texts. A subject is
a word of its own, so that no other text of the script is about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal["add", "replace", "skip"]


@dataclass(frozen=True, slots=True)
class Family:
    """Texts about `{}`: those of one group say the same, those of two correct each other, if any do."""

    groups: tuple[tuple[str, ...], ...]
    correct: bool = True

    @property
    def texts(self) -> tuple[tuple[int, str], ...]:
        """All, each with the number of its group."""
        return tuple((number, text) for number, group in enumerate(self.groups) for text in group)


def _family(frame: str, *groups: str) -> Family:
    """A frame with the values of each group put in, parted by bars."""
    return Family(tuple(tuple(frame.replace("[]", value) for value in group.split("|")) for group in groups))


def _opposites(frame: str, *pairs: str) -> tuple[Family, ...]:
    return tuple(_family(frame, *pair.split("/")) for pair in pairs)


def _apart(old: str, new: str) -> Family:
    """Two texts of which neither corrects the other."""
    return Family(((old,), (new,)), correct=False)


FAMILIES: tuple[Family, ...] = (
    _family(
        "{} is approved up to []",
        "9,000 USD|USD 9000|9k USD|9'000 usd|9 thousand USD|US$9,000",
        "12,000 USD|USD 12,000.00|12.0k USD|12'000 US dollars",
        "-9,000 USD|USD -9000",
        "1,234,567.50 USD|1.234.567,50 USD|1'234'567.5 USD",
        "2 million USD|2m USD|2,000,000 USD|USD 2000000",
    ),
    _family("{} costs []", "$2 million|$2m|$2,000,000", "$3 million|$3mn", "-$2m|$-2,000,000"),
    _family("{} costs []", "20 EUR/month|20 euro/month|20 €/month", "25 EUR/month"),
    _family("the limit of {} is []", "$2 million|$2m", "$5 thousand|$5k|$5,000"),
    _family("{} weighs []", "5 kg|5kg|5 kilograms|5.0 KG|\uff15 kg", "7.5 kg|7,5 kilos|7.50kg", ".5 kg|0.5 kg|0,5kg"),
    _family("{} pays []", "12.5 %|12.5%|12.5 percent|12,5 per cent", "5 %|5 pct", "-5 %|-5%|\u22125 %"),
    _family("{} is paid within []", "30 days|30 day", "14 days", "1,000 days"),
    _family("{} takes []", "3 business days|3 working days", "5 business days"),
    _family(
        "{} is due on []",
        "6 May 2026|2026-05-06|May 6, 2026|6th of May 2026|06.05.2026|2026/5/6|6 мая 2026|2026年5月6日",
        "7 May 2026|2026-05-07|May 7th, 2026",
        "6 June 2026|6 Jun 2026|2026-06-06|Jun 6 2026",
        "6 May 2027|2027.5.6",
    ),
    _family("{} is due by []", "6 May|May 6|6th of May|5月6日", "7 May|May 7th", "6 March|Mar 6"),
    _family("{} is due since []", "May 2026", "June 2026", "May 2025"),
    _family("{} was sent at []", "2026-05-06T10:30|2026/05/06t10:30", "2026-05-06T11:30"),
    *_opposites(
        "{} is [] today",
        "approved/rejected", "approved/declined", "accepted/rejected", "allowed/forbidden", "enabled/disabled",
        "active/inactive", "open/closed", "locked/unlocked", "paid/unpaid", "valid/invalid", "required/optional",
    ),
    *_opposites(
        "{} [] open",
        "is/is not|isn't|ISN\u2019T", "is/is no longer", "was/was not|wasn't", "can be/cannot be|can not be|can't be",
        "will be/won't be|will not be",
    ),
    *_opposites("we [] wire {}", "approved/rejected"),
    Family((
        (
            "{} is paid, in full", "{} is paid in full.", "  {} IS PAID  in full!", "{} is (paid) in full",
            "“{}” is paid in full", "{} is 'paid' in full", "{} is paid \u2013 in full", "{} is paid; in full…",
            "{} is paid - in full", "{} is [paid] in full", "\uff5b{}\uff5d is paid in full",
            "{} is\u00a0paid in\u200b full",
        ),
    )),
    Family((("{} は支払済み", "{}は支払済み。", "{} は 支払 済み"),)),
    Family((("{} is at 10:30", "{} is at 10\uff1a30", "{} is at \u0661\u0660:30"),)),
    _apart("{} is approved", "{} is approved?"),
    _apart("{} is approved up to 9,000 USD?", "{} is approved up to 12,000 USD?"),
    _apart("{} has 5 boxes", "{} has 6 boxes"),
    _apart("{} goes with wire 4471 USD", "{} goes with wire 4472 USD"),
    _apart("the 5 kg box of {} is here", "the 10 kg box of {} is here"),
    _apart("30 day invoices of {} are here", "60 day invoices of {} are here"),
    _apart("on 1 May 2026 the bank of {} closed early", "on 2 May 2026 the bank of {} closed early"),
    _apart("1 May 2026 was when {} began", "2 May 2026 was when {} began"),
    _apart("{} costs 9 EUR and weighs 5 kg", "{} costs 8 EUR and weighs 6 kg"),
    _apart("{} costs 9 EUR", "{} costs 9 USD"),
    _apart("{} pays 5 %", "{} pays +5 %"),
    _apart("{} pays 5 %", "{} pays 5 ‰"),
    _apart("{} costs 9.000 EUR", "{} costs 9,000 EUR"),
    _apart("{} is 5' wide", '{} is 5" wide'),
    _apart("{} is due on 6 May 2026", "{} is due on 6 May"),
    _apart("{} is due in 6 days", "{} is due on 6 May"),
    _apart("if {} is open we wait", "if {} is closed we wait"),
    _apart("some wires of {} are approved", "some wires of {} are rejected"),
    _apart("the open account {} is new", "the closed account {} is new"),
    _apart("{} is approved and is not new", "{} is rejected and is not new"),
    _apart("{} is not approved", "{} is not rejected"),
    _apart("{} is not only open", "{} is only open"),
    _apart("{} is open", "{} was not open"),
    _apart("{} is no table", "{} is notable"),
    _apart("C++ is the language of {}", "C is the language of {}"),
    _apart("{} is less than <5 %", "{} is less than 5 %"),
    _apart("{} owes (500)", "{} owes 500"),
    _apart("{} costs 007 USD", "{} costs 7 USD"),
    _apart("{} began at 10:30", "{} began at 1030"),
    _apart("open the box of {}", "closed the box of {}"),
    _apart("customer 6 may withdraw from {}", "customer 7 may withdraw from {}"),
    _apart("{} has 6 may be more", "{} has 7 may be more"),
    _apart("{} began in 2026-13-01", "{} began in 2026-13-02"),
    _apart("{} costs 4471 USD 9,000", "{} costs 4472 USD 9,000"),
    _apart("{} is !x", "{} is x"),
    _apart("{} was open when it was 5 km away", "{} was closed when it was 6 km away"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two texts of a family, and which of the two states labels and a content beside its text."""

    family: int = 0
    first: int = 0
    second: int = 0
    labels: Literal["both", "neither", "differ", "second"] = "both"
    content: Literal["neither", "first", "second", "both"] = "neither"
    kind: Literal["one", "two", "event"] = "one"
    number: int = 0  # of the label and its value

    def text(self, half: int) -> tuple[int, str]:
        """The first text or the second, with the number of its group."""
        texts = FAMILIES[self.family % len(FAMILIES)].texts
        return texts[(self.second if half else self.first) % len(texts)]

    def has_content(self, half: int) -> bool:
        return self.content in ("both", "second" if half else "first")

    def labelled(self, half: int) -> int | None:
        """The number of the value that the first or the second states for the label; None where it states none."""
        if self.labels == "neither" or (self.labels == "second" and not half):
            return None
        return self.number // 4 + (half if self.labels == "differ" else 0)

    def outcome(self, *, labelled: bool, together: bool) -> Outcome:
        """What becomes of the second after the first. `labelled`: labels could be stated; `together`: in one review."""
        same = self.text(0)[0] == self.text(1)[0]
        differ = labelled and self.labels == "differ"
        if same:
            return "add" if differ or self.content == "second" else "skip"
        alike = labelled and self.labels == "both" and self.content in ("neither", "both") and self.kind == "one"
        return "replace" if alike and not together and FAMILIES[self.family % len(FAMILIES)].correct else "add"


def kind_of(likeness: Likeness, half: int, declared: Sequence[str]) -> str | None:
    """The kind that the first or the second states; None where no such kind, or no second one, is declared."""
    if likeness.kind == "event":
        return "event" if "event" in declared else None
    plain = [kind for kind in declared if kind != "event"][: 2 if likeness.kind == "two" else 1]
    return plain[half % len(plain)] if len(plain) == (2 if likeness.kind == "two" else 1) else None
