"""A scenario that is played while it is written: each step as it is added, with the trace that the whole would have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, TypeAlias

from seatrial.engine import Engine, Memory
from seatrial.linter import lint, read_text
from seatrial.schemas import problems

from .checks import check
from .events import Broke, Event, Missed, Unreviewed
from .expect import Failure
from .rules import RULES
from .runner import Player
from .script import Pointer, Script
from .settle import settle
from .trace import Line

Document: TypeAlias = dict[str, Any]

_FORM: Document = {"scenario": "x", "config": {"harness": {}}}


class WrongStep(ValueError):  # noqa: N818 - an answer to expect, told by its name
    """A step that would make the scenario invalid: it was neither played nor added. `document` is with it."""

    def __init__(self, document: Document, reason: str) -> None:
        super().__init__(reason)
        self.document = document


class Live:
    """One scenario on its way. `document` is what was played so far, `lines` its trace, `failures` what it missed.

    Its configs stand in it. It is kept in memory, which a restart does not empty.
    """

    def __init__(self, head: Mapping[str, Any]) -> None:
        """`head` is the scenario but for its steps. Raises WrongStep where a config has an error."""
        self.document: Document = {**deepcopy(dict(head)), "steps": []}
        self.lines: list[Line] = []
        self.failures: list[Failure] = []
        for config in [head["config"]] if "config" in head else head["agents"].values():
            _lint(self.document, config)
        self._memory = Memory()
        self._player = Player(_script(self.document), self._memory, [self._record], expectations=True)
        self._player.start()

    @property
    def engine(self) -> Engine:
        """The memory system as it is now: another one after a restart."""
        return self._player.engine

    @property
    def ids(self) -> Mapping[str, str]:
        """The ids and references that the names of the script turned out to have."""
        return self._player.telling.names.ids

    def step(self, step: Mapping[str, Any]) -> tuple[Line, ...]:
        """Plays one step more, and gives the lines that it adds to the trace. Raises WrongStep."""
        added = deepcopy(dict(step))
        document = {**self.document, "steps": [*self.document["steps"], added]}
        found = problems("scenario", {**_FORM, "steps": [added]})
        if found:
            raise WrongStep(document, str(found[0]))
        if "deploy" in added:
            _lint(document, added["deploy"]["config"])
        script = _script(document)
        before = len(self.lines)
        self.document = document
        self._player.telling.read(script)
        self._player.step(script.steps[-1])
        return tuple(self.lines[before:])

    def finish(self) -> None:
        """Open turns end as crashed, and the ledger is told. Nothing can be played afterwards."""
        self._player.finish()
        self.close()

    def close(self) -> None:
        self._player.engine.close()
        self._memory.end()

    def _record(self, event: Event) -> None:
        if isinstance(event, Missed):
            self.failures.append(event.failure)
        elif not isinstance(event, Unreviewed | Broke):
            self.lines.append(event.line())


def _script(document: Document) -> Script:
    def config(written: Any, _: Pointer) -> tuple[str, Mapping[str, Any]]:
        return written.get("agent", "agent"), written

    script, findings = settle(document, None, config)
    for finding in (*findings, *([] if findings else check(script, ()))):
        if RULES[finding.code].severity == "error":
            raise WrongStep(document, finding.message)
    return script


def _lint(document: Document, config: Any) -> None:
    if not isinstance(config, Mapping):
        raise WrongStep(document, "a config that is played live stands in the scenario itself")
    for found in lint([read_text(json.dumps(config), path="<config>")]):
        if found.severity == "error":
            raise WrongStep(document, found.message)
