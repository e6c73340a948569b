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


class Memory:
    """`engine` is the engine itself. Each deploy and each turn comes a minute after the one before it.

    A context manager: it closes the engine at the end.
    """

    def __init__(self) -> None:
        self.engine = Engine.open()
        self._moments = 0

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.close()

    def deploy(
        self,
        config: Mapping[str, Any] | Path | str,
        *,
        agent: str = "agent",
        plane: Literal["live", "preview"] = "live",
    ) -> int:
        """Deploy a config, or that of a file, as the agent's next version, and give its number.

        Raises ValueError for a file that `seatrial lint` finds an error in, and EngineError for what is refused.
        """
        if not isinstance(config, Mapping):
            document = read_path(config)
            for found in lint([document]):
                if found.severity == "error":
                    raise ValueError(
                        f"{found.path}:{found.span.line}:{found.span.column}: {found.code} {found.message}"
                    )
            config = document.value
        return self.engine.deploy(agent, config, plane=plane, at=self._moment())

    @contextmanager
    def turn(
        self,
        session: str | None = None,
        user: str = "",
        *,
        agent: str = "agent",
        plane: Literal["live", "preview"] = "live",
    ) -> Iterator[Turn]:
        """A turn that commits at the end, or is rolled back where an exception leaves it, unless it has ended."""
        at = self._moment()
        turn = self.engine.begin(agent, session=session, plane=plane, execution=f"t{self._moments}", at=at, user=user)
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
