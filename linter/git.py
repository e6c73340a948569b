"""Asks the user's git about one repository, and changes nothing in it.

Which repository that is, its folder says, and nothing else: a hook that git runs has variables in its environment that
lead every git to the repository of the commit.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from .settings import UnusableError

# What `git rev-parse --local-env-vars` lists, but for GIT_CONFIG_PARAMETERS and GIT_CONFIG_COUNT: settings that were
# given to a command, safe.directory among them, hold in any repository.
LOCAL = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)


class Git:
    """Git in the repository at `root`. `purpose` is what errors begin with."""

    def __init__(self, root: str, purpose: str) -> None:
        self._root = root
        self._purpose = purpose
        self._environment = {name: value for name, value in os.environ.items() if name not in LOCAL}
        # What looks like a repository and is none must not stand for the one that it lies in.
        self._environment |= {
            "LC_ALL": "C",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_CEILING_DIRECTORIES": str(Path(root).parent),
        }

    def answer(self, *arguments: str, given: bytes = b"", more: dict[str, str] | None = None) -> bytes:
        """What git prints. `more` are further variables. Raises UnusableError where it fails, or is not there."""
        run = self._run(arguments, given, more or {})
        if run.returncode:
            raise self._failure(run)
        return run.stdout

    def object(self, name: str) -> str | None:
        """The object that a revision names; None where there is none. Raises UnusableError."""
        run = self._run(("rev-parse", "--verify", "--quiet", "--end-of-options", name), b"", {})
        if run.returncode > 1:
            raise self._failure(run)
        found = run.stdout.decode().strip()
        return found if run.returncode == 0 and re.fullmatch("[0-9a-f]+", found) else None

    def _failure(self, run: subprocess.CompletedProcess[bytes]) -> UnusableError:
        said = run.stderr.decode(errors="replace").strip().splitlines() or [f"it ended with {run.returncode}"]
        return UnusableError([f"{self._purpose}: git: {said[0]}"])

    def _run(
        self, arguments: tuple[str, ...], given: bytes, more: dict[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(  # noqa: S603  # arguments of git, no shell
                ["git", "-C", self._root, *arguments],  # noqa: S607  # the user's own git
                input=given,
                capture_output=True,
                env={**self._environment, **more},
                check=False,
            )
        except OSError as error:
            raise UnusableError([f"--against: git cannot be run: {error.strerror}"]) from error
