"""The judgement of a scenario, from file to verdicts.

A scenario that is wrong (invalid), one that is violated or misses its own expectations (failed), and one that asks for
an invariant that had nothing to check (vacuous) are different failures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from seatrial.linter import Diagnostic, Span

from .collecting import few_collections
from .crash import Crash, crash_of
from .events import Begun, Broke, Called, Deployed, Ended, Event, Judged, Missed, Postponed, Reviewed, Unreviewed
from .expect import Failure, show_error
from .invariants import INVARIANTS, RERUNS, History, SecondRun, TraceError, Verdict, history_of
from .invariants.events import Begin
from .load import InvalidScript, Loaded, Loader
from .runner import Run, run_script
from .script import Action, ContinueStep, RestartStep, ReviewStep, Script, TurnStep, all_actions
from .start import agents_of
from .trace import Trace, pointer_text

Scenario: TypeAlias = Loaded | InvalidScript
State: TypeAlias = Literal["ok", "failed", "vacuous", "invalid", "lost"]


@dataclass(frozen=True, slots=True)
class Note:
    """What is told and fails nothing: a refusal that no expectation speaks of. `step` is a JSON Pointer.

    It is empty where the note is about the scenario as a whole.
    """

    step: str
    message: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one scenario.

    An invalid one has diagnostics and nothing else; the diagnostics of the others are warnings. One that is lost has no
    verdict: whoever ran it died, twice. `vacuous` names the
    invariants that the scenario is tagged for and that found nothing to check. One with `crashes` has failed: in a
    first run that breaks down nothing but its expectations was judged. `turns` counts those that began.
    `places` has the place of each step that is told of; None where there is no file to look it up in.
    """

    path: Path
    scenario: str
    state: State
    diagnostics: tuple[Diagnostic, ...] = ()
    failures: tuple[Failure, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    vacuous: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    turns: int = 0
    of_trace: bool = False  # `path` is a trace: what is told of it stands in its lines
    trace: Trace | None = None
    places: Mapping[str, Span] | None = None
    agents: tuple[str, ...] = ()
    crashes: tuple[Crash, ...] = ()

    def place(self, step: str) -> Span | None:
        """Where the script's step or action stands in its file; None for what is about no step."""
        return None if self.places is None else self.places.get(step)

    def placed(self, scenario: Loaded) -> Judgement:
        """The same, with the places of what it tells, and whether it ran as written where configs were given."""
        told = [pointer_text(failure.pointer) for failure in self.failures]
        told += [pointer_text(crash.step) for crash in self.crashes]
        told += [violation.step for verdict in self.verdicts for violation in verdict.violations]
        told += [note.step for note in self.notes]
        notes = self.notes
        if scenario.as_written:
            notes = (Note("", f"it ran as written: no config was given for {', '.join(self.agents)}"), *notes)
        places = {step: scenario.place(step) for step in dict.fromkeys(told) if step}
        return replace(self, notes=notes, places=places)


def read(path: Path, loader: Loader) -> Scenario:
    """The scenario of one file, or why it is none."""
    try:
        with few_collections():
            return loader.load(path)
    except InvalidScript as invalid:
        return invalid


def selected(scenario: Scenario, words: str, tags: Sequence[str]) -> bool:
    """Whether name or path hold `words`, whatever their case, and one of `tags` is there if any is asked for.

    Of an invalid scenario it is not known which tags it lacks, nor its name where that cannot be read: it is told.
    """
    invalid = isinstance(scenario, InvalidScript)
    named = words.casefold() in f"{scenario.path} {scenario.scenario}".casefold()
    named = named or (invalid and not scenario.scenario)
    return named and (invalid or not tags or any(tag in scenario.tags for tag in tags))


def unknown_tags(found: Sequence[Scenario], tags: Sequence[str]) -> list[str]:
    """Which of `tags` no scenario has. None where one is invalid: of it that is not known."""
    if any(isinstance(scenario, InvalidScript) for scenario in found):
        return []
    there = {tag for scenario in found for tag in scenario.tags}
    return [tag for tag in tags if tag not in there]


def judge(
    scenario: Scenario,
    *,
    store: Path | None = None,
    seconds: Sequence[SecondRun] = RERUNS,
    required: Collection[str] = (),
    raising: bool = False,
) -> Judgement:
    """Run and judge one scenario. `store`: where to keep its store, a file that is not there yet.

    `seconds` are the second runs that are made. The `required` invariants, like those of its tags, must have something
    to check. A memory system that breaks down fails the scenario; if it is `raising`, what it raised is raised.
    """
    if isinstance(scenario, InvalidScript):
        return Judgement(scenario.path, scenario.scenario, "invalid", diagnostics=scenario.diagnostics)
    judgement = judge_script(
        scenario.script,
        scenario.path,
        scenario.warnings,
        store=store,
        seconds=seconds,
        required=required,
        raising=raising,
    )
    return judgement.placed(scenario)


def judge_script(
    script: Script,
    path: Path,
    warnings: tuple[Diagnostic, ...] = (),
    *,
    store: Path | None = None,
    seconds: Sequence[SecondRun] = RERUNS,
    required: Collection[str] = (),
    raising: bool = False,
) -> Judgement:
    """As `judge`, without the file that the script was read from: what it tells of steps has no places."""
    heard = _Heard(raising=raising)
    run = None
    verdicts: list[Verdict] = []
    with few_collections():
        try:
            run = run_script(script, store=store, consumers=[heard])
            history = history_of(run.trace)
        except Exception as error:
            heard.crashed(error)
        else:
            verdicts += [invariant.check(history) for invariant in INVARIANTS]
            verdicts += _of_second_runs(script, run, seconds, heard)
    wanted = {*script.tags, *required}
    vacuous = tuple(verdict.name for verdict in verdicts if verdict.name in wanted and verdict.status == "unknown")
    failed = heard.crashes or heard.failures or any(verdict.status == "violated" for verdict in verdicts)
    told = _stated(script) | {pointer_text(failure.pointer) for failure in heard.failures}
    return Judgement(
        path=path,
        scenario=script.scenario,
        state="failed" if failed else "vacuous" if vacuous else "ok",
        diagnostics=warnings,
        failures=tuple(heard.failures),
        verdicts=tuple(verdicts),
        vacuous=vacuous,
        notes=tuple(note for note in heard.notes if note.step not in told),
        turns=heard.turns,
        trace=None if run is None else run.trace,
        agents=agents_of(script),
        crashes=tuple(heard.crashes),
    )


def judge_trace(path: Path, history: History, required: Collection[str] = ()) -> Judgement:
    """The verdicts on a trace of any memory system. `required` invariants that are unknown make it vacuous."""
    verdicts = tuple(invariant.check(history) for invariant in INVARIANTS)
    vacuous = tuple(each.name for each in verdicts if each.name in required and each.status == "unknown")
    violated = any(verdict.status == "violated" for verdict in verdicts)
    return Judgement(
        path=path,
        scenario=history.scenario,
        state="failed" if violated else "vacuous" if vacuous else "ok",
        verdicts=verdicts,
        vacuous=vacuous,
        of_trace=True,
        turns=sum(isinstance(event, Begin) and event.error is None for event in history.events),
    )


class _Heard:
    """What a first run tells, besides its trace, and how it or a second run broke down.

    A trace that cannot be read is the memory system's, too: what it hands out makes no sense.
    """

    def __init__(self, *, raising: bool) -> None:
        self.raising = raising
        self.failures: list[Failure] = []
        self.notes: list[Note] = []
        self.crashes: list[Crash] = []
        self.turns = 0
        self.broke: Broke | None = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, Broke):
            self.broke = event
        elif isinstance(event, Missed):
            self.failures.append(event.failure)
        else:
            self.turns += isinstance(event, Begun) and event.error is None
            self.notes.extend(_note(event))

    def again(self, event: Event) -> None:
        """Of a second run."""
        if isinstance(event, Broke):
            self.broke = event

    def crashed(self, error: Exception, second: str | None = None) -> None:
        """Note it; raised again where it is the judge who broke down."""
        broke = self.broke if self.broke is not None and self.broke.error is error else None
        if self.raising or (broke is None and not isinstance(error, TraceError)):
            raise error
        self.crashes.append(crash_of(error, () if broke is None else broke.step, second))


def _of_second_runs(script: Script, run: Run, seconds: Sequence[SecondRun], heard: _Heard) -> Iterator[Verdict]:
    """The verdict of each of the second runs that does not break down."""

    def rerun(changed: Script) -> Trace:
        return run_script(changed, expectations=False, consumers=[heard.again]).trace

    for second in seconds:
        try:
            yield second.check(script, run.trace, rerun)
        except Exception as error:
            heard.crashed(error, second.name)


def _stated(script: Script) -> frozenset[str]:
    """The steps and actions whose `gets` says how they are refused."""
    stating = [step for step in script.steps if not isinstance(step, RestartStep)]
    acting = [step for step in stating if isinstance(step, TurnStep | ContinueStep)]
    actions = (action for step in acting for action, _ in all_actions(step))
    return frozenset(
        pointer_text(each.pointer)
        for each in (*stating, *actions)
        if each.gets is not None and ("error" in each.gets or isinstance(each, Action | ReviewStep))
    )


def _note(event: Event) -> Iterator[Note]:
    """A refusal. That of an action or a review fails what its `gets` states, so it is told where there is none."""
    if isinstance(event, Begun | Deployed | Ended | Called | Reviewed) and event.error is not None:
        what = {
            Begun: "the turn was refused",
            Deployed: "the deploy was refused",
            Ended: "the turn did not commit",
            Called: "the call was refused",
            Reviewed: "the review was refused",
        }
        step = event.step[:2] if isinstance(event, Ended) else event.step  # a turn's end is its step's to state
        yield Note(pointer_text(step), f"{what[type(event)]}: {show_error(event.error)}")
    elif isinstance(event, Postponed):
        yield Note(pointer_text(event.step), event.reason)
    elif isinstance(event, Unreviewed):
        yield Note(
            pointer_text(event.step),
            "no review was due when the turn ended, so nothing looked at these candidates: `extraction.every` says "
            "when one is, and there is none where the version writes no scope",
        )
    elif isinstance(event, Judged) and event.answer["outcome"] == "rejected":
        yield Note(pointer_text(event.step), f"the candidate was rejected: {event.answer['reason']}")
