"""What a git revision holds of the configs that are linted: their predecessors (`seatrial lint --against REF`).

Git is asked, and nothing of its repository is changed. Loaded only where a revision is named.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from shutil import copyfile
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


class _Blob(NamedTuple):
    """A file at the revision: where it stands from the repository's root, its object, and its size in bytes."""

    path: str
    object: str
    size: int


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
    found = Past(revision, [], {}, [], [])
    asked: dict[str, _Repository] = {}
    for root, own in sorted(within.items()):
        one = _Repository(root, revision, own if files else (), places)
        if one.has_revision:
            asked[root] = one
        elif own:
            wrong = f"--against: {root} has no revision {quote(revision)}, and nothing in it is compared"
            found.apart.append(f"{wrong}; one that was never fetched is to be fetched first (`git fetch`)")
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
            for old, now in self._renames(new):
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
        for entry in self._git.answer("ls-tree", "-r", "-l", "-z", "--full-tree", self._commit).split(b"\0"):
            if entry:
                about, _, path = entry.partition(b"\t")
                mode, _, name, size = about.decode().split()
                if mode in _FILES:
                    yield _Blob(os.fsdecode(path), name, int(size))

    def _documents(self, blobs: Sequence[_Blob], prefix: str) -> Iterator[Document]:
        small = [blob for blob in blobs if blob.size <= LARGEST]
        asked = "".join(f"{blob.object}\n" for blob in small).encode()
        answers = self._git.answer("cat-file", "--batch", given=asked) if small else b""
        place = 0
        for blob in blobs:
            data = b"\0" * (LARGEST + 1)  # reading says that it is too large
            if blob.size <= LARGEST:
                start = answers.index(b"\n", place) + 1
                place = start + blob.size + 1
                data = answers[start : start + blob.size]
            yield read_bytes(data, path=f"{self._revision}:{prefix}{blob.path}")

    def _renames(self, new: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Files that have another name today, old and new. `new` are files that the revision does not have."""
        with tempfile.TemporaryDirectory() as folder:
            # What git does not know yet is made known to a copy of its index, or a rename of it would not be seen.
            index = os.path.join(folder, "index")
            known = os.fsdecode(self._git.answer("rev-parse", "--git-path", "index").rstrip(b"\n"))
            with suppress(FileNotFoundError):
                copyfile(os.path.join(self._root, known), index)
            names = b"\0".join(map(os.fsencode, new))
            self._git.answer("--literal-pathspecs", "add", "--force", "--intent-to-add", "--pathspec-from-file=-",
                      "--pathspec-file-nul", given=names, more={"GIT_INDEX_FILE": index})  # fmt: skip
            # The user's settings of git neither limit the search nor order what it finds.
            asked = ["--name-status", "-z", "--find-renames", "-l0", f"-O{os.devnull}", "--diff-filter=R"]
            told = self._git.answer("diff", *asked, "--no-ext-diff", self._commit, more={"GIT_INDEX_FILE": index})
        parts = [os.fsdecode(part) for part in told.split(b"\0")]
        for _, old, now in zip(parts[0::3], parts[1::3], parts[2::3], strict=False):
            yield old, now
