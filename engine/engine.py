"""The engine: opens a store, deploys versions, begins turns, and keeps what is open apart (TXN-3).

The one place that knows all parts. Turns, tools and views know only what is handed to them here.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from . import commits, embed, journal
from .agents import Agents, Version
from .answers import ActiveLines
from .commits import Batch
from .console import Console
from .extraction import Decided, Extraction
from .history import events
from .journal import Outcome, Start, Use
from .ledger import Ledger, read_ledger
from .memory import Memory
from .names import checked_name
from .past import continued, references
from .pins import total_tokens
from .plain import checked_time, is_text, readable
from .reviews import Reviews
from .store import Store
from .tokens import TokenCounter, count_tokens
from .tools import Desk
from .transcripts import Transcripts
from .trouble import StoreError
from .turn import Summarizer, Turn
from .values import EngineError, Json, Plane, Record, Scope
from .view import View
from .views import Partitions, planes_seen, visible, visible_history
from .writes import Writes

_EMPTY_STATE = "{}"


class Engine:
    """An open memory system. Use it from one thread; turns of different sessions may be open at the same time.

    As a context manager it closes at the end.
    """

    def __init__(self, store: Store, partitions: Partitions, count_tokens: TokenCounter) -> None:
        self._store = store
        self._partitions = partitions
        self._count_tokens = count_tokens
        self._agents = Agents(store)
        self._transcripts = Transcripts(store)
        self._lines = ActiveLines()
        self._open: dict[int, Turn] = {}  # by the execution's key
        self.console = Console(store, self._agents, self._deleted)

    @classmethod
    def open(
        cls,
        place: str | Path | Memory | None = None,
        *,
        embedder: str = "hashing",
        count_tokens: TokenCounter = count_tokens,
    ) -> Engine:
        """Open the store in a file, made if it is not there, in `Memory` that outlives the engine, or in memory.

        Raises StoreError for a file that another process has open, or that is not a store of this version, and
        EngineError for an embedder that is not known.
        """
        chosen = embed.embedder(embedder)
        store = Store.open(place)
        return cls(store, Partitions(store, chosen), count_tokens)

    def deploy(self, agent: str, config: object, *, plane: Plane = "live", at: int) -> int:
        """Promote a config to `plane`; later turns run it (VER-1). Returns the version's number.

        Raises `deploy_refused`, having changed nothing.
        """
        return self._agents.deploy(agent, config, plane=_checked_plane(plane), at=at)

    def begin(
        self,
        agent: str,
        *,
        session: str | None = None,
        plane: Plane = "live",
        execution: str,
        at: int,
        user: str,
        summarize: Summarizer | None = None,
    ) -> Turn:
        """Begin a turn: fix its version and its view (VIEW-5). `at` is its time, in milliseconds.

        `summarize` is the model where it is asked for a summary (CTX-3): handed the context of that call it returns the
        summary, or None for the engine's extract.

        Raises `busy` while another turn of the session is open (TXN-3), `not_found` where no version is deployed, and
        `invalid_value` for bad names, an execution id used before, a time before the session's latest, a session
        where the agent has none or none where it has (VIEW-7). A refused turn leaves nothing, not even an execution.
        """
        checked_name(agent, "an agent")
        checked_name(execution, "an execution")
        if session is not None:
            checked_name(session, "a session")
        plane = _checked_plane(plane)
        at = checked_time(at)
        if not isinstance(user, str):
            raise EngineError("invalid_value", "the user's message is text")
        version = self._agents.running(agent, plane)
        if version.config.sessions != (session is not None):
            raise EngineError(
                "invalid_value",
                "this agent has no sessions" if session is not None else "this agent runs in sessions only",
                "Leave the session out." if session is not None else "Name the session.",
            )
        self._check_busy(agent, session)
        sql = self._store.sql
        if journal.execution_known(sql, agent, execution):
            raise EngineError(
                "invalid_value", "this execution id was used before", "Give each attempt an id of its own."
            )
        planes = planes_seen(plane)
        carried = None if session is None else journal.carried(sql, agent, session, planes)
        if carried is not None and at < carried.at:
            raise EngineError("invalid_value", "the time is before that of the session's latest turn")
        user = readable(user)
        begun = Start(agent, execution, session, plane, version.number, at)
        desk = self._desk(begun, version)
        conversation = continued(self._store, begun, desk.references, self._count_tokens)
        key = self._transcripts.begin(begun, {"type": "user", "text": user})
        turn = Turn(
            desk,
            _Journal(
                self._store,
                self._transcripts,
                key,
                begun,
                recheck=self._recheck,
                commit=self._commit,
                ended=self._ended,
                partitions=self._partitions,
            ),
            user=user,
            state=_EMPTY_STATE if carried is None else carried.state,
            conversation=conversation,
            count_tokens=self._count_tokens,
            summarize=summarize,
            extraction=Extraction(desk, Reviews(self._store, begun, version.config.memory.read)),
        )
        self._open[key] = turn
        return turn

    def ledger(self) -> Ledger:
        """Every record with its versions, every execution, every output use, as they are now."""
        return read_ledger(self._store, self._agents, self._transcripts.uses())

    def transcript(self, agent: str, execution: str) -> list[Json]:
        """What an execution did, in order, and how it ended (TXN-2); `not_found` if there is none."""
        self._transcripts.settle()
        named = is_text(agent) and is_text(execution)
        entries = journal.transcript(self._store.sql, agent, execution) if named else None
        if entries is None:
            raise EngineError("not_found", "this agent has no such execution")
        return entries

    def close(self) -> None:
        """End open turns as crashed and close the store (TXN-4). Closing again does nothing."""
        for turn in tuple(self._open.values()):
            with suppress(StoreError):  # what cannot be written now is marked when the store is opened next (TXN-2)
                turn.crash()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _desk(self, begun: Start, version: Version) -> Desk:
        reads = version.config.memory.read
        view = self._view(begun, reads)
        return Desk(
            agent=begun.agent,
            session=begun.session,
            plane=begun.plane,
            execution=begun.id,
            at=begun.at,
            version=version,
            view=view,
            writes=Writes(view, reads, self._partitions.features),
            count_tokens=self._count_tokens,
            references=references(self._store, begun, version.config, self._count_tokens),
            lines=self._lines,
            history=lambda: self._history(begun),
        )

    def _view(self, begun: Start, reads: tuple[Scope, ...]) -> View:
        """What a turn that begins now may see."""
        return self._partitions.open_view(visible(begun.agent, begun.session, begun.plane, reads))

    def _history(self, begun: Start) -> View:
        """What of its session's past a turn may search. It may be opened late: no other turn of the session commits
        while this one is open (TXN-3).
        """
        assert begun.session is not None, "VIEW-7: a sessionless agent has no search_history"
        return self._partitions.open_view(visible_history(begun.agent, begun.session, begun.plane))

    def _recheck(self, turn: Turn) -> list[Decided]:
        """TXN-3: what the turn's review wrote, beside what was committed since the turn began."""
        if not turn.extraction.adds:
            return []
        desk = turn.desk
        seen = visible(desk.agent, desk.session, desk.plane, desk.version.config.memory.read)
        return turn.extraction.recheck(self._partitions.open_view(seen))

    def _commit(self, desk: Desk, batch: Batch) -> None:
        self._check_pins(desk, batch)
        written, ended = commits.commit(self._store, batch)
        self._partitions.apply((*written, *batch.events), ended, batch.features)

    def _check_pins(self, desk: Desk, batch: Batch) -> None:
        """TXN-3: an AGENT pin of this turn must fit also beside what others have committed since it began."""
        settings = desk.version.config.memory
        own = [pin for pin in desk.view.pinned() if pin.id in desk.writes.records]
        if settings.pinned is None or all(pin.scope == "session" for pin in own):
            return
        now = self._view(batch.begun, settings.read)
        committed = [pin for pin in now.pinned() if pin.id not in desk.writes.targets]
        if total_tokens([*committed, *own], self._count_tokens) > settings.pinned:
            raise EngineError(
                "conflict",
                "beside what was pinned since this turn began, its pins exceed the budget",
                "Run the turn again: it will see the other pins.",
            )

    def _ended(self, execution: int) -> None:
        del self._open[execution]

    def _deleted(self, record: Record) -> None:
        """ADM-2: a deleted record leaves what is loaded, and every open view that holds it."""
        self._partitions.apply((), (record,))
        for turn in self._open.values():
            turn.forget(record.id)

    def _check_busy(self, agent: str, session: str | None) -> None:
        if session is not None and any(
            turn.desk.agent == agent and turn.desk.session == session for turn in self._open.values()
        ):
            raise EngineError("busy", "another turn of this session is open", "Begin again when it has ended.")


class _Journal:
    """What one turn writes down, and where."""

    def __init__(
        self,
        store: Store,
        transcripts: Transcripts,
        execution: int,
        begun: Start,
        *,
        recheck: Callable[[Turn], list[Decided]],
        commit: Callable[[Desk, Batch], None],
        ended: Callable[[int], None],
        partitions: Partitions,
    ) -> None:
        self._store = store
        self._transcripts = transcripts
        self._partitions = partitions
        self._execution = execution
        self._begun = begun
        self._recheck = recheck
        self._commit = commit
        self._ended = ended
        self._place = 1  # 0 is the user's message

    def append(self, entry: Json, *uses: Use) -> None:
        self._transcripts.append(self._execution, self._place, entry, uses)
        self._place += 1

    def commit(self, turn: Turn) -> EngineError | None:
        try:
            for changed in self._recheck(turn):
                self.append({"type": "decision", **changed.to_json()})
        except EngineError as refusal:
            return refusal
        writes = turn.desk.writes
        kept = events(self._begun, turn.conversation.kept, turn.desk.version.config.history)
        features = self._partitions.features(kept)
        batch = Batch(
            execution=self._execution,
            begun=self._begun,
            state=turn.state_text,
            messages=turn.conversation.kept,
            summary=turn.conversation.made,
            events=kept,
            reviewed=turn.extraction.reviewed,
            records=tuple(writes.records.values()),
            features={**writes.features, **features},
            made_by=self._partitions.made_by,
            ended=tuple(writes.ended.values()),
            targets=tuple(writes.targets),
        )
        try:
            self._commit(turn.desk, batch)
        except EngineError as refusal:
            return refusal
        self._ended(self._execution)
        return None

    def end(self, turn: Turn, outcome: Outcome, reason: str | None) -> None:
        with self._store.transaction(durable=False) as sql:
            journal.end(sql, self._execution, outcome, reason)
        self._ended(self._execution)


def _checked_plane(plane: Plane) -> Plane:
    if plane not in ("live", "preview"):
        raise EngineError("invalid_value", "a plane is live or preview")
    return plane
