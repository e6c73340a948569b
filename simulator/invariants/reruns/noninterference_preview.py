"""noninterference:preview: what live turns observe does not depend on previews."""

from __future__ import annotations

from collections.abc import Sequence

from ...script import Script, TurnStep
from ..events import Begin
from ..examples import HEADER, begin, context, deploy, end
from ..history import History
from ..verdict import Verdict
from .examples import script_of, turn_step
from .second_run import (
    Example,
    Line,
    Lines,
    Rerun,
    SecondRun,
    TraceLike,
    difference,
    differing,
    history_of,
    looks_after,
    packed,
)
from .without import without

NAME = "noninterference:preview"


def check(script: Script, trace: TraceLike, rerun: Rerun) -> Verdict:
    """One second run without the preview turns. Live turns that were refused as busy are left out of both (TXN-3)."""
    history = history_of(trace)
    previews = [step.execution for step in script.steps if isinstance(step, TurnStep) and step.plane == "preview"]
    checked = dict.fromkeys(_COUNTS, 0)
    found = []
    if previews:
        busy = _busy(history)
        live = observed(trace.lines, busy)
        again = rerun(without(script, history, [*previews, *busy]))
        checked |= {
            "turns_dropped": len(previews),
            "turns_refused": len(busy),
            "lines": len(live),
            "preview_probes": looks_after(trace.lines, live, lambda line: line["plane"] == "preview"),
        }
        differs = difference(live, observed(again.lines, busy), packed(trace))
        if differs is not None:
            found.append(differing(NAME, "PRE-4", trace.lines, differs, "dropping the preview turns"))
    return Verdict.of(NAME, checked, found, checked["preview_probes"])


def observed(lines: Sequence[Line], busy: Sequence[str]) -> list[Line]:
    """The lines of live turns, and the live part of the ledger."""
    live = {line["turn"] for line in lines if line["type"] == "begin" and line["plane"] == "live"} - set(busy)
    return [
        line for line in lines if line.get("turn") in live or (line["type"] == "record" and line.get("plane") == "live")
    ]


def _busy(history: History) -> list[str]:
    """Live turns that were refused because another of their session was open: TXN-3 says so of either plane."""
    return [
        event.turn
        for event in history.events
        if isinstance(event, Begin) and event.error is not None and event.error.get("code") == "busy"
    ]


_COUNTS = {
    "turns_dropped": "preview turns left out",
    "turns_refused": "live turns that were refused as busy, and are compared in neither run",
    "lines": "lines compared",
    "preview_probes": "contexts, calls and decisions of live turns that came after a preview had begun; without one "
    "the verdict is unknown",
}


def _example(tokens: int) -> Lines:
    preview = [begin("s0", "account-17", "Refunds?", plane="preview"), context("s0"), end("s0")]
    live = [begin("s1", "account-17", "Refunds?"), context("s1", tokens=tokens), end("s1")]
    return Lines((HEADER, deploy(), *preview, *live))


_SCRIPT = script_of(turn_step(0, "account-17", plane="preview"), turn_step(1, "account-17"))

NONINTERFERENCE_PREVIEW = SecondRun(
    name=NAME,
    clauses=("PRE-4", "PRE-1", "PRE-2", "VIEW-4"),
    holds_when=(
        "Everything live turns observe, and the live part of the ledger, stays the same byte for byte when the preview "
        "turns are dropped. Live turns that were refused as busy, which an open preview may cause (TXN-3), are "
        "compared in neither run."
    ),
    change="the preview turns are dropped, with the operators' steps on what they defined",
    counts=_COUNTS,
    check=check,
    good=Example(_SCRIPT, _example(12), _example(12)),
    bad=Example(_SCRIPT, _example(12), _example(13)),
)
