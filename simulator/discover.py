"""The scenario files below some paths. Looks at names only, and loads nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from seatrial.schemas.wording import reason

SUFFIXES = (".scenario.yaml", ".scenario.yml", ".scenario.json")
_SKIPPED = frozenset({"__pycache__", "node_modules"})


class NoScenario(Exception):  # noqa: N818 - an answer to expect, told by its name
    """A path that leads to no scenario. As text it says why."""


def discover(paths: Sequence[Path]) -> list[Path]:
    """The scenario files of `paths`, each once: a file as it is, of a folder those named like SUFFIXES, sorted.

    Hidden folders are not entered, links not followed. Raises NoScenario for a path that is not there, and for a folder
    without one or that cannot be read: a check that looked at nothing must not pass.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise NoScenario(f"{path}: no such file or folder")
        files = _below(path) if path.is_dir() else [path]
        if not files:
            where = "this folder" if path == Path() else path
            raise NoScenario(f"no scenario in {where}: one is named {', '.join(f'*{end}' for end in SUFFIXES)}")
        for file in files:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _below(folder: Path) -> list[Path]:
    def unreadable(error: OSError) -> None:
        raise NoScenario(f"{error.filename}: {reason(error)}") from error

    files: list[Path] = []
    for where, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _SKIPPED]
        files.extend(path for name in names if name.endswith(SUFFIXES) and _is_file(path := Path(where, name)))
    return sorted(files, key=lambda path: path.parts)


def _is_file(path: Path) -> bool:
    """Nobody may ever write to a pipe. A link that leads nowhere is no reason to pass: reading it will say so."""
    return path.is_file() or not path.exists()
