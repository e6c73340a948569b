"""What a search for failing scenarios came to, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from seatrial.linter.report import counted
from seatrial.schemas.wording import printable, shell

from ..fuzzing.cast import Role
from ..fuzzing.findings import Saved
from ..fuzzing.reading import Overlooked
from ..fuzzing.search import Outcome
from ..fuzzing.tally import COUNTS
from ..fuzzing.trial import Problem
from ..invariants import INVARIANTS, RERUNS
from .text import Paint, plain

_COLUMNS = 2
_WIDTH = 80  # of a terminal that nobody has made wider
_STOPPED = {
    "examples": "all that were asked for",
    "time": "the time is over",
    "interrupt": "stopped",
    "found": "a scenario fails",
}
_MENDED = "what an earlier search kept as failing passes now, with these configs"
_OF_SESSIONS = frozenset(  # what agents that work in none have nothing to show of
    {"session-isolation", "history-confinement", "flow", "noninterference:sessions", "commute"}
)
_NAMES = [*(each.name for each in INVARIANTS), *(each.name for each in RERUNS)]


def lines(
    outcome: Outcome,
    saved: Saved | None,
    roles: Sequence[Role],
    aside: Sequence[Overlooked] = (),
    paint: Paint = plain,
) -> Iterator[str]:
    """For people: whom it is about, and what was found, the file last; where nothing was, what was tried for that.

    `aside` is what looked like a config and was not taken.
    """
    yield from _wrapped(f"agents: {', '.join(f'{role.name} {_versions(role.numbers)}' for role in roles)}")
    for each in aside:
        yield from (paint(line, "dim") for line in _wrapped(f"not taken: {each.path}: {each.reason}"))
    yield ""
    found = outcome.found
    if found is None and outcome.examples:
        yield from _reached(outcome, roles, paint)
    number = counted(outcome.examples, "example")
    whence = "that earlier searches kept" if found is not None and found.kept else f"with the seed {outcome.seed}"
    yield f"{number} {whence}: {_STOPPED[outcome.stopped]}"
    if outcome.lost:
        yield paint(f"LOST     {outcome.lost} more have no verdict: what tried them died, twice", "bad")
    if outcome.mended:
        yield from _wrapped(f"{_MENDED}; its file stays where it was written")
    if found is None or saved is None:
        if outcome.examples:
            yield paint("nothing found", "good" if outcome.stopped != "interrupt" else "dim")
        else:
            yield paint("nothing was tried", "bad" if outcome.stopped != "interrupt" else "dim")
        return
    for line in found.problem.lines:
        yield printable(f"  {line}")
    for other in found.others:
        if other.about and (other.about, other.second) == (found.problem.about, found.problem.second):
            yield printable(f"  also {other.lines[0]}")
            continue
        for at, line in enumerate(other.lines):
            yield printable(f"    {line}" if at else f"  also {_within(other)}{line}")
    steps = counted(found.steps, "step")
    shrunk = steps if found.shrunk else f"{steps}, not shrunk"
    if saved.unwritten is None:
        yield paint(printable(f"FAILED   {saved.path}: {shrunk}"), "bad")
        yield _promise(saved)
        return
    yield paint(printable(f"FAILED   {saved.path} cannot be written: {saved.unwritten}"), "bad")
    yield f"{shrunk}; {_promise(saved)}"
    yield ""
    yield from (printable(line) for line in saved.text.splitlines())


def _reached(outcome: Outcome, roles: Sequence[Role], paint: Paint) -> Iterator[str]:
    """How far it is to be trusted that nothing was found."""
    counts = outcome.tally.counts
    yield from _table("exercised", [(name, counts[name]) for name in COUNTS if counts[name]])
    probes = outcome.tally.probes
    yield from _table("probes of invariants", [(name, probes[name]) for name in _NAMES if probes[name]])
    never = outcome.tally.unreached(roles)
    idle = _unchecked(outcome, roles)
    for told, names in (("never reached", never), ("invariants that had nothing to check", idle)):
        if names:
            yield from (paint(line, "dim") for line in _wrapped(f"warning: {told}: {', '.join(names)}"))
    if never or idle:
        yield ""


def _unchecked(outcome: Outcome, roles: Sequence[Role]) -> list[str]:
    without = frozenset[str]() if any(role.sessions for role in roles) else _OF_SESSIONS
    return outcome.tally.unchecked(roles, [name for name in _NAMES if name not in without])


def _wrapped(text: str) -> list[str]:
    return wrap(printable(text), _WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def _versions(numbers: Sequence[int]) -> str:
    """`v1-v3 and v5`."""
    spans: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return " and ".join(f"v{first}" if first == last else f"v{first}-v{last}" for first, last in spans)


def _within(problem: Problem) -> str:
    """Where a second run shows what is not its own verdict, which run that is."""
    return "" if problem.second in (None, problem.name) else f"in the second run of {problem.second}: "


def _promise(saved: Saved) -> str:
    if saved.fails_alike:
        there = "" if saved.unwritten is None else " once this stands there:"
        return f"`{shell('seatrial', 'run', saved.path)}` fails in the same way{there}"
    return (
        "it does not fail in the same way when it is run from the file: "
        "what fails is not the same in every run, or a config was changed meanwhile"
    )


def _table(title: str, cells: Sequence[tuple[str, int]]) -> Iterator[str]:
    if not cells:
        return
    yield title
    rows = -(-len(cells) // _COLUMNS)
    for row in range(rows):
        yield "  " + "   ".join(f"{name:<26} {count:>6}" for name, count in cells[row::rows])
    yield ""


def report(
    outcome: Outcome, saved: Saved | None, roles: Sequence[Role], aside: Sequence[Overlooked] = ()
) -> dict[str, Any]:
    """For machines, as `schemas/fuzz.schema.json` describes it."""
    found = None
    if outcome.found is not None and saved is not None:
        found = {
            "path": saved.path.as_posix(),
            "unwritten": saved.unwritten,
            "text": saved.text,
            "problem": outcome.found.problem.name,
            "lines": list(outcome.found.problem.lines),
            "others": [{"problem": each.name, "lines": list(each.lines)} for each in outcome.found.others],
            "kept": outcome.found.kept,
            "examples": outcome.found.examples,
            "steps": outcome.found.steps,
            "shrunk": outcome.found.shrunk,
            "fails_alike": saved.fails_alike,
        }
    tally = outcome.tally
    return {
        "format": 1,
        "agents": [{"agent": role.name, "versions": list(role.numbers)} for role in roles],
        "not_taken": [{"path": Path(each.path).as_posix(), "reason": each.reason} for each in aside],
        "seed": outcome.seed,
        "stopped": outcome.stopped,
        "examples": outcome.examples,
        "lost": outcome.lost,
        "mended": outcome.mended,
        "found": found,
        "exercised": {name: tally.counts[name] for name in COUNTS},
        "probes": {name: tally.probes[name] for name in _NAMES},
        "unreached": tally.unreached(roles),
        "unchecked": _unchecked(outcome, roles),
    }
