"""How two names are nearly one. Knows no config.

Careful rather than complete: names that count things (`v1`, `v2`), short ones, and pairs of words that are both right
(`payer`, `payee`) are not alike.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from .placeholder import words

# Words that are one letter apart and that one config may well hold both of.
_BOTH_WORDS = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        "band/brand", "bank/blank", "broken/broker", "cart/chart", "casual/causal", "cause/clause", "chance/change",
        "change/charge", "chapter/charter", "coast/cost", "college/collage", "complement/compliment", "confirm/conform",
        "conservation/conversation", "contact/contract", "contract/contrast", "county/country", "court/count",
        "device/devise", "expanse/expense", "facet/fact", "form/forum", "formal/format", "insured/insurer",
        "leader/lender", "marital/martial", "market/marker", "master/matter", "message/massage", "mode/model",
        "notice/novice", "order/older", "packet/pocket", "parent/patent", "part/party", "patent/patient", "plan/plane",
        "plan/plant", "policy/police", "portion/potion", "premise/promise", "price/prince", "principal/principle",
        "product/produce", "properly/property", "reader/render", "recourse/resource", "region/legion", "report/resort",
        "reserve/reverse", "retail/retain", "sale/scale", "sample/simple", "site/suite", "size/seize", "statue/statute",
        "status/statue", "status/statutes", "template/temple", "through/thorough", "tile/title", "topic/tropic",
        "waiter/writer", "word/world",
    )
)  # fmt: skip
_ROLES = ("ee", "er"), ("ee", "or"), ("ed", "er")


def likeness(one: str, other: str) -> str | None:
    """What alone tells two different names apart, in words; None where they are different enough."""
    if one[:1].isalnum() and other[:1].isalnum() and one[0].casefold() != other[0].casefold():
        return None
    if one.casefold() == other.casefold():
        return "case"
    ones, others = _parts(one), _parts(other)
    if "".join(ones) == "".join(others):
        return "how words are separated"
    if len(ones) != len(others):
        return None
    apart = [(a, b) for a, b in zip(ones, others, strict=True) if a != b]
    if all(_plural(a, b) or _plural(b, a) for a, b in apart):
        return "a plural"
    return slip(*apart[0]) if len(apart) == 1 else None


def slip(one: str, other: str) -> str | None:
    """What alone differs if one word is probably the other, mistyped: one letter, or two that traded places.

    None where it probably is not, as where the first letters differ: people mistype those least, and fact and pact
    are two words.
    """
    one, other = sorted((one.casefold(), other.casefold()), key=len)
    if one == other or not (one.isalpha() and other.isalpha()) or one[0] != other[0] or _plural(one, other):
        return None
    if frozenset((one, other)) in _BOTH_WORDS or _two_roles(one, other):
        return None
    if len(one) != len(other):
        added = len(other) - len(one) == 1 and len(other) >= 5
        return (
            "one letter" if added and any(other[:at] + other[at + 1 :] == one for at in range(1, len(other))) else None
        )
    first, *more = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if not more:
        return "one letter" if len(one) >= 6 else None
    if len(more) > 1 or (one[first], one[more[0]]) != (other[more[0]], other[first]):
        return None
    near = more[0] == first + 1
    return "two swapped letters" if len(one) >= (5 if near else 7) else None


@lru_cache(maxsize=512)  # each name is compared with all others
def _parts(name: str) -> tuple[str, ...]:
    """The words of a name, without case: split at what is no letter and no digit, and where a capital begins one."""
    if name != name.lower():
        name = name[:1] + "".join(f" {b}" if a.islower() and b.isupper() else b for a, b in pairwise(name))
    return words(name)


def _plural(one: str, many: str) -> bool:
    if len(one) < 2 or not one.isalpha():
        return False
    return many in (one + "s", one + "es") or (one.endswith("y") and many == one[:-1] + "ies")


def _two_roles(one: str, other: str) -> bool:
    """Payer and payee, the two ends of one thing; trade and trader, deliver and delivery."""
    if other == one + "y" or (one.endswith("e") and other == one + "r"):
        return True
    return one[:-2] == other[:-2] and tuple(sorted((one[-2:], other[-2:]))) in _ROLES
