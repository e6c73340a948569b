"""A state machine that plays a project's agents rule by rule, and judges what it saw. docs/testing.md shows its use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, MultipleResults, RuleBasedStateMachine, multiple, precondition, rule
from hypothesis.strategies import SearchStrategy

from seatrial.engine import Engine
from seatrial.simulator.fuzzing.cast import Role, memory
from seatrial.simulator.fuzzing.wanted import Wanted
from seatrial.simulator.fuzzing.writer import SESSIONS

from . import agents
from .checking import Failed, InvalidScenario, Line, final, observed
from .given import errors_in
from .parts import Part, Texts, named, parts, renamed, several, spoken
from .playing import OpenTurn, Stage
from .scenarios import Configs, hostile_text, roles_of
from .stated import DRAWN, given_by, look, marked

T = TypeVar("T")
Named = tuple[OpenTurn, str]
Recorded = tuple[OpenTurn, dict[str, Any]]

_MOST_OPEN = 3
_BETWEEN_RESTARTS = 5  # steps at least: each ends what is open


def _of(what: Callable[[MemoryMachine], SearchStrategy[T]]) -> SearchStrategy[T]:
    """What the machine draws at that moment."""
    made: SearchStrategy[T] = st.runner().flatmap(what)
    return made


def _in_turn(
    what: Callable[[MemoryMachine, OpenTurn], SearchStrategy[T]], tool: str | None = None
) -> SearchStrategy[tuple[OpenTurn, T]]:
    """An open turn, of a version that offers `tool`, and what `what` draws for it."""

    def drawn(machine: MemoryMachine) -> SearchStrategy[tuple[OpenTurn, T]]:
        return st.sampled_from(machine.turns_with(tool)).flatmap(
            lambda turn: st.tuples(st.just(turn), what(machine, turn))
        )

    return _of(drawn)


def _open(tool: str | None = None) -> Callable[[Any], bool]:
    """Whether there is a turn that could use `tool`."""
    return lambda machine: bool(machine.turns_with(tool))


def _turn(tool: str | None = None) -> SearchStrategy[OpenTurn]:
    return _of(lambda machine: st.sampled_from(machine.turns_with(tool)))


_agents: SearchStrategy[str] = _of(lambda machine: st.sampled_from([role.name for role in machine._cast()]))
_new_record = _in_turn(lambda machine, turn: given_by(machine, "new_records", turn), "add_memory")


class MemoryMachine(RuleBasedStateMachine):
    """Plays turns of the agents of `configs` on a memory system of its own, and judges them at the end.

    A subclass states `configs` (as `scripts` takes them, but for strategies) and may add rules and invariants, override
    what is drawn (`messages`, `summaries`, `new_records`, `queries`), take a rule away by overriding it with a method
    that is none, or leave out kinds of rules by class attributes. Whatever is played becomes a scenario; a failure
    shows it.

    `records` and `results` are the names that the scenario has given so far, also of what was refused, undone or is
    another session's; `sessions` are the sessions that have begun a turn.
    """

    configs: ClassVar[Configs]
    session_names: ClassVar[Sequence[str]] = SESSIONS
    previews: ClassVar[bool] = True
    rollbacks: ClassVar[bool] = True  # turns that are rolled back, or crash
    restarts: ClassVar[bool] = True
    operators: ClassVar[bool] = True
    derived: ClassVar[bool] = False  # versions that are derived from the given ones
    second_runs: ClassVar[bool | Collection[str]] = False

    records: Bundle[str] = Bundle("records")
    results: Bundle[str] = Bundle("results")
    sessions: Bundle[str] = Bundle("sessions")

    open_turns: ClassVar[SearchStrategy[OpenTurn]] = _turn()
    """One of the turns that are open, for rules of a subclass: with `@precondition(lambda self: self.turns)`."""

    def __init_subclass__(cls, **named: Any) -> None:
        """Raises TypeError and ValueError for what the class states and no machine can use."""
        __tracebackhide__ = True
        super().__init_subclass__(**named)
        look(cls, MemoryMachine)

    def __init__(self) -> None:
        __tracebackhide__ = True
        super().__init__()
        self._stage = Stage(self._cast(), f"played by {type(self).__name__}")
        self._unbundled: list[str] = []  # results of parts, until a rule can tell of them

    # What a subclass uses

    @property
    def turns(self) -> Sequence[OpenTurn]:
        """The turns that are open."""
        return tuple(self._stage.turns)

    def turns_with(self, tool: str | None) -> Sequence[OpenTurn]:
        """The open turns of versions that offer `tool`."""
        return self._stage.with_tool(tool)

    @property
    def engine(self) -> Engine:
        """The memory system, to look at. What is done to it directly is in no scenario: use `play`."""
        return self._stage.engine

    @property
    def trace(self) -> Sequence[Line]:
        """The lines of the trace so far; the ledger comes at the end."""
        return self._stage.live.lines

    @property
    def scenario(self) -> str:
        """What was played so far, as a file for `seatrial run`."""
        return self._stage.text

    def ids(self, name: str) -> str | None:
        """The id of the record or result that has `name` in the scenario; None where it never came to be."""
        return self._stage.live.ids.get(name)

    def observed(
        self, session: str | None = None, *, agent: str | None = None, plane: str | None = None
    ) -> tuple[Line, ...]:
        """What turns of this session, agent and plane were handed so far, as lines of the trace.

        Raises ValueError for a session or an agent that the machine does not play.
        """
        names, agents = self.session_names, self._stage.cast
        return observed(self.trace, session, agent=agent, plane=plane, sessions=names, agents=agents)

    def play(self, step: Mapping[str, Any]) -> tuple[Line, ...]:
        """Play a step of the scenario language, and give the lines that it adds to the trace.

        Raises InvalidScenario for what is no step, and Failed where what it expects (`sees`, `gets`) does not hold.
        """
        __tracebackhide__ = True
        return self._stage.play(step)

    def do(self, turn: OpenTurn, action: Mapping[str, Any]) -> Line | None:
        """An open turn does one thing more. The line of its answer; None for what has none, or did not happen."""
        __tracebackhide__ = True
        lines = self.play({"continue": turn.name, "do": [dict(action)], "outcome": "open"})
        return next((line for line in reversed(lines) if line["type"] == "call"), None)

    # What is drawn

    def messages(self) -> SearchStrategy[str]:
        """What users, agents and outside tools say."""
        return agents.facts() | hostile_text()

    def summaries(self) -> SearchStrategy[str]:
        """The summaries of records: lines of at most 500 printable characters."""
        return agents.facts() | hostile_text(line=True)

    def new_records(self, turn: OpenTurn) -> SearchStrategy[dict[str, Any]]:
        """What `turn` may add: the parameters of `add_memory`, without `as` and `replaces`."""
        return agents.records_of(turn.config, given_by(self, "summaries"))

    def queries(self) -> SearchStrategy[str]:
        """What is searched for."""
        return agents.facts()

    # Rules about whole turns, and a few together

    @rule(target=records, drawn=_of(lambda self: self._parts()))
    def part(self, drawn: Part) -> MultipleResults[str]:
        """A few steps that belong together, as in `scripts`: a preview and what follows it, a race, a rollback, …"""
        return self._several(drawn)

    @rule(target=records, drawn=_of(lambda self: self._parts()))
    def another_part(self, drawn: Part) -> MultipleResults[str]:
        """As `part`: what reaches far comes often."""
        return self._several(drawn)

    def _several(self, drawn: Part) -> MultipleResults[str]:
        names: list[str] = []
        for step in spoken(renamed(drawn.steps, self._stage.name), drawn.texts):
            if "deploy" in step and errors_in(step["deploy"]["config"]):
                continue  # a version that is derived from what was deployed meanwhile need not be sound
            self.play(step)
            names += named([step])
        self._unbundled += [name for name in names if name.startswith("res")]
        return multiple(*(name for name in names if name.startswith("rec")))

    # Rules about turns

    @precondition(lambda self: len(self.turns) < _MOST_OPEN)
    @rule(
        target=sessions,
        agent=_agents,
        session=_of(lambda self: st.sampled_from(list(self.session_names))),
        plane=_of(lambda self: st.sampled_from(["live", "live", "preview"] if self.previews else ["live"])),
        user=_of(lambda self: given_by(self, "messages")),
    )
    def begin(self, agent: str, session: str, plane: str, user: str) -> MultipleResults[str]:
        """A turn begins; it is refused where its session has one open (TXN-3)."""
        named = session if self._stage.cast[agent].sessions else None
        turn = self._stage.turn(agent, named, plane)
        self.play({"turn": turn, "user": user, "id": self._stage.name("turn"), "outcome": "open"})
        return multiple() if named is None else multiple(named)

    @precondition(_open())
    @rule(target=records, asked=_in_turn(lambda self, turn: self._candidates(turn)))
    def commit(self, asked: tuple[OpenTurn, list[dict[str, Any]]]) -> MultipleResults[str]:
        """A turn ends; its review finds something, or nothing."""
        turn, found = asked
        named = [{**candidate, "as": self._stage.name("rec")} for candidate in found]
        self.play({"continue": turn.name, **({"extract": named} if named else {})})
        return multiple(*(each["as"] for each in named))

    @precondition(lambda self: self.rollbacks and self.turns)
    @rule(turn=_turn(), outcome=st.sampled_from(["rollback", "crash"]))
    def undo(self, turn: OpenTurn, outcome: Literal["rollback", "crash"]) -> None:
        """A turn ends and leaves nothing (TXN-2)."""
        self.play({"continue": turn.name, "outcome": outcome})

    # Rules about what a turn does

    @precondition(_open("add_memory"))
    @rule(target=records, asked=_new_record)
    def add(self, asked: Recorded) -> str:
        return self._add(*asked)

    @precondition(_open("add_memory"))
    @rule(
        target=records,
        asked=_in_turn(lambda self, turn: given_by(self, "new_records", turn), "add_memory"),
        old=records,
    )
    def replace(self, asked: Recorded, old: str) -> str:
        """Whatever record it is: it may be another session's (VIEW-6)."""
        return self._add(asked[0], {**asked[1], "replaces": old})

    @precondition(_open("delete_memory"))
    @rule(turn=_turn("delete_memory"), record=records)
    def delete(self, turn: OpenTurn, record: str) -> None:
        self.do(turn, {"delete_memory": {"id": record}})

    @precondition(_open("read_memory"))
    @rule(turn=_turn("read_memory"), record=records)
    def read(self, turn: OpenTurn, record: str) -> None:
        self.do(turn, {"read_memory": {"id": record}})

    @precondition(_open("search_memory"))
    @rule(asked=_in_turn(lambda self, turn: given_by(self, "queries"), "search_memory"), helper=st.booleans())
    def search(self, asked: Named, helper: bool) -> None:
        """The agent searches, or a helper of its (WRT-6)."""
        action = {"search_memory": {"query": asked[1]}}
        self.do(asked[0], {"subagent": {"do": [action]}} if helper else action)

    @precondition(_open("search_memory"))
    @rule(turn=_turn("search_memory"), record=records)
    def search_by_id(self, turn: OpenTurn, record: str) -> None:
        self.do(turn, {"search_memory": {"ids": [record]}})

    @precondition(_open("search_history"))
    @rule(asked=_in_turn(lambda self, turn: given_by(self, "queries"), "search_history"))
    def search_history(self, asked: Named) -> None:
        self.do(asked[0], {"search_history": {"query": asked[1]}})

    @precondition(_open())
    @rule(asked=_in_turn(lambda self, turn: given_by(self, "messages")), state=st.booleans())
    def say(self, asked: Named, state: bool) -> None:
        """A reply, or a session's state (CTX-6)."""
        self.do(asked[0], {"set_state": {"note": asked[1]}} if state else {"reply": asked[1]})

    @precondition(_open())
    @rule(target=results, asked=_in_turn(lambda self, turn: given_by(self, "messages")))
    def fetch(self, asked: Named) -> MultipleResults[str]:
        """An outside tool answers (CTX-4)."""
        name = self._stage.name("res")
        self.do(asked[0], {"tool": {"name": "fetch", "result": asked[1], "as": name}})
        names, self._unbundled = [*self._unbundled, name], []
        return multiple(*names)

    @precondition(_open())
    @rule(turn=_turn(), result=results)
    def read_result(self, turn: OpenTurn, result: str) -> None:
        """Whosever result it is (CTX-5)."""
        self.do(turn, {"read_result": {"ref": result}})

    # Rules about versions, operators and the store

    @precondition(lambda self: self._stage.with_further)
    @rule(
        agent=_of(lambda self: st.sampled_from(self._stage.with_further)),
        plane=_of(lambda self: st.sampled_from(["live", "preview"] if self.previews else ["live"])),
    )
    def deploy(self, agent: str, plane: str) -> None:
        """The next version of those given (VER-1)."""
        config = self._stage.next_version(agent)
        mode = {} if plane == "live" else {"mode": plane}
        self.play({"deploy": {"agent": agent, "config": config, **mode}})

    @precondition(lambda self: self.operators)
    @rule(record=records, agent=_agents, action=st.sampled_from(["read", "delete"]))
    def review(self, record: str, agent: str, action: str) -> None:
        """An operator reads or deletes a record (ADM-1, ADM-2)."""
        self.play({"review": {"agent": agent, action: record}})

    @precondition(lambda self: self.operators)
    @rule(agent=_agents)
    def list_records(self, agent: str) -> None:
        """An operator lists an agent's records (ADM-1)."""
        self.play({"review": {"agent": agent, "list": True}})

    @precondition(lambda self: self.restarts and self._stage.since_restart >= _BETWEEN_RESTARTS)
    @rule()
    def restart(self) -> None:
        """The store is closed and opened; open turns end as crashed (TXN-4)."""
        self.play({"restart": True})

    # The end

    def teardown(self) -> None:
        """Commits the turns that are open and judges the whole, unless something has failed already. Raises Failed."""
        __tracebackhide__ = True
        failing = sys.exc_info()[1]
        try:
            if failing is None:
                self._stage.end(self.second_runs)
            elif final() and not isinstance(failing, Failed | InvalidScenario):  # which show it themselves
                failing.add_note(f"Played so far, as a scenario for `seatrial run`:\n\n{self.scenario}")
        finally:
            self._stage.close()

    def _add(self, turn: OpenTurn, record: Mapping[str, Any]) -> str:
        name = self._stage.name("rec")
        self.do(turn, {"add_memory": {**record, "as": name}})
        return name

    def _parts(self) -> SearchStrategy[Part]:
        """Steps, and what is said in them where a subclass decides that."""
        stage, own, rules = self._stage, self._overrides(), self._kinds()
        wanted = Wanted(
            previews=self.previews,
            rollbacks=self.rollbacks,
            deploys="deploy" in rules,
            operators=self.operators and "review" in rules,
            restarts=self.restarts and "restart" in rules and stage.since_restart >= _BETWEEN_RESTARTS,
        )
        steps = parts(stage.playing, self.session_names, wanted, rules, derived=self.derived)
        records: SearchStrategy[Any] = st.none()
        if "new_records" in own:
            each = {name: several(given_by(self, "new_records", turn)) for name, turn in stage.imagined().items()}
            records = st.fixed_dictionaries(each)
        said = st.builds(
            Texts,
            *(several(given_by(self, what) if what in own else None) for what in ("messages", "summaries", "queries")),
            records,
        )
        return st.builds(Part, steps, said)

    @classmethod
    def _overrides(cls) -> Collection[str]:
        """What is drawn as a subclass says."""
        return [name for name in DRAWN if getattr(cls, name) is not getattr(MemoryMachine, name)]

    @classmethod
    def _kinds(cls) -> Collection[str]:
        """The rules of these that the machine still has."""
        return [name for name, ours in vars(MemoryMachine).items() if marked(ours) and marked(getattr(cls, name))]

    def _candidates(self, turn: OpenTurn) -> SearchStrategy[list[dict[str, Any]]]:
        none: SearchStrategy[list[dict[str, Any]]] = st.just([])
        if not memory(turn.config):
            return none
        return none | none | given_by(self, "new_records", turn).map(lambda record: [record])

    @classmethod
    def _cast(cls) -> tuple[Role, ...]:
        """The agents. Read once for each class."""
        __tracebackhide__ = True
        if "_roles" not in vars(cls):
            if not hasattr(cls, "configs"):
                raise TypeError(f"{cls.__name__} states no `configs`: what agents does it play?")
            try:
                cls._roles = roles_of(cls.configs)
            except (OSError, ValueError) as unusable:
                said = unusable.strerror if isinstance(unusable, OSError) else unusable
                raise ValueError(f"{cls.__name__}: `configs`: {said}") from None
        return cls._roles

    _roles: ClassVar[tuple[Role, ...]]
