"""Text to its words, without what says nothing: case, white space, punctuation (EXT-4).

    words('The wire "INV-2208" is approved, up to 9,000 USD!')
        ->  ("the", "wire", "inv-2208", "is", "approved", "up", "to", "9,000", "usd")

Punctuation goes only where it is prose: a full stop after a word, a comma between words, quotes, brackets, a dash with
space around it. What may tell two facts apart stays: signs and operators (`-5`, `<5`, `!x`), the inside of numbers,
names and codes (`1.5`, `9,000`, `10:30`, `can't`, `INV-2208`, `a_b`), symbols (`$`, `%`, `C++`, `C#`, emoji), question
marks, brackets around a number alone (`(500)` is a debit), and white space between words (`no table`, `notable`). In
doubt a sign stays: then a review keeps a fact twice, and loses none. See docs/decisions/reviewer.md.

It knows nothing of records. The time is linear in the length of the text. No text makes it fail, lone surrogates
included.
"""

from __future__ import annotations

import re
import unicodedata

from .units import UNITS

_QUOTES = dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4", "'") | dict.fromkeys("\u201c\u201d\u201e\u201f`", '"')
_DASHES = (
    dict.fromkeys("\u2010\u2011\u2043", "-") | {"\u2012": "\u2013"} | dict.fromkeys("\u2015\u2e3a\u2e3b", "\u2014")
)
_OTHERS = {
    "\u301c": "~",
    "\uff5e": "~",
    "\u061f": "?",
    "\u055e": "?",
    "\u037e": "?",
    "\u060c": ",",
    "\u066b": ".",
    "\u066c": ",",
}
_SAME = _QUOTES | _DASHES | _OTHERS
# Stops, commas, bullets and opening marks of all scripts that are never part of a number or a name.
_PROSE = frozenset(
    "\u00a1\u00bf\u2022\u2023\u2025\u2026\u055c\u055d\u0589\u05c3\u061b\u06d4\u0964\u0965\u0f0d\u0f0e\u104a\u104b\u1362\u1363\u1364"
    "\u17d4\u17d5\u3001\u3002\u30fb\uff01\uff1b\uff61\uff64\uff65"
)
_GROUP_SPACES = "\u00a0\u2009\u202f"  # as thousands are parted in print
_WIDE_COLON = "\uff1a"  # kept by the table: a colon in a time, else prose

_LOOSE = re.escape(".,;:!?'\"()[]{}\u00b7\u2013\u2014")
_SOLID = f"[^\\s{_LOOSE}]"
_AFTER_NONE = f"(?<!{_SOLID})"
_BEFORE_NONE = f"(?!{_SOLID})"
_AMOUNT = "[$\u00a2\u00a3\u00a5\u20a9\u20ac\u20b9\u20bd\u20bf]?\\.?[0-9]"
_UNSPACED = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"

_PIECES = re.compile(r"\s+|\S{1,512}")
_GROUPED = re.compile(f"(?<=[0-9])[{_GROUP_SPACES}](?=[0-9]{{3}}(?![0-9]))")
_BRACKETED = re.compile(r"([(\[{])([^()\[\]{}]{1,40})([)\]}])")
_LETTERS = re.compile(r"[^\W\d_]+")
_SENTINELS = str.maketrans("([{)]}", "\u27e8\u27e6\u27ea\u27e9\u27e7\u27eb")  # the table lets none of these through
_TO_HYPHEN = re.compile(
    f"(?<={_SOLID})[\u2013\u2212](?={_SOLID})|[\u2013\u2212](?= ?{_AMOUNT})"
    f"|(?<=[0-9])\u2014(?=[0-9])|{_AFTER_NONE}\u2014(?={_AMOUNT})"
)
_QUOTE = re.compile("['\"]")
_PRIMES = {"'": "\u2032", '"': "\u2033"}
_MARKS = re.compile(r" ?[?!]+")
_DROPPED = re.compile(
    f"[.:]{_BEFORE_NONE}"
    f"|(?<![0-9]),|,(?![0-9])"
    f"|\u00b7{_BEFORE_NONE}|{_AFTER_NONE}\u00b7"
    f"|{_AFTER_NONE}-{{1,3}}{_BEFORE_NONE}(?! ?{_AMOUNT})"
    "|[;()\\[\\]{}\u2013\u2014]"
)
_TIME = re.compile(f"(?<=[0-9]){_WIDE_COLON}(?=[0-9])")
_GREEK_QUESTION = re.compile("(?<=[\u0370-\u03ff\u1f00-\u1fff]);")
_ALONE = re.compile(f"([{_UNSPACED}])")


class _Table(dict[int, str]):
    """What each character becomes, wherever it stands; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        text = _becomes(chr(code))
        if len(self) < 1 << 16:
            self[code] = text
        return text


def _becomes(char: str) -> str:
    if char in _SAME:
        return _SAME[char]
    if char.isascii() or char == _WIDE_COLON or char in _GROUP_SPACES:
        return " " if unicodedata.category(char) == "Cc" else char
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if unicodedata.decomposition(char).startswith(("<wide>", "<narrow>")) and char not in _PROSE:
        return unicodedata.normalize("NFKC", char)
    if char in _PROSE or category in {"Cc", "Ps", "Pe", "Pi", "Pf"} or char == "\u200b":
        return " "
    return "" if _unseen(char, category) else char


def _unseen(char: str, category: str) -> bool:
    """Variation selectors, and formats without a width; joiners and the tags of flags change what is seen."""
    return "\ufe00" <= char <= "\ufe0f" or (
        category == "Cf" and char not in "\u200c\u200d" and not "\U000e0020" <= char <= "\U000e007f"
    )


_TABLE = _Table()


def words(text: str) -> tuple[str, ...]:
    """The words of a text, folded. A text of punctuation alone is one word: itself, without its white space."""
    plain = " ".join(_GROUPED.sub("'", _characters(text)).split())
    kept = _MARKS.sub(_mark, _without_quotes(_TO_HYPHEN.sub("-", _BRACKETED.sub(_bracket, plain))))
    found = _ALONE.sub(r" \1 ", _DROPPED.sub(" ", kept)).split()
    return tuple(found or text.split())


def _characters(text: str) -> str:
    """Canonical composition, case folding, and one character for those that mean the same."""
    if text.isascii():
        return text.lower().translate(_TABLE)
    folded = _composed(_composed(text.replace("\u037e", "?")).casefold().translate(_TABLE))
    folded = _GREEK_QUESTION.sub("?", folded)
    return _TIME.sub(":", folded).replace(_WIDE_COLON, " ")


def _composed(text: str) -> str:
    """NFC. By pieces: CPython sorts a run of combining marks in quadratic time, and a run may be a megabyte."""
    if len(text) <= 512:
        return unicodedata.normalize("NFC", text)
    return "".join(unicodedata.normalize("NFC", piece) for piece in _PIECES.findall(text))


def _bracket(match: re.Match[str]) -> str:
    """Brackets around a number, or an amount, say something: a debit, an interval, an index."""
    inside = match[2]
    if any(char.isdigit() for char in inside) and all(word in UNITS for word in _LETTERS.findall(inside)):
        return f" {match[1].translate(_SENTINELS)} {inside} {match[3].translate(_SENTINELS)} "
    return f" {inside} "


def _without_quotes(text: str) -> str:
    """A quote right after a digit that closes none is a prime (`5'`, `6"`); all others go, but within a word."""
    opened = {"'": False, '"': False}

    def replaced(match: re.Match[str]) -> str:
        mark, place = match[0], match.start()
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        if mark == "'" and before.isalnum() and after.isalnum():
            return mark
        if not opened[mark] and before.isdigit():
            return _PRIMES[mark]
        opened[mark] = not opened[mark] and not before.isalnum() and not after.isspace()
        return " "

    return _QUOTE.sub(replaced, text)


def _mark(match: re.Match[str]) -> str:
    """A question is no statement: its mark is a word. `!` counts before a word only (`!x`, `!=`)."""
    after = match.string[match.end() : match.end() + 1]
    if after and re.match(_SOLID, after):
        return match[0]
    return " ? " if "?" in match[0] else " "
