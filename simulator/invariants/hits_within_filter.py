"""hits-within-filter: a search returns what its filters ask for, and no more than it may."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .answered import Answered, answered
from .examples import HEADER, begin, call, deploy, end, record
from .history import History
from .model import Model, Write, read
from .plain import OBJECT, as_number, ids, json_text
from .verdict import Invariant, Verdict, Violation, broken

NAME = "hits-within-filter"
_FILTERS = ("kinds", "labels", "ids")


def check(history: History) -> Verdict:
    """Each hit beside the filters of its search and what its write stated; and how many there are."""
    model = read(history)
    found: list[Violation] = []
    filtered = bounded = hits = 0
    for answer in answered(history):
        bounds = _bounds(answer)
        bounded += bool(bounds)
        found += _too_many(answer, bounds)
        if any(answer.asked.get(key) for key in _FILTERS):
            filtered += 1
            hits += len(answer.hits)
            for each in answer.hits:
                found += _outside(model, answer, {"id": each} if isinstance(each, str) else each)
    checked = {"filtered_searches": filtered, "hits": hits, "bounded_answers": bounded}
    return Verdict.of(NAME, checked, found, filtered + bounded)


def _bounds(answer: Answered) -> list[tuple[int, str]]:
    """The most records that may be returned, and why: what the call and the config state, no default."""
    stated = ((answer.asked.get("limit"), "its limit is"), (answer.stated("max_results"), "`max_results` is"))
    return [(int(most), why) for value, why in stated if (most := as_number(value)) is not None]


def _too_many(answer: Answered, bounds: list[tuple[int, str]]) -> Iterator[Violation]:
    count = len(answer.hits)
    for most, why in bounds:
        if count > most:
            yield broken(NAME, "SCH-2", answer.event, f"{answer.where}: {count} records", f"because {why} {most}")
            return


def _outside(model: Model, answer: Answered, hit: Any) -> Iterator[Violation]:
    if not isinstance(hit, OBJECT) or not isinstance(hit.get("id"), str):
        return
    name = hit["id"]
    asked = answer.asked
    wrote = [write for write in model.writes.get(name, ()) if write.line < answer.event.line]
    why = None
    if asked.get("ids") and name not in ids(asked["ids"]):
        why = "because its id is none of those asked for"
    elif asked.get("kinds"):
        kinds = _kinds(wrote, hit)
        if kinds and not any(kind in ids(asked["kinds"]) for kind in kinds):
            why = f"because its kind is {kinds[0]}, and {json_text(asked['kinds'])} is asked for"
    if why is None and isinstance(asked.get("labels"), OBJECT):
        why = next(_mislabelled(wrote, hit, asked["labels"]), None)
    if why is not None:
        path = [each for write in wrote[:1] for each in (write.origin.turn.label, write.origin.source)]
        summary = wrote[0].summary if wrote else None
        yield broken(NAME, "SCH-1", answer.event, answer.where, why, record=name, summary=summary, path=path)


def _kinds(wrote: list[Write], hit: Mapping[str, Any]) -> list[str]:
    """What the writes stated, or their answers told; else what the hit itself says."""
    told = [write.stated.get("kind") or write.answered.get("kind") for write in wrote] or [hit.get("kind")]
    return [kind for kind in told if isinstance(kind, str)]


def _mislabelled(wrote: list[Write], hit: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[str]:
    """Values compare exactly: `1`, `true` and `"1"` differ (REC-5)."""
    told = [write.stated.get("labels", {}) for write in wrote] or [hit.get("labels")]
    for name, wanted in asked.items():
        alternatives = {json_text(each) for each in (wanted if isinstance(wanted, list) else [wanted])}
        labels = [each for each in told if isinstance(each, OBJECT)]
        if labels and not any(name in each and json_text(each[name]) in alternatives for each in labels):
            has = json_text(labels[0][name]) if name in labels[0] else "none"
            yield f"because its label {name} is {has}, and {json_text(wanted)} is asked for"


_ADD = call("s0", "add_memory", {"summary": "a fact", "kind": "fact"}, {"record": record("mem_wire4471")})
_FOUND = {"records": [record("mem_wire4471")]}

HITS_WITHIN_FILTER = Invariant(
    name=NAME,
    clauses=("SCH-1", "SCH-2"),
    holds_when=(
        "Every hit of a search with filters has one of the ids, one of the kinds and, of each label, one of the values "
        "asked for, as its write stated them; and no search and no recall returns more records than `limit` and "
        "`max_results` state."
    ),
    counts={
        "filtered_searches": "searches with a filter that were answered",
        "hits": "their hits",
        "bounded_answers": "searches and recalls whose call or config states how many records they return at most; "
        "without one of these and no filtered search the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        _ADD,
        call("s0", "search_memory", {"kinds": ["fact", "guidance"], "limit": 1}, _FOUND),
        end("s0"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        _ADD,
        call("s0", "search_memory", {"kinds": ["guidance"]}, _FOUND),
        end("s0"),
    ),
)
