"""Which documents are versions of one agent, and what comparing them finds."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from seatrial.schemas import Labels
from seatrial.schemas.wording import printable

from .diagnostic import Diagnostic, Pointer
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

    `revision` is the git revision that it was taken from: such a version is compared with, and nothing is found in it.
    `errors` are what reading and the agent schema found.
    """

    version: int
    document: Document
    revision: str | None = None
    errors: tuple[Diagnostic, ...] = ()

    @property
    def key(self) -> int | str:
        """What it is known by in its chain, which may hold a version of today and its earlier state."""
        return self.version if self.revision is None else f"{self.version} at {printable(self.revision)}"

    @property
    def name(self) -> str:
        """How messages call it."""
        return f"version {self.key}"

    @property
    def config(self) -> Settled:
        """The version's config with its defaults."""
        return Settled(self.document, self.errors)


class Chain(NamedTuple):
    """The versions of one agent, oldest first; and further documents that claim one of them.

    A version has two steps where a git revision holds an earlier state of it. `before` are all versions that the
    revision holds, also those that are the same today.
    """

    agent: str
    steps: tuple[Step, ...]
    rivals: tuple[Step, ...] = ()
    before: tuple[Step, ...] = ()

    @property
    def documents(self) -> list[Document]:
        """Those of today."""
        return [step.document for step in (*self.steps, *self.rivals) if step.revision is None]

    @property
    def is_compared(self) -> bool:
        """Whether there is something to compare: with another version, a rival, or a git revision."""
        return len(self.steps) + len(self.rivals) + len(self.before) > 1

    @property
    def has_errors(self) -> bool:
        """Whether reading or the agent schema found an error in any of it: then not all of it can be compared."""
        steps = (*self.steps, *self.rivals, *self.before)
        return any(each.severity == "error" for step in steps for each in step.errors)

    @property
    def today(self) -> Chain:
        """The chain without what a git revision holds."""
        return Chain(self.agent, tuple(step for step in self.steps if step.revision is None), self.rivals)


class Claim(NamedTuple):
    """Whose config a document claims to be; `by_folder` where only the name of its folder says so."""

    named: Identity
    by_folder: bool
    folder: str
    document: Document
    errors: tuple[Diagnostic, ...] = ()


class Past(NamedTuple):
    """What a git revision holds. `became` names, by a past document's path, the files of today that it is now.

    `in_place` are the paths of those that have the same name today, whatever is in them.

    `unusable` are the paths of documents that claim nothing, because they could not be read. `apart` says, a line each,
    what of today is not compared, because it is in no repository, or in one without the revision.
    """

    revision: str
    claims: list[Claim]
    became: dict[str, list[str]]
    unusable: list[str]
    apart: list[str]
    in_place: set[str]

    @property
    def documents(self) -> dict[str, Document]:
        """The documents that can be compared with, by path."""
        return {each.document.path: each.document for each in self.claims}


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


def is_stated(document: Document) -> bool:
    """Whether the document says its version, in itself or by its name. Another gets its number when it is deployed."""
    return "version" in document.value or stated_by_name(document.path) is not None


def identity(document: Document) -> Identity | None:
    """Whose config the document is; None where its version cannot be told."""
    named = claim(document)
    return named and named.named


def claim(document: Document, path: str | None = None, errors: Iterable[Diagnostic] = ()) -> Claim | None:
    """What the document claims; None where its version cannot be told. `path`: where it stands, if not there."""
    if document.value is None:
        return None
    path = document.path if path is None else path
    agent = document.value.get("agent")
    by_folder = False
    if not isinstance(agent, str):
        agent, by_folder = default_agent(path)
    version = document.value.get("version", default_version(path))
    if isinstance(version, float) and version.is_integer():
        version = int(version)
    if not isinstance(version, int) or isinstance(version, bool):
        return None
    return Claim(Identity(agent, version), by_folder, sys.intern(_folder(path)), document, tuple(errors))


def chains(documents: Iterable[Document], past: Past | None = None) -> list[Chain]:
    """The documents by agent, see `chained`."""
    return chained((claimed for document in documents if (claimed := claim(document)) is not None), past)


def chained(claims: Iterable[Claim], past: Past | None = None) -> list[Chain]:
    """The claims by agent, in order of the agents' names, each agent with what it was in the `past`.

    An agent is its name. A name that only the folder gives holds within that folder, so that two folders of the same
    name do not make one agent of two, unless a document beside it says that name.
    """
    claims = list(claims)
    earlier = past.claims if past else ()
    stated = {(each.named.agent, each.folder) for each in (*claims, *earlier) if not each.by_folder}

    def key(each: Claim) -> tuple[str, str]:
        own = each.by_folder and (each.named.agent, each.folder) not in stated
        return (each.named.agent, each.folder if own else "")

    groups: dict[tuple[str, str], list[Claim]] = {}
    for each in claims:
        groups.setdefault(key(each), []).append(each)
    before: dict[tuple[str, str], list[Claim]] = {}
    if past is not None:
        for old, owner in _owners(past, claims, key):
            before.setdefault(owner, []).append(old)
    revision = past.revision if past else ""
    return [_chain(owner[0], group, before.get(owner, ()), revision) for owner, group in sorted(groups.items())]


def _owners(
    past: Past, claims: Sequence[Claim], key: Callable[[Claim], tuple[str, str]]
) -> Iterator[tuple[Claim, tuple[str, str]]]:
    """Each claim of the past with the agents of today that it belongs to: by its name, and by what its file became.

    Where an agent's name is gone, all of its past goes with the files that were renamed. Two stated names stay two.
    """
    today = {each.document.path: each for each in claims}
    owners = {key(each) for each in claims}
    became: list[dict[tuple[str, str], None]] = []  # for each claim of the past; a dict keeps the order
    moved: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
    for old in past.claims:
        files = [today[path] for path in past.became.get(old.document.path, ()) if path in today]
        became.append({key(new): None for new in files if not _are_two(old, new, past)})
        moved.setdefault(key(old), {}).update(became[-1])
    for old, targets in zip(past.claims, became, strict=True):
        own = key(old)
        for owner in {own: None, **targets} if own in owners else moved[own]:
            yield old, owner


def _are_two(old: Claim, new: Claim, past: Past) -> bool:
    """Whether the same file is of another agent today: both state one, or only the name of the file was taken anew.

    Of a file that has another name today git has told that it is like the one of before.
    """
    states = [isinstance(each.document.value.get("agent"), str) for each in (old, new)]
    if old.named.agent == new.named.agent or not any(states):
        return False
    return all(states) or (old.document.path in past.in_place and not _alike(old.document.value, new.document.value))


def _alike(one: Any, other: Any) -> bool:
    """Whether at least half of what the one config says is said by the other, names and numbers of versions apart."""
    said = [set(_said({key: held for key, held in each.items() if key not in ("agent", "version")}, ()))
            for each in (one, other)]  # fmt: skip
    return 2 * len(said[0] & said[1]) >= max(map(len, said))


def _said(value: Any, pointer: Pointer) -> Iterator[tuple[Pointer, str]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not inner:
        yield pointer, repr(value)
    for step, held in inner:
        yield from _said(held, (*pointer, step))


def _chain(agent: str, group: Sequence[Claim], before: Iterable[Claim], revision: str) -> Chain:
    now: dict[int, Step] = {}
    rivals = []
    for each in sorted(group, key=_by_version):
        version, document = each.named.version, each.document
        step = Step(version, document, errors=each.errors)
        if version not in now:
            now[version] = step
        elif document.value != now[version].document.value:  # the same document twice is no rival
            rivals.append(step)
    then: dict[int, Step] = {}
    for each in sorted(before, key=_by_version):
        version = each.named.version
        then.setdefault(version, Step(version, each.document, revision, each.errors))
    changed = [old for version, old in then.items() if version not in now or not _same(old, now[version])]
    steps = sorted([*now.values(), *changed], key=lambda step: (step.version, step.revision is None))
    return Chain(agent, tuple(steps), tuple(rivals), tuple(then.values()))


def _same(one: Step, other: Step) -> bool:
    return bool(one.document.value == other.document.value)


def _by_version(each: Claim) -> tuple[int, str]:
    return (each.named.version, each.document.path)


def compared(chain: Chain) -> list[Diagnostic]:
    """What the successor schema of all earlier versions finds in each version, by place (VER-2)."""
    labels = Labels()
    found = []
    documents = {step.key: step.document for step in chain.steps}
    for step in chain.steps:
        if step.revision is None:
            found += settled(step.document, labels.problems(step.document.value, step.version), documents)
        labels.add(step.key, step.document.value)
    return found
