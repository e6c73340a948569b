"""Faults of what reaches the model: pins, recall, uses, encoding, reviews (PIN, RCL, SCH, EXT)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from seatrial.engine import console, context, extraction, guidance, pins, scoring, tools, view
from seatrial.engine.engine import Engine, _Journal
from seatrial.engine.extraction import Extraction
from seatrial.engine.ids import with_id
from seatrial.engine.pins import Listing
from seatrial.engine.reviewer import Decision
from seatrial.engine.reviews import Reviews
from seatrial.engine.terms import Terms
from seatrial.engine.view import View

from .fault import Alteration, Fault


def _raw(value: Any) -> str:
    """A record as text that its own characters can end."""
    if isinstance(value, dict) and "summary" in value:
        return "{" + ",".join(f'"{key}":"{value[key]}"' for key in sorted(value)) + "}"
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _raw_pins(alteration: Alteration) -> None:
    alteration.put(pins, "line", _raw)


def _raw_recall(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def block(name: str, lines: Any) -> Any:
            return real(name, [_raw(json.loads(each)) for each in lines] if name == "memory" else lines)

        return block

    alteration.wrap(context, "block", make)


def _without_ids(alteration: Alteration) -> None:
    alteration.put(
        pins, "total_tokens", lambda shown, count: count("\n".join(each.summary for each in pins.in_order(shown)))
    )


def _all_pins(alteration: Alteration) -> None:
    def whole(shown: Any, budget: int, count: Any) -> Listing:
        ordered = pins.in_order(shown)
        return Listing("\n".join(pins._line(pin) for pin in ordered), tuple(ordered))

    alteration.put(tools, "list_pins", whole)


def _ordered(key: Callable[[Any], Any]) -> Callable[[Alteration], None]:
    return lambda alteration: alteration.put(pins, "in_order", lambda shown: sorted(shown, key=key))


def _silent(alteration: Alteration) -> None:
    alteration.put(pins, "_partly", lambda lines, shown: "\n".join(lines[:shown]))


def _pins_of_sessions(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        return lambda self: [record for record in real(self) if record.scope == "session"]

    alteration.wrap(View, "pinned", make)


def _uses(keep: Callable[[Any], bool]) -> Callable[[Alteration], None]:
    def alter(alteration: Alteration) -> None:
        def make(real: Any) -> Any:
            def append(self: _Journal, entry: Any, *uses: Any) -> None:
                real(self, entry, *(use for use in uses if keep(use)))

            return append

        alteration.wrap(_Journal, "append", make)

    return alter


def _piles_up(alteration: Alteration) -> None:
    alteration.put(Extraction, "_known", lambda self, candidate, view, besides=None: None)


def _forgets_deleted(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def known(candidate: Any, said: Any, own: Any, deleted: Any = ()) -> Decision | None:
            found: Decision | None = real(candidate, said, own, deleted=())
            return found

        return known

    alteration.wrap(extraction, "known", make)


def _deletions_told(alteration: Alteration) -> None:
    """A review skips what restates a deleted record of a scope that its version does not read."""

    def make(real: Any) -> Any:
        def made(self: Reviews, store: Any, begun: Any, reads: Any) -> None:
            real(self, store, begun, ("session", "agent"))

        return made

    alteration.wrap(Reviews, "__init__", make)


def _no_recheck(alteration: Alteration) -> None:
    alteration.put(Extraction, "recheck", lambda self, view: [])


def _relaxed(alteration: Alteration) -> None:
    """A search whose filter finds nothing is made again without it (agent-memory-server#334)."""

    def make(real: Any) -> Any:
        def search(self: View, query: str, filters: Any = None, **more: Any) -> Any:
            found = real(self, query, filters, **more)
            asks = filters is not None and not filters.empty and query.strip()
            return found if found or not asks else real(self, query, None, **more)

        return search

    alteration.wrap(View, "search", make)


def _types_folded(alteration: Alteration) -> None:
    """The values of a filter by labels compare as text (mem0#5160)."""

    def alike(value: Any) -> tuple[Any, ...]:
        text = str(value).lower()
        number = {"true": 1, "false": 0}.get(text, int(text) if text.isdecimal() else None)
        return (value, text) if number is None else (number, str(number), bool(number))

    def make(real: Any) -> Any:
        def filters(desk: Any, arguments: Any) -> Any:
            found = real(desk, arguments)
            labels = [
                (name, tuple(each for value in values for each in alike(value))) for name, values in found.labels or ()
            ]
            return replace(found, labels=tuple(labels) or None)

        return filters

    alteration.wrap(tools, "_filters", make)


def _one_more(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def search(self: View, query: str, filters: Any = None, *, limit: int = 8, **more: Any) -> Any:
            return real(self, query, filters, limit=limit + 1, **more)

        return search

    alteration.wrap(View, "search", make)


def _pins_without_pins(alteration: Alteration) -> None:
    """A version without pins takes one all the same."""

    def make(real: Any) -> Any:
        def draft(desk: Any, arguments: Any, source: Any) -> Any:
            made = real(desk, {**arguments, "pinned": False}, source)
            pinned = arguments.get("pinned", False)
            return tools.Draft(with_id(replace(made.record, pinned=pinned)), made.targets)

        return draft

    alteration.wrap(tools, "draft_record", make)


def _ties_by_chance(alteration: Alteration) -> None:
    """What is equal in score, and all listings, come in an order that is another one in every run."""

    def shuffled(record: Any) -> tuple[int, int, str]:
        return 0, 0, hashlib.sha256(f"{alteration.run} {record.id}".encode()).hexdigest()

    alteration.put(view, "newest_first", shuffled)
    alteration.put(console, "newest_first", shuffled)


def _keywords_against(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        return lambda meaning, keywords, recency: real(meaning, -keywords, recency)

    alteration.wrap(view, "score", make)


def _clock_in_instructions(alteration: Alteration) -> None:
    """The instructions tell the time of a clock that is another one in every run."""

    def make(real: Any) -> Any:
        return lambda config: f"The clock shows {alteration.run}.\n{real(config)}"

    alteration.wrap(guidance, "instructions", make)


def _all_blank(alteration: Alteration) -> None:
    alteration.put(tools, "blank", lambda text: True)


def _passed_over(alteration: Alteration) -> None:
    """Of several records that pass, the first of each partition is never looked at."""

    def make(real: Any) -> Any:
        def admitted(part: Any, filters: Any) -> Any:
            rows = real(part, filters)
            return rows[1:] if len(rows) > 1 else rows

        return admitted

    alteration.wrap(view, "admitted", make)


def _ended_counted(alteration: Alteration) -> None:
    """Document frequencies still count what was replaced or deleted."""
    alteration.put(Terms, "end", lambda self, row: None)


def _counted_once(alteration: Alteration) -> None:
    """A query's words weigh alike, however often each comes."""

    def make(real: Any) -> Any:
        def asked(query: str) -> Any:
            terms, counts = real(query)
            return terms, counts / counts

        return asked

    alteration.wrap(scoring, "_asked", make)


FAULTS: tuple[Fault, ...] = (
    Fault("recall-not-encoded", "RCL-2", "a recalled record is written as it is", _raw_recall),
    Fault("pins-not-encoded", "RCL-2", "a pinned summary is written as it is", _raw_pins),
    Fault("pins-without-pins", "PIN-1", "a version without pins takes a pin", _pins_without_pins),
    Fault("pins-counted-without-ids", "PIN-2", "the budget of pins counts summaries only", _without_ids),
    Fault("pins-over-budget", "PIN-4", "all pins are listed, whatever they take", _all_pins),
    Fault("pins-not-rechecked", "TXN-3", "AGENT pins of turns that were open at once both stay, whatever they take",
          lambda alteration: alteration.put(Engine, "_check_pins", lambda self, desk, batch: None)),
    Fault("pins-session-first", "PIN-3", "SESSION pins are listed before AGENT pins",
          _ordered(lambda pin: (pin.scope == "agent", pin.at, pin.ordinal, pin.id))),
    Fault("pins-newest-first", "PIN-3", "pins are listed newest first",
          _ordered(lambda pin: (pin.scope != "agent", -pin.at, -pin.ordinal, pin.id))),
    Fault("pins-left-out-in-silence", "PIN-4", "no line says how many pins are left out", _silent),
    Fault("agent-pins-left-out", "PIN-3", "AGENT pins are not listed", _pins_of_sessions),
    Fault("uses-of-helpers-lost", "RCL-3", "what a helper retrieves is on nobody's record",
          _uses(lambda use: use.actor == "agent")),
    Fault("uses-of-pins-lost", "RCL-3", "pins are no output use", _uses(lambda use: use.source != "pin")),
    Fault("reviews-pile-up", "EXT-4", "a review adds what is there already", _piles_up),
    Fault("reviews-bring-back", "EXT-5", "a review brings back what an operator deleted", _forgets_deleted),
    Fault("deletions-told-by-reviews", "EXT-5", "a review skips what was deleted of a scope that is not read",
          _deletions_told),
    Fault("reviews-not-rechecked", "TXN-3", "two reviews that find the same at once both add it", _no_recheck),
    Fault("ties-by-chance", "SCH-7", "equal scores and listings come in an order of their own in every run",
          _ties_by_chance),
    Fault("keywords-count-against", "SCH-3", "a score is less for each keyword that a record has", _keywords_against),
    Fault("clock-in-instructions", "CTX-1", "the instructions tell the time of a clock", _clock_in_instructions),
    Fault("words-taken-for-none", "SCH-1", "a query is refused as blank, whatever it says", _all_blank),
    Fault("filters-relaxed", "SCH-1", "a filter that finds nothing is dropped", _relaxed),
    Fault("filters-fold-types", "REC-5", "a filter takes `1`, `true` and `\"1\"` for one value", _types_folded),
    Fault("records-passed-over", "SCH-2", "a search never looks at the oldest of several records", _passed_over),
    Fault("frequencies-of-ended", "SCH-4", "document frequencies count records that ended", _ended_counted),
    Fault("words-counted-once", "SCH-4", "a word that a query has twice weighs as once", _counted_once),
    Fault("one-hit-too-many", "SCH-2", "a search and a recall return one record more than they may", _one_more),
)  # fmt: skip
