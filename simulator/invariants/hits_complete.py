"""hits-complete: searches return what they must, in the order that they must, and keywords weigh what is in view.

Of texts only the plainest words are read, for any analyzer has those: what else a text holds is left to whoever made
the analyzer, as meaning is to whoever made the embedder. But one question means one thing to one text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import fsum, log, sqrt
from typing import Any, NamedTuple, TypeAlias

from .active import active
from .answered import Answered, answered
from .cuts import stems
from .events import Call, Context, Decision
from .examples import HEADER, add, begin, call, deploy, end, search
from .history import History
from .history_confinement import keeps
from .model import ENDS, Origin, Write, objections, read
from .plain import OBJECT, as_number, id_of, ids, moment, same, setting
from .spoken import Spoken, spoken
from .verdict import Invariant, Verdict, Violation, broken

NAME = "hits-complete"
_MOST = 8  # records of an answer where nothing says how many (SCH-2)
_WHOLE = 2000  # bytes: 500 tokens, to which each part of a recall's query is cut (RCL-1)
_NEAR = 2e-9  # numbers are rounded to 9 decimals (SCH-5)
_PLAIN = re.compile(
    r"([a-z]+|[A-Z]+|[A-Z][a-z]+|[0-9]+|canary(?=[a-f]*[0-9]+[a-f])[0-9a-f]*)[.!]*|([0-9]{1,3}(?:,[0-9]{3})+)|%"
)


class _Look(NamedTuple):
    """An answer of at most `most` records, beside those that it had to choose from: of the view, what passes filters.

    `query` is what was asked for; `whole` tells that it is known to its end: what a context leaves out of a recall's is
    not.
    """

    answer: Answered
    query: str
    whole: bool
    most: int
    view: Sequence[Write]
    admitted: Sequence[Write]


_Wrong: TypeAlias = tuple[str, Write, str]
_Meant: TypeAlias = dict[tuple[str, str, str | None], float]


def check(history: History) -> Verdict:
    """Each answered search and each recall beside what its turn has in view, and what the session said before."""
    found: list[Violation] = []
    meant: _Meant = {}
    answers = weighed = 0
    for look in _looks(history):
        answers += 1
        weights = _keywords(look)
        weighed += bool(weights)
        for clause, write, why in (*_missed(look), *_weighed(look, weights), *_meanings(look, meant)):
            path = (write.origin.turn.label, write.origin.source)
            told = broken(NAME, clause, look.answer.event, look.answer.where, f"because {why}", record=write.id,
                          summary=write.summary, path=path)  # fmt: skip
            found.append(told)
    past = [event for event in history.events if isinstance(event, Call) and event.tool == "search_history"]
    found += [each for event in past for each in _forgotten(history, event)]
    checked = {"answers": answers, "weighed": weighed, "searches_of_history": len(past)}
    return Verdict.of(NAME, checked, found, answers + len(past))


def _looks(history: History) -> Iterator[_Look]:
    """None where a review ended something and does not say what: then the views are not known."""
    if any(isinstance(event, Decision) and event.outcome in ENDS and not event.target for event in history.events):
        return
    for answer in answered(history):
        event, turn = answer.event, answer.turn
        if setting(turn.config, "harness", "memory", "enabled") is not True:
            continue
        if isinstance(event, Call):
            query, whole = answer.query or "", True
        elif event.purpose == "turn":
            query, whole = _recall(spoken(history)[event.turn], event)
        else:
            continue
        most = as_number(answer.stated("max_results")) or _MOST
        most = min(most, as_number(answer.asked.get("limit")) or most)
        view = tuple(active(history, turn, event.line).values())
        admitted = [write for write in view if _passes(write, answer.asked)]
        yield _Look(answer, query, whole, int(most), view, admitted)


def _recall(said: Sequence[Spoken], context: Context) -> tuple[str, bool]:
    """The query of the recall for a context (RCL-1), and whether it is whole: results are asked for as it shows them.

    A result that it does not show, and what is cut, is not known; nor is a user's message that is not told.
    """
    before = [each for each in said if each.line < context.line]
    user = before[:1] if before and before[0].kind == "user" else []
    parts = [*user, *before[len(user) :][-2:]]
    shown = [_shown(context, each) if each.kind == "tool" else each.text for each in parts]
    known = [text for text in shown if text is not None and len(text.encode()) <= _WHOLE]
    return "\n".join(known), bool(user) and len(known) == len(parts)


def _shown(context: Context, result: Spoken) -> str | None:
    """What a context shows of a tool's result: all of it, or the beginning of one that was set aside (CTX-2)."""
    for message in context.messages if result.ref is not None else ():
        if isinstance(message, OBJECT) and message.get("ref") == result.ref:
            text = message.get("preview", message.get("text"))
            return text if isinstance(text, str) else None
    return None


def _passes(write: Write, filters: Mapping[str, Any]) -> bool:
    """Whether a record has one of the ids, one of the kinds and of each label one of the values (SCH-1)."""
    if filters.get("ids") is not None and write.id not in ids(filters["ids"]):
        return False
    if filters.get("kinds") is not None and write.stated.get("kind") not in ids(filters["kinds"]):
        return False
    asked, stated = filters.get("labels"), write.stated.get("labels")
    labels = stated if isinstance(stated, OBJECT) else {}
    return all(
        name in labels and any(same(labels[name], each) for each in (wanted if isinstance(wanted, list) else [wanted]))
        for name, wanted in (asked.items() if isinstance(asked, OBJECT) else ())
    )


def _missed(look: _Look) -> Iterator[_Wrong]:
    """A record that passes and is no hit, although there is room for it, or although it is newer than one that is."""
    hits = look.answer.hits
    names = {each if isinstance(each, str) else id_of(each) for each in hits}
    left = [write for write in look.admitted if write.id not in names]
    if not look.query.strip():
        if look.answer.query is None:  # a recall: nothing is recalled for a turn in which nothing was said
            return
        listed = [write for write in look.admitted if write.id in names]
        times = [at for write in listed if (at := moment(write.origin.turn.at)) is not None]
        for write in left:
            at = moment(write.origin.turn.at)
            if len(hits) < look.most:
                yield "SCH-1", write, "it passes the filters, and there is room for it"
            elif at is not None and times and at > min(times):
                yield "SCH-1", write, "it passes the filters, and is newer than one that is listed"
    elif look.answer.stated("mode") != "vector" and len(hits) < look.most:
        asked = _words(look.query)
        for write in left:
            shared = asked & (_words(write.summary) | _words(write.content or ""))
            if shared:
                yield "SCH-2", write, f"it has the word {min(shared)} of the query, and there is room for it"


def _keywords(look: _Look) -> Mapping[str, float]:
    """By id of a hit: what SCH-4 says of it, where the query and all texts in view are plain; else nothing."""
    asked = _terms(look.query) if look.whole else None
    if not asked or look.answer.stated("mode") == "vector" or not look.answer.hits:
        return {}
    bags: dict[str, Counter[str]] = {}
    for write in look.view:
        bag = _terms(f"{write.summary}\n{write.content or ''}")
        if bag is None:
            return {}
        bags[write.id] = bag
    having = Counter(term for bag in bags.values() for term in bag)
    rarity = {term: 1 + log((1 + len(bags)) / (1 + count)) for term, count in having.items()}
    query = _vector(asked, rarity)
    names = {id_of(hit) for hit in look.answer.hits}
    return {
        name: fsum(query.get(term, 0) * part for term, part in _vector(bag, rarity).items())
        for name, bag in bags.items()
        if name in names
    }


def _vector(bag: Mapping[str, int], rarity: Mapping[str, float]) -> Mapping[str, float]:
    parts = {term: count * rarity[term] for term, count in bag.items() if term in rarity}
    length = sqrt(fsum(part * part for part in parts.values()))
    return {term: part / length for term, part in parts.items()}


def _weighed(look: _Look, weights: Mapping[str, float]) -> Iterator[_Wrong]:
    view = {write.id: write for write in look.view}
    for hit in look.answer.hits if weights else ():
        told, name = as_number(hit.get("keywords")) if isinstance(hit, OBJECT) else None, id_of(hit) or ""
        if told is not None and name in weights and abs(told - weights[name]) > _NEAR:
            why = f"its keywords are {told}, and by the {len(view)} records in view they are {weights[name]:.9f}"
            yield "SCH-4", view[name], why


def _meanings(look: _Look, meant: _Meant) -> Iterator[_Wrong]:
    """Meaning is a matter of two texts, and of nothing else in view."""
    if not look.whole or look.answer.stated("mode") == "lexical":
        return
    view = {write.id: write for write in look.view}
    for hit in look.answer.hits if look.query.strip() else ():
        told, write = as_number(hit.get("meaning")) if isinstance(hit, OBJECT) else None, view.get(id_of(hit) or "")
        if told is None or write is None:
            continue
        before = meant.setdefault((look.query, write.summary, write.content), told)
        if abs(told - before) > _NEAR:
            yield "SCH-5", write, f"its meaning is {told}, and the same text had {before} for the same query"
        elif write.summary == look.query and not write.content and _terms(look.query) and abs(told - 1) > _NEAR:
            yield "SCH-5", write, f"its text is the query, and its meaning is {told}"


def _forgotten(history: History, event: Call) -> Iterator[Violation]:
    """What the session kept, shares a word with the query, and is not found although there is room for it (HIS-2)."""
    model = read(history)
    turn = model.turns[event.turn]
    events = event.answer.get("events") if event.answer is not None else None
    query, most = event.arguments.get("query"), as_number(event.arguments.get("limit")) or _MOST
    if not isinstance(events, list) or not isinstance(query, str) or len(events) >= most or not turn.config:
        return
    shown = [(each.get("turn"), str(each.get("text"))) for each in events if isinstance(each, OBJECT)]
    asked = _words(query)
    for name, said in spoken(history).items():
        other = model.turns[name]
        if name == turn.id or not other.config or objections(turn, Origin(other, None, "")):
            continue
        for each in said:
            shared = asked & _words(each.text) if keeps(other, each.kind) else None
            if shared and not any(by == name and stems(each.text, told) for by, told in shown):
                where = f"answer of search_history in {turn.label} call {event.call}"
                why = (
                    f"because turn {name} said {each.text[:40]!r} with the word {min(shared)}, and there is room for it"
                )
                yield broken(NAME, "HIS-2", event, where, why, path=(other.label, f"said in turn {name}"))


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """What stands between white space and says anything: whatever terms that has, one is the same for whoever has it.

    Words of ASCII letters are in one case.
    """
    said = (word for word in text.split() if any(map(str.isalnum, word)))
    return frozenset(word.lower() if word.isascii() and word.isalpha() else word for word in said)


@lru_cache(maxsize=4096)
def _terms(text: str) -> Counter[str] | None:
    """The terms of a text of plain words and numbers, with how often each comes; None for any other text."""
    found: Counter[str] = Counter()
    for word in text.split():
        plain = _PLAIN.fullmatch(word)
        if plain is None:
            return None
        term = (plain[1] or plain[2] or "").replace(",", "").lower()
        if term:
            found[term] += 1
    return found


_BEGUN = (HEADER, deploy(), begin("s0", "account-17"), add("s0", "mem_wire4471", "the wire is approved"))
_ASKED = {"query": "which wire"}

HITS_COMPLETE = Invariant(
    name=NAME,
    clauses=("SCH-1", "SCH-2", "SCH-4", "SCH-5", "HIS-2", "RCL-1"),
    holds_when=(
        "A search by filters alone lists every ACTIVE record in view that passes them, the newest where there are more "
        "than it may list; a search, a recall or a search of history that has room for more leaves out nothing in view "
        "that has a whole word of the query; where query and texts are plain words, keywords are the TF-IDF cosine "
        "over exactly the records in view; and one query and one text always have one meaning, 1 if they are equal."
    ),
    counts={
        "answers": "searches and recalls that were answered",
        "weighed": "those of them whose query and texts are all plain words",
        "searches_of_history": "searches of history; without one of these and no answer the verdict is unknown",
    },
    check=check,
    good=(
        *_BEGUN,
        search("s0", "mem_wire4471"),
        call("s0", "search_memory", {"query": "the fee"}, {"records": ["mem_wire4471"]}),
        end("s0"),
    ),
    bad=(*_BEGUN, call("s0", "search_memory", _ASKED, {"records": []}), end("s0")),
)
