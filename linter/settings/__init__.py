"""The settings that hold for a file: those of the nearest folder, upwards from it, that has any.

Nothing is parsed where there are none. Knows no rule; what a settings file may hold is read in `load`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ..document import LARGEST
from ..relative import relative
from ..selection import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostic import Pointer, Severity
    from ..document import Document
    from .globs import Glob

OWN = "seatrial.toml"
SHARED = "pyproject.toml"  # with a table [tool.seatrial]


class Exemption(NamedTuple):
    """One entry of per-file-ignores: in which files, which codes, and where in them. `at` is its place in the settings.

    `inside` is a JSON Pointer, as its steps: what stands there and in it is meant. Empty: the whole file.
    """

    glob: Glob
    code: str
    inside: tuple[str, ...]
    at: Pointer


class Settings(NamedTuple):
    """What one settings file says; without one, nothing. Patterns are relative to the folder `root`."""

    root: str = ""
    choice: Choice = Choice()
    include: tuple[Glob, ...] | None = None
    exclude: tuple[Glob, ...] = ()
    severity: dict[str, Severity] = {}  # noqa: RUF012  # shared by all, changed by none
    exemptions: tuple[Exemption, ...] = ()
    document: Document | None = None

    def relative(self, path: str) -> str:
        """The path as patterns see it: from the folder of the settings on, with slashes."""
        return relative(path, self.root)

    def takes(self, path: str) -> bool:
        """Whether `include`, where it is given, fits a file."""
        relative = self.relative(path)
        return not os.path.basename(path).startswith(".") and any(glob.fits(relative) for glob in self.include or ())

    def leaves_out(self, path: str) -> bool:
        """Whether `exclude` fits the file or folder itself."""
        return bool(self.exclude) and any(glob.fits(self.relative(path)) for glob in self.exclude)

    def excludes(self, path: str) -> bool:
        """Whether `exclude` fits the file or folder, or a folder that it lies in."""
        return bool(self.exclude) and any(glob.covers(self.relative(path)) for glob in self.exclude)


NONE = Settings()


class UnusableError(Exception):
    """Settings, or a baseline, that cannot be used. Its `problems` are one line each, with file, line and column."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class Nearest:
    """Answers which settings hold for which file; each folder is looked at once. `only` holds for all files instead."""

    def __init__(self, only: Settings | None = None) -> None:
        self._only = only
        self._known: dict[str, Settings] = {}
        self._named: dict[str, Settings] = {}

    @property
    def documents(self) -> list[Document]:
        """The settings files in use, each once."""
        used = [self._only] if self._only is not None else self._known.values()
        return list({each.document.path: each.document for each in used if each.document is not None}.values())

    def of(self, path: str) -> Settings:
        """The settings for the file `path`, by the folder it was named in. Raises UnusableError."""
        return self.of_folder(os.path.dirname(path))

    def of_folder(self, folder: str) -> Settings:
        """The settings for the files in `folder`; empty is the current folder. Raises UnusableError."""
        if self._only is not None:
            return self._only
        if folder not in self._named:  # by the name as given: to make each absolute costs as much as linting
            self._named[folder] = self._found(os.path.abspath(folder))
        return self._named[folder]

    def _found(self, folder: str) -> Settings:
        above = []
        found = None
        while found is None:
            if folder in self._known:
                found = self._known[folder]
                break
            above.append(folder)
            found = _in(folder)
            parent = os.path.dirname(folder)
            if parent == folder:
                break
            folder = parent
        self._known.update(dict.fromkeys(above, found or NONE))
        return found or NONE


def _in(folder: str) -> Settings | None:
    """The settings that the folder itself holds, if it does."""
    for name in (OWN, SHARED):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and (name == OWN or _names_us(path)):
            from .load import load

            settings = load(path)
            if settings is not None:
                return settings
    return None


def _names_us(path: str) -> bool:
    """Whether a pyproject.toml may hold our table: of other tools' nothing is loaded and nothing parsed."""
    try:
        with open(path, "rb") as file:
            return b"seatrial" in file.read(LARGEST + 1)
    except OSError:
        return True  # to be told when it is loaded
