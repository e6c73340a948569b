"""`check` plays a scenario, `check_trace` reads a trace; both judge it and raise what does not hold. No Hypothesis."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from seatrial.linter import read_text
from seatrial.schemas.wording import printable, reason
from seatrial.simulator.as_yaml import dumped
from seatrial.simulator.invariants import RERUNS, History, SecondRun, Verdict
from seatrial.simulator.load import InvalidScript, Loaded, Loader
from seatrial.simulator.report import text
from seatrial.simulator.report.findings import headline
from seatrial.simulator.suite import Judgement, judge, judge_trace

from .counting import count, within_example
from .given import invariants_of, plain, second_runs_of, shown

Line: TypeAlias = Mapping[str, Any]
Scenario: TypeAlias = "Mapping[str, Any] | str | os.PathLike[str]"

_NAME = "<scenario>"
_EXPECTATIONS = "expectations"
_SHORTENING = 400  # runs at most to make a scenario shorter
_OBSERVATIONS = ("context", "call", "decision", "postponed", "end")
_SAVE = "The scenario, which `seatrial run` takes as a file named *.scenario.yaml (`save` of the result writes one):"

# What Hypothesis tells: a test's arguments, of which a scenario may fill lines, and the steps of a state machine.
_DOCUMENT = re.compile(r"(\n    \w+=)\{'scenario': .*?(?=,?\n    \w|,?\n\))", re.DOTALL)
_PLAYED = re.compile(
    r"(?:Failing test case|Falsifying example):(?: <state machine>| \w+\(\n    \w+=<the scenario>,?\n\))"
    r"|(?:[\w(), ]+ = )?state(?: = |\.\w+\().*",
    re.DOTALL,
)


@dataclass(frozen=True)
class Result:
    """What became of a scenario or a trace. `text` is the scenario as it was read; empty for a trace.

    `trace` has a plain value for each line (docs/traces.md).
    """

    judgement: Judgement
    trace: tuple[Line, ...]
    text: str = ""

    def __repr__(self) -> str:
        return f"<{self.judgement.scenario}: {self.judgement.state}>"

    @cached_property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The verdict of each invariant that was asked, by its name."""
        return {verdict.name: verdict for verdict in self.judgement.verdicts}

    def probes(self, invariant: str) -> int:
        """How often something could have shown a violation of `invariant`; 0 where it was not asked.

        Raises ValueError for what is no invariant.
        """
        invariants_of([invariant], "probes")
        verdict = self.verdicts.get(invariant)
        return 0 if verdict is None else verdict.probes

    @cached_property
    def sessions(self) -> tuple[str, ...]:
        """The sessions that turns named, in the order in which they come."""
        return sessions_of(self.trace)

    def observed(
        self, session: str | None = None, *, agent: str | None = None, plane: str | None = None
    ) -> tuple[Line, ...]:
        """The lines of what the turns of a session were handed: contexts, answers, decisions, ends.

        Of turns of any session, agent or plane where none is named. Raises ValueError for a session or an agent that
        no turn names: a script that was drawn need not have them all, see `sessions`.
        """
        return observed(self.trace, session, agent=agent, plane=plane)

    def report(self) -> str:
        """What `seatrial run` would print of it."""
        return "\n".join(text.scenario(self.judgement))

    def save(self, path: Path | str) -> None:
        """Write the scenario to a file, for `seatrial run`. Raises ValueError for a trace, which has none."""
        if not self.text:
            raise ValueError("a trace has no scenario: what was played is not known")
        Path(path).write_text(self.text, encoding="utf-8")


class Failed(AssertionError):  # noqa: N818 - a test that fails, not an error
    """An expectation or an invariant does not hold, or a required invariant had nothing to check.

    Its message is what is wrong first, in one line, then what `seatrial run` prints, and the scenario where there is no
    file with it. `result` has the rest.
    """

    __module__ = "seatrial.testing"  # as tests import it, and as pytest shows it before the message

    def __init__(self, result: Result, *, shown: bool = False) -> None:
        self.result = result
        self._shown = shown
        # The first line is what pytest's short summary shows.
        said = f"{headline(result.judgement)}\n{result.report()}"
        super().__init__(said + (f"\n\n{_SAVE}\n\n{result.text}" if shown else ""))

    def add_note(self, note: str) -> None:
        """Leaves out what Hypothesis tells of what it played: the scenario shows it, and shorter."""
        left = _DOCUMENT.sub(r"\1<the scenario>", note) if self._shown else note
        if not (self._shown and _PLAYED.fullmatch(left)):
            super().add_note(left)


class InvalidScenario(ValueError):  # noqa: N818 - named after what was given
    """What was given is no scenario, so nothing was run. The message has the diagnostics with line and column."""

    __module__ = "seatrial.testing"

    def __init__(self, invalid: InvalidScript, written: str) -> None:
        self.diagnostics = invalid.diagnostics
        said = "\n".join(text.scenario(judge(invalid)))
        super().__init__(said + (f"\n\nThe lines are those of\n\n{written}" if written else ""))


def check(
    script: Scenario,
    *,
    require: Collection[str] = (),
    second_runs: bool | Collection[str] = False,
    folder: Path | str | None = None,
) -> Result:
    """Play a scenario, and judge it by what it expects and by every invariant that needs no second run.

    `script` is a document of plain values, the text of one in YAML or JSON (a str), or a file (a Path). The configs
    that a document or a text names by path are looked for in `folder`, else where the test runs.

    `require` are invariants that must have had something to check, besides those that the scenario is tagged for.
    `second_runs` makes second runs too: all of them, or those named. Those that the scenario is tagged for are always
    made.

    In a test of Hypothesis the example that it reports is made as short as it gets, also where `Phase.shrink` is left
    out, see `scenario_settings`.

    Raises Failed (an AssertionError), InvalidScenario (a ValueError), ValueError for a name that is no invariant, and
    whatever a memory system raises that breaks down.
    """
    __tracebackhide__ = True
    required = frozenset(invariants_of(require, "require"))
    made = frozenset(second_runs_of(second_runs))
    loaded = read(script, folder)
    try:
        result = _judged(loaded, made, required)
    except Exception as broken:  # whatever a memory system raises that breaks down
        broken.add_note(f"The memory system broke down. {_SAVE}\n\n{loaded.document.text}")
        raise
    count(result.judgement.verdicts, result.judgement.turns)
    if result.judgement.state == "ok":
        if final() and result.text:  # what fails then is the test's own
            from hypothesis import note

            note(f"Played, as a scenario for `seatrial run`:\n\n{result.text}")
        return result
    if isinstance(script, os.PathLike):
        raise Failed(result)
    if final():
        result = _shortest(result, folder)
    raise Failed(result, shown=True)


def _judged(loaded: Loaded, second_runs: frozenset[str], require: frozenset[str]) -> Result:
    asked = second_runs | require | {*loaded.script.tags}
    seconds: tuple[SecondRun, ...] = tuple(each for each in RERUNS if each.name in asked)
    judgement = judge(loaded, seconds=seconds, required=require, raising=True)
    assert judgement.trace is not None
    return Result(judgement, judgement.trace.lines, loaded.document.text)


def final() -> bool:
    """Whether Hypothesis plays the example that it will report, which is worth some time."""
    if not within_example():
        return False
    from hypothesis.control import current_build_context

    return current_build_context().is_final


def _shortest(result: Result, folder: Path | str | None) -> Result:
    """The result of the shortest part of the scenario in which the same is wrong."""
    from seatrial.simulator.fuzzing.shorten import shortened

    wrong = _wrong(result)
    if wrong is None:
        return result
    best, left = result, _SHORTENING
    start: Any = read_text(result.text, path=_NAME).value

    def fails(document: dict[str, Any]) -> bool:
        nonlocal best, left
        left -= 1
        if left < 0:
            return False
        try:
            loaded = read(document, folder)
            if loaded.warnings and not result.judgement.diagnostics:
                return False
            found = _judged(loaded, frozenset({wrong}), frozenset())
        except Exception:  # whatever a memory system raises that another script breaks
            return False
        if _wrong(found, wrong) is None:
            return False
        best = found
        return True

    if wrong != _EXPECTATIONS:  # an expectation rests on the steps before it
        start = _halved(start, fails)
    shortened(start, fails, expectation=wrong == _EXPECTATIONS)
    return best


def _halved(document: dict[str, Any], fails: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The document without the steps that can be left out many at once: a machine plays dozens."""
    size = len(document["steps"]) // 2
    while size:
        at = len(document["steps"])
        while at > 0:
            at = max(0, at - size)
            fewer = [*document["steps"][:at], *document["steps"][at + size :]]
            if fewer and fails({**document, "steps": fewer}):
                document = {**document, "steps": fewer}
        size //= 2
    return document


def _wrong(result: Result, wanted: str | None = None) -> str | None:
    """What is wrong, by name: the first thing, or `wanted` if that is. None where nothing is, or only vacuous."""
    names = [_EXPECTATIONS] if result.judgement.failures else []
    names += [verdict.name for verdict in result.judgement.verdicts if verdict.violations]
    return next((name for name in names if wanted in (None, name)), None)


def check_trace(trace: Path | str | Iterable[str | Line], *, require: Collection[str] = ()) -> Result:
    """Judge the trace of any memory system by every invariant that needs no second run.

    `trace` is a file of JSON Lines (a Path), the text of one (a str), or its lines, each a text or a plain value.
    docs/traces.md describes them. `require` are invariants that must have had something to check.

    Raises Failed (an AssertionError); ValueError, naming the line, for what is no trace, and for a name that is no
    invariant.
    """
    __tracebackhide__ = True
    required = invariants_of(require, "require", second_runs=False)
    path = Path(trace) if isinstance(trace, os.PathLike) else Path("<trace>")
    lines = list(_lines(trace))
    history = History.parse(lines)
    values = [
        json.loads(line) if isinstance(line, str) else line
        for line in lines
        if not isinstance(line, str) or line.strip()
    ]
    result = Result(judge_trace(path, history, required), tuple(values))
    count(result.judgement.verdicts, result.judgement.turns)
    if result.judgement.state != "ok":
        raise Failed(result)
    return result


def read(script: Scenario, folder: Path | str | None = None) -> Loaded:
    """The scenario that `script` is. Raises InvalidScenario."""
    __tracebackhide__ = True
    if not isinstance(script, Mapping | str | os.PathLike):
        raise TypeError(
            f"a scenario is a document (a mapping), its text (a str), or its file (a Path); this is {shown(script)}"
        )
    if folder is not None and not isinstance(folder, str | os.PathLike):
        raise TypeError(f"`folder` is where the configs are that a scenario names; this is {shown(folder)}")
    if folder is not None and not Path(folder).is_dir():
        raise ValueError(printable(f"`folder`: there is no folder {os.fspath(folder)}"))
    written = ""
    try:
        if isinstance(script, os.PathLike):
            return Loader().load(Path(script))
        path = Path(folder or "") / _NAME
        written = script if isinstance(script, str) else dumped(plain(script, "the scenario"))
        return Loader().loaded(path, read_text(written, path=str(path)))
    except InvalidScript as invalid:
        if isinstance(script, str) and _is_path(script):
            raise ValueError(f"a str is the text of a scenario; for the file say Path({script!r})") from None
        raise InvalidScenario(invalid, written) from None


def _is_path(text: str) -> bool:
    """Whether somebody meant a file by a text that is no scenario."""
    return "\n" not in text.strip() and text.strip().endswith((".yaml", ".yml", ".json"))


def observed(
    lines: Iterable[Line],
    session: str | None = None,
    *,
    agent: str | None = None,
    plane: str | None = None,
    sessions: Iterable[str] = (),
    agents: Iterable[str] = (),
) -> tuple[Line, ...]:
    """Of the lines of a trace those of what turns were handed, of turns of this session, agent and plane.

    `sessions` and `agents` are known besides those in the trace. Raises ValueError for what is neither.
    """
    lines = tuple(lines)
    _one_of(session, "session", (*sessions_of(lines), *sessions))
    _one_of(agent, "agent", (*_distinct(lines, "agent"), *agents))
    _one_of(plane, "plane", ("live", "preview"))
    turns: set[str] = set()
    found: list[Line] = []
    for line in lines:
        if line["type"] == "begin" and line.get("error") is None:
            wanted = ((session, line.get("session")), (agent, line["agent"]), (plane, line.get("plane", "live")))
            if all(asked in (None, stated) for asked, stated in wanted):
                turns.add(line["turn"])
        elif line["type"] in _OBSERVATIONS and line["turn"] in turns:
            found.append(line)
    return tuple(found)


def sessions_of(lines: Iterable[Line]) -> tuple[str, ...]:
    """The sessions that a trace names, in the order in which they come."""
    return _distinct((line for line in lines if line["type"] == "begin"), "session")


def _distinct(lines: Iterable[Line], key: str) -> tuple[str, ...]:
    """What lines have under `key`, each once, in order."""
    return tuple(dict.fromkeys(line[key] for line in lines if isinstance(line.get(key), str)))


def _one_of(given: Any, what: str, known: Iterable[str]) -> None:
    there = list(dict.fromkeys(known))
    if given is not None and given not in there:
        said = f"the {what}s are {', '.join(there)}" if there else f"there is no {what}"
        raise ValueError(printable(f"no turn is of the {what} {shown(given)}; {said}"))


def _lines(trace: Any) -> Iterable[str | Line]:
    """The lines of a trace: of a file, of a text, or as they are. Raises TypeError and ValueError."""
    if isinstance(trace, os.PathLike):
        try:
            return Path(trace).read_text(encoding="utf-8").split("\n")
        except (OSError, ValueError) as unreadable:  # ValueError: it is not UTF-8, or no file can have such a name
            raise ValueError(printable(f"{os.fspath(trace)}: {reason(unreadable)}")) from unreadable
    if isinstance(trace, str):
        if "{" not in trace and trace.strip():
            raise ValueError(f"a str is the text of a trace; for the file say Path({trace.strip()!r})")
        return trace.split("\n")
    if isinstance(trace, Mapping | bytes) or not isinstance(trace, Iterable):
        raise TypeError(
            f"a trace is a list of its lines, its text (a str), or its file (a Path); this is {shown(trace)}"
        )
    return trace
