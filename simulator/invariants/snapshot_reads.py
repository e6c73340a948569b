"""snapshot-reads: a turn sees what stood when it began and its own writes, and no change of it is lost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from .active import active
from .events import Call, Context, Decision
from .examples import HEADER, add, begin, call, context, deploy, end, record, search
from .history import History
from .judge import forbidden
from .model import Ending, Model, Turn, read
from .named import named_by
from .verdict import Invariant, Verdict, Violation, broken

NAME = "snapshot-reads"


def check(history: History) -> Verdict:
    """Dirty and later reads; records that stop being readable in an open turn; and records that two turns changed."""
    model = read(history)
    found = [*forbidden(NAME, history, ("VIEW-5",)), *_unrepeated(history, model), *_lost(model), *_overruled(model)]
    commits = _commits(model)
    probes = sum(
        _between(model.turns[event.turn], commits, event.line)
        for event in history.events
        if isinstance(event, (Context, Call, Decision))
    )
    checked = {"turns": len(model.turns), "changes": len(model.endings), "interleaved_probes": probes}
    return Verdict.of(NAME, checked, found, probes)


def _commits(model: Model) -> dict[str, list[int]]:
    """By agent: the lines at which turns committed, in order."""
    found: dict[str, list[int]] = {}
    for turn in model.turns.values():
        if turn.committed and turn.ended is not None:
            found.setdefault(turn.agent, []).append(turn.ended)
    return {agent: sorted(lines) for agent, lines in found.items()}


def _between(turn: Turn, commits: Mapping[str, Sequence[int]], line: int) -> bool:
    """Whether another turn of the same agent committed while `turn` was open and before `line`, where it still is."""
    lines = commits.get(turn.agent, ())
    after = bisect_right(lines, turn.began)
    return after < len(lines) and lines[after] < line


def _unrepeated(history: History, model: Model) -> Iterator[Violation]:
    """A record that is ACTIVE for the turn is refused, or read as something else."""
    for event in history.events:
        if not isinstance(event, (Call, Decision)):
            continue
        turn = model.turns[event.turn]
        what = "a candidate" if isinstance(event, Decision) else event.tool
        named = named_by(event)
        for target in named if _denies(event) else ():
            write = active(history, turn, event.line).get(target)
            if write is None or not turn.config or not _only(event, named):
                continue
            yield broken(
                NAME,
                "VIEW-5",
                event,
                f"answer to {what} of {target} in {turn.label} call {event.call}",
                f"because it is ACTIVE in the snapshot of turn {turn.id}, and no write of its own changed it",
                record=target,
                summary=write.summary,
                path=(write.origin.turn.label, write.origin.source),
            )


def _only(event: Call | Decision, named: tuple[str, ...]) -> bool:
    """Of several records that a refusal may be about, it does not say which."""
    return len(named) == 1 or event.error is None


def _denies(event: Call | Decision) -> bool:
    if event.error is not None:
        return event.error.get("code") in ("not_found", "not_active")
    record = event.answer.get("record") if isinstance(event, Call) and event.answer is not None else None
    reads = isinstance(event, Call) and event.tool == "read_memory"
    return reads and isinstance(record, dict) and record.get("status", "ACTIVE") != "ACTIVE"


def _lost(model: Model) -> Iterator[Violation]:
    """Of two turns that change one record, and of which neither saw the other, one commits (TXN-3)."""
    done: dict[tuple[str, str], Ending] = {}
    for ending in model.endings:
        turn = ending.turn
        if turn is None or not turn.committed:
            continue
        first = done.setdefault((ending.record, ending.plane), ending)
        other = first.turn
        if other is None or other.id == turn.id:
            continue
        yield broken(
            NAME,
            "TXN-3",
            turn,
            f"the commit of {turn.label}",
            f"because turn {other.id} changed {ending.record} and committed: the first to commit wins",
            record=ending.record,
            path=(other.label, f"ended {ending.record}", turn.label),
        )


def _overruled(model: Model) -> Iterator[Violation]:
    """A turn that changed a record does not commit where an operator deleted the record meanwhile (TXN-3)."""
    deleted: dict[str, list[int]] = {}
    for ending in model.endings:
        if ending.turn is None:
            deleted.setdefault(ending.record, []).append(ending.line)
    for ending in model.endings:
        turn = ending.turn
        if turn is None or not turn.committed or turn.ended is None:
            continue
        if any(ending.line < line < turn.ended for line in deleted.get(ending.record, ())):
            yield broken(
                NAME,
                "TXN-3",
                turn,
                f"the commit of {turn.label}",
                f"because an operator deleted {ending.record} before it, and the turn had changed that record",
                record=ending.record,
                path=(f"an operator deleted {ending.record}", turn.label),
            )


SNAPSHOT_READS = Invariant(
    name=NAME,
    clauses=("VIEW-5", "TXN-3"),
    holds_when=(
        "A turn observes nothing that had not committed when it began, but for its own writes; what is ACTIVE in that "
        "snapshot stays readable until the turn itself or an operator ends it; and of two turns that change one "
        "record, or of a turn and an operator who deletes it meanwhile, only the first does."
    ),
    counts={
        "turns": "turns that ran",
        "changes": "replacements and deletions that turns and operators made",
        "interleaved_probes": "observations of a turn after another of its agent had committed while it was open; "
        "without one the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(read=("session", "agent"), write=("agent",)),
        begin("s0", "account-17"),
        add("s0", "mem_signed", scope="agent"),
        end("s0"),
        begin("s1", "account-22"),
        begin("s2", "account-17"),
        call("s2", "delete_memory", {"id": "mem_signed"}, {"deleted": "mem_signed"}),
        end("s2"),
        call("s1", "read_memory", {"id": "mem_signed"}, {"record": record("mem_signed")}),
        search("s1", "mem_signed"),
        end("s1"),
    ),
    bad=(
        HEADER,
        deploy(read=("session", "agent"), write=("agent",)),
        begin("s0", "account-17"),
        add("s0", "mem_signed", scope="agent"),
        end("s0"),
        begin("s1", "account-22"),
        begin("s2", "account-17"),
        call("s2", "delete_memory", {"id": "mem_signed"}, {"deleted": "mem_signed"}),
        end("s2"),
        call("s1", "read_memory", {"id": "mem_signed"}, None),
        context("s1", 2),
        end("s1"),
    ),
)
