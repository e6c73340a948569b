"""What the fixture `memory` of the pytest plugin is: an engine in memory, and the little that plays turns on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from seatrial.engine import Engine, Turn
from seatrial.linter import lint, read_path

_START = 1_767_225_600_000  # 2026-01-01T00:00:00Z
_MINUTE = 60_000
_AGENT = "agent"


class Memory:
    """`engine` is the engine itself. Each deploy and each turn comes a minute after the one before it.

    A context manager: it closes the engine at the end.
    """

    def __init__(self) -> None:
        self.engine = Engine.open()
        self._moments = 0
        self._latest = _AGENT

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.close()

    def deploy(
        self,
        config: Mapping[str, Any] | Path | str,
        *,
        agent: str | None = None,
        plane: Literal["live", "preview"] = "live",
    ) -> int:
        """Deploy a config, or that of a file, as the agent's next version, and give its number.

        Without `agent` it is the agent that the config names, else "agent".

        Raises ValueError for a file that `seatrial lint` finds an error in, and EngineError for what is refused.
        """
        if isinstance(config, Mapping):
            content = config
        else:
            document = read_path(config)
            for found in lint([document]):
                if found.severity == "error":
                    raise ValueError(
                        f"{found.path}:{found.span.line}:{found.span.column}: {found.code} {found.message}"
                    )
            content = document.value
        agent = agent or content.get("agent", _AGENT)
        number = self.engine.deploy(agent, content, plane=plane, at=self._moment())
        self._latest = agent
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
        """
        at = self._moment()
        turn = self.engine.begin(
            agent or self._latest, session=session, plane=plane, execution=f"t{self._moments}", at=at, user=user
        )
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
