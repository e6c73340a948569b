"""supersede-chain: successors form chains, and status and successor agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .events import Stored
from .examples import HEADER, add, begin, deploy, end, stored
from .history import History
from .ledger import where_written
from .model import Ending, read
from .plain import ids
from .verdict import Invariant, Verdict, Violation, broken

NAME = "supersede-chain"


def check(history: History) -> Verdict:
    """The ledger's records by their successors, and by what each says that it replaced."""
    ledger = {entry.id: entry for entry in history.records}
    links = {entry.id: entry.successor for entry in history.records if entry.successor is not None}
    found = [each for entry in history.records for each in _entry(entry, ledger)]
    found += [*_forks(history), *_cycles(links, ledger), *_unkept(history, ledger)]
    checked = {"records": len(ledger), "replacements": len(links)}
    return Verdict.of(NAME, checked, [*where_written(read(history), found)], len(links))


def _entry(entry: Stored, ledger: Mapping[str, Stored]) -> Iterator[Violation]:
    # What was deleted may have been superseded before.
    told = "successor" in entry.told and entry.status in ("ACTIVE", "SUPERSEDED")
    if told and (entry.status == "SUPERSEDED") != (entry.successor is not None):
        has = f"successor {entry.successor}" if entry.successor else "no successor"
        yield _violation(entry, f"ledger: {has}", f"because its status is {entry.status}, and it has {has}")
    if entry.successor is None:
        return
    successor = ledger.get(entry.successor)
    if successor is None:
        yield _violation(entry, f"ledger: successor {entry.successor}", "because there is no such record")
        return
    for field in ("agent", "plane", "scope"):
        mine, its = getattr(entry, field), getattr(successor, field)
        if mine is not None and its is not None and mine != its:
            why = f"because it is of {field} {mine}, and what replaces it of {field} {its}"
            yield _violation(entry, f"ledger: successor {entry.successor}", why, "WRT-3")
    if (
        entry.scope == "session"
        and "session" in entry.told
        and "session" in successor.told
        and entry.session != successor.session
    ):
        why = f"because it is of session {entry.session}, and what replaces it of session {successor.session}"
        yield _violation(entry, f"ledger: successor {entry.successor}", why, "WRT-3")
    if successor.replaces and entry.id not in successor.replaces:
        why = f"because {successor.id} does not say that it replaced it"
        yield _violation(entry, f"ledger: successor {entry.successor}", why)


def _forks(history: History) -> Iterator[Violation]:
    """A record is superseded once: two of one plane that say they replaced it are a fork."""
    first: dict[tuple[str | None, str], Stored] = {}
    for entry in history.records:
        for target in ids(list(entry.replaces)):
            other = first.setdefault((entry.plane, target), entry)
            if other is not entry:
                why = f"because {other.id} replaced {target} already"
                yield _violation(entry, f"ledger: {entry.id} replaces {target}", why)


def _cycles(links: Mapping[str, str], ledger: Mapping[str, Stored]) -> Iterator[Violation]:
    done: set[str] = set()
    for start in links:
        path: list[str] = []
        at: str | None = start
        while at is not None and at not in done and at not in path:
            path.append(at)
            at = links.get(at)
        if at is not None and at in path:
            ring = [*path[path.index(at) :], at]
            observation = f"ledger: {' -> '.join(ring)}"
            yield broken(
                NAME, "WRT-2", ledger[at], observation, "because successors never lead back", record=at, path=ring
            )
        done.update(path)


def _unkept(history: History, ledger: Mapping[str, Stored]) -> Iterator[Violation]:
    """What a committed turn replaced is SUPERSEDED by what it wrote, and what was deleted is DELETED."""
    done: dict[str, list[Ending]] = {}
    for ending in read(history).endings:
        if ending.turn is None or ending.turn.committed:
            done.setdefault(ending.record, []).append(ending)
    for entry in ledger.values():
        ends = [each for each in done.get(entry.id, ()) if each.turn is None or each.plane == entry.plane]
        if ends and entry.status is not None:
            yield from _ended(entry, ends)


def _ended(entry: Stored, ends: Sequence[Ending]) -> Iterator[Violation]:
    by = "an operator" if ends[0].turn is None else ends[0].turn.label
    replaced = all(ending.replaced for ending in ends)
    if entry.status == "ACTIVE":
        yield _violation(entry, "ledger: status ACTIVE", f"because {by} replaced or deleted it, and committed")
    elif replaced and entry.status == "DELETED":
        yield _violation(entry, "ledger: status DELETED", f"because {by} replaced it, and nobody deleted it")
    elif entry.status == "SUPERSEDED" and not any(ending.replaced for ending in ends):
        yield _violation(entry, "ledger: status SUPERSEDED", f"because {by} deleted it, and nobody replaced it")
    named = {ending.successor for ending in ends if ending.replaced}
    if entry.successor is not None and named and None not in named and entry.successor not in named:
        why = f"because {by} replaced it by {' or '.join(sorted(filter(None, named)))}"
        yield _violation(entry, f"ledger: successor {entry.successor}", why)


def _violation(entry: Stored, observation: str, because: str, clause: str = "WRT-2") -> Violation:
    return broken(
        NAME, clause, entry, observation, because, record=entry.id, summary=entry.summary, path=(f"ledger: {entry.id}",)
    )


SUPERSEDE_CHAIN = Invariant(
    name=NAME,
    clauses=("WRT-2", "WRT-3"),
    holds_when=(
        "In the ledger a record has a successor exactly when it is SUPERSEDED; the successor is there, of the same "
        "agent, plane, scope and session, and says that it replaced it; no record is replaced twice within a plane; no "
        "chain of successors leads back; what a committed turn replaced is SUPERSEDED by what it wrote, and what was "
        "deleted is DELETED."
    ),
    counts={
        "records": "records of the ledger",
        "replacements": "those of them with a successor; without one the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_lower"),
        add("s0", "mem_higher", replaces="mem_lower"),
        end("s0"),
        stored("mem_lower", "s0", "account-17", status="SUPERSEDED", successor="mem_higher"),
        stored("mem_higher", "s0", "account-17", replaces=["mem_lower"]),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17"),
        add("s0", "mem_lower"),
        add("s0", "mem_higher", replaces="mem_lower"),
        end("s0"),
        stored("mem_lower", "s0", "account-17", status="SUPERSEDED", successor="mem_gone"),
        stored("mem_higher", "s0", "account-17", replaces=["mem_lower"]),
    ),
)
