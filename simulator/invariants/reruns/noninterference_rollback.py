"""noninterference:rollback: turns that did not commit change nothing for anybody."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...script import Script
from ..examples import HEADER, begin, context, deploy, end
from ..model import read
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
from .without import pointer, undone, without

NAME = "noninterference:rollback"


def check(script: Script, trace: TraceLike, rerun: Rerun) -> Verdict:
    """One second run without the turns that did not commit; everything else is compared."""
    history = history_of(trace)
    gone = undone(history)
    ran = [name for name in gone if name in read(history).turns]
    checked = dict.fromkeys(_COUNTS, 0)
    found = []
    if ran:
        changed = without(script, history, gone)
        kept = {pointer(step.pointer) for step in changed.steps}
        rest = observed(trace.lines, gone, kept)
        checked |= {
            "turns_dropped": len(gone),
            "lines": len(rest),
            "rollback_probes": looks_after(trace.lines, rest, lambda line: line["turn"] in ran),
        }
        differs = difference(rest, observed(rerun(changed).lines, gone, kept), packed(trace))
        if differs is not None:
            found.append(differing(NAME, "TXN-2", trace.lines, differs, "dropping the turns that did not commit"))
    return Verdict.of(NAME, checked, found, checked["rollback_probes"])


def observed(lines: Sequence[Line], gone: Collection[str], kept: Collection[str]) -> list[Line]:
    """All lines but those of the dropped turns, and of operators' steps that are not `kept`."""
    return [
        line
        for line in lines
        if line.get("turn") not in gone and (line["type"] != "review" or line.get("step") in kept)
    ]


_COUNTS = {
    "turns_dropped": "turns left out: rolled back, failed, crashed, in conflict, refused, or never ended",
    "lines": "lines compared",
    "rollback_probes": "contexts, calls, decisions and operators' listings that came after such a turn had begun; "
    "without one the verdict is unknown",
}


def _example(tokens: int) -> Lines:
    first = [begin("s0", "account-17", "Refunds?"), context("s0"), end("s0", "rolled_back")]
    second = [begin("s1", "account-17", "Refunds?"), context("s1", tokens=tokens), end("s1")]
    return Lines((HEADER, deploy(), *first, *second))


_SCRIPT = script_of(turn_step(0, "account-17", outcome="rollback"), turn_step(1, "account-17"))

NONINTERFERENCE_ROLLBACK = SecondRun(
    name=NAME,
    clauses=("TXN-2", "TXN-1", "REC-2", "HIS-4", "CTX-5", "CTX-6"),
    holds_when=(
        "Everything that other turns and operators observe, and the rest of the ledger, stays the same byte for byte "
        "when the turns that did not commit are dropped."
    ),
    change="the turns that did not commit are dropped, with the operators' steps on what only they defined",
    counts=_COUNTS,
    check=check,
    good=Example(_SCRIPT, _example(12), _example(12)),
    bad=Example(_SCRIPT, _example(12), _example(13)),
)
