"""Passages: what one turn put in, standing inside what another observes: a summary, a longer message, a free field.

A passage is a long sentence that somebody said, wrote or asked for, a whole text without one, or a canary. Where it
stands within an observation it stems from whoever put in a text that holds it: the observer too, if its own session
said so. What was seen before anyone put it in (a notice of the system, an error, a config) is nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from .events import Begin, Call, Context, Decision, Deploy, Event, Say
from .model import Model, Objection, Origin, Turn, Unit
from .plain import OBJECT, Remembered

_LONG = 24  # a shorter one may be there by accident
_CAPPED = 200  # characters that are compared: enough to be no accident
_ANCHOR = 16
_SENTENCES = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|[\r\n]+")
_CANARY = re.compile(r"canary[0-9a-f]{16}")  # a word that fuzzing puts in, nowhere else
_NAME = re.compile(r"[\w-]+", re.ASCII)  # ids are looked for by name
_IDS = frozenset(("id", "ids", "replaces", "ref", "successor"))
_BARE = frozenset((bool, int, float, type(None)))
_ROLES = {"user": "user", "assistant": "reply", "tool": "tool"}

Best: TypeAlias = Callable[[Turn, Iterator[Origin]], tuple[Origin | None, tuple[Objection, ...]]]


class Passage(NamedTuple):
    """A passage that its observer may not see; `where` says in which part of the observation it stands."""

    text: str
    where: str
    origin: Origin
    objections: tuple[Objection, ...]


class _Put(NamedTuple):
    line: int
    origin: Origin


class _Clean(NamedTuple):
    """What a turn's context showed last, and the texts of all so far, where it may see all: what it may see it may see
    again."""

    messages: tuple[Any, ...] = ()
    texts: frozenset[str] = frozenset()


_NOTHING = _Clean()


class Passages:
    """Finds them. To be asked event by event, in order: each text is read once, however often it is shown."""

    def __init__(self, model: Model, best: Best) -> None:
        self._best = best
        self._model = model
        self._anchors: dict[str, dict[int, set[str]]] = {}
        self._read: dict[str, tuple[str, ...]] = {}
        self._first: dict[str, int] = {}
        self._sources: dict[str, dict[Unit, dict[tuple[object, ...], list[_Put]]]] = {}
        self._own: dict[tuple[str, str], int] = {}  # by a turn and a passage: where the turn first put it in
        self._nobodys: set[str] = set()
        self._rightly: set[tuple[Unit, str, str]] = set()  # what a session's turns of a plane were rightly shown
        self._clean: dict[str, _Clean] = {}  # by turn
        self._texts = Remembered(_texts)
        puts: dict[str, list[_Put]] = {}
        for event in model.history.events:
            for text, put in self._put_in(event):
                puts.setdefault(text, []).append(put)
                self._remember(text, put.line)
        for write in (write for writes in model.writes.values() for write in writes):
            for text in _texts(write.answered):
                puts.setdefault(text, []).append(_Put(write.line, write.origin))
        first = "".join(sorted({anchor[0] for anchor in self._anchors}))
        self._firsts = re.compile(f"[{re.escape(first)}]" if first else "(?!)")  # what a passage may begin with
        for text, places in puts.items():
            for passage in self._passages(text):
                for put in places:
                    self._note(passage, put)
        for event in model.history.events:
            if isinstance(event, Deploy):
                self._nobodys.update(each for text in _texts(event.config) for each in self._passages(text))
        kinds = {event.kind for event in model.history.events if isinstance(event, Say)}
        told = {"user"} if any(isinstance(each, Begin) and each.user for each in model.history.events) else set()
        self._roles = {role for role, kind in _ROLES.items() if kind in kinds | told}

    def of(self, event: Context | Call | Decision) -> Iterator[Passage]:
        """The passages in what `event` shows that its turn may not see."""
        turn = self._model.turns[event.turn]
        if isinstance(event, Context):
            for passage in self._passages(event.instructions):
                self._seen_first(passage, event.line)
        found: dict[str, Passage] = {}
        clean = self._clean.get(turn.id, _NOTHING) if isinstance(event, Context) else _NOTHING
        shown = [(where, text) for where, text in self._shown(event, clean) if text not in clean.texts]
        for where, text in shown:
            for passage in self._passages(text):
                self._seen_first(passage, event.line)
                if passage not in found and passage not in self._nobodys:
                    judged = self._judged(turn, event, where, passage)
                    if judged is not None:
                        found[passage] = judged
        if isinstance(event, Context) and not found:
            self._clean[turn.id] = _Clean(event.messages, clean.texts.union(text for _, text in shown))
        yield from found.values()

    def _judged(self, turn: Turn, event: Context | Call | Decision, where: str, passage: str) -> Passage | None:
        if self._own.get((turn.id, passage), event.line + 1) <= event.line:
            return None
        planes = ("live", "preview") if turn.plane == "live" else ("preview",)
        # What it was rightly shown may stand in its conversation, also when it is out of view by now.
        if (turn.unit, turn.plane, passage) in self._rightly and isinstance(event, Context):
            return None
        origin, against = self._best(turn, self._origins(passage, turn, event.line))
        if origin is None or not against:
            self._rightly.update((turn.unit, plane, passage) for plane in planes)
            return None
        return Passage(passage, where, origin, against)

    def _shown(self, event: Context | Call | Decision, clean: _Clean) -> Iterator[tuple[str, str]]:
        if isinstance(event, Context):
            yield from (("summary", text) for text in _texts(event.summary))
            same = event.messages[: len(clean.messages)] == clean.messages
            for message in event.messages[len(clean.messages) if same else 0 :]:
                role = message.get("role") if isinstance(message, OBJECT) else None
                if not isinstance(role, str) or role in self._roles:
                    yield from (("message", text) for text in self._texts(message))
            yield from (("recall", text) for text in _texts(event.recalled))
            yield from (("pins", text) for text in _texts(event.pins))
        elif isinstance(event, Call):
            what = f"answer of {event.tool}" if event.error is None else f"error of {event.tool}"
            yield from ((what, text) for text in _texts(event.answer if event.error is None else event.error))
        else:
            told = [event.record, event.reason, event.error]
            yield from (("decision on a candidate", text) for text in _texts(told))

    def _put_in(self, event: Event) -> Iterator[tuple[str, _Put]]:
        """The texts that a turn says, writes or asks for at `event`, each with the scope that it is put in."""
        if isinstance(event, Begin):
            if event.error is None and event.user is not None:
                yield event.user, _Put(event.line, Origin(self._model.turns[event.turn], None, "user message"))
        elif isinstance(event, Say):
            origin = Origin(self._model.turns[event.turn], None, event.kind)
            yield from ((text, _Put(event.line, origin)) for text in _texts(event.value))
        elif isinstance(event, (Call, Decision)):
            stated = event.arguments if isinstance(event, Call) else event.candidate
            what = event.tool if isinstance(event, Call) else "candidate of a review"
            origins = [Origin(self._model.turns[event.turn], None, what)]
            origins += [write.origin for write in self._model.made(event)]
            yield from ((text, _Put(event.line, origin)) for text in _texts(stated) for origin in origins)

    def _remember(self, text: str, line: int) -> None:
        """The passages of `text` are looked for from now on."""
        sentences = [each.strip() for each in _SENTENCES.split(text)]
        found = [each[:_CAPPED] for each in [each for each in sentences if len(each) >= _LONG] or [text.strip()]]
        found = [each for each in found if len(each) >= _LONG and _NAME.fullmatch(each) is None]
        for passage in (*found, *_CANARY.findall(text)):
            if passage not in self._first or line < self._first[passage]:
                self._first[passage] = line
                self._anchors.setdefault(passage[:_ANCHOR], {}).setdefault(len(passage), set()).add(passage)

    def _passages(self, text: str) -> tuple[str, ...]:
        """Those that stand in `text`, in order."""
        if text not in self._read:
            anchors = self._anchors
            at = [i for i in self._beginnings(text) if text[i : i + _ANCHOR] in anchors]
            found = (
                text[i : i + length]
                for i in at
                for length, passages in anchors[text[i : i + _ANCHOR]].items()
                if text[i : i + length] in passages
            )
            self._read[text] = tuple(dict.fromkeys(found))
        return self._read[text]

    def _beginnings(self, text: str) -> Iterator[int]:
        """Where a passage may begin."""
        return (found.start() for found in self._firsts.finditer(text, 0, max(0, len(text) - _ANCHOR + 1)))

    def _note(self, passage: str, put: _Put) -> None:
        """Of what is forbidden alike, whatever was put in first and whatever ended first stand for all."""
        turn = put.origin.turn
        own = self._own.get((turn.id, passage), put.line)
        self._own[turn.id, passage] = min(own, put.line)
        alike = (turn.plane, put.origin.scope, turn.outcome)
        kept = self._sources.setdefault(passage, {}).setdefault(turn.unit, {}).setdefault(alike, [])
        if not kept:
            kept += [put, put]
        if put.line < kept[0].line:
            kept[0] = put
        if (turn.ended or turn.began) < (kept[1].origin.turn.ended or kept[1].origin.turn.began):
            kept[1] = put

    def _origins(self, passage: str, turn: Turn, line: int) -> Iterator[Origin]:
        """Who had put it in, those of the turn's own session first."""
        by_session = self._sources[passage]
        units = [turn.unit, *(unit for unit in by_session if unit != turn.unit)]
        for unit in units:
            for puts in by_session.get(unit, {}).values():
                yield from (put.origin for put in puts if put.line <= line)

    def _seen_first(self, passage: str, line: int) -> None:
        if line < self._first[passage]:
            self._nobodys.add(passage)


def _texts(value: Any) -> list[str]:
    """Every text in a plain value that may hold a passage, but for ids."""
    found: list[str] = []
    _gather(value, found)
    return found


def _gather(value: Any, found: list[str]) -> None:
    if isinstance(value, str):
        if len(value) >= _ANCHOR:
            found.append(value)
    elif isinstance(value, OBJECT):
        for key, each in value.items():
            kind = type(each)
            if kind is str:  # as most are: not asked one by one
                if len(each) >= _ANCHOR and key not in _IDS:
                    found.append(each)
            elif kind not in _BARE and key not in _IDS:
                _gather(each, found)
    elif isinstance(value, (list, tuple)):
        for each in value:
            _gather(each, found)
