"""determinism: the same script gives the same trace, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence

from ...script import Script
from ..examples import HEADER, begin, context, deploy, end
from ..verdict import Verdict, Violation
from .second_run import Difference, Example, Line, Lines, Rerun, SecondRun, TraceLike, difference, packed, shown

NAME = "determinism"
_OBSERVED = ("context", "call", "decision", "review")


def check(script: Script, trace: TraceLike, rerun: Rerun) -> Verdict:
    """Run `script` again, unchanged, and compare every line."""
    second = rerun(script)
    observed = sum(line["type"] in _OBSERVED for line in trace.lines)
    checked = {"reruns": 1, "lines": len(trace.lines), "observations": observed}
    found = difference(trace.lines, second.lines, packed(trace))
    return Verdict.of(NAME, checked, [] if found is None else [_violation(trace.lines, found)], observed)


def _violation(lines: Sequence[Line], found: Difference) -> Violation:
    because = f"because the same script gave {found.before} first and {found.after} the second time"
    return shown(NAME, "SCH-7", lines, found, because=because, path=("the same script again",))


_SCRIPT = Script("an example", None, (), (), ())
_FIRST = (HEADER, deploy(), begin("s0", "account-17", "Hello"), context("s0", tokens=12), end("s0"))

DETERMINISM = SecondRun(
    name=NAME,
    clauses=("SCH-7", "REC-2", "CTX-1"),
    holds_when="The same script gives the same trace, byte for byte: no clock, chance or order of a set shows in it.",
    change="nothing",
    counts={
        "reruns": "second runs made",
        "lines": "lines compared",
        "observations": "contexts, calls, decisions and operators' calls among them; without one the verdict is "
        "unknown",
    },
    check=check,
    good=Example(_SCRIPT, Lines(_FIRST), Lines(_FIRST)),
    bad=Example(_SCRIPT, Lines(_FIRST), Lines((*_FIRST[:3], context("s0", tokens=13), *_FIRST[4:]))),
)
