"""A scenario that is played while it is written: each step as it is added, with the trace that the whole would have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, TypeAlias

from seatrial.engine import Engine, Memory
from seatrial.linter import lint, read_text
from seatrial.schemas import problems

from .checks import Checker
from .events import Broke, Event, Missed, Unreviewed
from .expect import Failure
from .findings import Finding
from .rules import RULES
from .runner import Player
from .script import Script, Step
from .settle import Settler
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
        try:
            for config in [head["config"]] if "config" in head else head["agents"].values():
                _lint(config)
            self._reading = _Reading(self.document)
        except _Wrong as wrong:
            raise WrongStep(self.document, str(wrong)) from None
        self._memory = Memory()
        script = Script(head["scenario"], None, (), (), tuple(self._reading.first))
        self._player = Player(script, self._memory, [self._record], expectations=True)
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
        try:
            settled = self._settled(added)
        except _Wrong as wrong:
            self._reading = _Reading(self.document)  # as it was
            document = {**self.document, "steps": [*self.document["steps"], added]}
            raise WrongStep(document, str(wrong)) from None
        before = len(self.lines)
        self.document["steps"].append(added)
        self._player.telling.read([settled])
        self._player.step(settled)
        return tuple(self.lines[before:])

    def _settled(self, step: Document) -> Step:
        """The step after those that were played. Raises _Wrong."""
        found = problems("scenario", {**_FORM, "steps": [step]})
        if found:
            raise _Wrong(str(found[0]))
        if "deploy" in step:
            _lint(step["deploy"]["config"])
        return self._reading.next(step)

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


class _Wrong(Exception):  # noqa: N818 - an answer to expect, told by its name
    """What is wrong with a step, or with a config."""


class _Reading:
    """The steps of a document, each settled and checked once, as it comes."""

    def __init__(self, document: Document) -> None:
        """Raises _Wrong."""
        self._settler = Settler(document, lambda config, _: (config.get("agent", "agent"), config))
        self._checker = Checker()
        self.first: list[Step] = [*self._settler.first_deploys()]
        for step in self.first:
            self._check(step)
        for raw in document["steps"]:
            self.next(raw)

    def next(self, raw: Document) -> Step:
        """The step that comes next. Raises _Wrong."""
        step = self._settler.next(raw)
        self._check(step)
        assert step is not None  # else something was found
        return step

    def _check(self, step: Step | None) -> None:
        _refuse(self._settler.findings)
        if step is not None:
            _refuse([*self._checker.read(step), *self._checker.check(step)])


def _refuse(findings: Iterable[Finding]) -> None:
    """Raises _Wrong for the first error."""
    for finding in findings:
        if RULES[finding.code].severity == "error":
            raise _Wrong(finding.message)


def _lint(config: Any) -> None:
    if not isinstance(config, Mapping):
        raise _Wrong("a config that is played live stands in the scenario itself")
    for found in lint([read_text(json.dumps(config), path="<config>")]):
        if found.severity == "error":
            raise _Wrong(found.message)
