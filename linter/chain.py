"""Which documents are versions of one agent, and what comparing them finds."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import NamedTuple

from seatrial.schemas import Labels

from .diagnostic import Diagnostic
from .document import Document
from .schema_check import settled
from .settled import Settled

_VERSION_STEM = re.compile(r"v[0-9]+", re.IGNORECASE)
_VERSION = re.compile(r"(?:^|\.)v([0-9]+)\.", re.IGNORECASE)


class Identity(NamedTuple):
    """Whose config a document is, and which version of it."""

    agent: str
    version: int


class Step(NamedTuple):
    """One version in a chain.

    `errors` are what reading and the agent schema found.
    """

    version: int
    document: Document
    errors: tuple[Diagnostic, ...] = ()

    @property
    def name(self) -> str:
        """How messages call it."""
        return f"version {self.version}"

    @property
    def config(self) -> Settled:
        """The version's config with its defaults."""
        return Settled(self.document, self.errors)


class Chain(NamedTuple):
    """The versions of one agent, oldest first, one document each; and further documents that claim one of them."""

    agent: str
    steps: tuple[Step, ...]
    rivals: tuple[Step, ...] = ()

    @property
    def documents(self) -> list[Document]:
        return [step.document for step in (*self.steps, *self.rivals)]


class Claim(NamedTuple):
    """Whose config a document claims to be; `by_folder` where only the name of its folder says so."""

    named: Identity
    by_folder: bool
    folder: str
    document: Document
    errors: tuple[Diagnostic, ...] = ()


def default_agent(path: str) -> tuple[str, bool]:
    """The agent's name that a path stands for, and whether it is the folder's.

    The file's name up to its first dot; where that is only a version (v3.json) or nothing, the folder's name.
    """
    stem = os.path.basename(path).split(".")[0]
    if stem and not _VERSION_STEM.fullmatch(stem):
        return stem, False
    return os.path.basename(_folder(path)), True


def _folder(path: str) -> str:
    return os.path.abspath(os.path.dirname(path))


def stated_by_name(path: str) -> int | None:
    """The version that a path states: n of v<n>.json or reconciler.v<n>.yaml; None if it states none."""
    match = _VERSION.search(os.path.basename(path))
    return int(match.group(1)) if match else None


def default_version(path: str) -> int:
    """The version that a path stands for: the one that it states, else 1."""
    stated = stated_by_name(path)
    return 1 if stated is None else stated


def identity(document: Document) -> Identity | None:
    """Whose config the document is; None where its version cannot be told."""
    named = claim(document)
    return named and named.named


def claim(document: Document, errors: Iterable[Diagnostic] = ()) -> Claim | None:
    """What the document claims; None where its version cannot be told."""
    if document.value is None:
        return None
    agent = document.value.get("agent")
    by_folder = False
    if not isinstance(agent, str):
        agent, by_folder = default_agent(document.path)
    version = document.value.get("version", default_version(document.path))
    if isinstance(version, float) and version.is_integer():
        version = int(version)
    if not isinstance(version, int) or isinstance(version, bool):
        return None
    return Claim(Identity(agent, version), by_folder, sys.intern(_folder(document.path)), document, tuple(errors))


def chains(documents: Iterable[Document]) -> list[Chain]:
    """The documents by agent, see `chained`."""
    return chained(claimed for document in documents if (claimed := claim(document)) is not None)


def chained(claims: Iterable[Claim]) -> list[Chain]:
    """The claims by agent, in order of the agents' names.

    An agent is its name. A name that only the folder gives holds within that folder, so that two folders of the same
    name do not make one agent of two, unless a document beside it says that name.
    """
    claims = list(claims)
    stated = {(each.named.agent, each.folder) for each in claims if not each.by_folder}
    groups: dict[tuple[str, str], list[Claim]] = {}
    for each in claims:
        own = each.by_folder and (each.named.agent, each.folder) not in stated
        groups.setdefault((each.named.agent, each.folder if own else ""), []).append(each)
    return [_chain(agent, group) for (agent, _), group in sorted(groups.items())]


def _chain(agent: str, group: list[Claim]) -> Chain:
    steps: dict[int, Step] = {}
    rivals = []
    for each in sorted(group, key=lambda each: (each.named.version, each.document.path)):
        step = Step(each.named.version, each.document, each.errors)
        if step.version not in steps:
            steps[step.version] = step
        elif step.document.value != steps[step.version].document.value:  # the same document twice is no rival
            rivals.append(step)
    return Chain(agent, tuple(steps.values()), tuple(rivals))


def compared(chain: Chain) -> list[Diagnostic]:
    """What the successor schema of all earlier versions finds in each version, by place (VER-2)."""
    labels = Labels()
    found = []
    documents = {step.version: step.document for step in chain.steps}
    for step in chain.steps:
        found += settled(step.document, labels.problems(step.document.value, step.version), documents)
        labels.add(step.version, step.document.value)
    return found
