"""A second run of the same script, changed where it must not matter, and how two runs are compared byte for byte."""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from ...script import Script
from ..history import History
from ..verdict import Verdict, Violation

Line: TypeAlias = Mapping[str, Any]
Path: TypeAlias = tuple[str | int, ...]

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))

_MOST = 60  # characters of a value that a sentence shows
_BEFORE = 20  # of them before the first that differs
ABSENT = "nothing"  # stands in a sentence for a value that one of the runs does not have


class TraceLike(Hashable, Protocol):
    """What a run hands back: the lines of its trace as plain values."""

    @property
    def lines(self) -> Sequence[Line]: ...


Rerun: TypeAlias = Callable[[Script], TraceLike]


@lru_cache(maxsize=1)
def history_of(trace: TraceLike) -> History:
    """The history that a run's trace tells. Kept for the latest trace, as every second run asks for the first one's."""
    return History.parse(trace.lines)


@dataclass(frozen=True, eq=False, slots=True)
class Lines:
    """A trace as its lines, for examples and tests."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A script, the trace of its first run, and that of each second run."""

    script: Script
    first: Lines
    second: Lines


@dataclass(frozen=True, slots=True)
class SecondRun:
    """A named statement about two runs of one script. `change` says what is changed between them.

    `check` takes the script, the trace of its first run, and a function that runs a script without its expectations.
    """

    name: str
    clauses: tuple[str, ...]
    holds_when: str
    change: str
    counts: Mapping[str, str]
    check: Callable[[Script, TraceLike, Rerun], Verdict]
    good: Example
    bad: Example


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two runs differ: the line, the keys that lead to the value, and the value in each."""

    line: Line
    path: Path
    before: str
    after: str

    @property
    def place(self) -> str:
        """The value as a JSON Pointer into its line."""
        return "".join(f"/{key}" for key in self.path)

    def record(self) -> tuple[str | None, str | None]:
        """Id and summary of the record that the value belongs to, where there is one."""
        value: Any = self.line
        found = _named(value)
        for key in self.path:
            if not _has(value, key):
                break
            value = value[key]
            found = _named(value) or found
        return found or (None, None)


def _named(value: Any) -> tuple[str | None, str | None] | None:
    if isinstance(value, Mapping) and isinstance(value.get("id"), str):
        return value["id"], str(value.get("summary", "")) or None
    return None


def differing(name: str, clause: str, lines: Sequence[Line], found: Difference, change: str) -> Violation:
    """The violation that `found` is: `change`, as a verb with its object in -ing form, changed what was observed.

    `lines` are those of the whole first run.
    """
    because = f"because {change} changed it from {found.before} to {found.after}"
    return shown(name, clause, lines, found, because=because, path=(change,))


def shown(
    name: str, clause: str, lines: Sequence[Line], found: Difference, *, because: str, path: tuple[str, ...]
) -> Violation:
    """A violation at the line that differs: in whose turn it stands, and which step is behind it."""
    line = found.line
    ledger = line["type"] in ("record", "execution", "use")
    owner = line.get("execution" if line["type"] == "record" else "turn")
    begun = next((each for each in lines if each["type"] == "begin" and each["turn"] == owner), None)
    whose = "" if begun is None else f" {'of' if ledger else 'in'} {begun['session'] or begun['agent']} turn {owner}"
    call = f" call {line['call']}" if "call" in line else ""
    what = f"{'ledger: ' if ledger else ''}{line['type']}{whose}{call}: {found.place or 'the line'}"
    step = line.get("step", "" if begun is None else begun.get("step", ""))
    record, summary = found.record()
    return Violation(name, clause, str(step), None, what, record, summary, because, (*path, what))


def looks(lines: Sequence[Line]) -> int:
    """How many of the lines are contexts, calls, decisions or operators' calls."""
    return sum(line["type"] in ("context", "call", "decision", "review") for line in lines)


def looks_after(lines: Sequence[Line], observed: Sequence[Line], begins: Callable[[Line], bool]) -> int:
    """How many looks among `observed`, some of `lines`, came after the first turn whose begin is one for `begins`."""
    first = next((line for line in lines if line["type"] == "begin" and begins(line)), None)
    if first is None:
        return 0
    later = {id(line) for line in dropwhile(lambda line: line is not first, lines)}
    return looks([line for line in observed if id(line) in later])


@lru_cache(maxsize=1)
def packed(trace: TraceLike) -> Mapping[int, bytes]:
    """The lines of a first run as `difference` compares them, by identity: every second run compares the same ones."""
    return {id(line): _bytes(line) for line in trace.lines}


def _bytes(line: Line) -> bytes:
    """Equal values have equal bytes, unless their keys are in another order."""
    return marshal.dumps(line if type(line) is dict else {**line}, 2)


def difference(
    first: Sequence[Line], second: Sequence[Line], known: Mapping[int, bytes] = MappingProxyType({})
) -> Difference | None:
    """The first difference between two sequences of lines in canonical form, None when they are equal byte for byte.

    `known` are the bytes of lines of `first`, as `packed` gives them.
    """
    for before, after in zip(first, second, strict=False):
        # Where the bytes differ the texts decide.
        if (known.get(id(before)) or _bytes(before)) != _bytes(after) and _text(before) != _text(after):
            path, left, right = next(_differences(before, after, ()))
            return Difference(before, path, left, right)
    if len(first) == len(second):
        return None
    missing = len(first) > len(second)
    line = (first if missing else second)[min(len(first), len(second))]
    told = _clip(_text(line))
    return Difference(line, (), told if missing else ABSENT, ABSENT if missing else told)


def _differences(before: Any, after: Any, path: Path) -> Iterator[tuple[Path, str, str]]:
    """Where two values that differ differ, in order of keys; the shortest list's end counts last."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted({*before, *after}):
            if key not in before or key not in after:
                yield (*path, key), _shown(before, key), _shown(after, key)
            else:
                yield from _differences(before[key], after[key], (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        for index, (left, right) in enumerate(zip(before, after, strict=False)):
            yield from _differences(left, right, (*path, index))
        shared = min(len(before), len(after))
        if len(before) != len(after):
            yield (*path, shared), _shown(before, shared), _shown(after, shared)
    elif _text(before) != _text(after):
        yield path, *_around(before, after)


def _shown(value: Any, key: str | int) -> str:
    return _clip(_text(value[key])) if _has(value, key) else ABSENT


def _has(value: Any, key: str | int) -> bool:
    if isinstance(value, Mapping):
        return key in value
    return isinstance(value, list | tuple) and isinstance(key, int) and key < len(value)


def _text(value: Any) -> str:
    return _ENCODER.encode(value)


def _around(before: Any, after: Any) -> tuple[str, str]:
    """Both values; of long texts what stands around the first character in which they differ."""
    if not isinstance(before, str) or not isinstance(after, str):
        return _clip(_text(before)), _clip(_text(after))
    at = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    start = max(0, at - _BEFORE) if max(len(before), len(after)) > _MOST else 0
    if start and (space := before.find(" ", start, at)) >= 0:
        start = space + 1  # at a word
    told = _excerpt(before, start, at), _excerpt(after, start, at)
    flat = told[0].replace("\n", " "), told[1].replace("\n", " ")
    return flat if flat[0] != flat[1] else told


def _excerpt(text: str, start: int, at: int) -> str:
    """The text from `start` on, as it is, in quotes; cut behind a word that ends after the place `at`, if one does."""
    stop = len(text)
    if stop - start > _MOST:
        stop = start + _MOST
        space = text.rfind(" ", at + 1, stop)
        stop = space if space >= 0 else stop
    return f'"{"…" if start else ""}{text[start:stop]}{"…" if stop < len(text) else ""}"'


def _clip(text: str) -> str:
    """JSON, with its last quote closed where it is cut within a text."""
    if len(text) <= _MOST:
        return text
    cut = text[: _MOST - 3].rstrip("\\")
    return f'{cut}…"' if cut.replace("\\\\", "").replace('\\"', "").count('"') % 2 else f"{cut}…"
