"""Configs that scenarios start with in place of their own, so that one suite can be played on another version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from seatrial.linter import Diagnostic, Document, identity, lint, read_path
from seatrial.schemas.wording import reason

from .script import DeployStep, Script

Plain: TypeAlias = Mapping[str, Any]


class StartError(ValueError):
    """Scenarios cannot start with what was given. As text it says why.

    Where a config has errors, `errors` are the linter's, in `documents`.
    """

    def __init__(self, why: str, documents: Sequence[Document] = (), errors: Sequence[Diagnostic] = ()) -> None:
        super().__init__(why)
        self.documents = tuple(documents)
        self.errors = tuple(errors)


@dataclass(frozen=True, slots=True)
class Start:
    """A config without errors, and the agent that starts with it. `written` is how it was asked for."""

    agent: str
    config: Plain
    written: str


def read_starts(written: Iterable[str], base: Path = Path()) -> dict[str, Start]:
    """What each agent starts with: each of `written` is a config file of the agent that it names, or AGENT=FILE.

    Paths are relative to `base`. Raises StartError, for the errors of all files at once.
    """
    read = [_read(each, base) for each in written]
    bad = [(document, errors) for _, _, document in read if (errors := errors_of(lint([document])))]
    if bad:
        raise StartError(
            "a config with errors cannot be deployed",
            [document for document, _ in bad],
            [error for _, errors in bad for error in errors],
        )
    starts: dict[str, Start] = {}
    for text, asked, document in read:
        start = start_of(document, text, asked)
        if start.agent in starts:
            raise StartError(f"{text} and {starts[start.agent].written} are both of the agent {start.agent}")
        starts[start.agent] = start
    return starts


def start_of(document: Document, written: str, agent: str | None = None) -> Start:
    """A config without errors as what `agent` starts with, else the agent whose it is. Raises StartError."""
    own, config = identified(document)
    if agent is not None and config.get("agent", agent) != agent:
        raise StartError(f"{written}: the config says that it is {own}'s")
    return Start(agent if agent is not None else own, config, written)


def _read(written: str, base: Path) -> tuple[str, str | None, Document]:
    agent, equals, file = written.partition("=")
    if not (agent.strip() and (file.strip() or not equals)):
        raise StartError(f"{written!r} is not [AGENT=]FILE: {'one of the two' if equals else 'the file'} is missing")
    try:
        if not equals or (base / written).exists():
            return written, None, read_path(base / written)
        return written, agent, read_path(base / file)
    except (OSError, ValueError) as unreadable:  # ValueError: no file can have such a name
        raise StartError(f"{written}: {reason(unreadable)}") from unreadable


def started(script: Script, starts: Mapping[str, Start]) -> Script:
    """The script whose agents start with those configs. What it deploys later stays as it is written."""
    if not any(agent in starts for agent in agents_of(script)):
        return script
    steps = [
        replace(step, config=starts[step.agent].config)
        if isinstance(step, DeployStep) and step.place < 0 and step.agent in starts
        else step
        for step in script.steps
    ]
    return replace(script, steps=tuple(steps))


def agents_of(script: Script) -> tuple[str, ...]:
    """The agents of a script, in the order in which it declares them."""
    return tuple(step.agent for step in script.steps if isinstance(step, DeployStep) and step.place < 0)


def unused(starts: Mapping[str, Start], agents: Iterable[str]) -> list[str]:
    """What to say of the starts of which no scenario has the agent; `agents` are those of all that were played."""
    there = sorted(set(agents))
    hint = f"; there is {', '.join(there)}, and AGENT=FILE says whose a config is" if there else ""
    return [
        f"{start.written} is a config of {agent}, which is an agent of no scenario that ran{hint}"
        for agent, start in starts.items()
        if agent not in there
    ]


def identified(document: Document) -> tuple[str, Plain]:
    """A config file's agent, and its config with the version that the file's name says, where it says one itself."""
    named = identity(document)
    assert named is not None  # the linter found no error
    config: Plain = document.value
    if named.version > 1:
        config = {**config, "version": named.version}
    return named.agent, config


def errors_of(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(diagnostic for diagnostic in diagnostics if diagnostic.severity == "error")
