"""What random scenarios exercised: how often it came to each thing that matters, and to which it never came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..invariants import Verdict
from .cast import Role, labels, memory

Line = Mapping[str, Any]


def _sessions(roles: Sequence[Role]) -> bool:
    return any(role.sessions for role in roles)


def _remembers(roles: Sequence[Role]) -> bool:
    return any(memory(version.config) for role in roles for version in role.versions)


def _always(roles: Sequence[Role]) -> bool:
    return True


# What is counted -> whether the agents can come to it at all. In the order of the report.
COUNTS: dict[str, Callable[[Sequence[Role]], bool]] = {
    "turns": _always,
    "turns committed": _always,
    "turns rolled back": _always,
    "turns failed": _always,
    "turns crashed": _always,
    "turns in conflict": _remembers,
    "turns refused as busy": _sessions,
    "turns in preview": _always,
    "turns without a session": lambda roles: any(not role.sessions for role in roles),
    "turns interleaved": _always,
    "restarts": _always,
    "deploys": _always,
    "deploys refused": lambda roles: any(labels(version.config) for role in roles for version in role.versions),
    "records added": _remembers,
    "records replaced": _remembers,
    "records deleted": _remembers,
    "records pinned": _remembers,
    "records labelled": _remembers,
    "pins over budget": _remembers,
    "records recalled": _remembers,
    "searches": _remembers,
    "searches of history": _sessions,
    "results read again": _always,
    "results set aside": _always,
    "conversations summed up": _sessions,
    "calls not found": _remembers,
    "calls by helpers": _remembers,
    "writes refused to helpers": _remembers,
    "reviews": _remembers,
    "candidates added": _remembers,
    "candidates that replaced": _remembers,
    "candidates that deleted": _remembers,
    "candidates skipped": _remembers,
    "candidates rejected": _remembers,
    "reviews postponed": _remembers,
    "operators' listings": _always,
    "operators' reads": _remembers,
    "operators' deletions": _remembers,
    "operators refused a grant": _always,
}
_ENDS = {"committed": "committed", "rolled_back": "rolled back", "failed": "failed", "crashed": "crashed",
         "conflict": "in conflict"}  # fmt: skip
_OUTCOMES = {"add": "added", "replace": "that replaced", "delete": "that deleted", "skip": "skipped",
             "rejected": "rejected"}  # fmt: skip
_LOOKS = {"list": "operators' listings", "read": "operators' reads", "delete": "operators' deletions"}
_CALLS = {"search_memory": "searches", "search_history": "searches of history", "read_result": "results read again",
          "delete_memory": "records deleted"}  # fmt: skip
# What one agent alone, or agents without sessions, have nothing to show of.
_OF_SEVERAL = frozenset({"agent-isolation", "noninterference:agents"})
_OF_SESSIONS = frozenset({"session-isolation", "history-confinement", "flow", "noninterference:sessions", "commute"})


@dataclass(slots=True)
class Tally:
    """Counts over all examples. `probes` are of each invariant."""

    counts: Counter[str] = field(default_factory=Counter)
    probes: Counter[str] = field(default_factory=Counter)
    examples: int = 0

    def trace(self, lines: Sequence[Line]) -> None:
        self.examples += 1
        for line in lines:
            self.counts.update(_happened(line))
        self.counts["turns interleaved"] += _interleaved(lines)

    def verdicts(self, verdicts: Iterable[Verdict]) -> None:
        for verdict in verdicts:
            self.probes[verdict.name] += verdict.probes

    def add(self, other: Tally) -> None:
        self.counts.update(other.counts)
        self.probes.update(other.probes)
        self.examples += other.examples

    def unreached(self, roles: Sequence[Role]) -> list[str]:
        """What never happened although these agents can come to it."""
        return [name for name, possible in COUNTS.items() if not self.counts[name] and possible(roles)]

    def unchecked(self, roles: Sequence[Role], invariants: Iterable[str]) -> list[str]:
        """The invariants that had nothing to check, although these agents can give them something."""
        foreign = (_OF_SEVERAL if len(roles) == 1 else frozenset()) | (
            frozenset() if _sessions(roles) else _OF_SESSIONS
        )
        return [name for name in invariants if not self.probes[name] and name not in foreign]


def _happened(line: Line) -> Iterator[str]:
    told = _KINDS.get(line["type"])
    if told is not None:
        yield from told(line)


def _begun(line: Line) -> Iterator[str]:
    if "error" in line:
        if line["error"]["code"] == "busy":
            yield "turns refused as busy"
        return
    yield "turns"
    if line["plane"] == "preview":
        yield "turns in preview"
    if line["session"] is None:
        yield "turns without a session"


def _ended(line: Line) -> Iterator[str]:
    yield f"turns {_ENDS[line['outcome']]}"


def _deployed(line: Line) -> Iterator[str]:
    if line["step"].startswith("/steps/"):  # not what an agent starts with
        yield "deploys refused" if "error" in line else "deploys"


def _restarted(line: Line) -> Iterator[str]:
    yield "restarts"


def _called(line: Line) -> Iterator[str]:
    code = line.get("error", {}).get("code")
    if line["by"] != "agent":
        yield "calls by helpers"
    if code is None:
        if line["tool"] == "add_memory":
            yield from _added(line)
        elif line["tool"] in _CALLS:
            yield _CALLS[line["tool"]]
    elif code in _REFUSED:
        yield _REFUSED[code]


_REFUSED = {"helper_cannot_write": "writes refused to helpers", "over_budget": "pins over budget",
            "not_found": "calls not found"}  # fmt: skip


def _added(line: Line) -> Iterator[str]:
    yield "records added"
    if line["arguments"].get("replaces"):
        yield "records replaced"
    if line["arguments"].get("pinned"):
        yield "records pinned"
    if line["arguments"].get("labels"):
        yield "records labelled"


def _decided(line: Line) -> Iterator[str]:
    yield f"candidates {_OUTCOMES[line['outcome']]}"


def _shown(line: Line) -> Iterator[str]:
    if line["purpose"] == "memory":
        yield "reviews"
    elif line["purpose"] == "summary":
        yield "conversations summed up"
    elif line["recalled"]:
        yield "records recalled"
    if any("note" in message for message in line["messages"]):
        yield "results set aside"


def _looked(line: Line) -> Iterator[str]:
    if "error" not in line:
        yield _LOOKS[line["action"]]
    elif line["error"]["code"] == "missing_grant":
        yield "operators refused a grant"


def _postponed(line: Line) -> Iterator[str]:
    yield "reviews postponed"


_KINDS: dict[str, Callable[[Line], Iterator[str]]] = {
    "begin": _begun, "end": _ended, "deploy": _deployed, "restart": _restarted, "call": _called,
    "decision": _decided, "context": _shown, "review": _looked, "postponed": _postponed,
}  # fmt: skip


def _interleaved(lines: Sequence[Line]) -> int:
    """How many turns ended while another was open that had begun before, or the reverse."""
    running: set[str] = set()
    mixed: set[str] = set()
    for line in lines:
        if line["type"] == "begin" and "error" not in line:
            running.add(line["turn"])
            mixed |= running if len(running) > 1 else set()
        elif line["type"] == "end":
            running.discard(line["turn"])
    return len(mixed)
