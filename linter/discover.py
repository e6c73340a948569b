"""Which files are configs: those named on the command line, and those in the folders named there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from .settings import NONE, Nearest, Settings

STDIN = "-"
NAMES = ("*.agent.json", "v<n>.json", "*.v<n>.json")  # and the same ending in .yaml or .yml
_NAME = re.compile(r"[^.].*\.agent\.(json|ya?ml)|([^.].*\.)?v[0-9]+\.(json|ya?ml)", re.DOTALL | re.IGNORECASE)
_SKIPPED = ("node_modules", "__pycache__")


class Discovery(NamedTuple):
    """The files to lint, in order of their names, each once; and what is wrong with the paths, one line each."""

    files: list[str]
    problems: list[str]


def discover(paths: Iterable[str], settings: Nearest | None = None, *, force_exclude: bool = False) -> Discovery:
    """The configs that `paths` name: a file as it is, whatever its name; of a folder all that are named as configs are.

    Hidden folders (.venv and .git among them), node_modules and __pycache__ are skipped unless named themselves. Links
    are followed, but no folder is entered twice and no file taken twice. A folder without a config is a problem: a
    check that looked at nothing must not pass.

    What is found in a folder obeys `include` and `exclude` of its settings; what is named itself only with
    `force_exclude`. Raises UnusableError.
    """
    settings = settings or Nearest(NONE)
    files: list[str] = []
    problems: list[str] = []
    for path in dict.fromkeys(paths):
        if path == STDIN:
            files.append(path)
        elif force_exclude and settings.of(os.path.abspath(path)).excludes(path):
            continue
        elif os.path.isdir(path):
            inside = list(_walk(path, problems, settings))
            files += inside
            if not inside:
                named = f"one is named {', '.join(NAMES)}, or the same in .yaml or .yml"
                if settings.of_folder(path).include is not None:
                    named = "`include` of its settings fits none"
                problems.append(f"{path}: no config in this folder: {named}")
        elif os.path.lexists(path):
            files.append(path)
        else:
            problems.append(f"{path}: no such file or folder")
    return Discovery(_each_once(files), problems)


def passed_over(paths: Iterable[str], settings: Nearest | None = None) -> list[str]:
    """The JSON and YAML files in the folders among `paths` that `discover` does not take, by their names or `include`.

    What `exclude` leaves out is not among them. Raises UnusableError.
    """
    settings = settings or Nearest(NONE)
    folders = [path for path in dict.fromkeys(paths) if os.path.isdir(path)]
    return _each_once(file for path in folders for file in _walk(path, [], settings, _is_passed_over))


def _each_once(files: Iterable[str]) -> list[str]:
    """Sorted, each file by one name: rather a plain one than one that leads through a link, rather a short one."""
    kept: dict[str, tuple[bool, int, str]] = {}
    folders: dict[str, tuple[str, bool]] = {}  # resolved once each: a whole path takes ten times as long
    for path in files:
        folder, name = os.path.split(path)
        if path == STDIN:
            real, linked = path, False
        elif os.path.islink(path):
            real, linked = os.path.realpath(path), True
        else:
            if folder not in folders:
                resolved = os.path.realpath(folder)
                folders[folder] = resolved, os.path.abspath(folder) != resolved
            resolved, linked = folders[folder]
            real = os.path.join(resolved, name)
        rank = (linked, len(path), path)
        kept[real] = min(rank, kept.get(real, rank))
    return sorted(path for _, _, path in kept.values())


def _walk(
    top: str, problems: list[str], settings: Nearest, wanted: Callable[[str, Settings], bool] | None = None
) -> Iterator[str]:
    """The configs below `top`, or what else is wanted. Links to folders come last, so each keeps its plain name."""
    seen: set[tuple[int, int]] = set()
    folders = [top]
    links: list[str] = []

    def refused(error: OSError) -> None:
        problems.append(f"{error.filename}: {error.strerror}")

    while folders or links:
        start = folders.pop() if folders else links.pop(0)
        for folder, inner, names in os.walk(start, onerror=refused):
            mark = os.stat(folder)
            if (mark.st_dev, mark.st_ino) in seen:
                inner.clear()
                continue
            seen.add((mark.st_dev, mark.st_ino))
            here = settings.of_folder(folder)
            inner[:] = sorted(
                name for name in inner if not is_skipped(name) and not here.leaves_out(_join(folder, name))
            )
            links += [path for name in inner if os.path.islink(path := _join(folder, name))]
            for name in names:
                path = _join(folder, name)
                # A link that leads nowhere is no reason to pass: reading it will say so. A pipe or a socket is no file.
                if (wanted or is_config)(path, here) and (os.path.isfile(path) or not os.path.exists(path)):
                    yield path


def is_skipped(folder: str) -> bool:
    """Whether a folder of this name is not looked into."""
    return folder.startswith(".") or folder in _SKIPPED


def is_config(path: str, here: Settings) -> bool:
    """Whether a file in a folder counts as a config by its name, with the settings that hold there."""
    taken = _NAME.fullmatch(os.path.basename(path)) is not None if here.include is None else here.takes(path)
    return taken and not here.leaves_out(path)


def _is_passed_over(path: str, here: Settings) -> bool:
    document = os.path.splitext(path)[1].lower() in (".json", ".yaml", ".yml")
    return document and not is_config(path, here) and not here.leaves_out(path)


def _join(folder: str, name: str) -> str:
    return os.path.join(folder, name).removeprefix("./")
