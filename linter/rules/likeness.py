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
        "cause/clause", "cart/chart", "contact/contract", "county/country", "court/count", "device/devise",
        "facet/fact", "insured/insurer", "message/massage", "order/older", "plan/plant", "plan/plane", "policy/police",
        "premise/promise", "principal/principle", "product/produce", "region/legion", "statue/statute",
        "status/statue", "status/statutes", "template/temple", "through/thorough",
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
    return "one letter" if len(apart) == 1 and misspelt(*apart[0]) else None


def misspelt(one: str, other: str) -> bool:
    """Whether one word is probably the other with one letter wrong, missing, added, or two of them swapped.

    Not where the first letters differ: people mistype those least, and fact and pact are two words.
    """
    one, other = sorted((one.casefold(), other.casefold()), key=len)
    if one == other or not (one.isalpha() and other.isalpha()) or one[0] != other[0] or _plural(one, other):
        return False
    if frozenset((one, other)) in _BOTH_WORDS or _two_roles(one, other):
        return False
    if len(one) != len(other):
        return (
            len(other) - len(one) == 1
            and len(other) >= 5
            and any(other[:at] + other[at + 1 :] == one for at in range(1, len(other)))
        )
    first, *more = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if not more:
        return len(one) >= 6
    swapped = one[:first] + one[first + 1] + one[first] + one[first + 2 :] == other
    return swapped and len(one) >= 5


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
    """Payer and payee: the two ends of one thing."""
    return one[:-2] == other[:-2] and tuple(sorted((one[-2:], other[-2:]))) in _ROLES
