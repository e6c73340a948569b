"""The review at the end of a turn: when it is due, what its model is handed, what becomes of each candidate (EXT).

Knows the turn's desk and, through `Past`, what lies behind it. Must not know the store. The comparison itself is the
reviewer's, a pure function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

from .analyze import blank
from .answers import record_json
from .arguments import check_arguments
from .context import Context, assemble
from .messages import Message
from .names import meant
from .plain import decoded
from .render import line
from .reviewer import Candidate, Decision, known, restates, review
from .tools import Desk, delete_record, draft_record, find_target, write_record
from .values import EngineError, Filters, Json, Record, Scope
from .view import View

MOST_SIMILAR = 64  # records of the candidate's scope, kind and labels that it may correct

Word: TypeAlias = Literal["add", "replace", "delete", "skip"]
Outcome: TypeAlias = Literal["add", "replace", "delete", "skip", "rejected"]


_ALONE: tuple[Word, ...] = ("add", "skip")
_NAMING: tuple[Word, ...] = ("replace", "delete")
_WHY = {
    "add": "The model adds it, and no record says so.",
    "replace": "The model finds that it corrects the record.",
    "delete": "The model finds that it shows the record wrong.",
}


class Past(Protocol):
    """What a review asks of what lies behind its turn."""

    def messages(self) -> list[Message]:
        """The messages of earlier turns that no review has covered, oldest first (EXT-1)."""
        ...

    def deleted(self, scope: Scope) -> list[Record]:
        """The records that an operator deleted, as far as this session may know of them (EXT-5)."""
        ...

    def unread(self, scope: Scope) -> list[Record]:
        """What this session itself has written to a scope that the version does not read (VIEW-5, EXT-5)."""
        ...


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of a candidate, and why.

    `target` is the record that was replaced or deleted, or that says the same; `_record` the one that was written, as
    the agent sees it. `error` is set where the candidate was rejected.
    """

    outcome: Outcome
    target: str | None
    reason: str
    error: EngineError | None = None
    _record: str | None = None

    @property
    def record(self) -> dict[str, Json] | None:
        record: dict[str, Json] | None = None if self._record is None else decoded(self._record)
        return record

    def to_json(self) -> dict[str, Json]:
        """Plain values with the keys of a `decision` line of the trace."""
        shown: dict[str, Json] = {
            "outcome": self.outcome,
            "target": self.target,
            "record": self.record,
            "reason": self.reason,
        }
        return shown if self.error is None else {**shown, "error": self.error.to_json()}


class Extraction:
    """The review of one turn."""

    def __init__(self, desk: Desk, past: Past) -> None:
        self._desk = desk
        self._past = past
        self.reviewed = 0  # how many of the turn's own messages it covered; 0: there was none
        self._decided: list[tuple[Decided, Record | None]] = []
        self._said: list[Candidate] = []  # the candidates so far that were not rejected

    @property
    def decisions(self) -> tuple[Decided, ...]:
        """What became of each candidate, in order, as it stands now."""
        return tuple(decided for decided, _ in self._decided)

    @property
    def adds(self) -> bool:
        """Whether it wrote anything that the commit has to look at again."""
        return any(record is not None for _, record in self._decided)

    def due(self, own: Sequence[Message]) -> bool:
        """Whether a turn that ends with these messages is to be reviewed (EXT-2)."""
        memory = self._desk.version.config.memory
        if not memory.write or self.reviewed:
            return False
        return memory.every is None or len(self._past.messages()) + len(own) >= memory.every

    def context(self, call: int, state: str, own: Sequence[Message]) -> Context:
        """What the model of the review is handed: the original messages since the last one (EXT-1, RCL-1)."""
        desk = self._desk
        self.reviewed = len(own)
        return assemble(
            call=call,
            instructions=desk.version.review_instructions,
            tools=desk.version.review_tools,
            state=state,
            summary=None,  # EXT-1: it reads what was said itself
            messages=[message.body for message in (*self._past.messages(), *own)],  # EXT-1: large results too, whole
            count_tokens=desk.count_tokens,
            purpose="memory",
            model=desk.version.config.memory.model,
        )

    def decide(self, candidate: dict[str, Json]) -> Decided:
        """What becomes of one candidate: an item of `extract`. One that is rejected changes nothing (EXT-3)."""
        try:
            decided, record = self._decide(dict(candidate))
        except EngineError as refusal:
            return self.reject(refusal)
        self._decided.append((decided, record))
        return decided

    def reject(self, refusal: EngineError) -> Decided:
        """A candidate that cannot even be looked at."""
        decided = Decided("rejected", None, refusal.message, refusal)
        self._decided.append((decided, None))
        return decided

    def recheck(self, view: View) -> list[Decided]:
        """Look again before the commit, in a view that begins now: an add that equals what was committed, or what an
        operator deleted, meanwhile becomes SKIP. Returns what has changed (TXN-3, EXT-5).

        Raises `conflict` where a replacement does: what it replaces cannot be given back.
        """
        changed = []
        for place, (decided, record) in enumerate(self._decided):
            if record is None or record.id in self._desk.writes.ended:
                continue
            skip = self._known(_candidate(record), view)
            if skip is None:
                continue
            if decided.outcome == "replace":
                raise EngineError(
                    "conflict",
                    "what this turn's review replaces a record with was committed since the turn began",
                    "Run the turn again: it will see the change.",
                )
            self._desk.writes.withdraw(record.id)
            # VIEW-5: the other record is not in this turn's view, so it is not named.
            why = f"{skip.reason if skip.target is None else 'A record says so that was committed meanwhile.'}"
            outcome: Outcome = "skip" if decided.outcome == "add" else decided.outcome
            now = replace(decided, outcome=outcome, reason=why, _record=None)
            self._decided[place] = (now, None)
            changed.append(now)
        return changed

    def _decide(self, item: dict[str, Json]) -> tuple[Decided, Record | None]:
        desk = self._desk
        word, named = _instruction(item.pop("decision", None))
        if "replaces" in item:
            raise EngineError("invalid_value", "a candidate has no `replaces`", "Say it as the candidate's `decision`.")
        check_arguments("add_memory", item)
        draft = draft_record(desk, item, "extraction")
        candidate = _candidate(draft.record)
        target = None if named is None else find_target(desk, named, candidate.scope)
        decision, keep = self._judged(candidate, word, target)
        shown = None
        if keep:
            if decision.outcome == "replace":
                draft = draft_record(desk, {**item, "replaces": decision.target}, "extraction")
            write_record(desk, draft)
            shown = line(record_json(draft.record, desk.version.label_names, desk.view))
        if decision.outcome == "delete":
            assert target is not None, "EXT-4: the deterministic reviewer never deletes"
            delete_record(desk, target, "extraction")
        self._said.append(candidate)
        decided = Decided(decision.outcome, decision.target, decision.reason, _record=shown)
        return decided, draft.record if keep else None

    def _judged(self, candidate: Candidate, word: Word | None, target: Record | None) -> tuple[Decision, bool]:
        """The decision on a candidate, and whether the candidate is written.

        A record that the model shows wrong goes, and the candidate lands too, unless a record says it already
        (mem0#4580). Text that says the same as a record does not show it wrong (mem0#1674).
        """
        if word == "skip":
            return Decision("skip", None, "The model skips it."), False
        if target is not None and restates(candidate, target):
            return Decision("skip", target.id, "The record that it would change says the same."), False
        skip = self._known(candidate, self._desk.view, besides=target)
        if skip is not None:
            if target is None or skip.target is None:
                return skip, False
            return Decision("delete", target.id, f"The model finds the record wrong. {skip.reason}"), False
        if word is not None:
            return Decision(word, None if target is None else target.id, _WHY[word]), True
        return self._reviewed(candidate), True

    def _known(self, candidate: Candidate, view: View, besides: Record | None = None) -> Decision | None:
        """Whether a record says what the candidate says, or an operator deleted one that does (EXT-4, EXT-5)."""
        desk, scope = self._desk, candidate.scope
        gone = {*desk.writes.targets, *desk.writes.records, *(() if besides is None else (besides.id,))}
        own = view is desk.view
        said = [record for record in view.saying(candidate.summary) if own or record.id not in gone]
        said = [record for record in said if besides is None or record.id != besides.id]
        found = known(candidate, said, said if scope == "session" else (), deleted=self._past.deleted(scope))
        if found is None and own and self._written_by_the_agent(candidate):
            # It may have changed its mind since: what it replaced or deleted is not for its review to bring back.
            return Decision("skip", None, "The agent has written so itself in this turn.")
        if found is None and own and scope not in desk.version.config.memory.read:
            unread = [
                record
                for record in (*self._past.unread(scope), *desk.writes.records.values())
                if record.scope == scope and record.would_delete is None and record.id not in desk.writes.ended
            ]
            if any(restates(candidate, record) for record in unread):
                # VIEW-3: it may not be named, for it is not in view.
                return Decision("skip", None, "This session has written so already, to a scope that it does not read.")
        return found

    def _written_by_the_agent(self, candidate: Candidate) -> bool:
        """Whether the turn has saved this fact by `add_memory`, whatever became of it since (EXT-5)."""
        scopes: tuple[Scope, ...] = ("session", "agent") if candidate.scope == "session" else ("agent",)
        return any(
            record.source == "tool" and record.scope in scopes and record.would_delete is None
            for record in self._desk.writes.records.values()
            if restates(candidate, record)
        )

    def _reviewed(self, candidate: Candidate) -> Decision:
        """The deterministic reviewer's decision on a candidate that says something new.

        It corrects no record that another candidate of the same review states: of two that contradict each other it is
        not sure, and the same review again would change one into the other for ever (EXT-4, EXT-6).
        """
        desk = self._desk
        similar: list[Record] = []
        if candidate.labels and not blank(candidate.summary):  # without labels it is never sure to correct a record
            labels = tuple((number, (value,)) for number, value in candidate.labels)
            filters = Filters(kinds=(candidate.kind,), labels=labels, scope=candidate.scope)
            hits = desk.view.search(candidate.summary, filters, limit=MOST_SIMILAR, now=desk.at)
            found = (hit.record for hit in hits)
            similar = [record for record in found if not any(restates(said, record) for said in self._said)]
        writable = desk.version.config.memory.write
        return review(candidate, similar, writable=lambda record: record.scope in writable)


def _candidate(record: Record) -> Candidate:
    return Candidate(record.summary, record.content, record.kind, record.labels, record.scope)


def _instruction(decision: Json) -> tuple[Word | None, str | None]:
    """The model's decision as a word and the record that it names; None where it leaves it to the reviewer."""
    if decision is None:
        return None, None
    for word in _ALONE:
        if decision == word:
            return word, None
    for word in _NAMING:
        named = decision.get(word) if isinstance(decision, dict) and len(decision) == 1 else None
        if isinstance(named, str):
            return word, named
    raise EngineError(
        "invalid_value",
        "a decision is `add`, `skip`, `{replace: id}` or `{delete: id}`",
        meant(decision, ("add", "skip")) if isinstance(decision, str) else "",
    )
