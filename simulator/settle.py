"""A scenario document -> a Script: every default settled once, so that dropping a step later moves nothing else.

Takes plain values that `schemas/scenario.schema.json` accepts. What the schema cannot say about one step is found here
(words that do not go together, agents, times); what is about steps together is found in checks.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from seatrial.schemas.wording import alternatives

from .findings import Finding
from .script import (
    Action,
    ContinueStep,
    DeployStep,
    Pointer,
    RestartStep,
    ReviewStep,
    Script,
    Step,
    TurnStep,
)
from .words import ACTIONS, EXTRACT, HELPERS, REVIEWS, STEPS

Plain: TypeAlias = Mapping[str, Any]
W = TypeVar("W", bound=str)
# A config as written (a path or a document), and where -> the agent's name that it suggests, and the document.
# None where it cannot be had; why is then already told.
ReadConfig: TypeAlias = Callable[[Any, Pointer], "tuple[str, Plain] | None"]

DEFAULT_START = "2026-01-01T00:00:00Z"
MINUTE = 60_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_YEAR = 9998


def settle(document: Plain, path: Path | None, read_config: ReadConfig) -> tuple[Script, list[Finding]]:
    """The script of `document`, and what is wrong with it. With an error among the findings the script is not whole."""
    settler = Settler(document, read_config)
    steps: list[Step] = [*settler.first_deploys()]
    for raw in document["steps"]:
        step = settler.next(raw)
        steps += [] if step is None else [step]
    script = Script(
        scenario=document["scenario"],
        path=path,
        tags=tuple(document.get("tags", ())),
        clauses=tuple(document.get("clauses", ())),
        steps=tuple(steps),
    )
    return script, settler.findings


def parse_time(text: str) -> int:
    """RFC 3339 (without an offset: UTC) -> milliseconds since 1970. Raises ValueError for a day that does not exist."""
    moment = datetime.fromisoformat(text.upper().replace(" ", "T"))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    if not _EPOCH.year <= moment.year <= _LAST_YEAR:
        raise ValueError(f"the year must lie between {_EPOCH.year} and {_LAST_YEAR}")
    at = (moment - _EPOCH) // timedelta(milliseconds=1)
    if at < 0:
        raise ValueError("it lies before 1970")
    return at


def generated(tokens: int) -> str:
    """A tool result of exactly `tokens` tokens (CTX-7: four bytes of UTF-8 each), the same every time."""
    lines = (f"row {number:08d}\n" for number in range(tokens * 4 // 13 + 1))
    return "".join(lines)[: tokens * 4]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a step stands and when it happens."""

    index: int
    pointer: Pointer
    at: int


class Settler:
    """Walks one document once: its head, then step by step. What is wrong is added to `findings`."""

    def __init__(self, document: Plain, read_config: ReadConfig) -> None:
        self.document = document
        self.read_config = read_config
        self.findings: list[Finding] = []
        self.agents: list[str] = []
        self.executions: dict[str, str] = {}  # a turn's `id` -> its execution
        self.at = self.time(document.get("start", DEFAULT_START), ("start",), 0)  # when the next step happens
        self.walked = 0  # steps

    def find(self, code: str, pointer: Pointer, message: str, *, on_key: bool = False) -> None:
        self.findings.append(Finding(code, pointer, message, on_key))

    def time(self, text: str, pointer: Pointer, otherwise: int) -> int:
        try:
            return parse_time(text)
        except ValueError as wrong:
            self.find("SC305", pointer, f"{text} is no time: {wrong}")
            return otherwise

    def next(self, raw: Plain) -> Step | None:
        """The step that comes next; None where it is none."""
        pointer = ("steps", self.walked)
        word = self.one_of(raw, STEPS, pointer, "step")
        if word == "turn" and isinstance(raw["turn"], Mapping) and "at" in raw["turn"]:
            self.at = self.time(raw["turn"]["at"], (*pointer, "turn", "at"), self.at)
        found = None
        if word is not None and self.keys_belong(raw, word, pointer):
            found = self.step(word, raw, _Place(self.walked, pointer, self.at))
        self.at += MINUTE
        self.walked += 1
        return found

    def first_deploys(self) -> list[DeployStep]:
        word = self.one_of(self.document, ("config", "agents"), (), "scenario")
        if word is None:
            return []
        if word == "config":
            entries: list[tuple[str | None, Any, Pointer]] = [(None, self.document["config"], ("config",))]
        else:
            entries = [(name, config, ("agents", name)) for name, config in self.document["agents"].items()]
        deploys = []
        for place, (name, written, pointer) in enumerate(entries, start=-len(entries)):
            read = self.read_config(written, pointer)
            agent = name if name is not None else read[0] if read is not None else ""
            self.agents.append(agent)
            config = {} if read is None else read[1]
            self.own_config(agent, config, pointer)
            deploys.append(
                DeployStep(place=place, pointer=pointer, agent=agent, config=config, plane="live", at=self.at)
            )
        return deploys

    def one_of(self, raw: Plain, words: Iterable[W], pointer: Pointer, what: str) -> W | None:
        """The one of `words` that `raw` has; otherwise a finding and None."""
        found = [word for word in words if word in raw]
        if len(found) == 1:
            return found[0]
        if found:
            self.find(
                "SC001",
                (*pointer, found[1]),
                f"`{found[1]}` beside `{found[0]}`: {'an' if what[0] in 'aeiou' else 'a'} {what} is one of the two",
                on_key=True,
            )
        else:
            listed = ", ".join(f"`{word}`" for word in words)
            self.find("SC001", pointer, f"this {what} has none of {listed}")
        return None

    def keys_belong(self, raw: Plain, word: str, pointer: Pointer) -> bool:
        strangers = [key for key in raw if key != word and key not in STEPS[word]]
        for key in strangers:
            owners = alternatives([f"`{step}`" for step, keys in STEPS.items() if key in keys], "and")
            self.find(
                "SC002",
                (*pointer, key),
                f"`{key}` does not belong to a `{word}` step; it belongs to {owners}",
                on_key=True,
            )
        return not strangers

    def step(self, word: str, raw: Plain, place: _Place) -> Step:
        if word == "turn":
            return self.turn(raw, place)
        if word == "continue":
            return self.continued(raw, place)
        if word == "deploy":
            return self.deploy(raw, place)
        if word == "review":
            return self.review(raw, place)
        return RestartStep(place=place.index, pointer=place.pointer, at=place.at)

    def turn(self, raw: Plain, place: _Place) -> TurnStep:
        turn: Plain = {"session": raw["turn"]} if isinstance(raw["turn"], str) else raw["turn"]
        execution = f"s{place.index}"
        name = raw.get("id")
        if name is not None:
            self.executions.setdefault(name, execution)
        return TurnStep(
            place=place.index,
            pointer=place.pointer,
            execution=execution,
            name=name,
            agent=self.agent(turn, (*place.pointer, "turn")),
            session=turn.get("session"),
            plane=turn.get("mode", "live"),
            at=place.at,
            user=raw.get("user", ""),
            do=self.actions(raw, place.pointer),
            outcome=raw.get("outcome", "commit"),
            gets=raw.get("gets"),
            summary=raw.get("summary"),
            extract=self.candidates(raw, place.pointer),
        )

    def continued(self, raw: Plain, place: _Place) -> ContinueStep:
        return ContinueStep(
            place=place.index,
            pointer=place.pointer,
            # An id that names no turn is told by checks.py, which sees the steps together.
            execution=self.executions.get(raw["continue"], ""),
            at=place.at,
            do=self.actions(raw, place.pointer),
            outcome=raw.get("outcome", "commit"),
            gets=raw.get("gets"),
            summary=raw.get("summary"),
            extract=self.candidates(raw, place.pointer),
        )

    def deploy(self, raw: Plain, place: _Place) -> DeployStep:
        deploy = raw["deploy"]
        pointer = (*place.pointer, "deploy")
        read = self.read_config(deploy["config"], (*pointer, "config"))
        agent = self.agent(deploy, pointer)
        config = {} if read is None else read[1]
        if "error" not in raw.get("gets", {}):
            self.own_config(agent, config, (*pointer, "config"))
        return DeployStep(
            place=place.index,
            pointer=place.pointer,
            agent=agent,
            config=config,
            plane=deploy.get("mode", "live"),
            at=place.at,
            gets=raw.get("gets"),
        )

    def review(self, raw: Plain, place: _Place) -> ReviewStep:
        review = raw["review"]
        pointer = (*place.pointer, "review")
        word = self.one_of(review, REVIEWS, pointer, "review") or "list"
        return ReviewStep(
            place=place.index,
            pointer=place.pointer,
            agent=self.agent(review, pointer),
            action=word,
            target=None if word == "list" else review[word],
            grants=tuple(review["grants"]) if "grants" in review else None,
            at=place.at,
            gets=raw.get("gets"),
        )

    def agent(self, raw: Plain, pointer: Pointer) -> str:
        """The agent that `raw` names, or the only one there is."""
        if "agent" in raw:
            if self.agents and raw["agent"] not in self.agents:
                self.find("SC201", (*pointer, "agent"), f"no agent is called {raw['agent']}; there is {self.listed()}")
            return str(raw["agent"])
        if len(self.agents) > 1:
            self.find("SC202", pointer, f"the scenario has several agents: name one of {self.listed()} with `agent`")
        return self.agents[0] if self.agents else ""

    def own_config(self, agent: str, config: Plain, pointer: Pointer) -> None:
        """Whether a config is `agent`'s: another's cannot be deployed for it."""
        if agent and config.get("agent", agent) != agent:
            self.find("SC206", pointer, f"the config says that it is {config['agent']}'s, and {agent} would run it")

    def listed(self) -> str:
        return ", ".join(self.agents)

    def actions(self, raw: Plain, pointer: Pointer) -> tuple[Action, ...]:
        found = []
        for index, item in enumerate(raw.get("do", ())):
            at = (*pointer, "do", index)
            word = self.one_of(item, ACTIONS, at, "item of `do`")
            if word is not None:
                found.append(self.action(word, item, at))
        if "outcome" in raw and any(action.kind == "fail" for action in found):
            self.find("SC304", (*pointer, "outcome"), "the turn fails, so nothing else ends it")
        return tuple(found)

    def candidates(self, raw: Plain, pointer: Pointer) -> tuple[Action, ...] | None:
        """What the review at the end of the turn finds; None where the script does not say."""
        if "extract" not in raw:
            return None
        found = []
        for index, item in enumerate(raw["extract"]):
            at = (*pointer, EXTRACT, index)
            decision = item.get("decision")
            if isinstance(decision, Mapping):
                self.one_of(decision, ("replace", "delete"), (*at, "decision"), "decision")
            arguments = {key: part for key, part in item.items() if key not in ("as", "gets")}
            found.append(Action(EXTRACT, arguments, at, name=item.get("as"), gets=item.get("gets")))
        return tuple(found)

    def action(self, word: str, item: Plain, pointer: Pointer) -> Action:
        value = item[word]
        name = None
        if word in HELPERS:
            arguments: Plain = {}
        elif word == "reply":
            arguments = {"text": value}
        elif word == "fail":
            arguments = {"reason": value}
        elif word == "set_state":
            arguments = {"state": value}
        elif word == "tool":
            source = self.one_of(value, ("result", "tokens"), (*pointer, "tool"), "tool's result")
            result = generated(value["tokens"]) if source == "tokens" else value.get("result", "")
            arguments = {"name": value["name"], "result": result}
            name = value.get("as")
        else:
            arguments = {key: part for key, part in value.items() if key != "as"}
            name = value.get("as")
        return Action(
            kind=word,
            arguments=arguments,
            pointer=pointer,
            name=name,
            sees=item.get("sees"),
            gets=item.get("gets"),
            do=self.actions(value, (*pointer, word)) if word in HELPERS else (),
        )
