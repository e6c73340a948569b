"""The findings that were there before: kept in a file, told apart from new ones, and told when they are gone.

A finding is known by its fingerprint, so that moving a line or rewording a message makes nothing new. Paths are
relative to the baseline's folder: the file holds on every machine. A file of format 1 is read as it was meant: there a
finding is its rule, its file and its pointer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from stat import S_ISFIFO, S_ISREG
from typing import NamedTuple

from seatrial.schemas.wording import printable, reason

from .diagnostic import Diagnostic, pointer_text
from .document import Document
from .fingerprint import FORMAT, fingerprints
from .relative import relative
from .settings import UnusableError

_REMEDY = "--write-baseline makes one where no file is"


class Entry(NamedTuple):
    """One finding of a baseline, in the order of the file."""

    path: str
    code: str
    pointer: str
    fingerprint: str


class Known(NamedTuple):
    """What a baseline holds, and the format of its fingerprints."""

    entries: list[Entry] = []  # noqa: RUF012  # shared by all, changed by none
    form: int = FORMAT

    @property
    def is_old(self) -> bool:
        return self.form != FORMAT


class Compared(NamedTuple):
    """What a run found, against a baseline."""

    new: list[Diagnostic]
    accepted: list[Entry]  # found again
    gone: list[Entry]  # not found again, though this run would have
    unseen: list[Entry]  # not looked at in this run


def read(path: str, *, new: bool = False) -> Known:
    """What is in the baseline at `path`. Raises UnusableError where it is broken or, but for `new`, not there."""
    from .json_reader import JsonReading
    from .schema_check import schema_diagnostics

    name = printable(path)
    try:
        with open(path, "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if not S_ISREG(mode) and (new or not S_ISFIFO(mode)):  # a device may never end
                raise UnusableError([f"{name}: not a baseline: this is no file on a disk"])
            content = file.read().decode("utf-8-sig")
    except FileNotFoundError:
        if new:
            return Known()
        raise UnusableError([f"{name}: there is no such baseline; --write-baseline makes it"]) from None
    except UnicodeDecodeError:
        raise UnusableError([f"{name}: not a baseline: not UTF-8; {_REMEDY}"]) from None
    except (OSError, ValueError) as error:  # ValueError: a path that holds a null character
        raise UnusableError([f"{name}: cannot be read: {reason(error)}"]) from error
    document = Document(path, content, "json", JsonReading(content))  # not capped in size, as configs are
    wrong = schema_diagnostics(document, "baseline") if document.value is not None else [*document.diagnostics]
    if wrong:
        place = f"{name}:{wrong[0].span.line}:{wrong[0].span.column}"
        raise UnusableError([f"{place}: not a baseline: {wrong[0].message}; {_REMEDY}"])
    listed = document.value["findings"]
    return Known(
        [Entry(each["path"], each["code"], each["pointer"], each["fingerprint"]) for each in listed],
        int(document.value["format"]),
    )


def entries(
    found: Sequence[Diagnostic], root: str, documents: Mapping[str, Document], *, form: int = FORMAT
) -> list[Entry]:
    """The findings, in `documents`, as entries of a baseline in the folder `root`, in the same order."""
    marks = fingerprints(found, root, documents, form=form)
    return [
        Entry(relative(each.path, root), each.code, pointer_text(each.pointer), mark)
        for each, mark in zip(found, marks, strict=True)
    ]


def folder(path: str) -> str:
    """The folder of the baseline at `path`, from which its paths start."""
    return os.path.dirname(os.path.abspath(path))


def is_there(entry: Entry, root: str) -> bool:
    """Whether the entry's file is there."""
    return os.path.lexists(os.path.join(root, entry.path))


def compared(
    found: Sequence[Diagnostic],
    known: Known,
    root: str,
    documents: Mapping[str, Document],
    looked_at: Callable[[Entry], bool],
) -> Compared:
    """The findings against a baseline in `root`; `looked_at` says whether this run would find an entry of it."""
    before = {each.fingerprint: each for each in known.entries}
    now = entries(found, root, documents, form=known.form)
    marks = {each.fingerprint for each in now}
    new = [each for each, entry in zip(found, now, strict=True) if entry.fingerprint not in before]
    rest = [each for each in before.values() if each.fingerprint not in marks]
    return Compared(
        new,
        [each for each in now if each.fingerprint in before],
        [each for each in rest if looked_at(each)],
        [each for each in rest if not looked_at(each)],
    )


def text(accepted: Iterable[Entry]) -> str:
    """The baseline that holds the entries: sorted, a line each, so that a change of one is a change of one line."""
    lines = [json.dumps(each._asdict()) for each in sorted(set(accepted))]
    listed = "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"
    return f'{{\n  "format": {FORMAT},\n  "findings": {listed}\n}}\n'


def write(path: str, accepted: Iterable[Entry]) -> None:
    """Writes the baseline. Raises OSError."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text(accepted))
