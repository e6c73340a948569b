"""Faults of versions: which one a turn runs, and what of its config counts (VER, SCO-1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from seatrial.engine import agents
from seatrial.engine.config import read_config
from seatrial.engine.engine import Engine
from seatrial.engine.plain import decoded

from .fault import Alteration, Fault


def _open_turns_go_over(alteration: Alteration) -> None:
    """A deploy reaches turns that are open."""

    def make(real: Any) -> Any:
        def deploy(self: Engine, agent: str, config: object, **more: Any) -> int:
            number: int = real(self, agent, config, **more)
            for turn in self._open.values():
                if turn.desk.agent == agent:
                    turn.desk = replace(turn.desk, version=self._agents.running(agent, turn.desk.plane))
            return number

        return deploy

    alteration.wrap(Engine, "deploy", make)


def _first_stays(alteration: Alteration) -> None:
    """Later turns run what was deployed first."""
    alteration.wrap(agents, "_version", lambda real: lambda seen, label_names: real(seen[:1], label_names))


def _scopes_of_the_first(alteration: Alteration) -> None:
    """A later version reads and writes the scopes of the first."""

    def make(real: Any) -> Any:
        def version(seen: Any, label_names: Any) -> Any:
            first, latest = seen[0].config.memory, seen[-1]
            memory = replace(latest.config.memory, read=first.read, write=first.write)
            return real([*seen[:-1], replace(latest, config=replace(latest.config, memory=memory))], label_names)

        return version

    alteration.wrap(agents, "_version", make)


def _back_to_what_was(alteration: Alteration) -> None:
    """A config that was deployed before may come again, whatever was declared since."""

    def make(real: Any) -> Any:
        def problems(document: Any, earlier: Any, number: int) -> Any:
            again = any({**document, "version": 0} == {**each, "version": 0} for _, each in earlier)
            return real(document, earlier[:0] if again else earlier, number)

        return problems

    alteration.wrap(agents, "config_problems", make)


def _both_by_default(alteration: Alteration) -> None:
    """A version that states no scopes has both."""

    def config(text: str) -> Any:
        document = decoded(text)
        found = read_config(document)
        stated = document["harness"].get("memory", {}).get("scope", {})
        memory = found.memory
        if memory.enabled and "read" not in stated:
            memory = replace(memory, read=("session", "agent"))
        if memory.enabled and "write" not in stated:
            memory = replace(memory, write=("session", "agent"))
        return replace(found, memory=memory)

    alteration.put(agents, "_config", config)


FAULTS: tuple[Fault, ...] = (
    Fault("open-turns-go-over", "VER-1", "an open turn goes over to the version that is deployed meanwhile",
          _open_turns_go_over),
    Fault("first-version-stays", "VER-1", "later turns run the version that was deployed first", _first_stays),
    Fault("back-to-what-was", "VER-3", "a config that goes back may drop the labels that were declared since",
          _back_to_what_was),
    Fault("scopes-of-the-first", "VER-5", "a later version has the scopes of the first", _scopes_of_the_first),
    Fault("both-scopes-by-default", "SCO-1", "a version that states no scopes has both", _both_by_default),
)  # fmt: skip
