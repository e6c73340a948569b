"""What a file would become, as a unified diff that `git apply` and `patch -p1` take."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from seatrial.linter.relative import STDIN

_CONTEXT = 3
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
_NO_BREAK = b"\n\\ No newline at end of file\n"


class _Change(NamedTuple):
    """Lines from `start` to `end` become those from `new_start` to `new_end`; from 0, the ends excluded."""

    start: int
    end: int
    new_start: int
    new_end: int


def patch(path: str, before: bytes, after: bytes) -> bytes:
    """The difference of the two contents of the file, in whose lines only LF breaks, as for all who apply it."""
    old, new = _lines(before), _lines(after)
    pieces = [b"--- " + _named("a", path), b"+++ " + _named("b", path)]
    for group in _grouped(_changes(old, new)):
        start = max(group[0].start - _CONTEXT, 0)
        end = min(group[-1].end + _CONTEXT, len(old))
        shift = group[0].new_start - group[0].start
        new_end = end + group[-1].new_end - group[-1].end
        pieces.append(f"@@ -{_range(start, end)} +{_range(start + shift, new_end)} @@\n".encode())
        at = start
        for change in group:
            pieces += [_line(b" ", each) for each in old[at : change.start]]
            pieces += [_line(b"-", each) for each in old[change.start : change.end]]
            pieces += [_line(b"+", each) for each in new[change.new_start : change.new_end]]
            at = change.end
        pieces += [_line(b" ", each) for each in old[at:end]]
    return b"".join(pieces)


def _lines(content: bytes) -> list[bytes]:
    lines = [each + b"\n" for each in content.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _line(sign: bytes, line: bytes) -> bytes:
    return sign + line + (b"" if line.endswith(b"\n") else _NO_BREAK)


def _range(start: int, end: int) -> str:
    """Lines are counted from 1; of none the one before is named."""
    count = end - start
    return f"{start + (count > 0)}" + ("" if count == 1 else f",{count}")


def _changes(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[_Change]:
    """What differs, in a time that grows as the lines do.

    A fix writes a line anew or takes lines away, so the next line that is the same is looked for as far ahead in both,
    or further ahead in the old ones. What comes of it is right for any two texts, if not always the shortest.
    """
    ends = len(old), len(new)
    while min(ends) and old[ends[0] - 1] == new[ends[1] - 1]:
        ends = ends[0] - 1, ends[1] - 1
    at, to = 0, 0
    while at < ends[0] or to < ends[1]:
        if at < ends[0] and to < ends[1] and old[at] == new[to]:
            at, to = at + 1, to + 1
            continue
        ahead = 1
        while at + ahead < ends[0] and to < ends[1]:
            if old[at + ahead] == new[to]:
                yield _Change(at, at + ahead, to, to)
                at += ahead
                break
            if to + ahead < ends[1] and old[at + ahead] == new[to + ahead]:
                yield _Change(at, at + ahead, to, to + ahead)
                at, to = at + ahead, to + ahead
                break
            ahead += 1
        else:
            yield _Change(at, ends[0], to, ends[1])
            return


def _grouped(changes: Iterator[_Change]) -> Iterator[list[_Change]]:
    """The changes that stand so near to each other that what is around them is shown once."""
    group: list[_Change] = []
    for change in changes:
        if group and change.start - group[-1].end > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _named(side: str, path: str) -> bytes:
    """The line of a file's name. Through a link, the file that it leads to, which is the one that is written."""
    if path == STDIN:
        return f"{path}\n".encode()
    target = os.path.realpath(path)
    name = os.path.relpath(target, Path.cwd().resolve()) if target != str(Path(path).absolute()) else path
    name = os.path.normpath(name)
    raw = os.fsencode(name if Path(name).is_absolute() else f"{side}/{name}")
    if not _is_text(raw) or any(byte in _ESCAPES or byte < 32 or byte == 127 for byte in raw):
        return b'"' + b"".join(map(_escaped, raw)) + b'"\n'
    return raw + (b"\t\n" if b" " in raw else b"\n")  # else the name would end at the blank


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _escaped(byte: int) -> bytes:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}".encode()
    return bytes([byte]) if 32 <= byte < 127 else f"\\{byte:03o}".encode()
