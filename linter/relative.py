"""Paths as a repository knows them: the same on every machine, whatever folder the linter ran in."""

from __future__ import annotations

import os
from contextlib import suppress

STDIN = "<stdin>"  # the name that standard input has in findings


def relative(path: str, root: str) -> str:
    """`path`, taken from the current folder, as it is named from the folder `root`: with `/`, whatever the system.

    A name that leads to the root through links counts as below it. What lies outside begins with `..`; on another drive
    of Windows, where no relative name leads to, it stays absolute. Standard input has no path and stays <stdin>.
    """
    if path == STDIN:
        return path
    root = os.path.abspath(root)
    path = os.path.abspath(path)
    if not _below(path, root):
        # The file itself keeps its name: a link is what the repository holds.
        path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        root = os.path.realpath(root)
    with suppress(ValueError):  # another drive
        path = os.path.relpath(path, root)
    return path.replace(os.sep, "/")


def _below(path: str, root: str) -> bool:
    return path.startswith(root if root.endswith(os.sep) else root + os.sep)


def repository(folder: str) -> str:
    """The repository that `folder` is in: the nearest one upwards with `.git` in it; `folder` itself where none is."""
    here = os.path.abspath(folder)
    while not os.path.lexists(os.path.join(here, ".git")):
        above = os.path.dirname(here)
        if above == here:
            return os.path.abspath(folder)
        here = above
    return here
