"""Plain values: what may come in and go out as JSON, and the one canonical text of it.

Knows no record and no store. A value taken in is checked and copied, so that nobody's later change reaches it (REC-6).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from .values import EngineError, Json

MAX_DEPTH = 64
MAX_INTEGER_BITS = 4096  # far beyond any id or amount, and short of where Python refuses to print an integer
MAX_TIME = 253_402_300_799_999  # the last millisecond of the year 9999

_SURROGATE = re.compile("[\ud800-\udfff]")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# No value here holds itself: what comes in is copied, and JSON cannot say it.
_ENCODER = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
)
_DECODER = json.JSONDecoder()


def decoded(text: str) -> Any:
    """The value of a JSON text that was made here, anew each time; there is no space around it."""
    return _DECODER.raw_decode(text)[0]


def canonical(value: Json) -> str:
    """`value` as JSON in ASCII: keys sorted, no spaces. Equal values give equal text; 1 and true differ."""
    return _ENCODER.encode(value)


def copied(value: object, what: str) -> Json:
    """A deep copy of `value` in plain types. Raises `invalid_value`, naming `what`, where JSON cannot hold it."""
    return _copied(value, what, MAX_DEPTH)


def _copied(value: object, what: str, depth: int) -> Json:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        if value.bit_length() > MAX_INTEGER_BITS:
            raise EngineError("invalid_value", f"{what} holds an integer that is too large")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise EngineError("invalid_value", f"{what} holds a number that is not finite")
        return float(value)
    if depth == 0:
        raise EngineError("invalid_value", f"{what} is nested deeper than {MAX_DEPTH}")
    if isinstance(value, list | tuple):
        return [_copied(item, what, depth - 1) for item in value]
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise EngineError("invalid_value", f"{what} has a key that is not text")
        return {key: _copied(item, what, depth - 1) for key, item in value.items()}
    raise EngineError("invalid_value", f"{what} holds a {type(value).__name__}, which JSON does not")


def is_text(value: object) -> bool:
    """Whether `value` is text that UTF-8 can hold: no lone surrogate (REC-6)."""
    return isinstance(value, str) and (value.isascii() or _SURROGATE.search(value) is None)


def readable(text: str) -> str:
    """`text` with U+FFFD for each lone surrogate (REC-6)."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def all_text(value: Json) -> bool:
    """Whether UTF-8 can hold every text in `value`, keys included."""
    if isinstance(value, str):
        return is_text(value)
    if isinstance(value, list):
        return all(all_text(item) for item in value)
    if isinstance(value, dict):
        return all(is_text(key) and all_text(item) for key, item in value.items())
    return True


def all_readable(value: Json) -> Json:
    """`value` with U+FFFD for each lone surrogate in it."""
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, list):
        return [all_readable(item) for item in value]
    if isinstance(value, dict):
        return {readable(key): all_readable(item) for key, item in value.items()}
    return value


def checked_time(at: object) -> int:
    """`at` if it is a time: milliseconds since 1970 in UTC, up to the year 9999. Else `invalid_value`."""
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= MAX_TIME:
        raise EngineError(
            "invalid_value", "a time is a whole number of milliseconds since 1970-01-01T00:00:00Z, up to the year 9999"
        )
    return int(at)


@lru_cache(maxsize=4096)
def rfc3339(at: int) -> str:
    """Milliseconds since 1970 as RFC 3339 in UTC; a fraction only where there is one."""
    moment = _EPOCH + timedelta(milliseconds=at)
    return moment.isoformat(timespec="milliseconds" if at % 1000 else "seconds").replace("+00:00", "Z")
