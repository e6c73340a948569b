"""Words that deny each other, in folded words: `approved` and `rejected`, `is` and `is not` (EXT-4).

Only where one fact must be wrong if the other is right. `The open account` and `the closed account` are two accounts,
`if it is open` and `if it is not` are two rules, and some wires may be approved while some are not: `denies` asks
whether the word states something of the subject there.
"""

from __future__ import annotations

from collections.abc import Sequence

_PAIRS = (
    ("approved", "rejected"),
    ("approved", "denied"),
    ("approved", "declined"),
    ("approved", "disapproved"),
    ("approved", "unapproved"),
    ("accepted", "rejected"),
    ("accepted", "declined"),
    ("allowed", "forbidden"),
    ("allowed", "prohibited"),
    ("allowed", "disallowed"),
    ("permitted", "forbidden"),
    ("permitted", "prohibited"),
    ("enabled", "disabled"),
    ("active", "inactive"),
    ("activated", "deactivated"),
    ("open", "closed"),
    ("opened", "closed"),
    ("on", "off"),
    ("locked", "unlocked"),
    ("blocked", "unblocked"),
    ("paid", "unpaid"),
    ("verified", "unverified"),
    ("confirmed", "unconfirmed"),
    ("valid", "invalid"),
    ("available", "unavailable"),
    ("complete", "incomplete"),
    ("required", "optional"),
    ("mandatory", "optional"),
    ("true", "false"),
)
_OPPOSITES = frozenset(_PAIRS) | frozenset((b, a) for a, b in _PAIRS)

_VERBS_THAT_TAKE_NOT = """
is are was were am has have had do does did can could may might must shall should will would need
"""
_WORDS_THAT_LEAVE_IT_OPEN = """
if when whenever unless while where whether that which who whose whom once until although because except or
some many most few several one another other others either any part half
no not never none neither nor nobody nothing without hardly
"""
_WORDS_BEFORE_NOUNS = """
a an the this that these those its his her their our your my all both each every some no any
"""
_WORDS_BETWEEN = """
of in on at by for to from with without up until till since before after over under above below between within during
per as than via about into onto through against and or but nor so yet if when unless because while where
be been being not never only also still already again now then here there today
"""
_VERBS = frozenset(_VERBS_THAT_TAKE_NOT.split())
_CONTRACTED = {f"{verb}n't": verb for verb in _VERBS} | {"cannot": "can", "can't": "can", "won't": "will"}
_NARROWED = frozenset({"only", "just", "merely", "all", "every", "each", "always"})  # `is not only` denies nothing

# A statement after one of these is of a case, of some, or of none: its opposite may hold as well.
_OPEN = frozenset(_WORDS_THAT_LEAVE_IT_OPEN.split())
_DETERMINERS = frozenset(_WORDS_BEFORE_NOUNS.split())
FUNCTION_WORDS = _VERBS | _DETERMINERS | frozenset(_WORDS_BETWEEN.split())


def with_negations(words: tuple[str, ...]) -> tuple[str, ...]:
    """`is not`, `isn't` and `cannot` as one word, `is not` and `can not`: so a denial has its place in a text.

    `is no longer` is a denial too, and another text.
    """
    found: list[str] = []
    place = 0
    while place < len(words):
        negation, width = _negation(words, place)
        found.append(f"{negation or words[place]}")
        place += width
    return tuple(found)


def _negation(words: tuple[str, ...], place: int) -> tuple[str, int]:
    word, after, then = (*words[place : place + 3], "", "")[:3]
    if word in _CONTRACTED:
        return f"{_CONTRACTED[word]} not", 1
    if word in _VERBS and after == "not" and then not in _NARROWED:
        return f"{word} not", 2
    if word in _VERBS and (after, then) == ("no", "longer"):
        return f"{word} no longer", 3
    return "", 1


def denies(old: Sequence[object], new: Sequence[object], place: int) -> bool:
    """Whether two texts, alike but for one place, state opposite things of one subject there.

    Items that are not words (amounts, dates) may stand among the words.
    """
    before, after = old[place], new[place]
    if not isinstance(before, str) or not isinstance(after, str):
        return False
    if any(word in _OPEN or _is_negation(word) for word in old[:place]):
        return False
    if _is_negation(before) != _is_negation(after):
        return before.split(" ")[0] == after.split(" ")[0]
    if any(_is_negation(word) for word in old[place + 1 :]):
        return False
    return (before, after) in _OPPOSITES and _predicates(old, place)


def _is_negation(word: object) -> bool:
    return isinstance(word, str) and " " in word


def _predicates(words: Sequence[object], place: int) -> bool:
    """Whether the word at a place is said of the subject, and is not part of another thing's name."""
    if place == 0:
        return False
    after, then = (*words[place + 1 : place + 3], None, None)[:2]
    if not isinstance(after, str) or after in FUNCTION_WORDS:
        return True
    named = isinstance(then, str) and any(map(str.isdigit, then))  # "approved wire 4471"
    return named and words[place - 1] not in _DETERMINERS
