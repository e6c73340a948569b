"""What a listing of pins takes, as the oracle counts it: a line of JSON for each pin, id and summary.

A system may escape characters, so that a listing has a least and a greatest size; they are one for plain ASCII.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from .model import Turn, Write
from .plain import as_number, moment, setting

_OLDEST = datetime.min.replace(tzinfo=UTC)


def budget(turn: Turn) -> int | None:
    """`pinned.max_tokens` of the turn's version; None without pins."""
    tokens = as_number(setting(turn.config, "harness", "memory", "pinned", "max_tokens"))
    return None if tokens is None else int(tokens)


def tokens(text: str) -> int:
    """CTX-7."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)


def least(pins: Sequence[Write]) -> int:
    """The tokens that listing `pins` takes at least."""
    return tokens("\n".join(_line(pin) for pin in pins))


def most(pins: Sequence[Write], left_out: int = 0) -> int:
    """The tokens that listing `pins` takes at most, with a line for those left out."""
    lines = [_escaped(_line(pin)) for pin in pins]
    if left_out:
        lines.append(json.dumps({"left_out": left_out}, separators=(",", ":")))
    return tokens("\n".join(lines))


def key(pin: Write) -> tuple[bool, datetime]:
    """AGENT before SESSION, oldest first (PIN-3); a trace without times is in order as it is."""
    return (pin.origin.scope != "agent", moment(pin.origin.turn.at) or _OLDEST)


def in_order(pins: Sequence[Write]) -> list[Write]:
    return sorted(pins, key=lambda pin: (*key(pin), pin.line))


def _line(pin: Write) -> str:
    return json.dumps({"id": pin.id, "summary": pin.summary}, ensure_ascii=False, separators=(",", ":"))


def _escaped(text: str) -> str:
    return "".join(char if char.isascii() and char.isprintable() and char not in "<>&" else "\\u0000" * _units(char)
                   for char in text)  # fmt: skip


def _units(char: str) -> int:
    return 2 if ord(char) > 0xFFFF else 1
