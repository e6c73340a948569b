"""A git repository for a test: made anew, without the machine's settings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_ALONE = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


class Repository:
    """A work tree at `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *arguments: str) -> str:
        run = subprocess.run(
            ["git", *arguments], cwd=self.root, env={**os.environ, **_ALONE}, check=True, capture_output=True, text=True
        )
        return run.stdout

    def write(self, files: dict[str, str | bytes]) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, files: dict[str, str | bytes] | None = None) -> None:
        """Commits all that is there, with `files` written first."""
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a state")
