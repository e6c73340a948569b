"""For machines: one JSON document, described by `schemas/run.schema.json` and `schemas/mutation.schema.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from seatrial.linter import Diagnostic

from ..crash import Crash
from ..expect import Failure
from ..invariants import Verdict, Violation
from ..invariants.grouping import grouped, others
from ..mutate import Fate, Sound
from ..spec import CLAUSES
from ..suite import Judgement
from ..trace import pointer_text

FORMAT = 1

# The violations of each observation together, by the id of each.
_Groups: TypeAlias = Mapping[int, Sequence[Violation]]


def report(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Plain values, in the order of the scenarios."""
    states = [judgement.state for judgement in judgements]
    return {
        "format": FORMAT,
        "scenarios": [_scenario(judgement) for judgement in judgements],
        "summary": {
            "scenarios": len(states),
            "ok": states.count("ok"),
            "failed": states.count("failed"),
            "vacuous": states.count("vacuous"),
            "invalid": states.count("invalid"),
            "lost": states.count("lost"),
            "turns": sum(judgement.turns for judgement in judgements),
        },
    }


def mutation(suite: Sequence[Sound], fates: Sequence[Fate], *, invariants_only: bool) -> dict[str, Any]:
    """Plain values, in the order of the faults."""
    states = [fate.state for fate in fates]
    return {
        "format": FORMAT,
        "scenarios": [str(sound.path) for sound in suite],
        "invariants_only": invariants_only,
        "faults": [_fate(fate) for fate in fates],
        "summary": {
            "faults": len(states),
            "caught": states.count("caught"),
            "survived": states.count("survived"),
            "excused": states.count("excused"),
            "not_landed": states.count("not landed"),
            "lost": states.count("lost"),
        },
    }


def _fate(fate: Fate) -> dict[str, Any]:
    return {
        "fault": fate.fault.name,
        "clause": fate.fault.clause,
        "deviation": fate.fault.deviation,
        "unseen": fate.fault.unseen,
        "state": fate.state,
        "landed": [str(path) for path in fate.landed],
        "caught": [{"path": str(kill.path), "by": list(kill.by)} for kill in fate.kills],
    }


def _scenario(judgement: Judgement) -> dict[str, Any]:
    groups = {id(each): group for groups in grouped(judgement.verdicts).values() for group in groups for each in group}
    return {
        "path": str(judgement.path),
        "scenario": judgement.scenario,
        "state": judgement.state,
        "turns": judgement.turns,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in judgement.diagnostics],
        "crashes": [_crash(judgement, crash) for crash in judgement.crashes],
        "failures": [_failure(judgement, failure) for failure in judgement.failures],
        "verdicts": [_verdict(judgement, verdict, groups) for verdict in judgement.verdicts],
        "vacuous": list(judgement.vacuous),
        "notes": [{**_place(judgement, note.step), "message": note.message} for note in judgement.notes],
    }


def _crash(judgement: Judgement, crash: Crash) -> dict[str, Any]:
    about = {"raised": crash.raised, "where": crash.place, "second_run": crash.second}
    return {**_place(judgement, pointer_text(crash.step)), **about}


def _failure(judgement: Judgement, failure: Failure) -> dict[str, Any]:
    step = pointer_text(failure.pointer)
    return {**_place(judgement, step), "expected": failure.expected, "seen": failure.seen}


def _verdict(judgement: Judgement, verdict: Verdict, groups: _Groups) -> dict[str, Any]:
    return {
        "name": verdict.name,
        "status": verdict.status,
        "probes": verdict.probes,
        "checked": dict(verdict.checked),
        "violations": [_violation(judgement, each, groups[id(each)]) for each in verdict.violations],
    }


def _violation(judgement: Judgement, violation: Violation, group: Sequence[Violation]) -> dict[str, Any]:
    return {
        **_place(judgement, violation.step, violation.line),
        "clause": violation.clause,
        "observation": violation.observation,
        "record": violation.record,
        "summary": violation.summary,
        "because": violation.because,
        "expected": CLAUSES[violation.clause].holds,
        "witness": list(violation.witness),
        "told_by": None if violation is group[0] else group[0].invariant,
        "also": others(group) if violation is group[0] else [],
    }


def _place(judgement: Judgement, step: str, line: int | None = None) -> dict[str, Any]:
    """Where it is: in the script, else the line of the trace."""
    span = judgement.place(step)
    if span is not None:
        return {"step": step, "line": span.line, "column": span.column}
    return {"step": step, "line": line if judgement.of_trace else None, "column": None}


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "path": diagnostic.path,
        "line": diagnostic.span.line,
        "column": diagnostic.span.column,
        "end_line": diagnostic.span.end_line,
        "end_column": diagnostic.span.end_column,
        "pointer": pointer_text(diagnostic.pointer),
        "message": diagnostic.message,
    }
