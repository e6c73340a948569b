"""Agents and their versions: deploys, the chain they form, and which version a turn runs (VER).

Must not know turns or records. Validity is decided by the schemas: the agent schema, and the one derived from earlier
versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from seatrial.schemas import config_problems

from . import guidance, journal
from .config import Config, read_config
from .names import checked_name
from .plain import all_text, canonical, checked_time, copied, decoded
from .store import Store
from .values import EngineError, Json, Plane


@dataclass(frozen=True, slots=True)
class Version:
    """What a turn runs: a config, with what all versions its plane can see have ever declared (VER-4)."""

    number: int
    config: Config
    label_names: Mapping[int, str]
    all_labels: Mapping[str, int]
    all_kinds: tuple[str, ...]
    instructions: str
    tools: str
    tool_names: tuple[str, ...]
    review_instructions: str
    review_tools: str


@dataclass(frozen=True, slots=True)
class _Deploy:
    number: int
    plane: Plane
    document: dict[str, Json]
    config: Config


class Agents:
    """The agents of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._deploys: dict[str, list[_Deploy]] = {}
        self._running: dict[tuple[str, Plane], Version] = {}

    def known(self, agent: str) -> bool:
        """Whether any version of `agent` was ever deployed."""
        return bool(self._of(agent))

    def label_names(self, agent: str) -> dict[int, str]:
        """The name that owns each number, over all versions (REC-5)."""
        return {label.number: label.name for deploy in self._of(agent) for label in deploy.config.memory.labels}

    def running(self, agent: str, plane: Plane) -> Version:
        """The version that a turn of `plane` runs: the latest deployed live; in a preview, the latest of either plane.

        Raises `not_found` where there is none.
        """
        version = self._running.get((agent, plane))
        if version is None:
            seen = [deploy for deploy in self._of(agent) if plane == "preview" or deploy.plane == "live"]
            if not seen:
                raise EngineError("not_found", f"no version of {agent} is deployed {plane}", "Deploy one first.")
            version = self._running[agent, plane] = _version(seen, self.label_names(agent))
        return version

    def deploy(self, agent: str, config: object, *, plane: Plane, at: int) -> int:
        """Promote a config (VER-1). Returns its version's number: the stated one, else one more than the latest.

        Raises `deploy_refused` for a config that is not valid or breaks the chain (VER-2, VER-3).
        """
        checked_name(agent, "an agent")
        at = checked_time(at)
        document = _document(config)
        number = _number(agent, document, self._chain(agent))
        text = canonical(document)
        deploy = _Deploy(number, plane, decoded(text), _config(text))  # as the store has it, and nothing unreadable
        with self._store.transaction(durable=True) as sql:
            journal.add_deploy(sql, agent, number, plane=plane, at=at, config=text)
        self._deploys[agent].append(deploy)
        self._running.pop((agent, "live"), None)
        self._running.pop((agent, "preview"), None)
        return number

    def _chain(self, agent: str) -> dict[int, dict[str, Json]]:
        """Each version's document, by number."""
        return {deploy.number: deploy.document for deploy in self._of(agent)}

    def _of(self, agent: str) -> list[_Deploy]:
        deploys = self._deploys.get(agent)
        if deploys is None:
            rows = journal.deploys(self._store.sql, agent)
            deploys = [_Deploy(number, plane, decoded(text), _config(text)) for number, plane, text in rows]
            self._deploys[agent] = deploys
        return deploys


@lru_cache(maxsize=256)
def _config(text: str) -> Config:
    """A valid document as the engine uses it: a script that is run again deploys the same again."""
    return read_config(decoded(text))


def _version(seen: list[_Deploy], label_names: dict[int, str]) -> Version:
    latest = seen[-1]
    labels = {label.name: label.number for deploy in seen for label in deploy.config.memory.labels}
    kinds = dict.fromkeys(kind for deploy in seen for kind in deploy.config.memory.kinds)
    return Version(
        number=latest.number,
        config=latest.config,
        label_names=label_names,
        all_labels=labels,
        all_kinds=tuple(kinds),
        instructions=guidance.instructions(latest.config),
        tools=guidance.tools(latest.config),
        tool_names=guidance.tool_names(latest.config),
        review_instructions=guidance.review_instructions(latest.config),
        review_tools=guidance.review_tools(latest.config),
    )


def _document(config: object) -> dict[str, Json]:
    """A copy of a config that JSON and UTF-8 can hold, else `deploy_refused`."""
    try:
        document = copied(config, "the config")
    except EngineError as error:
        raise _refused(error.message, error.remedy) from error
    if not isinstance(document, dict) or not all_text(document):
        raise _refused("a config is an object, and its text is whole characters", "")
    return document


def _number(agent: str, document: dict[str, Json], chain: Mapping[int, dict[str, Json]]) -> int:
    """The number of the version that `document` makes after `chain`: the stated one, else one more than the latest.

    Raises `deploy_refused` where it is not valid or does not follow.
    """
    latest = max(chain, default=0)
    stated = document.get("version")
    number = int(stated) if isinstance(stated, int | float) else latest + 1
    problems = config_problems(document, sorted(chain.items()), number)
    if problems:
        told = "; ".join(str(problem) for problem in problems)
        raise _refused(told, "Change the config; `seatrial lint` shows where in a file.")
    named = str(document.get("agent", agent))
    if named != agent:
        raise _refused(
            f"the config names the agent {named}, and is deployed for {agent}",
            "Deploy it for the agent that it names.",
        )
    if number < latest:
        raise _refused(
            f"version {number} is older than version {latest}, which it would follow",
            "Going back to an older config is a new version (VER-3): give it a number of its own.",
        )
    if number == latest and canonical(document) != canonical(chain[number]):
        raise _refused(
            f"version {number} is deployed already, with another config",
            "A version never changes: give the config a number of its own.",
        )
    return number


def _refused(message: str, remedy: str) -> EngineError:
    return EngineError("deploy_refused", message, remedy)
