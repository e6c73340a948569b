"""A trace, read: JSON Lines in, frozen typed values out.

Judges the form only, and leniently where the form does not matter: keys that are not known are ignored, so that a trace
of any memory system can be read. What would let an observation go unchecked is refused with its line number: a line
that is no JSON object, an unknown type, a line of a turn that did not begin or has ended.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from .events import (
    Begin,
    Call,
    Context,
    Decision,
    Deploy,
    End,
    Entry,
    Event,
    Execution,
    Postponed,
    Restart,
    Review,
    Say,
    Stored,
    Use,
)
from .plain import OBJECT

FORMAT = 1


class TraceError(ValueError):
    """A trace that cannot be read. `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


_KINDS = {
    str: "a string",
    int: "an integer",
    dict: "an object",
    list: "a list",
}
_MISSING: Any = object()


class _Line:
    """One line while it is read: takes its keys, and says by number which one is wrong."""

    def __init__(self, number: int, value: Mapping[str, Any]) -> None:
        self.number = number
        self.value = value

    def fail(self, reason: str) -> NoReturn:
        raise TraceError(self.number, reason)

    def take(self, key: str, kind: type, default: Any = _MISSING) -> Any:
        """The value of `key`. Without a default it must be there; null counts as absent where one is given."""
        value = self.value.get(key)
        if value is None:
            if default is _MISSING:
                self.fail(f"a {self.value['type']} needs {key!r}, {_KINDS[kind]}")
            return default
        if type(value) is not kind and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            self.fail(f"{key!r} is {_KINDS[kind]}, not {json.dumps(value, default=str)[:60]}")
        return value

    def items(self, key: str) -> tuple[Any, ...]:
        return tuple(self.take(key, list, ()))


def _deploy(line: _Line) -> Deploy:
    return Deploy(
        line=line.number,
        agent=line.take("agent", str),
        plane=line.take("plane", str, "live"),
        version=line.take("version", int, None),
        config=line.take("config", dict, {}),
        error=line.take("error", dict, None),
        step=line.take("step", str, ""),
    )


def _begin(line: _Line) -> Begin:
    return Begin(
        line=line.number,
        turn=line.take("turn", str),
        agent=line.take("agent", str),
        session=line.take("session", str, None),
        plane=line.take("plane", str, "live"),
        at=line.take("at", str, None),
        version=line.take("version", int, None),
        user=line.take("user", str, None),
        step=line.take("step", str, ""),
        error=line.take("error", dict, None),
    )


def _context(line: _Line) -> Context:
    return Context(
        line=line.number,
        turn=line.take("turn", str),
        call=line.take("call", int),
        purpose=line.take("purpose", str, "turn"),
        step=line.take("step", str, ""),
        instructions=line.take("instructions", str, ""),
        pins=line.items("pins"),
        has_state="state" in line.value,
        state=line.value.get("state"),
        summary=line.take("summary", str, None),
        messages=line.items("messages"),
        recalled=line.items("recalled"),
        memory=line.take("memory", str, ""),
        told=frozenset(line.value),
    )


def _say(line: _Line) -> Say:
    turn, kind = line.take("turn", str), line.take("kind", str)
    if kind == "state" and "value" not in line.value:
        line.fail("a say of a state needs 'value', the state")
    return Say(line.number, turn, kind, line.value.get("value"), line.take("ref", str, None))


def _call(line: _Line) -> Call:
    answer, error = line.take("answer", dict, None), line.take("error", dict, None)
    if (answer is None) == (error is None):
        line.fail("a call has an 'answer' or an 'error', exactly one of them")
    return Call(
        line=line.number,
        turn=line.take("turn", str),
        call=line.take("call", int),
        by=line.take("by", str, "agent"),
        tool=line.take("tool", str),
        arguments=line.take("arguments", dict, {}),
        answer=answer,
        error=error,
        step=line.take("step", str, ""),
    )


def _decision(line: _Line) -> Decision:
    return Decision(
        line=line.number,
        turn=line.take("turn", str),
        call=line.take("call", int),
        candidate=line.take("candidate", dict, {}),
        decision=line.value.get("decision"),
        outcome=line.take("outcome", str),
        target=line.take("target", str, None),
        record=line.take("record", dict, None),
        reason=line.take("reason", str, ""),
        error=line.take("error", dict, None),
        step=line.take("step", str, ""),
    )


def _postponed(line: _Line) -> Postponed:
    return Postponed(line.number, line.take("turn", str))


def _end(line: _Line) -> End:
    return End(
        line=line.number,
        turn=line.take("turn", str),
        outcome=line.take("outcome", str),
        has_state="state" in line.value,
        state=line.value.get("state"),
        step=line.take("step", str, ""),
    )


def _review(line: _Line) -> Review:
    grants = line.take("grants", list, None)
    if line.value.get("action") in ("read", "delete") and not isinstance(line.value.get("id"), str):
        line.fail(f"a review that is to {line.value['action']} needs 'id', a string")
    return Review(
        line=line.number,
        agent=line.take("agent", str),
        action=line.take("action", str),
        id=line.take("id", str, None),
        grants=None if grants is None else tuple(grants),
        answer=line.value.get("answer"),
        error=line.take("error", dict, None),
        step=line.take("step", str, ""),
    )


def _restart(line: _Line) -> Restart:
    return Restart(line.number)


def _record(line: _Line) -> Stored:
    return Stored(
        line=line.number,
        id=line.take("id", str),
        agent=line.take("agent", str, None),
        plane=line.take("plane", str, None),
        scope=line.take("scope", str, None),
        session=line.take("session", str, None),
        execution=line.take("execution", str, None),
        version=line.take("version", int, None),
        source=line.take("source", str, None),
        summary=line.take("summary", str, None),
        content=line.take("content", str, None),
        kind=line.take("kind", str, None),
        labels=line.take("labels", dict, None),
        status=line.take("status", str, None),
        successor=line.take("successor", str, None),
        replaces=line.items("replaces"),
        would_replace=line.items("would_replace"),
        would_delete=line.take("would_delete", str, None),
        versions=line.items("versions"),
        told=frozenset(line.value),
    )


def _execution(line: _Line) -> Execution:
    return Execution(line.number, line.take("turn", str), line.take("outcome", str))


def _use(line: _Line) -> Use:
    turn, call = line.take("turn", str), line.take("call", int)
    return Use(line.number, turn, call, line.take("by", str, "agent"), line.take("source", str), line.items("records"))


_READERS: Mapping[str, Callable[[_Line], Event | Entry]] = {
    "deploy": _deploy,
    "begin": _begin,
    "context": _context,
    "say": _say,
    "call": _call,
    "decision": _decision,
    "postponed": _postponed,
    "end": _end,
    "review": _review,
    "restart": _restart,
    "record": _record,
    "execution": _execution,
    "use": _use,
}


@dataclass(frozen=True, eq=False, slots=True)
class History:
    """A finished trace: what happened, in order, then the ledger.

    Two histories are equal only when they are the same one, so that what is derived from a history can be kept by it.
    """

    scenario: str
    events: tuple[Event, ...]
    records: tuple[Stored, ...]
    executions: tuple[Execution, ...]
    uses: tuple[Use, ...]

    @classmethod
    def parse(cls, lines: Iterable[str | Mapping[str, Any]]) -> History:
        """Read `lines`: JSON texts, or values already parsed. Blank texts are skipped. Raises TraceError."""
        scenario: str | None = None
        events: list[Event] = []
        entries: list[Entry] = []
        state = _Turns()
        number = 0
        for number, raw in enumerate(lines, start=1):
            value = _value(number, raw)
            if value is None:
                continue
            if scenario is None:
                scenario = _header(number, value)
                continue
            item = _item(_Line(number, value))
            if isinstance(item, (Stored, Execution, Use)):
                entries.append(item)
            else:
                state.admit(item)
                events.append(item)
        if scenario is None:
            raise TraceError(max(number, 1), "the trace is empty")
        return cls(
            scenario,
            tuple(events),
            tuple(entry for entry in entries if isinstance(entry, Stored)),
            tuple(entry for entry in entries if isinstance(entry, Execution)),
            tuple(entry for entry in entries if isinstance(entry, Use)),
        )


class _Turns:
    """Which turns are open, to refuse a line that belongs to none: nothing would be known of who observed it."""

    def __init__(self) -> None:
        self.open: set[str] = set()
        self.known: set[str] = set()

    def admit(self, event: Event) -> None:
        if isinstance(event, Begin):
            if event.error is not None:
                return
            if event.turn in self.known:
                raise TraceError(event.line, f"turn {event.turn!r} begins a second time")
            self.known.add(event.turn)
            self.open.add(event.turn)
        elif isinstance(event, (Context, Say, Call, Decision, Postponed, End)):
            if event.turn not in self.open:
                reason = "has ended" if event.turn in self.known else "did not begin"
                raise TraceError(event.line, f"turn {event.turn!r} {reason}")
            if isinstance(event, End):
                self.open.discard(event.turn)


def _value(number: int, raw: str | Mapping[str, Any]) -> Mapping[str, Any] | None:
    if isinstance(raw, str):
        if not raw.strip():
            return None
        try:
            raw = json.loads(raw.rstrip(), object_pairs_hook=_pairs, parse_constant=_constant)
        except (ValueError, RecursionError) as error:
            reason = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
            raise TraceError(number, f"not JSON: {reason}") from error
    if not isinstance(raw, OBJECT):
        raise TraceError(number, "not a JSON object")
    return raw


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} twice in one object")
    return value


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")


def _header(number: int, value: Mapping[str, Any]) -> str:
    if value.get("type") != "trace":
        raise TraceError(
            number, f"the first line must be {json.dumps({'type': 'trace', 'format': FORMAT})}, and says no such type"
        )
    form = value.get("format")
    if type(form) is not int or form != FORMAT:  # true and 1.0 equal 1 in Python
        raise TraceError(number, f"format {json.dumps(form, default=str)} cannot be read; this reads format {FORMAT}")
    scenario: str = _Line(number, value).take("scenario", str, "")
    return scenario


def _item(line: _Line) -> Event | Entry:
    kind = line.value.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        line.fail(f"unknown type {kind!r}; one of {', '.join(_READERS)}")
    return reader(line)
