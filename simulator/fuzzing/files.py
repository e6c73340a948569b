"""A failing scenario as a file that people read: YAML, with what is wrong in front."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path

from seatrial.schemas.wording import printable

from ..as_yaml import dumped
from .writer import Document


def save(document: Document, name: str, comment: Sequence[str], folder: Path) -> Path:
    """The file in `folder` that holds the scenario: one that is there already, else a new one with a comment in front.

    It is named after what is wrong, and by a digest of the scenario.
    """
    text = dumped(document)
    for there in sorted(folder.glob("*.scenario.yaml")):
        if _uncommented(there) == text:
            return there
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name.replace(':', '-')}-{digest}.scenario.yaml"
    path.write_text("".join(f"# {printable(line)}\n" for line in comment) + text, encoding="utf-8")
    return path


def _uncommented(path: Path) -> str | None:
    """The text of a file after the comment in front; None if it cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except (OSError, ValueError):
        return None
    return "".join(dropwhile(lambda line: line.startswith("#"), lines))


def relative(path: Path, folder: Path) -> str:
    """The path as a scenario in `folder` names it."""
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
