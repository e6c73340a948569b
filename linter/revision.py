"""What a git revision holds of the configs that are linted: their predecessors (`seatrial lint --against REF`).

Git is asked, and nothing of its repository is changed. Loaded only where a revision is named.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from seatrial.schemas.wording import quote

from .chain import Past, claim
from .discover import STDIN, is_config, is_skipped
from .document import LARGEST, Document, read_bytes
from .git import Git
from .relative import relative, repository
from .schema_check import schema_diagnostics
from .settings import Nearest, UnusableError

_FILES = ("100644", "100755")  # modes of plain files: a link's content is a path
# An index with all in it, in one file, which nobody watches, whatever the user's settings are.
_PLAIN_INDEX = ("-c", "core.splitIndex=false", "-c", "index.sparse=false", "-c", "core.fsmonitor=false",
                "-c", "core.untrackedCache=false", "-c", "core.sparseCheckout=false")  # fmt: skip


class _Blob(NamedTuple):
    """A file at the revision: where it stands from the repository's root, and its object."""

    path: str
    object: str


def past(revision: str, paths: Sequence[str], files: Sequence[str], settings: Nearest) -> Past:
    """The configs at `revision` that `files`, found at `paths`, may follow, in the repositories that these are in.

    They are the files themselves, under the names they had then; and what is named as a config in the folders of
    `paths`, in folders that links there lead to, and beside the files that `paths` name, also where it is gone today.
    Raises UnusableError where no file can be compared, because there is no repository or no such revision, or no git.
    """
    places = _Places()
    within, outside = _by_repository(files or paths, places)
    for path in paths:
        if (root := places.root(path)) is not None:
            within.setdefault(root, [])
    found = Past(revision, [], {}, [], [], set())
    asked = _asked(revision, within, places, found, listed=bool(files))
    if outside:
        more = f" and {len(outside) - 1:,} more" if len(outside) > 1 else ""
        be = "are" if more else "is"
        found.apart.append(
            f"--against {revision}: {outside[0]}{more} {be} in no git repository, and {be} compared with nothing"
        )
    if not any(within[root] for root in asked):
        raise UnusableError(found.apart)
    for one in asked.values():
        for path in paths:
            one.scope(path)
    for root, one in asked.items():
        one.collect(found, settings, f"{relative(root, '.')}/" if len(within) > 1 else "")
    return found


def _asked(
    revision: str, within: Mapping[str, list[str]], places: _Places, found: Past, *, listed: bool
) -> dict[str, _Repository]:
    """The repositories that have the revision, by root; `found` is told of the others.

    `within` are the files of today in each, or, where these are not `listed`, what was named.
    """
    asked: dict[str, _Repository] = {}
    here = places.root(".")
    around = [] if here is None or here in within else [_Repository(here, revision, (), places)]
    for root, own in sorted(within.items()):  # what a repository lies in comes before it
        one = _Repository(root, revision, own if listed else (), places)
        pinned = next((commit for each in reversed(around) if (commit := each.pinned(root)) is not None), None)
        around.append(one)
        lacked = f"no revision {quote(revision)}"
        if pinned is not None:
            one.take(pinned)
            lacked = f"not the commit {pinned} that {quote(revision)} of the repository around it names"
        if one.has_revision:
            asked[root] = one
        elif own:
            never = "one that was never fetched is to be fetched first (`git fetch`)"
            found.apart.append(f"--against: {root} has {lacked}, and nothing in it is compared; {never}")
    return asked


def _by_repository(paths: Sequence[str], places: _Places) -> tuple[dict[str, list[str]], list[str]]:
    """The paths by the root of the repository that they are in; and those that are in none."""
    within: dict[str, list[str]] = {}
    outside: list[str] = []
    for path in paths:
        root = places.root(path)
        (outside if root is None else within.setdefault(root, [])).append(path)
    return within, outside


class _Places:
    """Where files really are: git follows no link, and knows a file by its place alone."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}
        self._roots: dict[str, str | None] = {}

    def real(self, path: str) -> str:
        """The absolute path without links; for standard input that of the current folder."""
        if path == STDIN:
            path = "."
        if os.path.islink(path) or os.path.isdir(path):
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)

    def root(self, path: str) -> str | None:
        """The root of the repository that the file or folder is in; None where it is in none."""
        real = self.real(path)
        folder = real if os.path.isdir(real) else os.path.dirname(real)
        if folder not in self._roots:
            root = repository(folder)
            self._roots[folder] = root if os.path.lexists(os.path.join(root, ".git")) else None
        return self._roots[folder]


class _Repository:
    """One repository at the revision. `files` are those of today in it; folders are named from its root."""

    def __init__(self, root: str, revision: str, files: Sequence[str], places: _Places) -> None:
        self._root = root
        self._revision = revision
        self._places = places
        self._git = Git(root, f"--against {revision}")
        self._commit = self._git.object(f"{revision}^{{commit}}") or ""
        # By their names from the root, as they were named: folders with all that is in them, and those without.
        self._whole: dict[str, str] = {}
        self._single: dict[str, str] = {}
        self._today = {self._name(path): path for path in files if path != STDIN}
        for path in self._today.values():
            folder = os.path.dirname(path) or "."
            if not os.path.islink(path) and places.real(folder) != os.path.abspath(folder):
                self._single.setdefault(self._name(folder), folder)

    @property
    def has_revision(self) -> bool:
        return bool(self._commit)

    def pinned(self, root: str) -> str | None:
        """The commit of the submodule at `root` that the revision names; None where it has no submodule there."""
        if not self.has_revision or not root.startswith(os.path.join(self._root, "")):
            return None
        told = self._git.answer(
            "ls-tree", "-z", "--full-tree", self._commit, "--", f":(literal){relative(root, self._root)}"
        )
        about, _, _ = told.partition(b"\t")
        parts = about.decode().split()
        return parts[2] if parts and parts[1] == "commit" else None

    def take(self, commit: str) -> None:
        """This commit, if it is there, and not what the revision's name means here."""
        self._commit = self._git.object(f"{commit}^{{commit}}") or ""

    def scope(self, path: str) -> None:
        """What is named as a config in this folder, or beside this file, is looked at, as far as it is in here."""
        if path != STDIN and os.path.isdir(path):
            real = self._places.real(path)
            if self._places.root(path) == self._root:
                self._whole[self._name(path)] = path
            elif self._root.startswith(os.path.join(real, "")):
                self._whole.setdefault("", os.path.join(path, os.path.relpath(self._root, real)))
        elif self._places.root(path) == self._root:
            file = os.path.realpath(path) if os.path.islink(path) else path
            folder = "." if path == STDIN else os.path.dirname(file) or "."
            self._single[self._name(folder)] = folder

    def collect(self, found: Past, settings: Nearest, prefix: str) -> None:
        """Adds to `found` what the revision holds, named as git names it, after `prefix` where that were not unique."""
        today = self._today
        blobs = {blob.path: blob for blob in self._tree()}
        became: dict[str, list[str]] = {path: [today[path]] for path in blobs if path in today}
        if new := [path for path in today if path not in blobs]:
            for old, now in self._renames(new, blobs):
                if now in new and old in blobs:
                    became.setdefault(old, []).append(today[now])
        seen = {path: self._seen_as(path, settings) for path in blobs}
        wanted = [blob for path, blob in blobs.items() if path in became or seen[path] is not None]
        for blob, document in zip(wanted, self._documents(wanted, prefix), strict=True):
            earlier = [*document.diagnostics, *schema_diagnostics(document, "agent")]
            claimed = claim(document, seen[blob.path] or os.path.join(self._root, blob.path), earlier)
            if claimed is None:
                found.unusable.append(document.path)
            else:
                found.claims.append(claimed)
                found.became[document.path] = became.get(blob.path, [])
                if blob.path in today:
                    found.in_place.add(document.path)

    def _name(self, path: str) -> str:
        name = relative(self._places.real(path), self._root)
        return "" if name == "." else name

    def _seen_as(self, path: str, settings: Nearest) -> str | None:
        """How the linter would name the file, had it found it: None where it would not have."""
        folder, name = os.path.split(path)
        top = next((top for top in self._whole if not top or f"{folder}/".startswith(f"{top}/")), None)
        if folder in self._single:
            here = self._single[folder]
        elif top is not None:
            below = folder[len(top) :].strip("/")
            here = os.path.join(self._whole[top], below)
            if any(is_skipped(part) for part in below.split("/") if part):
                return None
        else:
            return None
        known, seen = settings.of_folder(here), os.path.join(here, name)
        return seen if is_config(seen, known) and not known.excludes(seen) else None

    def _tree(self) -> Iterator[_Blob]:
        # Without sizes: to tell them, git would fetch every file of a partial clone.
        for entry in self._git.answer("ls-tree", "-r", "-z", "--full-tree", self._commit).split(b"\0"):
            if entry:
                about, _, path = entry.partition(b"\t")
                mode, _, name = about.decode().split()
                if mode in _FILES:
                    yield _Blob(os.fsdecode(path), name)

    def _documents(self, blobs: Sequence[_Blob], prefix: str) -> Iterator[Document]:
        sizes = self._sizes(blobs)
        small = [blob.object for blob, size in zip(blobs, sizes, strict=True) if size <= LARGEST]
        answers = self._git.answer("cat-file", "--batch", given=_lines(small)) if small else b""
        place = 0
        for blob, size in zip(blobs, sizes, strict=True):
            data = b"\0" * (LARGEST + 1)  # reading says that it is too large
            if size <= LARGEST:
                start = answers.index(b"\n", place) + 1
                place = start + size + 1
                data = answers[start : start + size]
            yield read_bytes(data, path=f"{self._revision}:{prefix}{blob.path}")

    def _sizes(self, blobs: Sequence[_Blob]) -> list[int]:
        """How many bytes each has. Raises UnusableError where the repository lacks one."""
        told = self._git.answer("cat-file", "--batch-check", given=_lines([each.object for each in blobs]))
        sizes = []
        for blob, line in zip(blobs, told.decode().splitlines(), strict=True):
            size = line.split()[-1]
            if not size.isdigit():
                raise UnusableError([f"--against {self._revision}: git: {blob.path} is not in this clone: {line}"])
            sizes.append(int(size))
        return sizes

    def _renames(self, new: Sequence[str], blobs: Mapping[str, _Blob]) -> list[tuple[str, str]]:
        """Files that have another name today, old and new. `new` are files that the revision, `blobs`, does not have.

        Git is asked about an index and objects in a folder of its own, so that nothing is written into the repository,
        which may be one that cannot be written.
        """
        new = [path for path in new if os.path.isfile(self._at(path)) and os.access(self._at(path), os.R_OK)]
        gone = [path for path in blobs if not os.path.lexists(self._at(path))] if new else []
        if gone:
            gone = sorted(set(gone) - self._left_out())
        if not gone:
            return []
        with tempfile.TemporaryDirectory() as folder:
            apart = {
                "GIT_INDEX_FILE": os.path.join(folder, "index"),
                "GIT_OBJECT_DIRECTORY": folder,
                "GIT_ALTERNATE_OBJECT_DIRECTORIES": _listed(self._at(self._git_path("objects"))),
            }
            self._git.answer(*_PLAIN_INDEX, "read-tree", self._commit, more=apart)
            names = self._git.answer("hash-object", "-w", "--stdin-paths", given=_lines(map(_quoted, new)), more=apart)
            made = names.decode().split()
            none = "0" * len(self._commit)
            changes = [f"0 {none}\t{path}" for path in gone]
            changes += [f"100644 {name}\t{path}" for path, name in zip(new, made, strict=True)]
            given = b"".join(os.fsencode(each) + b"\0" for each in changes)
            self._git.answer(*_PLAIN_INDEX, "update-index", "-z", "--index-info", given=given, more=apart)
            # The user's settings of git neither limit the search nor order what it finds.
            asked = ["--name-status", "-z", "--find-renames", "-l0", f"-O{os.devnull}", "--diff-filter=R"]
            told = self._git.answer(*_PLAIN_INDEX, "diff-index", "--cached", *asked, self._commit, more=apart)
        parts = [os.fsdecode(part) for part in told.split(b"\0")]
        return [(old, now) for _, old, now in zip(parts[0::3], parts[1::3], parts[2::3], strict=False)]

    def _left_out(self) -> set[str]:
        """What git knows today and leaves out of the folder, in a sparse checkout: it is not gone."""
        told = self._git.answer("ls-files", "-z", "-t").split(b"\0")
        return {os.fsdecode(each[2:]) for each in told if each.startswith(b"S ")}

    def _git_path(self, name: str) -> str:
        return os.fsdecode(self._git.answer("rev-parse", "--git-path", name).rstrip(b"\n"))

    def _at(self, path: str) -> str:
        return os.path.join(self._root, path)


def _lines(texts: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(each) + b"\n" for each in texts)


def _quoted(path: str) -> str:
    """The path as a line that git reads names from."""
    return _in_quotes(path).replace("\n", "\\n").replace("\r", "\\r") if re.search('^"|[\n\r]', path) else path


def _listed(folder: str) -> str:
    """The folder as a list of one, which colons part."""
    return _in_quotes(folder) if re.search(f'^"|[{os.pathsep}]', folder) else folder


def _in_quotes(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
