"""A turn: what the agent does, one act after another, until it ends (TXN, CTX-1, RCL).

It reads through its view, buffers what it writes, and hands one commit to its journal. It must not know the store, the
partitions or other turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from .analyze import blank
from .answers import Answer
from .arguments import check_arguments
from .context import Context, assemble
from .conversation import Conversation
from .extraction import Decided, Extraction
from .journal import Actor, Outcome, Use, UseSource
from .names import meant
from .plain import all_readable, all_text, copied, decoded, is_text, readable
from .render import line
from .summaries import INSTRUCTIONS, extract
from .tokens import TokenCounter, cut
from .tools import TOOLS, Desk, Done
from .values import EngineError, Filters, Hit, Json, Record

QUERY_TOKENS = 500  # of each part of the recall query (RCL-1)

HelperKind: TypeAlias = Literal["subagent", "program"]
Summarizer: TypeAlias = Callable[[Context], "str | None"]


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How a turn ended. `state` is the session's from then on, whole (CTX-6): as it was before if it did not commit."""

    execution: str
    outcome: Outcome
    reason: str | None
    error: EngineError | None
    _state: str

    @property
    def state(self) -> dict[str, Json]:
        state: dict[str, Json] = decoded(self._state)
        return state

    def to_json(self) -> dict[str, Json]:
        return {
            "execution": self.execution,
            "outcome": self.outcome,
            "reason": self.reason,
            "state": self.state,
            "error": None if self.error is None else self.error.to_json(),
        }


class Journal(Protocol):
    """Where a turn writes down what it does, and where it ends."""

    def append(self, entry: Json, *uses: Use) -> None:
        """Write an act to the transcript at once, whether or not the turn will commit (TXN-2)."""
        ...

    def commit(self, turn: Turn) -> EngineError | None:
        """Commit all of it, or none and say why (TXN-1, TXN-3)."""
        ...

    def end(self, turn: Turn, outcome: Outcome, reason: str | None) -> None:
        """Write down an end without a commit."""
        ...


class Turn:
    """An open turn. Every method raises `invalid_value` once it has ended; `result` then says how."""

    def __init__(
        self,
        desk: Desk,
        journal: Journal,
        *,
        user: str,
        state: str,
        conversation: Conversation,
        count_tokens: TokenCounter,
        summarize: Summarizer | None,
        extraction: Extraction,
    ) -> None:
        self.desk = desk
        self.conversation = conversation
        self.extraction = extraction
        self.result: TurnResult | None = None
        self.postponed: str | None = None  # why a review that is due was not made, once `review` was asked
        self._journal = journal
        self._count_tokens = count_tokens
        self._carried = self._state = state
        self._summarizer = summarize
        self._summarizing = False
        self._query = [user]  # the user's message, then what was said since (RCL-1)
        self._calls = 0
        self.conversation.say({"role": "user", "text": user})

    @property
    def execution(self) -> str:
        return self.desk.execution

    @property
    def version(self) -> int:
        """The number of the version that it runs, whatever is deployed meanwhile (VER-1)."""
        return self.desk.version.number

    @property
    def state_text(self) -> str:
        """The state as one line of JSON."""
        return self._state

    def model_call(self) -> Context:
        """Recall afresh and assemble what the model is handed (CTX-1, RCL-1), after a call for a summary where one is
        due (CTX-3).

        The call that would exceed `limits.model_calls` fails the turn and raises `limit_exceeded` (TXN-5).
        """
        self._check_open()
        self._summarize()
        self._spend_call()
        hits = self._recall()
        desk = self.desk
        pins = desk.pins()
        shown: dict[UseSource, tuple[str, ...]] = {
            "recall": tuple(hit.record.id for hit in hits),
            "pin": tuple(record.id for record in pins.records),
        }
        entry: dict[str, Json] = {"recalled": list(shown["recall"]), "pins": list(shown["pin"])}
        self._journal.append(
            {"type": "model_call", "call": self._calls, "purpose": "turn", **entry},
            *(Use(self._calls, source, "agent", records) for source, records in shown.items() if records),
        )
        return assemble(
            call=self._calls,
            instructions="\n".join(filter(None, (desk.version.instructions, pins.text))),
            pins=[self._shown(record) for record in pins.records],
            tools=desk.version.tools,
            state=self._state,
            summary=self.conversation.summary,
            messages=self.conversation.lines,
            recalled=[(self._shown(hit.record), hit) for hit in hits],
            count_tokens=self._count_tokens,
        )

    def review(self) -> Context | None:
        """The review at the end of the turn: what its model call is handed; None where none is due (EXT-1, EXT-2).

        One that `limits.model_calls` leaves no call for is None too, says so in `postponed`, and stays due (TXN-5).
        """
        self._check_open()
        if not self.extraction.due(self.conversation.kept):
            return None
        limit = self.desk.version.config.model_calls
        if self._calls >= limit:
            self.postponed = f"the turn has made its {limit} model calls, so its review stays due"
            self._journal.append({"type": "postponed", "purpose": "memory", "reason": self.postponed})
            return None
        self._calls += 1
        self._journal.append({"type": "model_call", "call": self._calls, "purpose": "memory"})
        return self.extraction.context(self._calls, self._state, self.conversation.kept)

    def decide(self, candidate: Mapping[str, object]) -> Decided:
        """What becomes of a candidate that the review found: parameters of `add_memory`, and optionally its `decision`.

        A rejected one changes nothing. The commit looks again (TXN-3): `extraction.decisions` then says what held.
        """
        self._check_open()
        if not self.extraction.reviewed:
            raise EngineError("invalid_value", "this turn was not reviewed", "Ask for the `review` first.")
        given: Json = None
        try:
            given = copied(candidate, "the candidate")
            if not isinstance(given, dict):
                raise EngineError("invalid_value", "a candidate is an object")
        except EngineError as refusal:
            decided = self.extraction.reject(refusal)
        else:
            decided = self.extraction.decide(given)
        self._journal.append({"type": "decision", "candidate": all_readable(given), **decided.to_json()})
        return decided

    def call(self, tool: str, arguments: Mapping[str, object]) -> Answer:
        """The agent calls one of the harness's tools. A refusal is an answer, and the turn goes on."""
        return self.asked("agent", tool, arguments)

    def helper(self, kind: HelperKind) -> Helper:
        """A subagent or a program of this turn: it may search and read, through this turn's view (WRT-6)."""
        return Helper(self, kind)

    def reply(self, text: str) -> None:
        """The agent says something. Text that UTF-8 cannot hold is `invalid_value` (REC-6)."""
        self._check_open()
        if not isinstance(text, str) or not is_text(text):
            raise EngineError("invalid_value", "a reply is text that UTF-8 can hold")
        self._query.append(text)
        self.conversation.say({"role": "assistant", "text": text})
        self._journal.append({"type": "reply", "text": text})

    def tool_result(self, name: str, text: str) -> str:
        """An outside tool's result. What UTF-8 cannot hold becomes U+FFFD (REC-6).

        Returns the reference that `read_result` takes. A large result is set aside (CTX-2).
        """
        self._check_open()
        if not isinstance(name, str) or not isinstance(text, str):
            raise EngineError("invalid_value", "a tool's name and its result are text")
        name, text = readable(name), readable(text)
        result = self.desk.references.keep(name, text)
        self._query.append(result.read)
        self.conversation.hear(result)
        self._journal.append({"type": "tool", "name": name, "ref": result.ref, "text": text})
        return result.ref

    def set_state(self, state: Mapping[str, object]) -> None:
        """Set the session's state, whole: one JSON object (CTX-6)."""
        self._check_open()
        value = copied(state, "the state")
        if not isinstance(value, dict):
            raise EngineError("invalid_value", "the state is an object")
        if not all_text(value):
            raise EngineError("invalid_value", "the state holds half a character, which UTF-8 cannot hold")
        self._state = line(value)
        self._journal.append({"type": "state", "state": value})

    def commit(self) -> TurnResult:
        """End the turn and keep what it did: all of it, or nothing where another was first (`conflict`, TXN-3)."""
        self._check_open()
        error = self._journal.commit(self)
        if error is not None:
            return self._end("conflict", error.message, error)
        self.result = TurnResult(self.execution, "committed", None, None, self._state)
        return self.result

    def rollback(self, reason: str | None = None) -> TurnResult:
        """End the turn as if it had not run, but for its execution and transcript (TXN-2)."""
        self._check_open()
        return self._end("rolled_back", reason)

    def fail(self, reason: str | None = None) -> TurnResult:
        """End the turn because it failed; nothing of it is kept."""
        self._check_open()
        return self._end("failed", reason)

    def crash(self) -> TurnResult:
        """End the turn as if its process had died; nothing of it is kept."""
        self._check_open()
        return self._end("crashed", None)

    def forget(self, record: str) -> None:
        """An operator deleted a record: it leaves this view too (ADM-2)."""
        self.desk.view.forget(record)

    def asked(self, actor: Actor, tool: str, arguments: Mapping[str, object]) -> Answer:
        """`actor` calls a tool; what it retrieves is on this turn's record of uses (RCL-3)."""
        self._check_open()
        given = copied(arguments, "the arguments")
        if not isinstance(tool, str) or not isinstance(given, dict):
            raise EngineError("invalid_value", "a tool is named by text and takes an object of arguments")
        uses: tuple[Use, ...] = ()
        try:
            done, source = self._run(actor, tool, given)
            answer = Answer(done.answer)
            if done.retrieved and source is not None:
                uses = (Use(self._calls, source, actor, done.retrieved),)
        except EngineError as refusal:
            answer = Answer(None, refusal.with_traceback(None))  # an answer must not keep this turn alive
        exchange: dict[str, Json] = {"name": readable(tool), "arguments": all_readable(given), **answer.to_json()}
        self._journal.append({"type": "call", "call": self._calls, "by": actor, **exchange}, *uses)
        if actor == "agent":  # what a helper asked and read stays with the helper
            self.conversation.exchange(exchange)
        return answer

    def _run(self, actor: Actor, name: str, arguments: dict[str, Json]) -> tuple[Done, UseSource | None]:
        tool = TOOLS.get(name)
        if actor != "agent" and tool is not None and tool.writes:
            raise EngineError("helper_cannot_write", f"a {actor} may search and read memory, never write it")
        names = [each for each in self.desk.version.tool_names if actor == "agent" or TOOLS[each].helpers]
        if tool is None or name not in names:
            raise EngineError("no_such_tool", "there is no such tool", meant(name, names))
        check_arguments(name, arguments)
        return tool.run(self.desk, arguments), tool.source

    def _recall(self) -> list[Hit]:
        """The records that best match the user's message and the latest two messages or outside results (RCL-1)."""
        desk = self.desk
        memory = desk.version.config.memory
        if not memory.enabled:
            return []
        parts = (self._query[0], *self._query[1:][-2:])
        query = "\n".join(cut(part, QUERY_TOKENS, self._count_tokens) for part in parts)
        if blank(query):
            return []
        return desk.view.search(
            query, Filters(), mode=memory.mode, limit=memory.max_results, min_score=memory.min_score, now=desk.at
        )

    def _shown(self, record: Record) -> str:
        """An ACTIVE record as the agent sees it, as a line."""
        return self.desk.lines.of(record, self.desk.version.label_names, self.desk.view)

    def _spend_call(self) -> None:
        limit = self.desk.version.config.model_calls
        if self._calls >= limit:
            error = EngineError("limit_exceeded", f"the turn has made its {limit} model calls")
            self._end("failed", error.message, error)
            raise error
        self._calls += 1

    def _summarize(self) -> None:
        """Have older messages summed up where there are too many tokens (CTX-3).

        The conversation changes when the summary is there, and not before: a call that raises loses none of it
        (openai-agents-python#3116).
        """
        if self._summarizing:
            raise EngineError("invalid_value", "the model is asked for a summary already", "Return the summary first.")
        config = self.desk.version.config
        older = self.conversation.older(config.summarize_at, config.keep_messages)
        if not older:
            return
        self._spend_call()
        self._journal.append({"type": "model_call", "call": self._calls, "purpose": "summary"})
        told = [entry.told for entry in older]
        context = assemble(
            call=self._calls,
            purpose="summary",
            instructions=INSTRUCTIONS,
            state=self._state,
            summary=self.conversation.summary,
            messages=told,
            count_tokens=self._count_tokens,
        )
        self._summarizing = True
        try:
            text = None if self._summarizer is None else self._summarizer(context)
        finally:
            self._summarizing = False
        self._check_open()
        if text is not None and not (isinstance(text, str) and is_text(text)):
            raise EngineError("invalid_value", "a summary is text that UTF-8 can hold")
        if text is None or not text.strip():
            said = [decoded(message) for message in told]
            text = extract(self.conversation.summary, said, config.summarize_at, self._count_tokens)
        self._journal.append({"type": "summary", "call": self._calls, "text": text})
        self.conversation.summarize(older, text)

    def _end(self, outcome: Outcome, reason: str | None, error: EngineError | None = None) -> TurnResult:
        if reason is not None:
            if not isinstance(reason, str):
                raise EngineError("invalid_value", "a reason is text")
            reason = readable(reason)
        self._journal.end(self, outcome, reason)
        self.result = TurnResult(self.execution, outcome, reason, error, self._carried)
        return self.result

    def _check_open(self) -> None:
        if self.result is not None:
            raise EngineError("invalid_value", f"the turn has ended: {self.result.outcome}", "Begin another one.")


class Helper:
    """A subagent or a program: it asks through its parent's view, and its parent's record of uses has what it read."""

    def __init__(self, parent: Turn, kind: HelperKind) -> None:
        if kind not in ("subagent", "program"):
            raise EngineError("invalid_value", "a helper is a subagent or a program")
        self._parent = parent
        self._kind = kind

    def call(self, tool: str, arguments: Mapping[str, object]) -> Answer:
        """Search or read. A write is refused with `helper_cannot_write`, and the turn goes on."""
        return self._parent.asked(self._kind, tool, arguments)
