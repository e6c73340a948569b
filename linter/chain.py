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

_VERSION_STEM = re.compile(r"v[0-9]+")
_VERSION = re.compile(r"(?:^|\.)v([0-9]{1,9})\.")


class Identity(NamedTuple):
    """Whose config a document is, and which version of it."""

    agent: str
    version: int


class Chain(NamedTuple):
    """The versions of one agent, oldest first, one document each; and further documents that claim one of them."""

    agent: str
    versions: dict[int, Document]
    rivals: tuple[tuple[int, Document], ...]

    @property
    def documents(self) -> list[Document]:
        return [*self.versions.values(), *(document for _, document in self.rivals)]


class Claim(NamedTuple):
    """Whose config a document claims to be; `by_folder` where only the name of its folder says so."""

    named: Identity
    by_folder: bool
    folder: str
    document: Document


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


def default_version(path: str) -> int:
    """The version that a path stands for: n of v<n>.json or reconciler.v<n>.yaml, else 1."""
    match = _VERSION.search(os.path.basename(path))
    return max(1, int(match.group(1))) if match else 1


def identity(document: Document) -> Identity | None:
    """Whose config the document is; None where its version cannot be told."""
    if document.value is None:
        return None
    agent = document.value.get("agent")
    if not isinstance(agent, str):
        agent = default_agent(document.path)[0]
    version = document.value.get("version", default_version(document.path))
    if isinstance(version, float) and version.is_integer():
        version = int(version)
    return Identity(agent, version) if isinstance(version, int) and not isinstance(version, bool) else None


def claim(document: Document) -> Claim | None:
    """What the document claims; None where its version cannot be told."""
    named = identity(document)
    if named is None:
        return None
    by_folder = not isinstance(document.value.get("agent"), str) and default_agent(document.path)[1]
    return Claim(named, by_folder, sys.intern(_folder(document.path)), document)


def chains(documents: Iterable[Document]) -> list[Chain]:
    """The documents by agent, see `chained`."""
    return chained(claimed for document in documents if (claimed := claim(document)) is not None)


def chained(claims: Iterable[Claim]) -> list[Chain]:
    """The documents by agent, in order of the agents' names.

    An agent is its name. A name that only the folder gives holds within that folder, so that two folders of the same
    name do not make one agent of two, unless a document beside it says that name.
    """
    claims = list(claims)
    stated = {(each.named.agent, each.folder) for each in claims if not each.by_folder}
    groups: dict[tuple[str, str], list[tuple[int, str, Document]]] = {}
    for named, by_folder, folder, document in claims:
        own = by_folder and (named.agent, folder) not in stated
        groups.setdefault((named.agent, folder if own else ""), []).append((named.version, document.path, document))
    return [_chain(agent, sorted(group, key=lambda each: each[:2])) for (agent, _), group in sorted(groups.items())]


def _chain(agent: str, group: list[tuple[int, str, Document]]) -> Chain:
    versions: dict[int, Document] = {}
    rivals = []
    for version, _, document in group:
        if version not in versions:
            versions[version] = document
        elif document.value != versions[version].value:  # the same document twice is no rival
            rivals.append((version, document))
    return Chain(agent, versions, tuple(rivals))


def compared(chain: Chain) -> list[Diagnostic]:
    """What the successor schema of all earlier versions finds in each version, by place (VER-2)."""
    labels = Labels()
    found = []
    for version, document in chain.versions.items():
        found += settled(document, labels.problems(document.value, version), chain.versions)
        labels.add(version, document.value)
    return found
