"""What was observed: every record, message, event, reference and state that a trace shows, and where it stems from.

A record is observed where its id is: a recalled hit, a pin, a hit or record of an answer, a successor, a target that a
tool accepted, an id in the text of an answer, an error, the instructions or the recalled block. So it is where a record
is shown with its text instead of its own, and no record that may be seen has that text. A text is observed where a part
of anything shown is a passage that only others put in. A message is observed
in a context; it is foreign when its text equals none that may stand there and equals one that somebody else put in. An
event is observed in an answer of history; it stems from the turn it names, else from whoever put in its text. A
reference is observed where it stands in a context or an answer, and where it is answered with its result. A state is
observed in a context and at a commit; any other than the one that is carried is a sighting.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeAlias

from .events import Call, Context, Decision, End, Use
from .history import History
from .mentions import Mentions
from .model import Model, Objection, Origin, Turn, Unit, Write, objections, read
from .named import ids_of, in_answer, named_by, records_of
from .passages import Passages
from .plain import OBJECT, Remembered, ids, json_text, message_text, same

Item: TypeAlias = Literal["record", "message", "event", "reference", "state", "text"]

_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str, check_circular=False)  # of what was read as JSON
_ID_ARGUMENTS = ("id", "ids", "replaces", "ref")


class Sighting(NamedTuple):
    """One item observed. `where` is short: what, in which turn and call.

    `objections` is empty when it may be observed. `origin` is where it stems from, the least forbidden when several
    turns put it in, None when no turn did.
    """

    item: Item
    turn: Turn
    step: str
    line: int
    where: str
    record: str | None
    summary: str | None
    origin: Origin | None
    objections: tuple[Objection, ...]


def sightings(history: History) -> tuple[Sighting, ...]:
    """The sightings of `history`, in order; those of the ledger's uses last, where no observation shows the same.

    A message that may be seen is counted (`traced`) and not among them: contexts show a conversation again and again.
    """
    return _looked(history)[0]


def traced(history: History) -> Mapping[Item, int]:
    """How many sightings of each item there are, messages that may be seen among them."""
    return _looked(history)[1]


@lru_cache(maxsize=1)
def _looked(history: History) -> tuple[tuple[Sighting, ...], Mapping[Item, int]]:
    eye = _Eye(read(history))
    found = tuple(eye.look())
    items = Counter[Item](each.item for each in found)
    items["message"] += eye.messages
    return found, items


def best(observer: Turn, origins: Iterable[Origin]) -> tuple[Origin | None, tuple[Objection, ...]]:
    """The origin with the fewest objections, the earliest of equals; (None, ()) when there is none."""
    found: tuple[Origin | None, tuple[Objection, ...]] = (None, ())
    for origin in origins:
        against = objections(observer, origin)
        if not against:
            return origin, ()
        if found[0] is None or len(against) < len(found[1]):
            found = (origin, against)
    return found


@dataclass(frozen=True, slots=True)
class _Shown:
    """The messages that a session was shown last, with which the next ones of a turn begin.

    `names` are the records and references that they mention. `traced` is how many of them were traced to an origin,
    `to` the turn that may see all of those; None: not so.
    """

    messages: tuple[Any, ...] = ()
    names: Iterable[str] = ()
    traced: int = 0
    to: str | None = None

    def begin(self, messages: tuple[Any, ...]) -> bool:
        """Whether these messages begin with all of them."""
        return messages[: len(self.messages)] == self.messages


_NOTHING = _Shown()


class _Eye:
    """Walks the events in order. `messages` counts those that may be seen."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.named: dict[Unit, set[str]] = {}  # ids and references that a unit named itself, or was rightly shown
        self.mentions = Mentions(model)
        self.mentioned = Remembered(lambda message: self.mentions.of(_ENCODER.encode(message)))
        self.passages = Passages(model, best)
        self.worded: dict[str, list[Write]] = {}
        self.texts: dict[str, set[str]] = {}  # of each record
        for write in chain.from_iterable(model.writes.values()):
            for text in _worded(write):
                self.worded.setdefault(text, []).append(write)
                self.texts.setdefault(write.id, set()).add(text)
        self.seen: dict[tuple[str, str], None] = {}
        self.spoken: dict[str, dict[str, tuple[Origin | None, tuple[Objection, ...]]]] = {}  # by turn: who said a text
        self.shown: dict[Unit, _Shown] = {}
        self.allowed: dict[tuple[str, str], tuple[str | None, Origin | None]] = {}  # what a turn may see stays so
        self.messages = 0

    def look(self) -> Iterator[Sighting]:
        for event in self.model.history.events:
            if isinstance(event, Context):
                found = self.context(event)
            elif isinstance(event, Call):
                found = self.call(event)
            elif isinstance(event, Decision):
                found = self.decision(event)
            elif isinstance(event, End):
                self.spoken.pop(event.turn, None)
                found = self.state(event, f"state at the end of {self.model.turns[event.turn].label}")
            else:
                continue
            told = False
            for sighting in found:
                self.note(sighting)
                told = told or bool(sighting.objections)
                yield sighting
            if not told and not isinstance(event, End):  # what was seen whole is not told again as a part
                yield from self.parts(event)
        for use in self.model.history.uses:
            yield from self.use(use)

    def parts(self, event: Context | Call | Decision) -> Iterator[Sighting]:
        """What others put in, where it stands within something else."""
        turn = self.model.turns[event.turn]
        for text, part, origin, against in self.passages.of(event):
            where = f"text {_clip(text)} in {part} in {turn.label} call {event.call}"
            yield Sighting("text", turn, event.step, event.line, where, None, None, origin, against)

    def note(self, sighting: Sighting) -> None:
        if sighting.record is not None:
            self.seen[sighting.turn.id, sighting.record] = None
            if not sighting.objections:
                self.named.setdefault(sighting.turn.unit, set()).add(sighting.record)

    def context(self, event: Context) -> Iterator[Sighting]:
        turn = self.model.turns[event.turn]
        place = f"in {turn.label} call {event.call}"
        shown: dict[str, str] = {}
        for what, hits in (("recall", event.recalled), ("pins", event.pins)):
            for record in ids_of(hits):
                shown.setdefault(record, what)
        for record, what in shown.items():
            yield self.item(turn, event, f"{what} {place}", record)
        for what, hits in (("recall", event.recalled), ("pins", event.pins)):
            yield from self.words_of_others(turn, event, f"{what} {place}", hits)
        instructions, memory = self.mentions.in_lines(event.instructions), self.mentions.in_lines(event.memory)
        for what, records in (("instructions", instructions), ("recalled block", memory)):
            for record in records:
                if record not in shown:
                    yield self.item(turn, event, f"{what} {place}", record)
        yield from self.conversation(event, turn, place)
        yield from self.state(event, f"state {place}")

    def conversation(self, event: Context, turn: Turn, place: str) -> Iterator[Sighting]:
        before = self.shown.get(turn.unit, _NOTHING)
        if before.to != turn.id or not before.begin(event.messages):
            before = _NOTHING
        new = event.messages[len(before.messages) :]
        traced, clean = before.traced, True
        spoken = self.spoken.setdefault(turn.id, {})
        for text in (message_text(message) or "" for message in new):
            if text not in spoken:
                spoken[text] = best(turn, self.heard(turn, text))
            origin, against = spoken[text]
            if against:
                clean = False
                where = f"message {_clip_text(text)} {place}"
                yield Sighting("message", turn, event.step, event.line, where, None, None, origin, against)
            elif origin is not None:
                traced += 1
        self.messages += traced
        names = dict.fromkeys(chain(before.names, *map(self.mentioned, new)))
        self.shown[turn.unit] = _Shown(event.messages, names, traced, turn.id if clean else None)
        summary = [] if event.summary is None else self.mentions.of(_ENCODER.encode(event.summary))
        # What the session named or rightly saw may stand in its conversation, also when it is out of view by now.
        own = self.named.get(turn.unit, set())
        for record in dict.fromkeys(chain(names, summary)):
            if record not in own and not self.told_of(turn, record, event.line):
                yield self.item(turn, event, f"conversation {place}", record)

    def heard(self, turn: Turn, text: str) -> Iterator[Origin]:
        """Who put `text` into a conversation, those of the turn's own session first."""
        by_session = self.model.said.get(text, {})
        yield from by_session.get(turn.unit, ())
        for unit, origins in by_session.items():
            if unit != turn.unit:
                yield from origins

    def events(self, event: Call, turn: Turn, place: str) -> Iterator[Sighting]:
        assert event.answer is not None
        found = event.answer.get("events")
        for each in found if isinstance(found, list) else ():
            text = message_text(each) or ""
            named = self.model.turns.get(str(each.get("turn"))) if isinstance(each, OBJECT) else None
            told = self.heard(turn, text) if named is None else [Origin(named, None, f"event {_clip(text)}")]
            origin, against = best(turn, told)
            if origin is not None:
                where = f"event {_clip(text)} {place}"
                yield Sighting("event", turn, event.step, event.line, where, None, None, origin, against)

    def call(self, event: Call) -> Iterator[Sighting]:
        turn = self.model.turns[event.turn]
        place = f"in {turn.label} call {event.call}"
        named = [each for key in _ID_ARGUMENTS for each in ids(event.arguments.get(key))]
        self.named.setdefault(turn.unit, set()).update(named)
        shown: dict[str, str] = {}
        if event.answer is None:
            found = self.mentions.of(_ENCODER.encode(event.error))
            shown = {record: f"error of {event.tool}" for record in found if record not in named}
        else:
            for record in in_answer(event, event.answer, known=bool(self.model.results)):
                shown.setdefault(record, f"answer of {event.tool}")
            for record in self.mentions.of(_ENCODER.encode(event.answer)):
                shown.setdefault(record, f"answer of {event.tool}")
            yield from self.events(event, turn, place)
            yield from self.words_of_others(turn, event, f"answer of {event.tool} {place}", records_of(event.answer))
        for record, what in shown.items():
            if not self.written_here(event, record):
                yield self.item(turn, event, f"{what} {place}", record)

    def decision(self, event: Decision) -> Iterator[Sighting]:
        """What a review met: the record it names as its target, or anywhere in what is told of the candidate."""
        turn = self.model.turns[event.turn]
        named = named_by(event)
        own = self.named.setdefault(turn.unit, set())
        own.update(named)
        shown = dict.fromkeys(ids(event.target) if event.outcome != "rejected" else ())
        shown.update(dict.fromkeys(ids_of([event.record])))
        told = _ENCODER.encode([event.record, event.reason, event.error])
        shown.update(dict.fromkeys(each for each in self.mentions.of(told) if each not in named))
        for record in shown:
            if not self.written_here(event, record):
                place = f"decision on a candidate in {turn.label} call {event.call}"
                yield self.item(turn, event, place, record)

    def written_here(self, event: Call | Decision, record: str) -> bool:
        """Whether this call is the first that wrote `record`: its answer tells the turn nothing that it did not say."""
        writes = self.model.writes.get(record)
        return writes is not None and writes[0].line == event.line

    def told_of(self, turn: Turn, record: str, line: int) -> bool:
        """Whether the turn's conversation holds the write of `record` with its answer, also in a scope that its version
        does not read: what was said is of no scope."""
        writes = (write for write in self.model.writes.get(record, ()) if write.line < line)
        said = (replace(write.origin, scope=None) for write in writes if write.origin.turn.unit == turn.unit)
        return any(not objections(turn, origin) for origin in said)

    def item(self, turn: Turn, event: Context | Call | Decision | Use, where: str, record: str) -> Sighting:
        step = turn.step if isinstance(event, Use) else event.step
        if record in self.model.results:
            origin, against = best(turn, self.model.results[record])
            return Sighting("reference", turn, step, event.line, f"{record}: {where}", None, None, origin, against)
        known = self.allowed.get((turn.id, record))
        if known is not None:
            return Sighting("record", turn, step, event.line, where, record, *known, ())
        # A write that answers an id written before has met that record: a dedupe that reached too far (VIEW-2).
        writes = [write for write in self.model.writes.get(record, ()) if write.line < event.line]
        origin, against = best(turn, (write.origin for write in writes))
        if origin is None:
            against = (Objection("VIEW-5", "because no turn in this trace had written it"),)
        summary = next((write.summary for write in writes if write.origin is origin), None)
        if not against:
            self.allowed[turn.id, record] = summary, origin
        return Sighting("record", turn, step, event.line, where, record, summary, origin, against)

    def words_of_others(self, turn: Turn, event: Context | Call, where: str, hits: Iterable[Any]) -> Iterator[Sighting]:
        """Records that are shown with a text that is not theirs, and that no record has which the turn may see."""
        for hit in hits:
            if not isinstance(hit, OBJECT) or not isinstance(hit.get("id"), str):
                continue
            theirs = self.texts.get(hit["id"])
            for text in (hit.get("summary"), hit.get("content")):
                if theirs is None or not isinstance(text, str) or text in theirs or not text.strip():
                    continue  # nobody wrote that record, or it is its own text
                writes = [write for write in self.worded.get(text, ()) if write.line < event.line]
                origin, against = best(turn, (write.origin for write in writes))
                if against:
                    found = next(write for write in writes if write.origin is origin)
                    words = f"{where}: its text as that of {hit['id']}"
                    yield Sighting(
                        "record", turn, event.step, event.line, words, found.id, found.summary, origin, against
                    )

    def state(self, event: Context | End, where: str) -> Iterator[Sighting]:
        turn = self.model.turns[event.turn]
        if not event.has_state or event.line not in self.model.carried or not self.model.states:
            return  # it is not told, or nothing is told of what was set
        carried = self.model.carried[event.line]
        if same(event.state, carried) or (turn.session is None and event.state is None and carried == {}):
            return
        origin, against = best(turn, (each for state, each in self.model.states if same(state, event.state)))
        if not against:
            why = f"because the state is {_clip(event.state)}, and {_clip(carried)} is carried"
            undone = self.model.undone_before(turn)
            if undone is None:
                against = (Objection("CTX-6", why),)
            else:
                against = (Objection("TXN-2", f"{why}: turn {undone.id} before it ended as {undone.outcome}"),)
        yield Sighting("state", turn, event.step, event.line, where, None, None, origin, against)

    def use(self, event: Use) -> Iterator[Sighting]:
        turn = self.model.turns.get(event.turn)
        for record in ids(list(event.records)) if turn is not None else ():
            assert turn is not None
            if (turn.id, record) not in self.seen:
                yield self.item(turn, event, f"use by {event.source} in {turn.label} call {event.call}", record)


def _worded(write: Write) -> Iterator[str]:
    """The texts of a record as they were given, or else as the answer has them."""
    for stated, answered in (
        (write.stated.get("summary"), write.summary),
        (write.stated.get("content"), write.content),
    ):
        text = stated if isinstance(stated, str) else answered
        if text is not None:
            yield text


@lru_cache(maxsize=1024)
def _clip_text(text: str) -> str:
    return _clip(text)


def _clip(value: Any) -> str:
    text = json_text(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
