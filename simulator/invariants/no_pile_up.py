"""no-pile-up: no review adds what a record of its scope says already, or what an operator deleted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .active import active
from .events import Decision
from .examples import HEADER, add, begin, decision, deploy, end
from .history import History
from .model import Model, Turn, Write, clauses_against, objections, read, scope_of
from .plain import same
from .verdict import Invariant, Verdict, Violation, broken

NAME = "no-pile-up"
_STOPS = re.compile(r"[.,;:!]+(?=\s|$)")  # of punctuation only what surely says nothing: docs/decisions/reviewer.md


def check(history: History) -> Verdict:
    """Each record that a review wrote, beside the records of its scope that its turn may know of."""
    model = read(history)
    candidates = [event for event in history.events if isinstance(event, Decision)]
    found: list[Violation] = []
    compared = 0
    for event in candidates:
        turn = model.turns[event.turn]
        scope = scope_of(turn, event.candidate)
        others = [*_said(history, turn, scope, event.line)]
        gone = [*_deleted(model, turn, scope, event.line)]
        compared += bool(others or gone)
        if event.record is None or event.error is not None:
            continue
        found += _repeats(event, turn, others, gone)
    checked = {"candidates": len(candidates), "candidates_compared": compared}
    return Verdict.of(NAME, checked, found, compared)


def _said(history: History, turn: Turn, scope: str, line: int) -> Iterator[Write]:
    """The ACTIVE records of `scope` in the turn's view, and what was committed while it was open (TXN-3)."""
    yield from (write for write in active(history, turn, line).values() if write.origin.scope == scope)
    if not turn.committed:
        return
    model = read(history)
    ended = {ending.record for ending in model.endings}
    for writes in model.writes.values():
        write, by = writes[0], writes[0].origin.turn
        meanwhile = by.committed and by.ended is not None and turn.began < by.ended < line
        unended = write.origin.scope == scope and write.id not in ended
        if meanwhile and unended and clauses_against(turn, write.origin) == ["VIEW-5"]:
            yield write


def _deleted(model: Model, turn: Turn, scope: str, line: int) -> Iterator[Write]:
    """What an operator deleted in `scope`, of what the turn could see but for that (EXT-5)."""
    for ending in model.endings:
        if ending.turn is not None or ending.line >= line:
            continue
        for write in model.writes.get(ending.record, ())[:1]:
            if write.origin.scope == scope and not objections(turn, write.origin):
                yield write


def _repeats(event: Decision, turn: Turn, others: list[Write], gone: list[Write]) -> Iterator[Violation]:
    mine = _folded(str(event.candidate.get("summary", "")))
    target = event.target if event.outcome in ("replace", "delete") else None
    content = event.candidate.get("content")
    said = [(each, "EXT-4", "says the same") for each in others]
    said += [(each, "EXT-5", "said the same, and an operator deleted it") for each in gone]
    for write, clause, how in said:
        assert event.record is not None
        if write.id in (event.record.get("id"), target) or _folded(write.summary) != mine:
            continue
        if clause == "EXT-4" and not _nothing_new(event, write, content):
            continue
        yield broken(
            NAME,
            clause,
            event,
            f"a record added by the review of {turn.label}",
            f"because {write.id} {how}",
            record=str(event.record.get("id")),
            summary=str(event.candidate.get("summary", "")),
            path=(write.origin.turn.label, write.origin.source),
        )
        return


def _nothing_new(event: Decision, write: Write, content: object) -> bool:
    """Another content, or a label that both state and that differs, makes another fact."""
    if isinstance(content, str) and content.strip() and _folded(content) != _folded(write.content or ""):
        return False
    stated = event.candidate.get("labels")
    mine = stated if isinstance(stated, dict) else {}
    return all(same(mine[name], value) for name, value in write.labels.items() if name in mine)


def _folded(text: str) -> str:
    """Case, white space and plain stops folded, and nothing that may tell two facts apart."""
    return " ".join(_STOPS.sub(" ", text.casefold()).split())


NO_PILE_UP = Invariant(
    name=NAME,
    clauses=("EXT-4", "EXT-5", "TXN-3"),
    holds_when=(
        "No review writes a record whose text, after folding case, white space and plain punctuation, equals that of "
        "an ACTIVE record of its scope in view, also one committed while its turn was open, or of one that an operator "
        "deleted there."
    ),
    counts={
        "candidates": "candidates that reviews found",
        "candidates_compared": "those of them for which there was a record of their scope to compare with; without one "
        "the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_thursday", "Runs are on Thursdays"),
        decision("s0", "runs are on thursdays.", "skip", target="mem_thursday"),
        end("s0"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_thursday", "Runs are on Thursdays"),
        decision("s0", "runs are on thursdays.", "add", "mem_again"),
        end("s0"),
    ),
)
