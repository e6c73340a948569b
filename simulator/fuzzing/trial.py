"""One random scenario: its script, one run of it, and what is wrong with that. Knows no Hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..checks import check
from ..collecting import few_collections
from ..crash import CRASH, crash_of
from ..expect import Failure
from ..invariants import INVARIANTS, RERUNS, SecondRun, Verdict, Violation, history_of
from ..invariants.grouping import best_name
from ..runner import Run, run_script
from ..script import Pointer, Script
from ..settle import settle
from ..trace import Trace, pointer_text
from .cast import Config, Role
from .wording import Document

EXPECTATIONS = "expectations"

Known: TypeAlias = Mapping[str, tuple[str, Config]]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, by name: an invariant, EXPECTATIONS or CRASH; and in words, a line an item.

    `second` is the second run that shows it; None if the first does. `about` is what was observed, and which record:
    the same of several invariants is one thing.
    """

    name: str
    lines: tuple[str, ...]
    second: str | None = None
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A run and all that is wrong with it. Without a trace the memory system broke down."""

    problems: tuple[Problem, ...]
    trace: Trace | None
    verdicts: tuple[Verdict, ...]

    def like(self, problem: Problem) -> Problem | None:
        """What is wrong in the same way, in whatever words."""
        alike = (each for each in self.problems if (each.name, each.second) == (problem.name, problem.second))
        return next(alike, None)


def known(roles: tuple[Role, ...]) -> Known:
    """What the paths in a script stand for."""
    versions = [(role.name, version) for role in roles for version in role.versions]
    return {version.written: (name, version.config) for name, version in versions if isinstance(version.written, str)}


def script_of(document: Document, configs: Known) -> Script | None:
    """The script of a document whose form is right; None if the loader would find anything in it."""

    def config(written: Any, _: Pointer) -> tuple[str, Config]:
        return configs[written] if isinstance(written, str) else (written.get("agent", "agent"), written)

    script, findings = settle(document, None, config)
    return None if findings or any(check(script, ())) else script


def judged(script: Script, seconds: tuple[SecondRun, ...] = (), *, thorough: bool = False) -> Judged:
    """One run judged by its expectations and every invariant, and by `seconds` where these find nothing.

    If it is `thorough`, by `seconds` in any case, each by itself.
    """
    with few_collections():
        return _judged(script, seconds, thorough)


def _judged(script: Script, seconds: tuple[SecondRun, ...], thorough: bool) -> Judged:
    try:
        run = run_script(script)
        history = history_of(run.trace)
    except Exception as broken:  # whatever a broken memory system raises
        return Judged((_crash(broken),), None, ())
    verdicts = [invariant.check(history) for invariant in INVARIANTS]
    problems = [*_missed(run), *_violated(verdicts)]
    for second in seconds if thorough or not problems else ():
        try:
            again = second.check(script, run.trace, _again)
        except Exception as broken:
            problems.append(_crash(broken, second.name))
        else:
            verdicts.append(again)
            problems += _violated([again], second.name)
    return Judged(tuple(problems), run.trace, tuple(verdicts))


def second(name: str | None) -> tuple[SecondRun, ...]:
    """The second run of that name; none for None."""
    return tuple(each for each in RERUNS if each.name == name)


def _crash(broken: Exception, second: str | None = None) -> Problem:
    return Problem(CRASH, crash_of(broken, (), second).lines, second)


def _again(changed: Script) -> Trace:
    return run_script(changed, expectations=False).trace


def _missed(run: Run) -> Iterator[Problem]:
    if run.failures:
        yield Problem(EXPECTATIONS, tuple(_expected(failure) for failure in run.failures))


def _expected(failure: Failure) -> str:
    return f"{pointer_text(failure.pointer)}: expected {failure.expected}, seen {failure.seen}"


def _violated(verdicts: Sequence[Verdict], second: str | None = None) -> Iterator[Problem]:
    """One for each invariant, with what it says best itself; those that another says better come after that."""
    shown = [_best(verdict) for verdict in verdicts if verdict.violations]
    names = [each.invariant for each in shown]
    better = [best_name(each.invariant, each.clause) for each in shown]
    behind = [
        names.index(name) + 1 if name in names and name != each.invariant else place
        for place, (each, name) in enumerate(zip(shown, better, strict=True))
    ]
    for _, violation in sorted(zip(behind, shown, strict=True), key=lambda pair: pair[0]):
        lines = tuple(_told(violation))
        yield Problem(violation.invariant, lines, second, (violation.observation, violation.record or ""))


def _best(verdict: Verdict) -> Violation:
    """The first violation that no other invariant is named for, else the first."""
    own = (each for each in verdict.violations if best_name(each.invariant, each.clause) == each.invariant)
    return next(own, verdict.violations[0])


def _told(violation: Violation) -> Iterator[str]:
    yield f"{violation.invariant} is violated ({violation.clause})"
    yield f"observed {violation.observation}"
    if violation.record is not None:
        yield f'record {violation.record} "{violation.summary or ""}"'
    yield violation.because
