"""What is wrong with a script, before it has a line and a column."""

from __future__ import annotations

from dataclasses import dataclass

from .script import Pointer


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's `code`, and where: at the value that `pointer` leads to, or at its key."""

    code: str
    pointer: Pointer
    message: str
    on_key: bool = False
