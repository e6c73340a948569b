"""A naive model of the memory system: a flat list of everything that ever happened, and the clauses read over it.

Written with no regard for speed, and with no code of the engine. `Naive` is who sees what; what a model is handed
stands in `naive_context.py`, the tools in `naive_tools.py`, history in `naive_history.py`, reviews in
`naive_reviews.py`, what operators see in `naive_operators.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar

import naive_search
from naive_facts import (
    Begun,
    Called,
    Config,
    Deleted,
    Deployed,
    Ended,
    Erased,
    Noted,
    Plain,
    Said,
    Wrote,
    a_name,
    encoded,
    moment,
    tokens,
    whole,
)

Fact = TypeVar("Fact")
Answer = TypeVar("Answer")


class RefusalError(Exception):
    """The model would refuse, with any one of these codes: which of several reasons comes first is nobody's promise."""

    def __init__(self, codes: Iterable[str]) -> None:
        super().__init__(", ".join(sorted(codes)))
        self.codes = frozenset(codes)


def refuse_if(*reasons: tuple[str, bool]) -> None:
    codes = {code for code, holds in reasons if holds}
    if codes:
        raise RefusalError(codes)


def once(question: Callable[..., Answer]) -> Callable[..., Answer]:
    """Works an answer out once for each state of the list. It is the same anyhow, and the programs can be longer."""

    @wraps(question)
    def asked(memory: Naive, *about: Any) -> Answer:
        key = (question.__name__, *about)
        if key not in memory.answers:
            memory.answers[key] = question(memory, *about)
        answer: Answer = memory.answers[key]
        return answer

    return asked


class Naive:
    def __init__(self) -> None:
        self.happened: tuple[Any, ...] = ()
        self.answers: dict[Any, Any] = {}

    def happen(self, *facts: Any) -> None:
        self.become((*self.happened, *facts))

    def become(self, happened: Iterable[Any]) -> None:
        self.happened = tuple(happened)
        self.answers.clear()

    @once
    def every(self, kind: type[Fact]) -> list[Fact]:
        return [fact for fact in self.happened if isinstance(fact, kind)]

    # Turns

    @once
    def outcome(self, turn: Begun) -> str:
        return next((end.outcome for end in self.every(Ended) if end.turn is turn), "open")

    @once
    def committed(self) -> list[Begun]:
        """In the order of commits."""
        return [end.turn for end in self.every(Ended) if end.outcome == "committed"]

    @once
    def committed_before(self, turn: Begun) -> list[Begun]:
        """What was committed when `turn` began (VIEW-5)."""
        until = self.happened[: self.happened.index(turn)]
        return [fact.turn for fact in until if isinstance(fact, Ended) and fact.outcome == "committed"]

    def open_turns(self) -> list[Begun]:
        return [turn for turn in self.every(Begun) if self.outcome(turn) == "open"]

    def all_ids(self) -> list[str]:
        return [record.id for record in self.every(Wrote)]

    def all_refs(self) -> list[str]:
        return [said.message["ref"] for said in self.every(Said) if "ref" in said.message]

    # Who sees what

    @once
    def sees(self, turn: Begun, other: Begun) -> bool:
        """Whether what `other` wrote is there for `turn`, as far as agents, planes and time go."""
        if other is turn:
            return True
        return (
            other.agent == turn.agent  # VIEW-1
            and (other.plane == "live" or turn.plane == "preview")  # VIEW-4
            and other in self.committed_before(turn)  # VIEW-5
        )

    def same_session(self, turn: Begun, other: Begun) -> bool:
        """VIEW-2, VIEW-7."""
        return other is turn or (turn.session is not None and turn.session == other.session)

    @once
    def records(self, turn: Begun) -> list[Wrote]:
        """The records in the view of `turn`, whatever their status."""
        return [
            record
            for record in self.every(Wrote)
            if self.sees(turn, record.turn)
            and record.scope in turn.config.reads  # VIEW-3
            and (record.scope == "agent" or self.same_session(turn, record.turn))
            and record.would_delete is None  # PRE-2: a marker is seen by operators only
        ]

    @once
    def status(self, turn: Begun, record: Wrote) -> str:
        """As `turn` sees it."""
        seen = [other for other in self.every(Wrote) if self.sees(turn, other.turn)]
        if (
            any(erased.id == record.id for erased in self.every(Erased))  # ADM-2: at once, also in open turns
            or any(gone.id == record.id and self.sees(turn, gone.turn) for gone in self.every(Deleted))
            or any(other.would_delete == record.id for other in seen)
        ):
            return "DELETED"
        ends = any(record.id in (*other.replaces, *other.would_replace) for other in seen)
        return "SUPERSEDED" if ends else "ACTIVE"

    @once
    def successor(self, turn: Begun, record: Wrote) -> str | None:
        """The record that took its place and is in view: the live one, else the preview's (PRE-2)."""
        in_view = [other for other in self.records(turn) if self.status(turn, other) != "DELETED"]
        seen = [other for other in self.every(Wrote) if self.sees(turn, other.turn)]
        real = [other for other in seen if record.id in other.replaces]
        wanted = [other for other in seen if record.id in other.would_replace]
        return next((other.id for other in real or wanted if other in in_view), None)

    def find(self, turn: Begun, record_id: str) -> Wrote | None:
        """VIEW-6, WRT-4: None for deleted, unknown and out of view alike."""
        found = [record for record in self.records(turn) if record.id == record_id]
        return next((record for record in found if self.status(turn, record) != "DELETED"), None)

    @once
    def active(self, turn: Begun) -> list[Wrote]:
        return [record for record in self.records(turn) if self.status(turn, record) == "ACTIVE"]

    def shown(self, turn: Begun, record: Wrote) -> Plain:
        """A record as the agent sees it."""
        successor = self.successor(turn, record)
        return {
            "id": record.id,
            "summary": record.summary,
            "content": record.content,
            "kind": record.kind,
            "labels": record.labels,
            "scope": record.scope,
            "pinned": record.pinned,
            "status": self.status(turn, record),
            "at": moment(record.turn.at),
        } | ({} if successor is None else {"successor": successor})

    # Its session's past

    @once
    def earlier(self, turn: Begun) -> list[Begun]:
        """The committed turns that it continues, in the order of commits (VIEW-4)."""
        return [
            other for other in self.committed_before(turn) if self.sees(turn, other) and self.same_session(turn, other)
        ]

    @once
    def said(self, turn: Begun) -> list[Said]:
        return [said for said in self.every(Said) if said.turn is turn]

    # Pins

    @once
    def pinned(self, turn: Begun) -> list[Wrote]:
        """PIN-3: AGENT before SESSION, oldest first."""
        pins = [record for record in self.active(turn) if record.pinned]
        return sorted(pins, key=lambda pin: (pin.scope != "agent", pin.turn.at, pin.ordinal, pin.id))

    def listed_pins(self, turn: Begun) -> tuple[str, list[Wrote]]:
        """PIN-4: as many as the budget holds, and if that is not all, a line that says how many are left out."""
        budget = turn.config.budget
        if budget is None:
            return "", []
        pins = self.pinned(turn)
        for shown in range(len(pins), -1, -1):
            left_out = len(pins) - shown
            text = "\n".join(
                [pin_lines(pins[:shown]), encoded({"left_out": left_out})] if left_out else [pin_lines(pins)]
            )
            if tokens(text.lstrip("\n")) <= budget:
                return text.lstrip("\n"), pins[:shown]
        return str(len(pins)), []

    # Search

    def search(self, turn: Begun, admitted: list[Wrote], query: str, limit: int) -> list[tuple[Wrote, Plain]]:
        config = turn.config
        hits = naive_search.search(
            self.active(turn),
            admitted,
            query,
            mode=config.mode,
            min_score=config.min_score,
            limit=limit,
            now=turn.at,
        )
        return [(record, self.shown(turn, record) | scores) for record, scores in hits]

    # What happens

    def deploy(self, agent: str, plane: str, document: Plain) -> int:
        config = Config(document)
        earlier = [deploy for deploy in self.every(Deployed) if deploy.agent == agent]
        latest = max((deploy.number for deploy in earlier), default=0)
        number = document.get("version", latest + 1)
        declared = [pair for deploy in earlier for pair in deploy.config.labels.items()]
        names = [name for name, _ in declared]
        taken = [new for name, new in config.labels.items() if name not in names]
        refuse_if(
            ("deploy_refused", any(config.labels.get(name) != label for name, label in declared)),  # VER-2
            ("deploy_refused", any(label in taken for _, label in declared) or len(taken) > len(set(taken))),
            ("deploy_refused", number < latest),  # VER-3
            ("deploy_refused", any(each.number == number and each.config != config for each in earlier)),
            (
                "deploy_refused",
                not config.sessions and config.enabled and {"session"} <= {*config.reads, *config.writes},
            ),
        )
        self.happen(Deployed(agent, plane, number, config))
        return int(number)

    def running(self, agent: str, plane: str) -> Deployed | None:
        """VER-1: the latest live version; in a preview the latest of either plane."""
        deploys = [deploy for deploy in self.every(Deployed) if deploy.agent == agent]
        seen = [deploy for deploy in deploys if deploy.plane == "live" or plane == "preview"]
        return seen[-1] if seen else None

    def begin(self, agent: str, session: str | None, plane: str, execution: str, at: int, user: str) -> Begun:
        version = self.running(agent, plane)
        if version is None:
            raise RefusalError({"not_found"})
        turn = Begun(agent, session, plane, execution, at, whole(user), version)
        earlier = [other for other in self.committed() if self.same_session(turn, other) and other.agent == agent]
        refuse_if(
            ("invalid_value", session is not None and not a_name(session)),  # REC-6
            ("invalid_value", version.config.sessions != (session is not None)),  # VIEW-7
            ("invalid_value", any((t.agent, t.execution) == (agent, execution) for t in self.every(Begun))),  # REC-2
            ("invalid_value", any(t.at > at for t in earlier if t.plane == "live" or plane == "preview")),  # SCH-6
            ("busy", any(t.agent == agent and self.same_session(turn, t) for t in self.open_turns())),  # TXN-3
        )
        self.happen(turn, Noted(turn, "user"), Said(turn, {"role": "user", "text": turn.user}, carried=True))
        return turn

    def calls(self, turn: Begun) -> int:
        return len([called for called in self.every(Called) if called.turn is turn])

    def spend_call(self, turn: Begun) -> int:
        """TXN-5: the number of the call; the one too many fails the turn."""
        if self.calls(turn) >= turn.config.model_calls:
            self.happen(Ended(turn, "failed"))
            raise RefusalError({"limit_exceeded"})
        self.happen(Called(turn))
        return self.calls(turn)

    def named(self, turn: Begun) -> list[str]:
        """The records that it ends or, in a preview, would end."""
        wrote = [record for record in self.every(Wrote) if record.turn is turn]
        replaced = [each for record in wrote for each in (*record.replaces, *record.would_replace)]
        marked = [record.would_delete for record in wrote if record.would_delete is not None]
        return [*replaced, *marked, *(gone.id for gone in self.every(Deleted) if gone.turn is turn)]

    def was_second(self, turn: Begun) -> bool:
        """Whether a record that it names was ended by another: for a preview, also one that a preview would end."""
        theirs = [record for record in self.every(Wrote) if record.turn in self.committed()]
        ended = [each for record in theirs for each in record.replaces]
        ended += [gone.id for gone in self.every(Deleted) if gone.turn in self.committed()]
        ended += [erased.id for erased in self.every(Erased)]
        if turn.plane == "preview":
            ended += [each for record in theirs for each in (*record.would_replace, record.would_delete) if each]
        return any(each in ended for each in self.named(turn))

    def as_of_now(self, turn: Begun, ask: Callable[[Begun], Answer]) -> Answer:
        """What a turn like `turn` would be answered if it began now."""
        now = Begun(turn.agent, turn.session, turn.plane, "now", turn.at, "", turn.version)
        self.happen(now)
        answer = ask(now)
        self.become(self.happened[:-1])
        return answer

    def agent_pins_exceed(self, turn: Begun) -> bool:
        """Whether AGENT pins of this turn do not fit beside what was committed since it began."""
        own = [pin for pin in self.pinned(turn) if pin.turn is turn]
        if turn.config.budget is None or all(pin.scope == "session" for pin in own):
            return False
        others = [pin for pin in self.as_of_now(turn, self.pinned) if pin.id not in self.named(turn)]
        return tokens(pin_lines([*others, *own])) > turn.config.budget


def pin_lines(pins: list[Wrote]) -> str:
    return "\n".join(encoded({"id": pin.id, "summary": pin.summary}) for pin in pins)
