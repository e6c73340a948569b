"""The paths that a command is given: what every one must be, and whether something can be written there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

_TRIED = 4096  # bytes: a disk that is full takes the name of a file, and none of its text


class Place(click.Path):
    """A path. An empty one, as a variable that is not set leaves it, names nothing, and is no name for this folder.

    - is standard input where it is `piped`; elsewhere it would be taken for that, and is refused.
    """

    def __init__(self, *, piped: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.piped = piped

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not os.fspath(value):
            self.fail("an empty path names nothing", param, ctx)
        if os.fspath(value) == "-" and not self.piped:
            self.fail("- is no file and no folder; one of that name is ./-", param, ctx)
        return super().convert(value, param, ctx)


def try_writing(folder: Path) -> None:
    """Raises OSError where nothing can be written into `folder`, or into what is there of the way to it.

    Nothing is left behind: neither a file nor a folder that was not there.
    """
    from tempfile import TemporaryFile

    there = folder
    while True:
        try:
            there.lstat()
            break
        except FileNotFoundError:
            there = there.parent
    with TemporaryFile(dir=there) as file:
        file.write(bytes(_TRIED))
        file.flush()
