"""reference-confinement: a reference answers in its session and planes only, and with its result, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .events import Call, Say
from .examples import HEADER, begin, call, deploy, end, say
from .history import History
from .judge import forbidden
from .model import Model, Origin, Turn, objections, read
from .plain import as_number
from .verdict import Invariant, Verdict, Violation, broken

NAME = "reference-confinement"
CLAUSES = ("VIEW-1", "VIEW-2", "VIEW-4", "VIEW-5", "VIEW-7", "TXN-2")


def check(history: History) -> Verdict:
    """Every sighting of a reference, and what `read_result` answered to each."""
    model = read(history)
    texts: dict[tuple[str, str], list[str]] = {}
    for event in history.events:
        if isinstance(event, Say) and event.ref is not None and isinstance(event.value, str):
            texts.setdefault((event.ref, event.turn), []).append(event.value)
    found = [each for each in forbidden(NAME, history, CLAUSES) if _is_reference(model, each)]
    reads = [event for event in history.events if isinstance(event, Call) and event.tool == "read_result"]
    foreign = 0
    for read_result in reads:
        ref = str(read_result.arguments.get("ref"))
        turn = model.turns[read_result.turn]
        own = [origin for origin in model.results.get(ref, ()) if not objections(turn, origin)]
        foreign += ref in model.results and not own
        if own:
            said = [text for origin in own for text in texts[ref, origin.turn.id]]
            found += _answered(turn, read_result, ref, own[0], said)
    checked = {"references": sum(map(len, model.results.values())), "reads": len(reads), "foreign_reads": foreign}
    return Verdict.of(NAME, checked, found, len(reads))


def _is_reference(model: Model, violation: Violation) -> bool:
    return violation.observation.split(":", 1)[0] in model.results


def _answered(turn: Turn, event: Call, ref: str, origin: Origin, said: Sequence[str]) -> Iterator[Violation]:
    """A reference that the turn may read, against the results that it may mean there."""
    where = f"{ref}: answer of read_result in {turn.label} call {event.call}"
    path = (origin.turn.label, origin.source)
    if event.error is not None:
        if event.error.get("code") == "not_found":
            why = "because the turn may read it: it is of its own session and of a plane that it sees"
            yield broken(NAME, "CTX-5", event, where, why, path=path)
        return
    assert event.answer is not None
    told = event.answer.get("text")
    if not isinstance(told, str):
        return
    offset, length = (as_number(event.arguments.get(key)) for key in ("offset", "length"))
    start = 0 if offset is None else int(offset)
    stop = None if length is None else start + int(length)
    if all(told != text[start:stop] for text in said):
        why = "because the result is another: it returns whole, or in the part that was asked for"
        yield broken(NAME, "CTX-2", event, where, why, path=path)


_RESULT = say("s0", "line 1", "tool", name="ledger", ref="ref_0000000001")

REFERENCE_CONFINEMENT = Invariant(
    name=NAME,
    clauses=(*CLAUSES, "CTX-2", "CTX-5"),
    holds_when=(
        "A reference to a tool's result stands and answers only in turns of the session that was told the result, in "
        "planes that see it, after it committed or in its own turn; there it always answers, with the result byte for "
        "byte or the part asked for."
    ),
    counts={
        "references": "results that have a reference",
        "reads": "calls of `read_result`; without one the verdict is unknown",
        "foreign_reads": "those of them that name a result of another session, agent, plane, or of an undone turn",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        _RESULT,
        call("s0", "read_result", {"ref": "ref_0000000001"}, {"text": "line 1"}),
        end("s0"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        _RESULT,
        end("s0"),
        begin("s1", "account-22"),
        call("s1", "read_result", {"ref": "ref_0000000001"}, {"text": "line 1"}),
        end("s1"),
    ),
)
