"""Plain values of a trace and of a config, read as they come: another system may write anything where a value is."""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from math import isfinite
from typing import Any, Generic, TypeVar

_Made = TypeVar("_Made")

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str, check_circular=False)  # of JSON values

OBJECT = (dict, Mapping)  # to ask the abstract class alone takes four times as long, and values are asked all the time


class Remembered(Generic[_Made]):
    """What `make` makes of values, each looked at once: contexts that show a message again mostly share the value.

    By identity, and the values are kept, so that no other can come to have the same one. To make it of an equal value
    gives an equal result.
    """

    def __init__(self, make: Callable[[Any], _Made]) -> None:
        self._make = make
        self._known: dict[int, tuple[_Made, Any]] = {}

    def __call__(self, value: Any) -> _Made:
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = self._make(value), value
        return known[0]


def packed(value: Any) -> bytes | None:
    """Bytes that are equal only where the values are the same JSON (`1` and `true` differ), and mostly then: keys may
    stand in another order. None for what is not of plain types."""
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        return None


def json_text(value: Any) -> str:
    """A value as JSON, the same text only for the same JSON: `1`, `true` and `"1"` differ (REC-5)."""
    return _ENCODER.encode(value)


def same(left: Any, right: Any) -> bool:
    """Whether two values are the same JSON. Equal bytes are; of others the texts tell."""
    kept = packed(left)
    return (kept is not None and kept == packed(right)) or json_text(left) == json_text(right)


def message_text(message: Any) -> str | None:
    """The text of a message, whatever its system calls it; None where it has none."""
    if isinstance(message, OBJECT):
        for key in ("text", "content", "value"):
            if key in message:
                message = message[key]
                break
    return message if isinstance(message, str) else None


def ids(value: Any) -> tuple[str, ...]:
    """One id or a list of ids, as a tuple."""
    if isinstance(value, str):
        return (value,)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def id_of(record: Any) -> str | None:
    """The id of a record; None where it has none."""
    name = record.get("id") if isinstance(record, OBJECT) else None
    return name if isinstance(name, str) else None


def scopes_of(config: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The scopes that a config reads and writes; both default to session (SCO-1). Without a config, any."""
    if not config:
        return ("session", "agent"), ("session", "agent")
    scope = setting(config, "harness", "memory", "scope")
    scope = scope if isinstance(scope, OBJECT) else {}
    reads, writes = (tuple(each.lower() for each in ids(scope.get(key, ["session"]))) for key in ("read", "write"))
    return reads, writes


def setting(config: Mapping[str, Any], *path: str) -> Any:
    """What a config says at `path`; None where it says nothing."""
    value: Any = config
    for key in path:
        value = value.get(key) if isinstance(value, OBJECT) else None
    return value


def as_number(value: Any) -> int | float | None:
    """The value where it is a number, which true, false and what is too large for one are not; else None."""
    if type(value) is not float and (isinstance(value, bool) or not isinstance(value, (int, float))):
        return None
    return value if isinstance(value, int) or isfinite(value) else None


def moment(at: Any) -> datetime | None:
    """A time as a trace states it, in UTC where it names no zone; None where it is none."""
    return _moment(at) if isinstance(at, str) else None


@lru_cache(maxsize=4096)
def _moment(at: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(at)
    except ValueError:
        return None
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time
