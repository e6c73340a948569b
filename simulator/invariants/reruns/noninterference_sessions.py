"""noninterference:sessions: what a session observes does not depend on what other sessions keep to themselves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...script import Action, Script, TurnStep
from ..events import Begin
from ..examples import HEADER, begin, context, deploy, end, record
from ..model import Unit
from ..verdict import Verdict, Violation
from .change import Changed, change, owners_in
from .flows import flows
from .second_run import (
    Difference,
    Example,
    Line,
    Lines,
    Rerun,
    SecondRun,
    TraceLike,
    difference,
    history_of,
    packed,
    shown,
)

NAME = "noninterference:sessions"


def check(script: Script, trace: TraceLike, rerun: Rerun) -> Verdict:
    """One second run for each session, where there is anything to change about the others."""
    trial = _Trial(script, trace, rerun)
    checked = dict.fromkeys(_COUNTS, 0)
    found = []
    for unit in trial.units:
        others = [each for each in trial.units if each != unit]
        changed = trial.changed(unit, others)
        if not changed.dropped and not changed.texts:
            continue
        checked["reruns"] += 1
        checked["turns_dropped"] += changed.dropped
        checked["texts_replaced"] += changed.texts
        checked["lines"] += len(trial.seen.get(unit, ()))
        checked["cross_session_probes"] += trial.probes(unit, others)
        differs = trial.differs(unit, changed)
        if differs is not None:
            alone = [each for each in others if trial.differs(unit, trial.changed(unit, [each])) is not None]
            found.append(_violation(trace.lines, unit, differs, alone or others, trial.allowed))
    return Verdict.of(NAME, checked, found, checked["cross_session_probes"])


def observed(lines: Sequence[Line], unit: Unit) -> list[Line]:
    """What a session observes: the lines of its turns, and its part of the ledger.

    What becomes of an AGENT record that it wrote is no observation of the session: if it reads the record, its turns
    show that.
    """
    return by_session(lines).get(unit, [])


def by_session(lines: Sequence[Line]) -> dict[Unit, list[Line]]:
    """What each session observes, in order: the lines are read once for all of them."""
    units: dict[str, Unit] = {}
    found: dict[Unit, list[Line]] = {}
    for line in lines:
        kind = line["type"]
        if kind == "begin":
            units[line["turn"]] = line["agent"], line.get("session")
        if kind == "record":
            shared = line.get("scope") == "agent"
            told = {key: value for key, value in line.items() if not shared or key not in _LATER}
            found.setdefault((line.get("agent", ""), line.get("session")), []).append(told)
        elif line.get("turn") in units:
            found.setdefault(units[line["turn"]], []).append(line)
    return found


_LATER = ("status", "successor", "versions")


class _Trial:
    """One script, its first run, and the means to run it again."""

    def __init__(self, script: Script, trace: TraceLike, rerun: Rerun) -> None:
        self.script = script
        self.rerun = rerun
        self.history = history_of(trace)
        self.owners = owners_in(script)
        self.packed = packed(trace)
        self.seen = by_session(trace.lines)
        self.began, self.looks = _looks(trace.lines)
        self.allowed = flows(self.history)
        begun = (event for event in self.history.events if isinstance(event, Begin) and event.session is not None)
        self.units: list[Unit] = list(dict.fromkeys((event.agent, event.session) for event in begun))

    def changed(self, unit: Unit, others: Sequence[Unit]) -> Changed:
        """`others` dropped where they may not inform `unit`, and with their private texts replaced where they may."""
        informing = [each for each in others if (each, unit) in self.allowed]
        silent = [each for each in others if each not in informing]
        return change(self.script, self.history, silent, informing, self.owners)

    def differs(self, unit: Unit, changed: Changed) -> Difference | None:
        """The first difference in what `unit` observes when the changed script runs."""
        return difference(self.seen.get(unit, []), observed(self.rerun(changed.script).lines, unit), self.packed)

    def probes(self, unit: Unit, others: Sequence[Unit]) -> int:
        """The looks of `unit` after another session had begun: what it did could show there."""
        first = min((self.began[each] for each in others), default=None)
        return 0 if first is None else sum(place > first for place in self.looks.get(unit, ()))


def _looks(lines: Sequence[Line]) -> tuple[dict[Unit, int], dict[Unit, list[int]]]:
    """The place of each session's first turn, and those of its contexts, calls and decisions."""
    units: dict[str, Unit] = {}
    began: dict[Unit, int] = {}
    looks: dict[Unit, list[int]] = {}
    for place, line in enumerate(lines):
        if line["type"] == "begin":
            unit = units[line["turn"]] = line["agent"], line.get("session")
            began.setdefault(unit, place)
        elif line["type"] in ("context", "call", "decision") and line["turn"] in units:
            looks.setdefault(units[line["turn"]], []).append(place)
    return began, looks


def _violation(
    lines: Sequence[Line],
    unit: Unit,
    found: Difference,
    culprits: Sequence[Unit],
    allowed: Collection[tuple[Unit, Unit]],
) -> Violation:
    parts = [
        f"{'replacing the private texts of' if (each, unit) in allowed else 'dropping'} {each[1]} of {each[0]}"
        for each in culprits
    ]
    clause = "VIEW-2" if all(each[0] == unit[0] for each in culprits) else "VIEW-1"
    because = f"because {' and '.join(parts)} changed it from {found.before} to {found.after}"
    return shown(NAME, clause, lines, found, because=because, path=tuple(parts))


_COUNTS = {
    "reruns": "second runs made, one a session at most",
    "turns_dropped": "turns of other sessions left out, over all second runs",
    "texts_replaced": "different private texts of other sessions replaced, over all second runs",
    "lines": "lines compared",
    "cross_session_probes": "contexts, calls and decisions among them that came after another session had begun; "
    "without one the verdict is unknown",
}


def _turn(place: int, session: str) -> TurnStep:
    pointer = ("steps", place)
    reply = Action("reply", {"text": "Noted."}, (*pointer, "do", 0))
    return TurnStep(place, pointer, f"s{place}", None, "clerk", session, "live", place, "Refunds?", (reply,), "commit")


def _example(score: float) -> Lines:
    hit = {**record("mem_refunds1", "Refunds take a week"), "score": score}
    return Lines(
        (
            HEADER,
            deploy(),
            begin("s0", "account-17", "Refunds?"),
            context("s0"),
            end("s0"),
            begin("s1", "account-22", "Refunds?"),
            context("s1", recalled=[hit]),
            end("s1"),
        )
    )


_SCRIPT = Script("an example", None, (), (), (_turn(0, "account-17"), _turn(1, "account-22")))

NONINTERFERENCE_SESSIONS = SecondRun(
    name=NAME,
    clauses=("VIEW-1", "VIEW-2", "REC-2", "SCH-4"),
    holds_when=(
        "Everything a session observes (contexts, answers, refusals, states, its part of the ledger) stays the same "
        "byte for byte when the sessions that may not inform it are dropped, and the private texts of the others "
        "are replaced."
    ),
    change=(
        "for each session: sessions without an allowed flow to it are dropped, with the operators' steps on what they "
        "defined; of those with one, every text they keep to themselves is replaced by one of the same length"
    ),
    counts=_COUNTS,
    check=check,
    good=Example(_SCRIPT, _example(0.5), _example(0.5)),
    bad=Example(_SCRIPT, _example(0.5), _example(0.4)),
)
