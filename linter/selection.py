"""Which rules report: codes, their beginnings, or rules' names, as chosen in layers. Knows no file and no document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .diagnostic import Severity

SIGNAL = "seatrial:"  # where this is not in a file, no comment holds anything back
USELESS = "ST901"  # what tells of a suppression that suppresses nothing


class Choice(NamedTuple):
    """What one layer, the command line or a settings file, says: whole codes or beginnings of codes."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def code_of(word: str) -> str | None:
    """The code, or the beginning of codes, that `word` means: a rule's name means its code. None for no rule at all."""
    from .rules import RULES

    code = word.upper()
    if code and any(each.startswith(code) for each in RULES):
        return code
    return next((rule.code for rule in RULES.values() if rule.name == word.lower()), None)


def unknown_code(word: str) -> str:
    """What to say of a word that `code_of` does not know, with the nearest rule."""
    from seatrial.schemas.wording import nearest, quote

    from .rules import RULES

    near = nearest(word.upper(), list(RULES)) or nearest(word, [rule.name for rule in RULES.values()])
    return f"there is no rule {quote(word)}{f'; did you mean {near}?' if near else '; `seatrial rules` lists them'}"


def chosen(code: str, layers: Iterable[Choice], *, opt_in: bool = False) -> bool:
    """Whether the rule `code` reports. The first layer that says anything of it decides; `layers` are strongest first.

    Within a layer the longest beginning decides, and of two alike the one that ignores. A layer that selects leaves out
    all else. A rule that is `opt_in` is selected by its whole code only.
    """
    for layer in layers:
        select = _longest(code, (each for each in layer.select if not opt_in or each == code))
        ignore = _longest(code, layer.ignore)
        if ignore and ignore >= select:
            return False
        if select:
            return True
        if layer.select:
            return False
    return not opt_in


def _longest(code: str, beginnings: Iterable[str]) -> int:
    return max((len(each) for each in beginnings if code.startswith(each)), default=0)


def asked_for(choices: Iterable[Sequence[Choice]]) -> frozenset[str]:
    """The codes of the opt-in rules that at least one of the layered choices selects."""
    from .rules import RULES

    optional = [rule.code for rule in RULES.values() if rule.opt_in]
    return frozenset(code for layers in choices for code in optional if chosen(code, layers, opt_in=True))


def severity_of(code: str, severities: Mapping[str, Severity]) -> Severity | None:
    """The severity that the longest beginning of `code` among `severities` gives it; None where none does."""
    found = [each for each in severities if code.startswith(each)]
    return severities[max(found, key=len)] if found else None


def of_versions(code: str) -> bool:
    """Whether the rule compares versions: without another version it finds nothing, and that says nothing."""
    return code.startswith("ST5")
