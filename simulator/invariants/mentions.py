"""Which records and references a text mentions: their ids as whole words, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .model import Model

_MIN_ID = 8  # a shorter id in running text may be there by accident
_WORD = re.compile(rf"[\w-]{{{_MIN_ID},}}")
_NOTHING = re.compile("(?!)")


class Mentions:
    """Finds them, but for those that somebody wrote into a text of his own: where it is shown, they prove nothing."""

    def __init__(self, model: Model) -> None:
        self._names = frozenset((*model.writes, *model.results)) - _quoted(model)
        self._like = words_like(self._names)
        self._lines: dict[str, list[str]] = {}  # contexts have the same ones again and again
        self._texts: dict[str, list[str]] = {}

    def of(self, text: str) -> list[str]:
        """The names in `text`, each once, in order."""
        names = self._names
        return list(dict.fromkeys(word for word in self._like.findall(text) if word in names))

    def in_lines(self, text: str) -> list[str]:
        """The same, line by line: no word goes beyond its line. Not to be changed: it is remembered."""
        known = self._texts.get(text)
        if known is None:
            found: dict[str, None] = {}
            for line in text.split("\n") if text else ():
                if line not in self._lines:
                    self._lines[line] = self.of(line)
                found.update(dict.fromkeys(self._lines[line]))
            known = self._texts[text] = list(found)
        return known


def _quoted(model: Model) -> frozenset[str]:
    texts = [*model.said]
    for writes in model.writes.values():
        for write in writes:
            texts += [write.summary, write.content or "", *map(str, write.labels.values())]
    return frozenset(word for text in texts for word in _WORD.findall(text) if model.knows(word))


def words_like(names: Iterable[str]) -> re.Pattern[str]:
    """Whole words that begin like one of `names`: to take out every word of every text takes long."""
    first = "".join(sorted({name[0] for name in names if _WORD.fullmatch(name)}))
    return re.compile(rf"[{re.escape(first)}](?<![\w-].)[\w-]{{{_MIN_ID - 1},}}") if first else _NOTHING
