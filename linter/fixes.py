"""Corrects documents by the safe fixes of their findings, in rounds, and proves each step.

What comes out is read again. Its value must differ from the one before by what the fixes say and by nothing else, no
error may come of it but what a misspelt key hid, and a comment that suppresses something must speak of what it did.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, groupby
from typing import Any, NamedTuple, TypeAlias

from .check import findings
from .diagnostic import Diagnostic, Pointer
from .document import LARGEST, Document, is_scenario
from .edits import Edit, edit
from .limit import TOLD
from .selection import SIGNAL

ROUNDS = 10
TRIES = 64  # readings of one document in one round, to find out which of its fixes do not hold
FEW_TRIES = 8  # where they are only told

Look: TypeAlias = Callable[[Iterable[Document]], tuple[Mapping[str, Document], Sequence[Diagnostic]]]


class Repair(NamedTuple):
    """What became of documents, by path: as they were, as they are, and the findings that were fixed."""

    before: dict[str, Document]
    after: dict[str, Document]
    fixed: dict[str, list[Diagnostic]]


class _Step(NamedTuple):
    """One fix and what it does to the text."""

    found: Diagnostic
    edit: Edit

    @property
    def pointer(self) -> Pointer:
        return self.found.pointer

    @property
    def does(self) -> str:
        assert self.found.fix is not None  # else there would be no edit
        return self.found.fix.does

    @property
    def new(self) -> Any:
        """The value or the key that is written."""
        assert self.found.fix is not None
        return json.loads(self.found.fix.text)

    @property
    def removed(self) -> int | None:
        """The index of the item that is taken out of a list; None where none is."""
        index = self.pointer[-1] if self.pointer else None
        return index if self.does == "remove" and isinstance(index, int) else None

    @property
    def renamed(self) -> Pointer:
        """Where what stands at the pointer is found then."""
        return (*self.pointer[:-1], self.new) if self.does == "rename" else self.pointer


def repaired(documents: Iterable[Document], look: Look) -> Repair:
    """The documents with the safe fixes of what `look` tells of them.

    Each round looks again at all, because one fix may bring to light what another mends.
    """
    taken, told = look(documents)
    before, current = dict(taken), dict(taken)
    fixed: dict[str, list[Diagnostic]] = {}
    for _ in range(ROUNDS):
        changed = False
        for path, group in groupby(told, key=lambda each: each.path):
            if path in current:
                current[path], done = corrected(current[path], list(group))
                if done:
                    fixed.setdefault(path, []).extend(done)
                    changed = True
        if not changed:
            break
        told = look(current.values())[1]
    return Repair(before, current, fixed)


def corrected(document: Document, told: Sequence[Diagnostic]) -> tuple[Document, list[Diagnostic]]:
    """One round: the document with the safe fixes of its findings `told` that go together, and what was fixed."""
    attempt, _ = _attempted(document, told, TRIES)
    if not attempt.kept:
        return document, []
    return document.corrected(_applied(document.text, attempt.kept)), [step.found for step in attempt.kept]


def fixable(document: Document, told: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Those of the findings `told` of one document that `--fix` corrects, in its first round or in a later one.

    They are tried a few times: one of which that does not tell is taken for one.
    """
    attempt, made = _attempted(document, told, FEW_TRIES)
    refused = set(attempt.refused)
    return [step.found for step in made if step not in refused]


def _attempted(document: Document, told: Sequence[Diagnostic], tries: int) -> tuple[_Attempt, list[_Step]]:
    """The attempt at the safe fixes of the findings `told`, and all of these fixes that can be written."""
    wanted = [each for each in told if each.fix is not None and each.fix.safe and not is_scenario(document)]
    found = findings([document]) if wanted and document.value is not None else []
    attempt = _Attempt(document, found, tries)
    if not found or any(each.cut for each in found):
        return attempt, []  # what is not looked for now would be taken for what came of a fix
    known = {(each.code, each.pointer) for each in told}
    held = [each.pointer for each in found if (each.code, each.pointer) not in known]
    made = _made(document, wanted, held if len(told) <= TOLD else ())  # of more than that not all are told
    attempt.take(_together(made))
    return attempt, made


class _Attempt:
    """Tries fixes of one document, all at once or, where that does not hold, as many as do. `found` is found in it.

    `kept` are the steps that hold together, `refused` those that do not hold with them.
    """

    def __init__(self, document: Document, found: Iterable[Diagnostic], tries: int) -> None:
        self._document = document
        self._errors = [(each.code, each.pointer) for each in found if each.severity == "error"]
        self._spoken_of = _spoken_of(document)
        self._tries = tries
        self.kept: list[_Step] = []
        self.refused: list[_Step] = []

    def take(self, steps: list[_Step]) -> None:
        """Keep as many of the steps as hold together with those that are kept."""
        if not steps or not self._tries:
            return
        self._tries -= 1
        blamed = self._blamed([*self.kept, *steps])
        if blamed is None:
            self.kept += steps
            return
        others = [step for step in steps if step not in blamed]
        if len(others) < len(steps):
            self.refused += [step for step in steps if step in blamed]
            self.take(others)
        elif len(steps) == 1:
            self.refused += steps
        else:
            half = len(steps) // 2
            self.take(steps[:half])
            self.take(steps[half:])

    def _blamed(self, steps: list[_Step]) -> set[_Step] | None:
        """None where the steps hold together, else those of them that wrote what is an error, where there are such."""
        after = self._document.corrected(_applied(self._document.text, steps))
        expected = _changed(self._document.value, steps)
        if after.value is None or expected is None or _canonical(after.value) != _canonical(expected):
            return set()
        moved = _Moved(steps)
        if not _spoken_of(after) <= {(code, moved.offset(start), moved.offset(end))
                                     for code, start, end in self._spoken_of}:  # fmt: skip
            return set()
        # What is below a key that was misspelt has not been looked at before: what is found there is not new.
        renamed = {step.renamed for step in steps if step.renamed != step.pointer}
        written = {step.pointer: step for step in steps if step.does == "write"}
        before = Counter((code, to) for code, at in self._errors if (to := moved.pointer(at)) is not None)
        errors = Counter((each.code, each.pointer) for each in findings([after]) if each.severity == "error")
        tops = (pointer[:length] for _, pointer in errors for length in range(len(pointer) + 1))
        blamed = {written[top] for top in tops if top in written}
        new = any(pointer not in renamed and not _is_below(pointer, renamed) for _, pointer in errors - before)
        return blamed if blamed or new else None


class _Moved:
    """Where something stands once the steps are done."""

    def __init__(self, steps: Iterable[_Step]) -> None:
        edits = sorted(step.edit for step in steps)
        self._ends = [each.end for each in edits]
        self._grown = list(accumulate((len(each.text) - (each.end - each.start) for each in edits), initial=0))
        self._edits = edits
        self._renamed = {step.pointer: step.new for step in steps if step.does == "rename"}
        self._removed: dict[Pointer, list[int]] = {}
        for step in steps:
            if step.removed is not None:
                self._removed.setdefault(step.pointer[:-1], []).append(step.removed)
        for indexes in self._removed.values():
            indexes.sort()

    def offset(self, offset: int) -> int:
        """That of what is after it; what stands within an edit is at the edit's start."""
        done = bisect_right(self._ends, offset)
        if done < len(self._edits):
            offset = min(offset, self._edits[done].start)
        return offset + self._grown[done]

    def pointer(self, pointer: Pointer) -> Pointer | None:
        """That of a value or key that was at `pointer`; None where it was removed, or was inside of what was."""
        moved: list[str | int] = []
        for depth, step in enumerate(pointer):
            around = pointer[:depth]
            if isinstance(step, int):
                removed = self._removed.get(around, [])
                earlier = bisect_right(removed, step)
                if earlier and removed[earlier - 1] == step:
                    return None
                moved.append(step - earlier)
            else:
                moved.append(self._renamed.get((*around, step), step))
        return tuple(moved)


def _spoken_of(document: Document) -> set[tuple[str, int, int]]:
    """What comments suppress: of each a rule and the line, from offset to offset, in which it is suppressed."""
    if document.kind != "yaml" or SIGNAL not in document.text:
        return set()
    from .suppressions import suppressions

    told = [(each.code, each.line) for each in suppressions(document) if each.line is not None]
    return {(code, document.offset(line, 1), document.offset(line, LARGEST)) for code, line in told}


def _made(document: Document, wanted: list[Diagnostic], held: Collection[Pointer]) -> list[_Step]:
    """The fixes that can be written, in order of place.

    `held` are the pointers of findings that are not told. No item before such a one is removed: it would be found at
    another place, and no longer be known for one that was accepted there.
    """
    last = _last_named(held)
    steps = [_Step(each, change) for each in wanted if (change := edit(document, each)) is not None]
    steps.sort(key=lambda step: step.edit)
    return [step for step in steps if step.removed is None or last.get(step.pointer[:-1], -1) <= step.removed]


def _together(made: list[_Step]) -> list[_Step]:
    """Those that do not touch each other. The others come in a later round."""
    steps: list[_Step] = []
    for step in made:
        if not steps or step.edit.start >= steps[-1].edit.end:
            steps.append(step)
    renamed = {step.pointer for step in steps if step.does == "rename"}
    first = _first_removed(steps)
    return [step for step in steps if not (_is_below(step.pointer, renamed) or _is_moved(step, first))]


def _is_below(pointer: Pointer, tops: Collection[Pointer]) -> bool:
    """Whether the pointer leads to something inside of one of the `tops`, not to one itself."""
    return bool(tops) and any(pointer[:length] in tops for length in range(len(pointer)))


def _first_removed(steps: Iterable[_Step]) -> dict[Pointer, int]:
    """Of every list that something is removed from the first index that is."""
    first: dict[Pointer, int] = {}
    for step in steps:
        if step.removed is not None:
            inside = step.pointer[:-1]
            first[inside] = min(step.removed, first.get(inside, step.removed))
    return first


def _is_moved(step: _Step, first: Mapping[Pointer, int]) -> bool:
    """Whether `step` would be at another pointer once the items are removed, so that it has to wait.

    Removals from one list are made together, the last first.
    """
    depths = range(len(step.pointer) - (step.does == "remove")) if first else ()
    return any(index > first.get(step.pointer[:depth], index) for depth in depths
               if isinstance(index := step.pointer[depth], int))  # fmt: skip


def _last_named(pointers: Iterable[Pointer]) -> dict[Pointer, int]:
    """Of every list that the pointers lead through the last index that they name."""
    last: dict[Pointer, int] = {}
    for pointer in pointers:
        for depth, index in enumerate(pointer):
            if isinstance(index, int):
                last[pointer[:depth]] = max(index, last.get(pointer[:depth], index))
    return last


def _applied(text: str, steps: Iterable[_Step]) -> str:
    pieces = []
    done = 0
    for step in sorted(steps, key=lambda step: step.edit):
        pieces += [text[done : step.edit.start], step.edit.text]
        done = step.edit.end
    return "".join([*pieces, text[done:]])


def _changed(value: Any, steps: Iterable[_Step]) -> Any:
    """A copy of the value as the fixes say it becomes, what an alias repeats being a value of its own.

    None where a fix speaks of what is not in the value: below a key that is given again, say.
    """
    value = json.loads(json.dumps(value))
    with suppress(KeyError, IndexError, TypeError):
        return _change(value, steps)
    return None


def _change(value: Any, steps: Iterable[_Step]) -> Any:
    """Changes the value. Later items of a list are removed first, so that each is found where it was."""
    for step in sorted(steps, key=lambda step: (step.does == "remove", step.edit), reverse=True):
        inside = value
        for part in step.pointer[:-1]:
            inside = inside[part]
        key = step.pointer[-1]
        if step.does == "remove":
            del inside[key]
        elif step.does == "write":
            inside[key] = step.new
        elif step.new == key:
            continue
        elif step.new in inside:
            return None
        else:
            inside[step.new] = inside.pop(key)
    return value


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
