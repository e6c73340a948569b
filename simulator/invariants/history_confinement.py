"""history-confinement: history returns kept events of the session's earlier committed turns only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .cuts import stems
from .events import Call
from .examples import HEADER, begin, call, deploy, end, indexing, say
from .history import History
from .judge import forbidden
from .model import Model, Origin, Turn, objections, read
from .plain import OBJECT, setting
from .spoken import Spoken, spoken
from .verdict import Invariant, Verdict, Violation, broken

NAME = "history-confinement"
_KINDS = {"message": "user", "reply": "reply", "tool_result": "tool"}  # of an event, to who put it in
_WORDS = {"user": "the user's message", "reply": "a reply", "tool": "a tool's result"}
_VIEWS = ("VIEW-1", "VIEW-2", "VIEW-4", "VIEW-5", "VIEW-7", "TXN-2")


def check(history: History) -> Verdict:
    """Each event of each answer, beside what was said in the turn that it names and its version keeps."""
    model = read(history)
    said = spoken(history)
    found = [each for each in forbidden(NAME, history, _VIEWS) if each.observation.startswith("event ")]
    searches = shown = probes = 0
    for event in history.events:
        if not isinstance(event, Call) or event.tool != "search_history" or event.answer is None:
            continue
        turn = model.turns[event.turn]
        searches += 1
        probes += any(_hidden(turn, model.turns[name], texts) for name, texts in said.items())
        events = event.answer.get("events")
        for each in events if isinstance(events, list) else ():
            shown += 1
            found += _judged(model, said, turn, event, each)
    checked = {"searches": searches, "events": shown, "hidden_probes": probes}
    return Verdict.of(NAME, checked, found, probes)


def _hidden(turn: Turn, other: Turn, texts: Sequence[Spoken]) -> bool:
    """Whether `other` said what a search by `turn` must not return."""
    if not texts or other.began >= turn.began:
        return False
    return bool(objections(turn, Origin(other, None, ""))) or any(not keeps(other, each.kind) for each in texts)


def keeps(turn: Turn, kind: str) -> bool:
    """Whether the version that ran the turn keeps events of that kind (HIS-3, HIS-5)."""
    if not turn.config:
        return True  # nothing is known of it
    index = setting(turn.config, "harness", "history", "index")
    return index == "messages_and_tools" or (index == "messages" and kind != "tool")


def _judged(
    model: Model, said: Mapping[str, Sequence[Spoken]], turn: Turn, event: Call, each: Any
) -> Iterator[Violation]:
    if not isinstance(each, OBJECT):
        return
    text = next((each[key] for key in ("text", "preview", "content", "value") if isinstance(each.get(key), str)), "")
    named = model.turns.get(str(each.get("turn")))
    where = f"event {text[:40]!r} in {turn.label} call {event.call}"
    if named is None:
        return  # it is traced by its text
    path = (named.label, f"said in turn {named.id}")
    if named.id == turn.id:
        why = "because it is of the turn itself, and history is of earlier turns"
        yield broken(NAME, "HIS-2", event, where, why, path=path)
        return
    sources = [one.kind for one in said[named.id] if stems(one.text, text)]
    called = _KINDS.get(str(each.get("kind")))
    if not sources and len({one.kind == "user" for one in said[named.id]}) < 2:
        return  # not all that the turn said is told
    if not sources:
        yield broken(NAME, "HIS-3", event, where, f"because turn {named.id} said nothing like it", path=path)
    elif called is not None and called not in sources:
        why = f"because turn {named.id} said it as {_WORDS[sources[0]]}, and it is called a {each['kind']}"
        yield broken(NAME, "HIS-6", event, where, why, path=path)
    elif not any(keeps(named, kind) for kind in sources if called in (None, kind)):
        index = setting(named.config, "harness", "history", "index")
        why = f"because version {named.version}, which ran turn {named.id}, keeps {index or 'no history'}"
        yield broken(NAME, "HIS-5", event, where, why, path=path)


_EVENT = {"turn": "s0", "kind": "reply", "text": "Refunds take a week."}

HISTORY_CONFINEMENT = Invariant(
    name=NAME,
    clauses=(*_VIEWS, "HIS-2", "HIS-3", "HIS-4", "HIS-5", "HIS-6"),
    holds_when=(
        "Every event that a search of history returns was said in an earlier committed turn of the same agent and "
        "session, in a plane that the searching turn sees, is of the kind it is called, and of one that the "
        "version which ran it keeps: messages, or with `messages_and_tools` also results of outside tools."
    ),
    counts={
        "searches": "searches of history that were answered",
        "events": "events that they returned",
        "hidden_probes": "searches made while something had been said that they must not return; without one the "
        "verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        indexing(deploy(), "messages"),
        begin("s0", "account-17", "How long?"),
        say("s0", "Refunds take a week."),
        end("s0"),
        begin("s1", "account-22", "How long?"),
        call("s1", "search_history", {"query": "refunds"}, {"events": []}),
        end("s1"),
    ),
    bad=(
        HEADER,
        indexing(deploy(), "messages"),
        begin("s0", "account-17", "How long?"),
        say("s0", "Refunds take a week."),
        end("s0"),
        begin("s1", "account-22", "How long?"),
        call("s1", "search_history", {"query": "refunds"}, {"events": [_EVENT]}),
        end("s1"),
    ),
)
