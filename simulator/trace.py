"""The trace of a run: one plain value a line, written in one canonical form.

Canonical: keys sorted by code point, no spaces, UTF-8, integers exact, other numbers as the shortest text that reads
back the same, times in RFC 3339 and UTC, one line feed after each line. Knows neither script nor engine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeAlias

FORMAT = 1

Line: TypeAlias = Mapping[str, Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
_SURROGATE = re.compile("[\ud800-\udfff]")


def encode(value: Any) -> str:
    """`value` (plain JSON values) in canonical form, without a line feed. NaN and infinity raise ValueError.

    A lone surrogate, which UTF-8 cannot hold, is written as its escape: the line still reads back the same.
    """
    text = _ENCODER.encode(value)
    return text if text.isascii() else _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


@lru_cache(maxsize=4096)
def rfc3339(at: int) -> str:
    """Milliseconds since 1970 as a time in UTC: whole seconds without a fraction, else with three digits."""
    moment = _EPOCH + timedelta(milliseconds=at)
    return moment.isoformat(timespec="milliseconds" if at % 1000 else "seconds").replace("+00:00", "Z")


@lru_cache(maxsize=4096)
def pointer_text(pointer: tuple[str | int, ...]) -> str:
    """A pointer as RFC 6901 writes it: `/steps/2/do/1`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)


@dataclass(frozen=True, eq=False)
class Trace:
    """A finished run, line by line, the ledger last. Two are equal only when they are the same one: see `text`."""

    lines: tuple[Line, ...]

    @cached_property
    def text(self) -> str:
        """All lines in canonical form. Same script, same text."""
        return "".join(encode(line) + "\n" for line in self.lines)

    def write(self, path: Path) -> None:
        """Write the trace to `path`, replacing what is there."""
        path.write_bytes(self.text.encode("utf-8"))
