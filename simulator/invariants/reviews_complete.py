"""reviews-complete: a review reads all that was said since the last one, as it was said, and comes when it is due."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from .cuts import shows
from .events import Begin, Context, End, Postponed, Say
from .examples import HEADER, begin, context, deploy, end, said
from .history import History
from .model import Turn, Unit, read
from .plain import as_number, message_text, setting
from .verdict import Invariant, Verdict, Violation, broken

NAME = "reviews-complete"

Place: TypeAlias = tuple[Unit, str]  # a session and a plane: each plane reviews its own


class _Said(NamedTuple):
    """A message, and the turn in which it was said."""

    turn: str
    text: str


@dataclass(slots=True)
class _Open:
    """A turn while it is open: what it said since its review, and what its review has covered."""

    own: list[_Said]
    covered: list[_Said] = field(default_factory=list)
    reviewed: bool = False
    postponed: bool = False


def check(history: History) -> Verdict:
    """Each review beside what was said, by session and plane; and each turn that committed without one."""
    reader = _Reader(history)
    for event in history.events:
        match event:
            case Begin(error=None):
                reader.running[event.turn] = _Open([] if event.user is None else [_Said(event.turn, event.user)])
            case Say(kind="reply" | "tool", value=str(text)):
                reader.running[event.turn].own.append(_Said(event.turn, text))
            case Postponed():
                reader.running[event.turn].postponed = True
            case Context(purpose="memory"):
                reader.review(event)
            case End():
                reader.end(event)
    return Verdict.of(NAME, reader.checked, reader.found, reader.checked["messages"])


class _Reader:
    """Reads a history once, in order."""

    def __init__(self, history: History) -> None:
        self.model = read(history)
        self.tells_of_reviews = any(
            isinstance(event, Context) and event.purpose == "memory" for event in history.events
        )
        self.tells_replies = any(isinstance(event, Say) and event.kind == "reply" for event in history.events)
        self.waiting: dict[Place, list[_Said]] = {}
        self.covered: dict[Place, set[str]] = {}
        self.running: dict[str, _Open] = {}
        self.found: list[Violation] = []
        self.checked = {"reviews": 0, "messages": 0, "carried": 0}

    def review(self, event: Context) -> None:
        turn, act = self.model.turns[event.turn], self.running[event.turn]
        place = turn.unit, turn.plane
        earlier = self.waiting.get(place, []) if turn.session is not None else []  # VIEW-7: else nothing is carried
        wanted = [*earlier, *act.own]
        self.checked["reviews"] += 1
        if "messages" in event.told:
            self.checked["messages"] += len(wanted)
            self.checked["carried"] += len(earlier)
            self.found += _read(turn, event, wanted, self.covered.get(place, set()))
        every = _every(turn)
        if every is not None and self.tells_replies and len(wanted) < every:
            why = f"because {len(wanted)} messages were said since the last one, and it is due after {every}"
            self.found.append(_violation(turn, event, "EXT-2", why))
        act.covered, act.own, act.reviewed = wanted, [], True

    def end(self, event: End) -> None:
        turn, act = self.model.turns[event.turn], self.running.pop(event.turn)
        if not turn.committed or turn.session is None:
            return
        place = turn.unit, turn.plane
        if act.reviewed:
            self.covered.setdefault(place, set()).update(each.text for each in act.covered)
            self.waiting[place] = act.own
            return
        waiting, every = self.waiting.setdefault(place, []), _every(turn)
        waiting.extend(act.own)
        if every is not None and len(waiting) >= every and not act.postponed and self.tells_of_reviews:
            why = f"because {len(waiting)} messages were said since the last review, and one is due after {every}"
            self.found.append(_violation(turn, event, "EXT-2", why))


def _every(turn: Turn) -> int | None:
    """After how many messages its version reviews; None where it does not, or reviews every turn (EXT-2)."""
    memory = setting(turn.config, "harness", "memory")
    every = as_number(setting(memory, "extraction", "every", "messages"))
    reviews = setting(memory, "enabled") is True and bool(turn.writes)
    return int(every) if reviews and every is not None else None


def _read(turn: Turn, event: Context, wanted: list[_Said], covered: set[str]) -> Iterator[Violation]:
    """What a review was handed beside what it has to read: `wanted`, and nothing that is only in `covered`."""
    if event.summary is not None:
        yield _violation(turn, event, "EXT-1", "because it is handed a summary, and reads what was said itself")
    shown = [text for text in map(message_text, event.messages) if text is not None]
    exact = set(shown)
    for each in wanted:
        text = each.text
        if text.strip() and text not in exact and not any(text in one or shows(text, one) for one in shown):
            why = f"because turn {each.turn} said or was told {text[:60]!r} since the last review, and it is left out"
            yield _violation(turn, event, "EXT-1", why)
    due = {each.text for each in wanted}
    for text in shown:
        if text in covered and text not in due:
            yield _violation(turn, event, "EXT-1", f"because an earlier review has covered {text[:60]!r}")


def _violation(turn: Turn, at: Context | End, clause: str, why: str) -> Violation:
    where = f"review in {turn.label} call {at.call}" if isinstance(at, Context) else f"end of {turn.label}"
    return broken(NAME, clause, at, where, why, path=(turn.label,))


_BEGUN = (HEADER, deploy(), begin("s0", "account-17", "Wires are free."), context("s0", 1))

REVIEWS_COMPLETE = Invariant(
    name=NAME,
    clauses=("EXT-1", "EXT-2"),
    holds_when=(
        "The context of every review shows each message of its session and plane that committed turns and its own have "
        "said since the last review, as it was said, none that an earlier review has covered, and no summary; and with "
        "`extraction.every` in messages a review is made when, and only when, as many were said since the last one."
    ),
    counts={
        "reviews": "reviews that were made",
        "messages": "messages that they have to read; without one the verdict is unknown",
        "carried": "those of them that earlier turns said",
    },
    check=check,
    good=(
        *_BEGUN,
        context("s0", 2, purpose="memory", messages=said("Wires are free.")),
        end("s0"),
    ),
    bad=(
        *_BEGUN,
        context("s0", 2, purpose="memory", summary="Somebody spoke of wires.", messages=[]),
        end("s0"),
    ),
)
