"""`sees` and `gets`: what the script expects of a context or an answer, and what was there instead.

Pure functions over plain values, as the trace holds them. A failure speaks in the script's own names and in ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from .script import Pointer
from .trace import encode

Plain: TypeAlias = Mapping[str, Any]

# Fields of a record that hold ids: a script writes names there.
_ID_FIELDS = ("id", "successor", "replaces", "would_replace", "would_delete")
_CLIP = 60
_NOTHING_RECALLED = (
    "[]: no record in the turn's view shares a keyword with its latest messages, or comes up to `search.min_score` in "
    "meaning"
)


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that did not hold. `pointer` leads to it in the script (`/steps/2/do/1/gets/records`)."""

    pointer: Pointer
    expected: str
    seen: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What an action or a step was answered: an answer, or the error that refused it; neither where nothing is told."""

    answer: Any = None
    error: Plain | None = None


class Names:
    """The script's names for records and results, and the ids and references they turned out to have.

    `awaited` are the names that the script gives without saying that what it names will be refused.
    """

    def __init__(self, awaited: Iterable[str] = ()) -> None:
        self.ids: dict[str, str] = {}
        self.awaited = set(awaited)
        self._names: dict[str, str] = {}

    def learn(self, name: str, record: str) -> None:
        self.ids[name] = record
        self._names.setdefault(record, name)

    def missing(self, names: Iterable[str]) -> list[str]:
        """Those of `names` that nothing has, though the script says no such thing: they could only pass in silence."""
        return [name for name in names if name in self.awaited and name not in self.ids]

    def show(self, record: str) -> str:
        """`ruling (mem_1a2b)`, or the bare id of a record that the script has no name for."""
        name = self._names.get(record)
        return record if name is None else f"{name} ({record})"


def check_sees(expected: Plain, context: Plain, names: Names, at: Pointer) -> Iterator[Failure]:
    """What `expected` states of the context of one model call and does not hold. `at` leads to the `sees`."""
    for records in ("recalled", "pins"):
        if records in expected:
            none = _NOTHING_RECALLED if records == "recalled" else "[]"
            yield from _check_names(expected[records], context[records], names, (*at, records), none=none)
    if "state" in expected and not same(expected["state"], context["state"]):
        yield Failure((*at, "state"), encode(expected["state"]), encode(context["state"]))
    if "summary" in expected:
        yield from _check_summary(expected["summary"], context["summary"], (*at, "summary"))
    text = context["text"]
    for wanted in _list(expected.get("text", [])):
        if not _held(wanted, text):
            yield Failure((*at, "text"), f"a context that holds {encode(wanted)}", "a context without it")
    for unwanted in _list(expected.get("lacks_text", [])):
        if _held(unwanted, text):
            seen = f"it stands there: {encode(_around(text, unwanted))}"
            yield Failure((*at, "lacks_text"), f"a context without {encode(unwanted)}", seen)
    if "tokens" in expected:
        bounds = expected["tokens"]
        low, high = (bounds, bounds) if isinstance(bounds, int) else (bounds.get("min"), bounds.get("max"))
        if not _within(context["tokens"], low, high):
            yield Failure((*at, "tokens"), _bounds(low, high, "tokens"), f"{context['tokens']} tokens")


def _check_summary(expected: Any, summary: str | None, at: Pointer) -> Iterator[Failure]:
    if expected is None:
        if summary is not None:
            yield Failure(at, "no summary", f"the summary {encode(summary)}")
        return
    for wanted in _list(expected):
        if summary is None or wanted not in summary:
            seen = "no summary" if summary is None else f"the summary {encode(summary)}"
            yield Failure(at, f"a summary that holds {encode(wanted)}", seen)


def check_gets(expected: Plain, reply: Reply, names: Names, at: Pointer) -> Iterator[Failure]:
    """What `expected` states of an answer and does not hold. `at` leads to the `gets`."""
    if "error" in expected:
        code = None if reply.error is None else reply.error["code"]
        if code != expected["error"]:
            yield Failure((*at, "error"), f"the error {expected['error']}", _show_reply(reply, names))
            return
    elif reply.error is not None and expected.get("outcome") != "rejected":
        yield Failure(at, "an answer", _show_reply(reply, names))
        return
    yield from _check_answer(expected, reply, names, at)
    for wanted in _list(expected.get("text", [])):
        if not any(wanted in text for text in _texts(reply.answer if reply.error is None else reply.error)):
            yield Failure((*at, "text"), f"an answer that holds {encode(wanted)}", _show_reply(reply, names))


def _check_answer(expected: Plain, reply: Reply, names: Names, at: Pointer) -> Iterator[Failure]:
    answer = reply.answer if isinstance(reply.answer, Mapping) else {}
    if "outcome" in expected and expected["outcome"] != answer.get("outcome"):
        yield Failure((*at, "outcome"), f"the outcome {expected['outcome']}", _show_reply(reply, names))
    if "records" in expected and "records" not in answer:
        yield Failure((*at, "records"), "records", _show_reply(reply, names))
    elif "records" in expected:
        yield from _check_names(expected["records"], answer["records"], names, (*at, "records"))
    if "record" in expected:
        yield from _check_record(expected["record"], answer, names, (*at, "record"))
    if "events" in expected and "events" not in answer:
        yield Failure((*at, "events"), "events", _show_reply(reply, names))
    elif "events" in expected:
        yield from _check_events(expected["events"], answer["events"], names, (*at, "events"))
    if "score" in expected:
        hits = answer.get("records", answer.get("events", []))
        yield from _check_scores(expected["score"], hits, names, (*at, "score"))


def never_added(names: Sequence[str], at: Pointer) -> Failure:
    """An expectation about what is not there, for want of what the script meant to be there."""
    return Failure(at, f"something called {', '.join(names)}", "nothing ever was")


def show_error(error: Plain) -> str:
    """Code, message and, where there is one, the remedy."""
    message, remedy = error["message"], error["remedy"]
    return f"{error['code']}: {message.rstrip('.')}. {remedy}" if remedy else f"{error['code']}: {message}"


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal: `1` and `true` are not, `1` and `1.0` are."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    return bool(left == right)


def _check_names(
    expected: Any, records: Sequence[Plain], names: Names, at: Pointer, *, none: str = "[]"
) -> Iterator[Failure]:
    """`none` tells that there is no record at all."""
    ids = [record["id"] for record in records]
    seen = _show_records(records, names) if records else none

    def ids_of(wanted: Sequence[str]) -> list[str]:
        return [names.ids.get(name, name) for name in wanted]

    if not isinstance(expected, Mapping):
        if ids != ids_of(expected):
            yield Failure(at, _show_names(expected, names), seen)
        return
    if "only" in expected and sorted(ids) != sorted(ids_of(expected["only"])):
        yield Failure((*at, "only"), f"only {_show_names(expected['only'], names)}, in any order", seen)
    if "has" in expected and not set(ids_of(expected["has"])) <= set(ids):
        yield Failure((*at, "has"), f"at least {_show_names(expected['has'], names)}", seen)
    if "lacks" in expected and (never := names.missing(expected["lacks"])):
        yield never_added(never, (*at, "lacks"))
    elif "lacks" in expected and set(ids_of(expected["lacks"])) & set(ids):
        yield Failure((*at, "lacks"), f"none of {_show_names(expected['lacks'], names)}", seen)


def _check_events(expected: Any, events: Sequence[Plain], names: Names, at: Pointer) -> Iterator[Failure]:
    """Events have no names: each is stated by its text, or by some of its fields."""
    seen = _show_events(events)

    def matches(wanted: Any, event: Plain) -> bool:
        if isinstance(wanted, str):
            return bool(event["text"] == wanted)
        fields = {**wanted, "ref": _resolved(wanted["ref"], names)} if "ref" in wanted else wanted
        return all(same(value, event.get(field)) for field, value in fields.items())

    def among(wanted: Any) -> bool:
        return any(matches(wanted, event) for event in events)

    if not isinstance(expected, Mapping):
        same_number = len(expected) == len(events)
        if not same_number or not all(matches(*pair) for pair in zip(expected, events, strict=True)):
            yield Failure(at, encode(expected), seen)
        return
    only = expected.get("only", [])
    strangers = [event for event in events if not any(matches(wanted, event) for wanted in only)]
    if "only" in expected and (strangers or len(only) != len(events) or not all(among(wanted) for wanted in only)):
        yield Failure((*at, "only"), f"only {encode(only)}, in any order", seen)
    if not all(among(wanted) for wanted in expected.get("has", [])):
        yield Failure((*at, "has"), f"at least {encode(expected['has'])}", seen)
    if any(among(wanted) for wanted in expected.get("lacks", [])):
        yield Failure((*at, "lacks"), f"none of {encode(expected['lacks'])}", seen)


def _check_record(expected: Plain, answer: Plain, names: Names, at: Pointer) -> Iterator[Failure]:
    record = answer.get("record")
    if not isinstance(record, Mapping):
        yield Failure(at, "a record", encode(answer))
        return
    told = {**answer, **record}  # what a preview would have replaced stands beside the record
    for field, value in expected.items():
        wanted = _resolved(value, names) if field in _ID_FIELDS else value
        if field not in told:
            yield Failure((*at, field), encode(value), "no such field")
        elif not same(wanted, told[field]):
            shown = _show_ids(told[field], names) if field in _ID_FIELDS else encode(told[field])
            yield Failure((*at, field), _show_ids(wanted, names) if field in _ID_FIELDS else encode(value), shown)


def _check_scores(expected: Plain, hits: Sequence[Plain], names: Names, at: Pointer) -> Iterator[Failure]:
    low, high = expected.get("min"), expected.get("max")
    if not hits:
        yield Failure(at, _bounds(low, high, "score"), "no hit, so no score")
    for hit in hits:
        if not _within(hit["score"], low, high):
            shown = names.show(hit["id"]) if "id" in hit else _show_events([hit])
            yield Failure(at, _bounds(low, high, "score"), f"{hit['score']} for {shown}")


def _within(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _bounds(low: float | None, high: float | None, what: str) -> str:
    if low == high:
        return f"{what} of exactly {low}"
    said = [f"at least {low}"] if low is not None else []
    return f"{what} of " + " and ".join([*said, f"at most {high}"] if high is not None else said)


def _list(value: Any) -> Sequence[str]:
    return [value] if isinstance(value, str) else value


def _texts(value: Any) -> Iterator[str]:
    """Every text in a plain value, keys included, and the value as a whole."""
    yield encode(value)
    stack = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            yield top
        elif isinstance(top, Mapping):
            stack.extend(top.values())
        elif isinstance(top, list | tuple):
            stack.extend(top)


def _resolved(value: Any, names: Names) -> Any:
    if isinstance(value, str):
        return names.ids.get(value, value)
    if isinstance(value, list | tuple):
        return [_resolved(item, names) for item in value]
    return value


def _show_ids(value: Any, names: Names) -> str:
    if isinstance(value, str):
        return names.show(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_show_ids(item, names) for item in value) + "]"
    return encode(value)


def _show_names(wanted: Sequence[str], names: Names) -> str:
    return "[" + ", ".join(f"{name} ({names.ids.get(name, 'never added')})" for name in wanted) + "]"


def _show_records(records: Sequence[Plain], names: Names) -> str:
    return "[" + ", ".join(f"{names.show(r['id'])} {encode(_clipped(r['summary']))}" for r in records) + "]"


def _show_events(events: Sequence[Plain]) -> str:
    return "[" + ", ".join(f"{event['kind']} {encode(_clipped(event['text']))}" for event in events) + "]"


def _show_reply(reply: Reply, names: Names) -> str:
    if reply.error is not None:
        return f"the error {show_error(reply.error)}"
    if isinstance(reply.answer, Mapping) and isinstance(reply.answer.get("records"), list):
        return f"the records {_show_records(reply.answer['records'], names)}"
    if isinstance(reply.answer, Mapping) and isinstance(reply.answer.get("events"), list):
        return f"the events {_show_events(reply.answer['events'])}"
    return "no error" if reply.answer is None else f"the answer {_clipped(encode(reply.answer), 400)}"


def _clipped(text: str, limit: int = _CLIP) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _held(wanted: str, text: str) -> bool:
    """Whether `text` holds it as it is, or as a JSON text inside writes its quotes, backslashes and line breaks."""
    return wanted in text or _inside(wanted) in text


def _inside(wanted: str) -> str:
    return encode(wanted)[1:-1]


def _around(text: str, found: str) -> str:
    """`found` with what stands just before and after it."""
    at = text.find(found)
    if at < 0:
        at = text.index(_inside(found))
    return text[max(0, at - 30) : at + len(found) + 30]
