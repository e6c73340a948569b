"""What makes a finding the same one tomorrow: its rule, file and place, and what is wrong there. Knows no format."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from .diagnostic import Diagnostic, Pointer, pointer_text
from .document import Document
from .relative import relative

FORMAT = 2  # of identities; those of format 1 know rule, file and pointer alone
_OF_THE_KEY = ("ST002", "ST101", "ST402")  # whatever the value
_OF_LISTS = ("ST102", "ST103", "ST105", "ST201")  # a list there is what is wrong, not what it is wrong in
_OF_OBJECTS = ("ST102",)


def fingerprints(
    diagnostics: Iterable[Diagnostic], root: str, documents: Mapping[str, Document], *, form: int = FORMAT
) -> list[str]:
    """One text of 32 hexadecimal digits a finding, in their order, each once in the list.

    Made of the rule's code, the path from the folder `root`, the place, the value that is wrong there, what else the
    finding is about, and the other places of the file that it names; of several findings that agree in these, also of
    which one it is. In a place an item of a list is its value: what stands before it does not count. Never of the
    wording, the line or the severity: a better message, a line more above, other formatting and other settings leave a
    baseline as it is (oasdiff#612). Values are looked up in `documents`, by path.
    """
    seen: Counter[str] = Counter()
    made = []
    told = _Told(documents)
    for each in diagnostics:
        file = relative(each.path, root)
        about = [pointer_text(each.pointer)] if form == 1 else told.identity(each)
        # As JSON, so that no two identities run together, and a name that is no UTF-8 has a form, too.
        identity = json.dumps([each.code, file, *about])
        text = json.dumps([each.code, file, *about, seen[identity]])
        seen[identity] += 1
        made.append(hashlib.sha256(text.encode("ascii")).hexdigest()[:32])
    return made


class _Told:
    """What findings are about, by the values of the documents."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._values: dict[str, Any] = {}
        self._items: dict[int, str] = {}  # what was made of a list's item; `_values` keeps the items alive

    def identity(self, found: Diagnostic) -> list[Any]:
        place, value = self._place(found.path, found.pointer)
        within = isinstance(value, list) and found.code not in _OF_LISTS
        within = within or (isinstance(value, dict) and found.code not in _OF_OBJECTS)
        wrong = None if within or found.code in _OF_THE_KEY else self._digest(value)
        others = [self._place(it.path, it.pointer)[0] for it in found.related if it.path == found.path]
        return [place, wrong, sorted(found.about), others]

    def _place(self, path: str, pointer: Pointer) -> tuple[list[Any], Any]:
        """The pointer with the items of lists in place of their indexes, and the value that it leads to, or None."""
        if path not in self._values:
            self._values[path] = self._documents[path].value if path in self._documents else None
        value = self._values[path]
        place: list[Any] = []
        for step in pointer:
            if isinstance(value, list) and isinstance(step, int) and step < len(value):
                value = value[step]
                place.append([self._digest(value)])
            else:
                value = value.get(step) if isinstance(value, dict) else None
                place.append(step)
        return place, value

    def _digest(self, value: Any) -> str:
        """The value as JSON, or what stands for it where it is large: equal for equal values, however written."""
        if not isinstance(value, dict | list):
            return json.dumps(_plain(value))
        if id(value) not in self._items:
            text = json.dumps(_plain(value), sort_keys=True)
            self._items[id(value)] = hashlib.sha256(text.encode("ascii")).hexdigest()
        return self._items[id(value)]


def _plain(value: Any) -> Any:
    """The value with whole numbers as such: 5.0 is 5."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
