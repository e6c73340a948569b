"""What the fixture `memory` of the pytest plugin is: an engine in memory, and the little that plays turns on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from seatrial.engine import Engine, EngineError, Turn

from .given import AGENT, Given, config_of

_START = 1_767_225_600_000  # 2026-01-01T00:00:00Z
_MINUTE = 60_000
_NOTHING = (
    "Nothing is deployed: call `deploy` first; the fixture `memory` has a config where --memory-config FILE, or "
    "memory_config in pytest's settings, names one."
)


class Memory:
    """`engine` is the engine itself. Each deploy and each turn comes a minute after the one before it.

    A context manager: it closes the engine at the end.
    """

    def __init__(self) -> None:
        self.engine = Engine.open()
        self._moments = 0
        self._agents: dict[str, None] = {}  # those deployed, the latest last

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.close()

    def deploy(
        self,
        config: Given,
        *,
        agent: str | None = None,
        plane: Literal["live", "preview"] = "live",
    ) -> int:
        """Deploy a config, or that of a file, as the agent's next version, and give its number.

        Without `agent` it is the agent that the config names; else the one that the file's name does, as for scripts
        and `seatrial run`: support of support.v1.yaml; else "agent".

        Raises ValueError for a file that cannot be read or that `seatrial lint` finds an error in, TypeError for what
        is no config, and EngineError for what is refused.
        """
        named, content = config_of(config, agent)
        number = self.engine.deploy(named, content, plane=plane, at=self._moment())
        self._agents.pop(named, None)
        self._agents[named] = None
        return number

    @contextmanager
    def turn(
        self,
        session: str | None = None,
        user: str = "",
        *,
        agent: str | None = None,
        plane: Literal["live", "preview"] = "live",
    ) -> Iterator[Turn]:
        """A turn that commits at the end, or is rolled back where an exception leaves it, unless it has ended.

        Without `agent` it is a turn of the agent that was deployed last.

        Raises EngineError for what is refused, also where no such agent is deployed.
        """
        at = self._moment()
        named = agent or next(reversed(self._agents), AGENT)
        try:
            turn = self.engine.begin(
                named, session=session, plane=plane, execution=f"t{self._moments}", at=at, user=user
            )
        except EngineError as refused:
            if named in self._agents:
                raise
            there = f"There are {', '.join(self._agents)}." if self._agents else _NOTHING
            raise EngineError(refused.code, refused.message, there) from None
        try:
            yield turn
        except BaseException:
            if turn.result is None:
                turn.rollback("an exception left the turn")
            raise
        if turn.result is None:
            turn.commit()

    def _moment(self) -> int:
        self._moments += 1
        return _START + self._moments * _MINUTE
