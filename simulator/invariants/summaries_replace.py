"""summaries-replace: what was summed up is gone from the conversation, and the latest messages are not summed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .events import Context
from .examples import HEADER, begin, context, deploy, end, said, say
from .history import History
from .model import Model, Turn, objections, read
from .plain import OBJECT, as_number, setting
from .verdict import Invariant, Verdict, Violation, broken

NAME = "summaries-replace"


def check(history: History) -> Verdict:
    """Each call for a summary beside the next context of its turn."""
    model = read(history)
    found: list[Violation] = []
    summed_up: dict[str, Context] = {}
    summaries = messages = 0
    for event in history.events:
        if not isinstance(event, Context) or "messages" not in event.told:
            continue
        if event.purpose == "summary":
            summed_up[event.turn] = event
        elif event.purpose == "turn" and event.turn in summed_up:
            older = summed_up.pop(event.turn)
            summaries += 1
            messages += len(older.messages)
            found += _stays(model, model.turns[event.turn], older, event)
            found += _too_few(model.turns[event.turn], event)
    return Verdict.of(NAME, {"summaries": summaries, "messages": messages}, found, messages)


def _stays(model: Model, turn: Turn, older: Context, then: Context) -> Iterator[Violation]:
    """A message that stands on both sides of a summary more often than it was ever said."""
    before, after = _counted(older.messages), _counted(then.messages)
    for message in after:
        if message in before and before[message] + after[message] > _most(model, turn, message):
            why = f"because {message[:60]!r} was summed up before this call, and still stands beside the summary"
            yield _violation(turn, then, why)


def _too_few(turn: Turn, then: Context) -> Iterator[Violation]:
    keep = as_number(setting(turn.config, "harness", "context", "keep_messages"))
    if keep is not None and len(then.messages) < keep:
        yield _violation(turn, then, f"because {len(then.messages)} messages are left of the latest {int(keep)}")


def _counted(messages: Sequence[Any]) -> Counter[str]:
    """How often each message is shown: a result by its reference, else by its text."""
    return Counter(name for name in map(_name, messages) if name is not None)


def _name(message: Any) -> str | None:
    if not isinstance(message, OBJECT):
        return message if isinstance(message, str) else None
    keys = ("ref", "text", "content", "value")
    return next((message[key] for key in keys if isinstance(message.get(key), str)), None)


def _most(model: Model, turn: Turn, message: str) -> float:
    """How often a message can stand in the conversation of a turn; no end to it where nobody was seen to say it."""
    if message in model.results:
        return 1
    origins = model.said.get(message, {}).get(turn.unit, ())
    return sum(not objections(turn, origin) for origin in origins) or float("inf")


def _violation(turn: Turn, at: Context, why: str) -> Violation:
    return broken(NAME, "CTX-3", at, f"messages in {turn.label} call {at.call}", why, path=(turn.label,))


_SAID = "Wires are free."
_BEGUN = (
    HEADER,
    deploy(),
    begin("s0", "account-17", _SAID),
    say("s0", "They are."),
    context("s0", 1, purpose="summary", messages=said(_SAID)),
)

SUMMARIES_REPLACE = Invariant(
    name=NAME,
    clauses=("CTX-3",),
    holds_when=(
        "After each call for a summary the turn's next context shows no message that was summed up, and at least as "
        "many messages as `context.keep_messages` states."
    ),
    counts={
        "summaries": "calls for a summary, with the context that came after",
        "messages": "messages that were summed up; without one the verdict is unknown",
    },
    check=check,
    good=(*_BEGUN, context("s0", 2, summary="Somebody spoke of wires.", messages=said("They are.")), end("s0")),
    bad=(*_BEGUN, context("s0", 2, summary="Somebody spoke of wires.", messages=said(_SAID, "They are.")), end("s0")),
)
