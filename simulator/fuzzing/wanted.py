"""What is wanted of all that a random script could mean to do: the rest is left out. Knows no Hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from .intents import Act, Candidate, Deploy, Do, GoOn, Helper, Many, Restart, Review, Step, Turn
from .words import Words


@dataclass(frozen=True, slots=True)
class Wanted:
    """What scripts may hold besides plain turns. `subjects` are what their texts are about; none: the usual ones."""

    previews: bool = True
    rollbacks: bool = True  # turns that are rolled back, crash or fail
    interleaved: bool = True  # turns that are open at the same time
    deploys: bool = True
    operators: bool = True
    restarts: bool = True
    helpers: bool = True
    reviews: bool = True  # what the review at the end of a turn finds
    hostile: bool = True
    subjects: Sequence[str] = ()

    def of(self, steps: Iterable[Step]) -> Iterator[Step]:
        """The steps without what is not wanted: some are left out, of some a part is."""
        for step in steps:
            if self._takes(step):
                changed: Step = _with_words(self._limited(step), self._said)
                yield changed

    def _takes(self, step: Step) -> bool:
        refused = {Deploy: not self.deploys, Review: not self.operators, Restart: not self.restarts,
                   GoOn: not self.interleaved}  # fmt: skip
        return not refused.get(type(step), False)

    def _limited(self, step: Step) -> Step:
        if isinstance(step, Turn | Deploy) and not self.previews:
            step = replace(step, plane="live")
        return replace(step, do=self._do(step.do)) if isinstance(step, Turn | GoOn) else step

    def _do(self, do: Do) -> Do:
        unwanted = {"open": not self.interleaved, "commit": False}.get(do.ending, not self.rollbacks)
        acts: tuple[Act, ...] = tuple(act for act in do.acts if self.helpers or not isinstance(act, Helper))
        extract: tuple[Candidate | Many, ...] | None = do.extract if self.reviews else None
        return Do(acts, "commit" if unwanted else do.ending, extract)

    def _said(self, words: Words) -> Words:
        if not self.hostile and words.twist in ("hostile", "bare"):
            words = replace(words, twist="plain")
        if not self.subjects:
            return words
        return replace(words, subject=self.subjects[words.theme % len(self.subjects)])


def _with_words(value: Any, change: Callable[[Words], Words]) -> Any:
    """The intent with every text in it changed."""
    if isinstance(value, Words):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_with_words(item, change) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: _with_words(getattr(value, each.name), change) for each in fields(value)})
    return value
