"""What a state machine plays with: a scenario that goes on, its open turns, and how it is judged. Knows no rule."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seatrial.engine import Engine
from seatrial.simulator.as_yaml import dumped
from seatrial.simulator.fuzzing.cast import Role, Version, offered
from seatrial.simulator.invariants import INVARIANTS, History
from seatrial.simulator.live import Live, WrongStep

from .checking import Line, check, read
from .counting import count


@dataclass(frozen=True)
class OpenTurn:
    """A turn that goes on. `name` is its id in the scenario, `execution` in the trace, `config` what its version is."""

    name: str
    execution: str
    agent: str
    session: str | None
    plane: str
    config: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.agent}, {self.session or 'no session'}, {self.plane}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """As Hypothesis shows it."""
        printer.text(repr(self))


class Stage:
    """One scenario that is played while it is drawn."""

    def __init__(self, cast: Sequence[Role], name: str) -> None:
        self.cast = {role.name: role for role in cast}
        first = {role.name: role.versions[0].config for role in cast}
        head: dict[str, Any] = {"scenario": name}
        head |= {"agents": first} if len(cast) > 1 else {"config": cast[0].versions[0].config}
        self.live = Live(head)
        self.turns: list[OpenTurn] = []
        self._deployed = dict.fromkeys(self.cast, 1)  # how many of the given versions
        self._configs: dict[tuple[str, int], Mapping[str, Any]] = {}
        self._live: dict[str, dict[str, Any]] = {}  # what live turns of an agent run
        self.since_restart = 0  # steps
        self._names = 0
        self._notice(self.live.lines)

    @property
    def engine(self) -> Engine:
        return self.live.engine

    @property
    def text(self) -> str:
        """The scenario so far, as a file has it."""
        return dumped(self.live.document)

    @property
    def with_further(self) -> list[str]:
        """The agents that have a version that is not deployed yet."""
        return [name for name, role in self.cast.items() if self._deployed[name] < len(role.versions)]

    @property
    def playing(self) -> list[Role]:
        """The agents as they are now: what their live turns run, and the versions that come next."""
        now = {name: self.cast[name].versions[self._deployed[name] - 1] for name in self.cast}
        now |= {name: Version(config, config) for name, config in self._live.items()}
        return [Role(name, (now[name], *role.versions[self._deployed[name] :])) for name, role in self.cast.items()]

    def imagined(self) -> dict[str | None, OpenTurn]:
        """For each agent a turn that it could begin; for None one of the only agent."""
        sessions = {name: "imagined" if role.sessions else None for name, role in self.cast.items()}
        found: dict[str | None, OpenTurn] = {
            role.name: OpenTurn("imagined", "imagined", role.name, sessions[role.name], "live", role.versions[0].config)
            for role in self.playing
        }
        return {**found, None: next(iter(found.values()))}

    def next_version(self, agent: str) -> Mapping[str, Any]:
        """The config of the version that comes next; it counts as deployed once it is played."""
        return self.cast[agent].versions[self._deployed[agent]].config

    def turn(self, agent: str, session: str | None, plane: str) -> str | dict[str, Any]:
        """What stands behind `turn`: the session alone where nothing else needs to be said."""
        said = {"agent": agent} if len(self.cast) > 1 else {}
        if plane != "live":
            said["mode"] = plane
        if session is not None and not said:
            return session
        return said if session is None else {**said, "session": session}

    def name(self, what: str) -> str:
        """A name that the scenario has not given yet."""
        self._names += 1
        return f"{what}{self._names}"

    def with_tool(self, tool: str | None) -> list[OpenTurn]:
        """The open turns of versions that offer `tool`; all of them for None."""
        return [turn for turn in self.turns if tool is None or tool in offered(turn.config)]

    def play(self, step: Mapping[str, Any]) -> tuple[Line, ...]:
        """Plays a step, and gives the lines that it adds to the trace.

        Raises InvalidScenario for a step that is none, and Failed where an expectation that it states does not hold.
        """
        __tracebackhide__ = True
        try:
            lines = self.live.step(step)
        except WrongStep as wrong:
            read(wrong.document)  # tells with line and column what is wrong
            raise ValueError(str(wrong)) from wrong
        self.since_restart = 0 if "restart" in step else self.since_restart + 1
        self._notice(lines)
        if "id" in step:
            self._opened(str(step["id"]), lines)
        if self.live.failures:
            check(self.live.document)
            raise AssertionError(f"it fails while it is drawn, and passes when it is run:\n\n{self.text}")
        return lines

    def end(self, second_runs: bool | Collection[str]) -> None:
        """Commits the turns that are open, and judges the whole. Raises Failed."""
        __tracebackhide__ = True
        for turn in list(self.turns):
            self.play({"continue": turn.name})
        self.live.finish()
        history = History.parse(self.live.lines)
        verdicts = [invariant.check(history) for invariant in INVARIANTS]
        violated = [verdict.name for verdict in verdicts if verdict.violations]
        if violated or (second_runs and self.live.document["steps"]):
            check(self.live.document, second_runs=second_runs)
        else:
            count(verdicts, sum(line["type"] == "begin" and "error" not in line for line in self.live.lines))
        if violated:
            raise AssertionError(
                f"{', '.join(violated)}: violated while it is drawn, not when it is run:\n\n{self.text}"
            )

    def close(self) -> None:
        self.live.close()

    def _opened(self, name: str, lines: Sequence[Line]) -> None:
        begun = next((line for line in lines if line["type"] == "begin" and "error" not in line), None)
        ended = any(line["type"] == "end" and begun is not None and line["turn"] == begun["turn"] for line in lines)
        if begun is not None and not ended:
            config = self._configs[begun["agent"], begun["version"]]
            self.turns.append(OpenTurn(name, begun["turn"], begun["agent"], begun["session"], begun["plane"], config))

    def _promoted(self, agent: str, config: Mapping[str, Any]) -> None:
        """Where it is the next of the given versions, that counts as deployed, whoever deployed it."""
        coming = self.cast[agent].versions[self._deployed[agent] : self._deployed[agent] + 1]
        self._deployed[agent] += any(version.config == config for version in coming)

    def _notice(self, lines: Sequence[Line]) -> None:
        """Versions that were deployed, and turns that have ended."""
        for line in lines:
            if line["type"] == "deploy" and "error" not in line:
                self._configs[line["agent"], line["version"]] = line["config"]
                if line["plane"] == "live":
                    self._live[line["agent"]] = line["config"]
                self._promoted(line["agent"], line["config"])
            elif line["type"] == "end":
                self.turns = [turn for turn in self.turns if turn.execution != line["turn"]]
