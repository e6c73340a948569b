"""Faults of turns: what they carry on, what they leave behind when they do not commit, what they count (TXN, CTX)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from seatrial.engine import commits, engine, history, journal, messages, rows
from seatrial.engine.engine import Engine, _Journal
from seatrial.engine.extraction import Extraction
from seatrial.engine.history import events
from seatrial.engine.journal import Carried, Outcome
from seatrial.engine.references import References
from seatrial.engine.turn import Turn, TurnResult
from seatrial.engine.values import EngineError

from .fault import Alteration, Fault
from .views import begun


def _keeps(method: str, outcome: Outcome) -> Callable[[Alteration], None]:
    """An end without a commit that commits all the same."""

    def alter(alteration: Alteration) -> None:
        def make(real: Any) -> Any:
            def keeping(self: Turn, reason: str | None = None) -> TurnResult:
                self.commit()
                self.result = TurnResult(self.execution, outcome, reason, None, self._carried)
                return self.result

            return keeping

        alteration.wrap(Turn, method, make)

    return alter


def _undone_state(alteration: Alteration) -> None:
    """The state of a turn that did not commit goes on."""
    states: dict[tuple[str, str | None], str] = {}

    def ending(real: Any) -> Any:
        def end(self: _Journal, turn: Turn, outcome: Any, reason: Any) -> None:
            states[turn.desk.agent, turn.desk.session] = turn.state_text
            real(self, turn, outcome, reason)

        return end

    def carrying(real: Any) -> Any:
        def carried(sql: Any, agent: str, session: str, planes: Any) -> Any:
            found = real(sql, agent, session, planes)
            state = states.pop((agent, session), None)
            return found if state is None else Carried(state, 0 if found is None else found.at)

        return carried

    alteration.wrap(_Journal, "end", ending)
    alteration.wrap(journal, "carried", carrying)


def _undone_events(alteration: Alteration) -> None:
    """History keeps what an undone turn said (hermes-agent#45043)."""

    def ending(real: Any) -> Any:
        def end(self: _Journal, turn: Turn, outcome: Any, reason: Any) -> None:
            kept = events(self._begun, turn.conversation.kept, turn.desk.version.config.history)
            if turn.desk.session is not None:
                turn.desk.history()
                self._partitions.apply(kept, (), self._partitions.features(kept))
            real(self, turn, outcome, reason)

        return end

    alteration.wrap(_Journal, "end", ending)


def _first_session(target: Any, name: str) -> Callable[[Alteration], None]:
    """A session's past is read under the name of the first session that began (graphiti#1676, mem0#4359)."""

    def alter(alteration: Alteration) -> None:
        units = begun(alteration)

        def make(real: Any) -> Any:
            def shared(sql: Any, agent: str, session: str, *more: Any) -> Any:
                first = next((each for each in units if each[0] == agent and each[1]), (agent, session))
                return real(sql, agent, first[1], *more)

            return shared

        alteration.wrap(target, name, make)

    return alter


def _summary_of_the_first(alteration: Alteration) -> None:
    """Its text only: what it stands for is the session's own."""
    first: list[Any] = []

    def make(real: Any) -> Any:
        def latest(*given: Any) -> Any:
            found = real(*given)
            if found is not None and not first:
                first.append(found.text)
            return found if found is None else replace(found, text=first[0])

        return latest

    alteration.wrap(messages, "latest_summary", make)


def _helpers_are_told_of(alteration: Alteration) -> None:
    """What a helper asked and read stands in its parent's conversation."""

    def make(real: Any) -> Any:
        def run(self: Turn, actor: Any, name: str, arguments: Any) -> Any:
            done, source = real(self, actor, name, arguments)
            if actor != "agent":
                self.conversation.exchange({"name": name, "arguments": arguments, "answer": done.answer})
            return done, source

        return run

    alteration.wrap(Turn, "_run", make)


def _no_conversation(alteration: Alteration) -> None:
    alteration.put(messages, "since", lambda *_: [])


def _any_reference(alteration: Alteration) -> None:
    def result(sql: Any, agent: str, session: str, planes: Any, ref: str) -> Any:
        found = sql.execute("SELECT body FROM message WHERE ref = ?", (ref,)).fetchone()
        return None if found is None else json.loads(found[0])["text"]

    alteration.put(messages, "result", result)


def _cut_result(alteration: Alteration) -> None:
    def make(real: Any) -> Any:
        def read(self: References, ref: str) -> str | None:
            text: str | None = real(self, ref)
            return None if text is None else text[: max(1, len(text) - 1)]

        return read

    alteration.wrap(References, "read", make)


def _all_tools_kept(alteration: Alteration) -> None:
    alteration.put(
        engine,
        "events",
        lambda begun, kept, index: events(begun, kept, None if index is None else "messages_and_tools"),
    )


def _always_active(alteration: Alteration) -> None:
    """The commit does not look again: of two turns that change one record both commit."""

    def make(real: Any) -> Any:
        def commit(store: Any, batch: Any) -> Any:
            stale = {each.id for each in batch.ended if rows.status_of(store.sql, each.id) not in (None, "ACTIVE")}
            ended = tuple(each for each in batch.ended if each.id not in stale)
            return real(store, replace(batch, ended=ended, targets=()))

        return commit

    alteration.wrap(commits, "commit", make)


def _last_preview_wins(alteration: Alteration) -> None:
    """Of two previews that would change one live record both commit, and the later one counts."""

    def make(real: Any) -> Any:
        def still(sql: Any, target: str, plane: Any) -> Any:
            if plane == "preview":
                sql.execute("DELETE FROM would_end WHERE record = ?", (target,))
            return real(sql, target, plane)

        return still

    alteration.wrap(commits, "_still_active", make)


def _never_busy(alteration: Alteration) -> None:
    alteration.put(Engine, "_check_busy", lambda self, agent, session: None)


def _busy_for_all(alteration: Alteration) -> None:
    def check(self: Engine, agent: str, session: str | None) -> None:
        if any(each.desk.agent == agent for each in self._open.values()):
            raise EngineError("busy", "another turn is open", "Begin again when it has ended.")

    alteration.put(Engine, "_check_busy", check)


def _no_limit(alteration: Alteration) -> None:
    def spend(self: Turn) -> None:
        self._calls += 1

    alteration.put(Turn, "_spend_call", spend)


def _free_reviews(alteration: Alteration) -> None:
    """The model call of a review is not counted."""

    def make(real: Any) -> Any:
        def review(self: Turn) -> Any:
            calls = self._calls
            self._calls = 0
            found = real(self)
            self._calls = calls
            return found

        return review

    alteration.wrap(Turn, "review", make)


def _silent_reviews(alteration: Alteration) -> None:
    """Every second review is left out in silence."""

    def make(real: Any) -> Any:
        number = count()

        def due(self: Extraction, own: Any) -> bool:
            return bool(real(self, own)) and next(number) % 2 == 0

        return due

    alteration.wrap(Extraction, "due", make)


def _state_in_memory(alteration: Alteration) -> None:
    """A session's state is lost when the store closes."""
    alive: list[Engine] = []
    known: set[tuple[str, str | None]] = set()

    def opening(real: Any) -> Any:
        def opened(self: Engine, *given: Any, **named: Any) -> None:
            alive.append(self)
            known.clear()
            real(self, *given, **named)

        return opened

    def committing(real: Any) -> Any:
        def commit(self: Engine, desk: Any, batch: Any) -> None:
            real(self, desk, batch)
            known.add((desk.agent, desk.session))

        return commit

    def carrying(real: Any) -> Any:
        def carried(sql: Any, agent: str, session: str, planes: Any) -> Any:
            found = real(sql, agent, session, planes)
            return found if found is None or (agent, session) in known else Carried("{}", found.at)

        return carried

    alteration.wrap(Engine, "__init__", opening)
    alteration.wrap(Engine, "_commit", committing)
    alteration.wrap(journal, "carried", carrying)


def _wall_clock(alteration: Alteration) -> None:
    """Recency is told by a clock that is another one in every run."""

    def make(real: Any) -> Any:
        def desk(self: Engine, begun: Any, version: Any) -> Any:
            made = real(self, begun, version)
            return replace(made, at=made.at + alteration.run * 86_400_000)

        return desk

    alteration.wrap(Engine, "_desk", make)


def _turns_of_all_planes(alteration: Alteration) -> None:
    """Turns are numbered over both planes."""

    def make(real: Any) -> Any:
        def add_turn(sql: Any, execution: int, begun: Any, state: str, reviewed: int) -> Any:
            key, _ = real(sql, execution, begun, state, reviewed)
            where = (begun.agent, begun.session or "")
            (turns,) = sql.execute("SELECT count(*) FROM turn WHERE agent = ? AND session = ?", where).fetchone()
            sql.execute("UPDATE turn SET number = ? WHERE key = ?", (turns, key))
            return key, turns

        return add_turn

    alteration.wrap(journal, "add_turn", make)


def _conflict_keeps_records(alteration: Alteration) -> None:
    """Where a commit conflicts, only what it changes is undone: the records that it writes are kept."""

    def make(real: Any) -> Any:
        def commit(self: Engine, desk: Any, batch: Any) -> None:
            try:
                real(self, desk, batch)
            except EngineError:
                written, _ = commits.commit(self._store, replace(batch, ended=(), targets=()))
                self._partitions.apply(written, (), batch.features)
                raise

        return commit

    alteration.wrap(Engine, "_commit", make)


def _later_version_decides(alteration: Alteration) -> None:
    """Everything is kept, and the version that searches decides what of it history holds."""

    def make(real: Any) -> Any:
        def searched(self: Engine, begun: Any) -> Any:
            view = real(self, begun)
            if self._agents.running(begun.agent, begun.plane).config.history == "messages":
                for event in view.active():
                    if event.kind == "tool_result":
                        view.forget(event.id)
            return view

        return searched

    alteration.put(engine, "events", lambda begun, kept, index: events(begun, kept, "messages_and_tools"))
    alteration.wrap(Engine, "_history", make)


def _replies_as_messages(alteration: Alteration) -> None:
    alteration.put(history, "_KINDS", {"user": "message", "assistant": "message", "tool": "tool_result"})


def _sessionless_goes_on(alteration: Alteration) -> None:
    """A turn without a session continues what the agent's earlier ones said."""

    def make(real: Any) -> Any:
        def continued(store: Any, started: Any, *more: Any) -> Any:
            return real(store, replace(started, session=started.session or ""), *more)

        return continued

    alteration.wrap(engine, "continued", make)


_TOLD_BY_SCRIPT = "a trace does not tell which messages of a context are a helper's"
_CARRIED_BY_SCRIPT = "what must be carried on only a scenario's expectations say"

FAULTS: tuple[Fault, ...] = (
    Fault("rollback-keeps", "TXN-2", "a turn that rolls back is committed", _keeps("rollback", "rolled_back")),
    Fault("crash-keeps", "TXN-2", "a turn that dies is committed", _keeps("crash", "crashed")),
    Fault("failure-keeps", "TXN-2", "a turn that fails is committed", _keeps("fail", "failed")),
    Fault("conflict-keeps-records", "TXN-1", "a turn whose commit conflicts leaves the records that it wrote",
          _conflict_keeps_records),
    Fault("undone-state-carried", "CTX-6", "a turn starts with the state of one that did not commit", _undone_state),
    Fault("undone-events-kept", "HIS-4", "history keeps what a turn said that did not commit", _undone_events),
    Fault("state-of-another-session", "CTX-6", "every session has the state of the first",
          _first_session(journal, "carried")),
    Fault("conversation-of-another-session", "VIEW-2", "every session continues the first",
          _first_session(messages, "since")),
    Fault("summary-of-another-session", "VIEW-2", "every session goes on from the summary of the first",
          _summary_of_the_first),
    Fault("conversation-lost", "CTX-4", "a turn does not continue its session", _no_conversation, _CARRIED_BY_SCRIPT),
    Fault("reference-of-all-sessions", "CTX-5", "a reference answers in every session", _any_reference),
    Fault("result-cut", "CTX-2", "a result that was set aside comes back without its last character", _cut_result),
    Fault("tool-results-in-history", "HIS-3", "history keeps tool results that the version does not", _all_tools_kept),
    Fault("later-version-decides", "HIS-5", "the version that searches decides what history holds",
          _later_version_decides),
    Fault("replies-as-messages", "HIS-6", "history calls a reply a user's message", _replies_as_messages),
    Fault("sessionless-goes-on", "VIEW-7", "a turn without a session continues the one before it",
          _sessionless_goes_on),
    Fault("helpers-are-told-of", "WRT-6", "what a helper asked and read stands in its parent's conversation",
          _helpers_are_told_of, _TOLD_BY_SCRIPT),
    Fault("no-recheck-at-commit", "TXN-3", "a commit does not look at what it changes again", _always_active),
    Fault("last-preview-wins", "TXN-3", "two previews that were open at once both change one live record",
          _last_preview_wins),
    Fault("never-busy", "TXN-3", "a session may have two open turns", _never_busy),
    Fault("busy-for-others", "TXN-3", "a turn is refused while a turn of another session is open", _busy_for_all),
    Fault("no-call-limit", "TXN-5", "a turn may make any number of model calls", _no_limit),
    Fault("reviews-not-counted", "TXN-5", "the model call of a review does not count", _free_reviews),
    Fault("reviews-left-out", "TXN-5", "every second review is left out, and nothing says so", _silent_reviews),
    Fault("state-in-memory-only", "TXN-4", "a session's state is lost when the store closes", _state_in_memory),
    Fault("another-clock", "SCH-6", "recency is told by a clock of its own in every run", _wall_clock),
    Fault("turns-counted-over-planes", "PRE-4", "a live turn's number counts previews", _turns_of_all_planes),
)  # fmt: skip
