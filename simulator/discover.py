"""The scenario files below some paths. Looks at names only, and loads nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

SUFFIXES = (".scenario.yaml", ".scenario.yml", ".scenario.json")
_SKIPPED = frozenset({"__pycache__", "node_modules"})


def discover(paths: Sequence[Path]) -> list[Path]:
    """The scenario files of `paths`, each once: a file as it is, of a folder those named like SUFFIXES, sorted.

    Hidden folders are not entered, links not followed. Raises FileNotFoundError for a path that is not there.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(path)
        for file in _below(path) if path.is_dir() else [path]:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _below(folder: Path) -> list[Path]:
    files: list[Path] = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _SKIPPED]
        files.extend(path for name in names if name.endswith(SUFFIXES) and _is_file(path := Path(where, name)))
    return sorted(files, key=lambda path: path.parts)


def _is_file(path: Path) -> bool:
    """Nobody may ever write to a pipe. A link that leads nowhere is no reason to pass: reading it will say so."""
    return path.is_file() or not path.exists()
