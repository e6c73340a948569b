"""Text to terms, for every script (SCH-1, SCH-4): the one analyzer of keywords and of the default embedder.

    analyze("Wire INV-4471: 9,000 USD")  ->  ["wire", "inv-4471", "inv", "4471", "9000", "usd"]

It knows nothing of records, views or scores. What it does, in order:

- the text is put in NFKC, separators become spaces, what has no width goes, decimal digits become ASCII digits;
- symbols and emoji (`$`, `→`, `😀`) are terms of their own, flags by the pair; skin tones and joiners are dropped;
- runs of scripts that are written without spaces give their bigrams, or their one character; Han and Hangul
  characters, which can be words, are terms too;
- what is joined by signs (ids, paths, dates, decimals, `snake_case`) is a term as a whole and in its parts;
  `9,000` is `9000`; `camelCase` and `acct17` are split as well;
- every term is casefolded; single characters are kept.

The time is linear in the length of the text. Characters are classed by `unicodedata`, whose version comes with
Python: a character that Unicode assigned after the running Python's version counts as a letter there. The tables are
otherwise fixed, so texts of characters known to Unicode 14 (Python 3.11) give the same terms on every machine.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

# Scripts written without spaces, whose words only bigrams can find.
_HAN_HANGUL = "\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_OTHERS = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3031-\u3035\u303b-\u303c\u3040-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\ua000-\ua48c\ua960-\ua97c\ud7b0-\ud7fb"  # Yi, Hangul jamo
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1a20-\u1aaf\ua980-\ua9ff\uaa60-\uaadf"  # Thai, Lao, Myanmar, Khmer
    "\U00016fe0-\U00018cff\U0001b000-\U0001b2ff"  # Tangut, kana supplements, Nushu
)
_FLAGS = "\U0001f1e6-\U0001f1ff"
_UNSPACED = re.compile(f"[{_HAN_HANGUL}{_OTHERS}]")
_FLAG = re.compile(f"[{_FLAGS}]")
_WORD_CHARACTER = re.compile(f"[{_HAN_HANGUL}]")
_STRETCHES = re.compile(f"[{_HAN_HANGUL}{_OTHERS}]+|[{_FLAGS}]{{1,2}}|[^{_HAN_HANGUL}{_OTHERS}{_FLAGS}]+")

_JOINERS = "-._/:@'+&=#\\~%"  # signs that join what they stand between
_KEPT = frozenset(_JOINERS + ",")
_BETWEEN_PARTS = re.compile(f"[{re.escape(_JOINERS)}]+")
_GROUPED = re.compile(r"(?<![0-9])(?<![0-9],)[0-9]{1,3}(?:,[0-9]{3})+(?!,?[0-9])")
_HUMPS = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LETTERS_AND_DIGITS = re.compile("([A-Za-z]+)([0-9]+)|([0-9]+)([A-Za-z]+)")
_PIECES = re.compile(r"\s+|\S{1,512}")

# Signs that stand for another: apostrophes, hyphen, minus, fraction slash, the separators of Arabic numbers.
_SAME = {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2212": "-", "\u2044": "/"}
_SAME |= {"\u066b": ".", "\u066c": ","}
_CACHED_CHARACTERS = 1 << 16
_REMEMBERED_TEXT = 4096  # characters; a longer text is analyzed anew


class _Table(dict[int, str]):
    """What each character becomes before the text is split at spaces; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        text = _becomes(chr(code))
        if len(self) < _CACHED_CHARACTERS:
            self[code] = text
        return text


def _becomes(char: str) -> str:
    if char in _SAME:
        return _SAME[char]
    if char.isascii():
        return char if char.isalnum() or char in _KEPT else " $ " if char == "$" else " "
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if _is_mark_without_text(char, category):
        return ""
    if _is_symbol(char, category):
        return f" {char} "
    return " " if category[0] in "PZ" or category == "Cc" or char == "\u200b" else char


def _is_mark_without_text(char: str, category: str) -> bool:
    """Variation selectors, enclosing marks, skin tones, and what formats or joins without a width of its own."""
    return (
        category == "Me"
        or (category == "Cf" and char != "\u200b")
        or "\ufe00" <= char <= "\ufe0f"
        or "\U000e0100" <= char <= "\U000e01ef"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def _is_symbol(char: str, category: str) -> bool:
    """A term of its own. The emoji planes count whole, so that a newer emoji does not depend on Python's tables."""
    if "\U0001f1e6" <= char <= "\U0001f1ff":  # flags come in pairs and are cut later
        return False
    return category[0] == "S" or "\U0001f000" <= char <= "\U0001faff"


_TABLE = _Table()


def analyze(text: str) -> list[str]:
    """The terms of a text, repeated as often as they occur. Usable as `TfidfVectorizer(analyzer=analyze)`."""
    if not text.isascii():
        text = _compatible(text)
    terms: list[str] = []
    for chunk in text.translate(_TABLE).split():
        word = chunk.strip(".,:'")
        if word.isascii() and word.isalpha():
            _add_word(word, terms)
        elif word:
            _add_chunk(word, terms)
    return terms


def count_terms(text: str) -> tuple[tuple[str, int], ...]:
    """The terms of a text with how often each occurs, in the order of their code points."""
    return _remembered(text) if len(text) <= _REMEMBERED_TEXT else _count(text)


@lru_cache(maxsize=2048)
def _remembered(text: str) -> tuple[tuple[str, int], ...]:
    """A text is read for keywords and for meaning, and again when a script is run again."""
    return _count(text)


def _count(text: str) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(analyze(text)).items()))


def blank(text: str) -> bool:
    """Whether a text shows nothing: only white space, controls and characters without width (SCH-1)."""
    seen = text.strip()
    if seen and seen[0].isascii() and seen[0].isprintable():  # the common case, and the cheap one
        return False
    return not seen or all(
        char.isspace() or unicodedata.category(char) in {"Cc", "Cf"} or _is_mark_without_text(char, "") for char in text
    )


def _compatible(text: str) -> str:
    """NFKC. By pieces: CPython sorts a run of combining marks in quadratic time, and a run may be a megabyte."""
    if len(text) <= 512:
        return unicodedata.normalize("NFKC", text)
    return "".join(unicodedata.normalize("NFKC", piece) for piece in _PIECES.findall(text))


def _fold(text: str) -> str:
    folded = text.casefold()
    return folded if folded.isascii() else _compatible(folded)


def _add_word(word: str, terms: list[str]) -> None:
    """ASCII letters: the word, and the humps of `camelCase`."""
    terms.append(word.lower())
    if not (word.islower() or word.isupper() or word.istitle()):
        humps = _HUMPS.findall(word)
        if len(humps) > 1:
            terms.extend(hump.lower() for hump in humps)


def _add_chunk(chunk: str, terms: list[str]) -> None:
    """What stands between spaces: stretches of unspaced scripts, flags, and names of all kinds."""
    if chunk.isascii():
        _add_name(chunk, terms)
        return
    for stretch in _STRETCHES.findall(chunk):
        if _UNSPACED.match(stretch):
            _add_unspaced(stretch, terms)
        elif _FLAG.match(stretch):
            terms.append(stretch)
        else:
            _add_name(stretch, terms)


def _add_unspaced(run: str, terms: list[str]) -> None:
    run = _fold(run)
    if len(run) == 1:
        terms.append(run)
        return
    terms.extend(run[i : i + 2] for i in range(len(run) - 1))
    terms.extend(_WORD_CHARACTER.findall(run))


def _add_name(name: str, terms: list[str]) -> None:
    """Words, numbers, ids, paths: whole and in parts."""
    for piece in _GROUPED.sub(_without_commas, name).split(","):
        stem = piece.strip(_JOINERS)
        if not stem:
            continue
        signs = piece[piece.index(stem) + len(stem) :]
        if (signs.startswith("%") and stem[-1].isdigit()) or signs.startswith("#"):
            terms.append(_fold(stem) + signs[0])
        elif signs.startswith("++"):
            terms.append(_fold(stem) + "++")
        parts = _BETWEEN_PARTS.split(stem)
        if len(parts) > 1:
            terms.append(_fold(stem))
        for part in parts:
            _add_part(part, terms)


def _without_commas(amount: re.Match[str]) -> str:
    return amount[0].replace(",", "")


def _add_part(part: str, terms: list[str]) -> None:
    if not part.isascii():
        terms.append(_fold(part))
    elif part.isalpha():
        _add_word(part, terms)
    else:
        terms.append(part.lower())
        pair = _LETTERS_AND_DIGITS.fullmatch(part)
        if pair:
            terms.extend(half.lower() for half in pair.groups() if half)
