"""A failing scenario as a file that people read: YAML, with what is wrong in front."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from seatrial.schemas.wording import printable

from ..as_yaml import dumped
from .writer import Document


def save(document: Document, name: str, comment: Sequence[str], folder: Path) -> Path:
    """The file in `folder` that holds the scenario. It is named after what is wrong, and the same for the same text."""
    text = "".join(f"# {printable(line)}\n" for line in comment) + dumped(document)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name.replace(':', '-')}-{digest}.scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def relative(path: Path, folder: Path) -> str:
    """The path as a scenario in `folder` names it."""
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
