"""For people: a line for each scenario, what is wrong below it, and a summary of what was checked.

Every text that comes from a file or a run goes through `printable`: nothing in it can move a cursor or forge a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias

from seatrial.linter import Diagnostic
from seatrial.linter.report import said
from seatrial.schemas.wording import printable

from ..crash import CRASH, Crash
from ..expect import Failure
from ..invariants import Verdict, Violation
from ..invariants.grouping import grouped, others
from ..spec import CLAUSES
from ..suite import Judgement, State
from ..trace import pointer_text

Style: TypeAlias = Literal["good", "bad", "dim"]
# A text and what it is -> the text as the terminal takes it.
Paint: TypeAlias = Callable[[str, Style], str]

_WORDS: dict[State, str] = {"ok": "ok", "failed": "FAILED", "vacuous": "VACUOUS", "invalid": "INVALID", "lost": "LOST"}
LOST = "what ran it died, twice: it has no verdict"
_SHOWN = 5  # violations of one invariant; one is enough to fail, and the others often are the same fault


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
        place = f"{_place(judgement, note.step)}: " if note.step else ""
        yield paint(printable(f"  note: {place}{note.message}"), "dim")


def summary(judgements: Sequence[Judgement], paint: Paint = plain, *, verbose: bool = False) -> Iterator[str]:
    """How many scenarios came out how, and what each invariant checked in all of them.

    Those that had nothing to check are only counted, and so are those that hold where a scenario failed: there nothing
    is to be read but what is wrong. `verbose` lists all.
    """
    yield ""
    by_name: dict[str, list[Verdict]] = {}
    for judgement in judgements:
        for verdict in judgement.verdicts:
            by_name.setdefault(verdict.name, []).append(verdict)
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
    line = f"{_number(len(states), what)}, {_number(turns, 'turn')}: {counts}"
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
        return f"{_number(idle, f'{more}invariant')} had nothing to check"
    held = f"{_number(hold, f'{more}invariant')} {'holds' if hold == 1 else 'hold'}"
    return f"{held}, {idle} had nothing to check" if idle else held


def _diagnostic(diagnostic: Diagnostic) -> Iterator[str]:
    severity = "" if diagnostic.severity == "error" else f"{diagnostic.severity}: "
    yield printable(
        f"  {diagnostic.path}:{diagnostic.span.line}:{diagnostic.span.column}: "
        f"{diagnostic.code} {severity}{said(diagnostic)}"
    )


def _crash(judgement: Judgement, crash: Crash, paint: Paint) -> Iterator[str]:
    what, *more = crash.lines
    yield printable(f"  {_place(judgement, pointer_text(crash.step))}: ") + paint(CRASH, "bad") + printable(f": {what}")
    for line in more:
        yield printable(f"    {line}")


def _failure(judgement: Judgement, failure: Failure) -> Iterator[str]:
    step = pointer_text(failure.pointer)
    yield printable(f"  {_place(judgement, step)}: {step}")
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
        for group, *again in [*causes.values()][:_SHOWN]:
            yield from _violation(judgement, group, paint)
            for each, *_ in again[:_SHOWN]:
                place = _place(judgement, each.step, each.line)
                yield printable(f"    again    {each.observation} ({place})")
            if len(again) > _SHOWN:
                yield f"    … and {_number(len(again) - _SHOWN, 'more time')}"
        if len(causes) > _SHOWN:
            yield f"  … and {sum(map(len, [*causes.values()][_SHOWN:]))} more violations of {name}"


def _violation(judgement: Judgement, group: Sequence[Violation], paint: Paint) -> Iterator[str]:
    violation = group[0]
    head = paint(f"{violation.invariant} is violated", "bad")
    yield (
        printable(f"  {_place(judgement, violation.step, violation.line)}: ")
        + head
        + printable(f" ({violation.clause})")
    )
    yield printable(f"    observed {violation.observation}")
    if violation.record is not None:
        about = "" if violation.summary is None else f' "{violation.summary}"'
        yield printable(f"    record   {violation.record}{about}")
    yield printable(f"    {violation.because}")
    yield printable(f"    expected {CLAUSES[violation.clause].holds}")
    if violation.witness:
        yield printable(f"    path     {' -> '.join(violation.witness)}")
    if others(group):
        yield f"    also     {', '.join(others(group))}"


def _place(judgement: Judgement, step: str, line: int | None = None) -> str:
    """Where it is: in the script, else the line of the trace."""
    span = judgement.place(step)
    if span is not None:
        return f"{judgement.path}:{span.line}:{span.column}"
    return f"{judgement.path}:{line}" if judgement.of_trace and line is not None else str(judgement.path)


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
