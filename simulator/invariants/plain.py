"""Plain values of a trace and of a config, read as they come: another system may write anything where a value is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any

OBJECT = (dict, Mapping)  # to ask the abstract class alone takes four times as long, and values are asked all the time


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
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or isfinite(value) else None


def moment(at: Any) -> datetime | None:
    """A time as a trace states it, in UTC where it names no zone; None where it is none."""
    try:
        time = datetime.fromisoformat(at) if isinstance(at, str) else None
    except ValueError:
        return None
    return time.replace(tzinfo=UTC) if time is not None and time.tzinfo is None else time
