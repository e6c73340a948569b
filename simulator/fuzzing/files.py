"""A failing scenario as a file that people read: YAML, with what is wrong in front."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path

from seatrial.schemas.wording import printable

from ..as_yaml import dumped
from .wording import Document


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A scenario that is to stand at `path`. `text` is what stands or will stand there, `written` whether it does."""

    path: Path
    text: str
    written: bool

    def write(self) -> None:
        """Have it stand there, whole or not at all. Raises OSError."""
        if self.written:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        made = self.path.with_name(f".{self.path.name}.{os.getpid()}")  # another search may be writing the same
        try:
            made.write_text(self.text, encoding="utf-8")
            made.replace(self.path)
        except BaseException:
            with suppress(OSError):
                made.unlink(missing_ok=True)
            raise


def placed(document: Document, name: str, comment: Sequence[str], folder: Path) -> ScenarioFile:
    """The file in `folder` that holds the scenario: one that is there already, else a new one with a comment in front.

    A new one is named after what is wrong, and by a digest of the scenario.
    """
    text = dumped(document)
    for there in sorted(folder.glob("*.scenario.yaml")):
        whole = _text(there)
        if whole is not None and _uncommented(whole) == text:
            return ScenarioFile(there, whole, written=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    path = folder / f"{name.replace(':', '-')}-{digest}.scenario.yaml"
    return ScenarioFile(path, "".join(f"# {printable(line)}\n" for line in comment) + text, written=False)


def _text(path: Path) -> str | None:
    """None if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _uncommented(text: str) -> str:
    """The text of a file after the comment in front."""
    return "".join(dropwhile(lambda line: line.startswith("#"), text.splitlines(keepends=True)))


def relative(path: Path, folder: Path) -> str:
    """The path as a scenario in `folder` names it."""
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
