"""For people: a line for each scenario, what is wrong below it, and a summary of what was checked.

Every text that comes from a file or a run goes through `printable`: nothing in it can move a cursor or forge a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias

from seatrial.linter import Diagnostic
from seatrial.linter.report import counted, said
from seatrial.schemas.wording import printable

from ..crash import CRASH, Crash
from ..expect import Failure
from ..invariants import Verdict, Violation
from ..invariants.grouping import grouped
from ..suite import Judgement, State
from ..trace import pointer_text
from .facts import LOST, SHOWN, by_invariant, facts, place

Style: TypeAlias = Literal["good", "bad", "dim"]
# A text and what it is -> the text as the terminal takes it.
Paint: TypeAlias = Callable[[str, Style], str]

_WORDS: dict[State, str] = {"ok": "ok", "failed": "FAILED", "vacuous": "VACUOUS", "invalid": "INVALID", "lost": "LOST"}


def plain(text: str, _: Style) -> str:
    """No colour."""
    return text


def scenario(judgement: Judgement, paint: Paint = plain) -> Iterator[str]:
    """The lines about one scenario: one where all is well."""
    word = paint(f"{_WORDS[judgement.state]:<8}", "good" if judgement.state == "ok" else "bad")
    name = f": {judgement.scenario}" if judgement.scenario else ""
    yield word + printable(f" {judgement.path}{name}")
    for diagnostic in judgement.diagnostics:
        yield from _diagnostic(diagnostic)
    for crash in judgement.crashes:
        yield from _crash(judgement, crash, paint)
    for failure in judgement.failures:
        yield from _failure(judgement, failure)
    yield from _violations(judgement, paint)
    for name in judgement.vacuous:
        yield f"  {name}: it is asked for, and had nothing to check"
    if judgement.state == "lost":
        yield f"  {LOST}"
    for note in judgement.notes:
        where = f"{place(judgement, note.step)}: " if note.step else ""
        yield paint(printable(f"  note: {where}{note.message}"), "dim")


def summary(judgements: Sequence[Judgement], paint: Paint = plain, *, verbose: bool = False) -> Iterator[str]:
    """How many scenarios came out how, and what each invariant checked in all of them.

    Those that had nothing to check are only counted, and so are those that hold where a scenario failed: there nothing
    is to be read but what is wrong. `verbose` lists all.
    """
    yield ""
    by_name = by_invariant(judgements)
    states = [judgement.state for judgement in judgements]
    listed = ("violated",) if "failed" in states else ("violated", "holds")
    told = [each for each in by_name.values() if verbose or any(verdict.status in listed for verdict in each)]
    if told:
        yield f"{'invariant':<24}    holds  violated   unknown    probes"
    for verdicts in told:
        yield _checked(verdicts, paint)
    rest = [each for each in by_name.values() if each not in told]
    if rest:
        yield paint(f"{_counted(rest, 'more ' if told else '')} (-v lists them)", "dim")
    counts = ", ".join(f"{states.count(state)} {state}" for state in _WORDS if state in states)
    what = "trace" if judgements and all(judgement.of_trace for judgement in judgements) else "scenario"
    turns = sum(judgement.turns for judgement in judgements)
    line = f"{counted(len(states), what)}, {counted(turns, 'turn')}: {counts}"
    yield paint(line, "good" if set(states) <= {"ok"} else "bad")


def _checked(verdicts: Sequence[Verdict], paint: Paint) -> str:
    """In how many scenarios the invariant came out how, and how often something could have shown a violation."""
    statuses = [verdict.status for verdict in verdicts]
    counts = [statuses.count("holds"), statuses.count("violated"), statuses.count("unknown")]
    counts.append(sum(verdict.probes for verdict in verdicts))
    line = f"{verdicts[0].name:<24}" + "".join(f"{count or '-':>9} " for count in counts).rstrip()
    return paint(line, "bad") if "violated" in statuses else line


def _counted(rest: Sequence[Sequence[Verdict]], more: str) -> str:
    """How many invariants there are besides those listed, and what became of them."""
    hold = sum(any(verdict.status == "holds" for verdict in verdicts) for verdicts in rest)
    idle = len(rest) - hold
    if not hold:
        return f"{counted(idle, f'{more}invariant')} had nothing to check"
    held = f"{counted(hold, f'{more}invariant')} {'holds' if hold == 1 else 'hold'}"
    return f"{held}, {idle} had nothing to check" if idle else held


def _diagnostic(diagnostic: Diagnostic) -> Iterator[str]:
    severity = "" if diagnostic.severity == "error" else f"{diagnostic.severity}: "
    yield printable(
        f"  {diagnostic.path}:{diagnostic.span.line}:{diagnostic.span.column}: "
        f"{diagnostic.code} {severity}{said(diagnostic)}"
    )


def _crash(judgement: Judgement, crash: Crash, paint: Paint) -> Iterator[str]:
    what, raised_in = crash.lines
    yield printable(f"  {place(judgement, pointer_text(crash.step))}: ") + paint(CRASH, "bad") + printable(f": {what}")
    yield printable(f"    {raised_in}")


def _failure(judgement: Judgement, failure: Failure) -> Iterator[str]:
    step = pointer_text(failure.pointer)
    yield printable(f"  {place(judgement, step)}: {step}")
    yield printable(f"    expected {failure.expected}")
    yield printable(f"    seen     {failure.seen}")


def _violations(judgement: Judgement, paint: Paint) -> Iterator[str]:
    """Each observation once, whatever invariants it violates, and what is alike but for the place in one line."""
    for name, groups in grouped(judgement.verdicts).items():
        causes: dict[object, list[tuple[Violation, ...]]] = {}
        for group in groups:
            first = group[0]
            alike = (first.clause, first.record, first.because) if first.record is not None else id(group)
            causes.setdefault(alike, []).append(group)
        for group, *again in [*causes.values()][:SHOWN]:
            yield from _violation(judgement, group, paint)
            for each, *_ in again[:SHOWN]:
                yield printable(f"    again    {each.observation} ({place(judgement, each.step, each.line)})")
            if len(again) > SHOWN:
                yield f"    … and {counted(len(again) - SHOWN, 'more time')}"
        if len(causes) > SHOWN:
            yield f"  … and {sum(map(len, [*causes.values()][SHOWN:]))} more violations of {name}"


def _violation(judgement: Judgement, group: Sequence[Violation], paint: Paint) -> Iterator[str]:
    violation = group[0]
    head = paint(f"{violation.invariant} is violated", "bad")
    where = printable(f"  {place(judgement, violation.step, violation.line)}: ")
    yield where + head + printable(f" ({violation.clause})")
    for word, told in facts(group).items():
        yield printable(f"    {told}" if word == "why" else f"    {word:<8} {told}")
