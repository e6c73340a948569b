"""Pins: the records that every turn's instructions list, within a budget (PIN-2, PIN-3, PIN-4).

Pure functions over records. Must not know views, tools or the store: who sees which pins is decided before it comes
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .render import line
from .tokens import TokenCounter
from .values import EngineError, Record


@dataclass(frozen=True, slots=True)
class Listing:
    """The pins as the instructions list them: `text`, empty without pins, and the records that stand in it."""

    text: str
    records: tuple[Record, ...]


def in_order(pins: Sequence[Record]) -> list[Record]:
    """AGENT before SESSION, oldest first, then as every listing (PIN-3, SCH-7)."""
    return sorted(pins, key=lambda pin: (pin.scope != "agent", pin.at, pin.ordinal, pin.id))


def list_pins(pins: Sequence[Record], budget: int, count: TokenCounter) -> Listing:
    """As many of `pins` as fit into `budget` tokens, one a line; if not all, a last line says how many do not (PIN-4).

    They leave from the end: SESSION before AGENT, newest first. `count` must not fall as a text grows.
    """
    ordered = in_order(pins)
    lines = [_line(pin) for pin in ordered]
    whole = "\n".join(lines)
    if count(whole) <= budget:
        return Listing(whole, tuple(ordered))
    fitting, text = 0, _partly(lines, 0)
    too_many = len(lines)
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        tried = _partly(lines, middle)
        if count(tried) <= budget:
            fitting, text = middle, tried
        else:
            too_many = middle
    if count(text) > budget:  # too small for the words
        text = str(len(lines))
    return Listing(text, tuple(ordered[:fitting]))


def check_budget(pin: Record, others: Sequence[Record], budget: int, count: TokenCounter) -> None:
    """Whether `pin` fits beside the `others` of its view (PIN-2).

    Else raises `over_budget`, which lists them with their ids and sizes and says what to do (letta#1199).
    """
    total = total_tokens([*others, pin], count)
    if total <= budget:
        return
    size = count(_line(pin))
    sizes = "; ".join(f"{other.id}, {other.scope}, {count(_line(other))} tokens" for other in in_order(others))
    raise EngineError(
        "over_budget",
        f"with this pin of {size} tokens the pins would take {total} tokens, and the budget is {budget}. "
        + (f"The pins are: {sizes}." if others else "There is no other pin."),
        "Consolidate several pins into one: write one pinned record that names them in `replaces`. Or write this "
        "record without `pinned`."
        if others
        else "Shorten its summary and put the rest in `content`, or write it without `pinned`.",
    )


def total_tokens(pins: Sequence[Record], count: TokenCounter) -> int:
    """What the listing of all of `pins` takes as it is rendered, ids and line ends too."""
    return count("\n".join(_line(pin) for pin in in_order(pins)))


def _line(pin: Record) -> str:
    return line({"id": pin.id, "summary": pin.summary})  # RCL-2: what it holds cannot begin a line of its own


def _partly(lines: Sequence[str], shown: int) -> str:
    """The first lines, and how many are left out."""
    return "\n".join((*lines[:shown], line({"left_out": len(lines) - shown})))
