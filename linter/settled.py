"""A config with its defaults filled in, and what of it was stated: what the rules look at. Knows no rule.

What an earlier stage found wrong is nobody's setting: asking for it ends the rule that asks, so that one cause gives
one finding, and no rule sees a value of a type that the schema does not allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Any

from seatrial.schemas import load

from .diagnostic import Diagnostic, Pointer
from .document import Document

MEMORY = ("harness", "memory")
_LABELS = (*MEMORY, "labels")


class Unsound(Exception):  # noqa: N818 - ends a rule that cannot judge; nothing went wrong
    """What was asked for is not to be judged: an earlier stage found an error there."""


class Settled:
    """One config as its agent would run it.

    `errors` are what reading and the agent schema found; only those of severity error count.
    """

    def __init__(self, document: Document, errors: Iterable[Diagnostic]) -> None:
        self.document = document
        self._errors = [each for each in errors if each.severity == "error"]
        self._is_known = not any(each.cut for each in self._errors)
        self._known: dict[tuple[str, ...], tuple[int, Any]] = {}  # what `_walk` has found
        self.lacked = False  # whether anything was asked for that is not to be judged

    def stated(self, *path: str) -> bool:
        """Whether the config itself holds a value at `path`, sound or not."""
        return self._walk(path)[0] == len(path)

    def value(self, *path: str) -> Any:
        """What the config states at `path`, else the schema's default; None where there is none.

        Raises Unsound where an error was found in the value, or where nothing is stated and an error around it may be
        the reason: a misspelt key, say; and everywhere, if not all errors were looked for.
        """
        if not self._is_known:
            self.lacked = True
            raise Unsound
        depth, value = self._walk(path)
        stated = depth == len(path)
        for error in self._errors:
            if _touches(error, path) if stated else _hides(error, path, depth):
                self.lacked = True
                raise Unsound
        return value if stated else _default(path)

    def default(self, *path: str) -> Any:
        """What the schema says of `path` where nothing is stated; None where it says nothing."""
        return _default(path)

    def keys(self, *path: str) -> list[str]:
        """The keys of the object at `path` that the schema knows and that hold something, in order of the config."""
        depth, value = self._walk(path)
        if depth < len(path) or not isinstance(value, Mapping):
            return []
        known = _schema(path)["properties"]
        return [key for key, held in value.items() if key in known and key != "$comment" and held not in ({}, [], None)]

    @property
    def sessions(self) -> bool:
        return bool(self.value("sessions"))

    @property
    def enabled(self) -> bool:
        """Whether there is memory at all."""
        return bool(self.value(*MEMORY, "enabled"))

    @property
    def read(self) -> list[str]:
        """The scopes that are read, in order of the config."""
        return list(self.value(*MEMORY, "scope", "read"))

    @property
    def write(self) -> list[str]:
        """The scopes that are written, in order of the config."""
        return list(self.value(*MEMORY, "scope", "write"))

    @property
    def tools(self) -> list[str]:
        return list(self.value(*MEMORY, "tools"))

    @property
    def kinds(self) -> list[str]:
        return list(self.value(*MEMORY, "kinds"))

    @cached_property
    def labels(self) -> dict[str, Mapping[str, Any]]:
        """The sound ones of the declared labels, in order; also those whose name alone is wrong (ST402)."""
        wrong = self._wrong_labels
        return {
            name: label for name, label in self._declared.items() if isinstance(label, Mapping) and name not in wrong
        }

    def ask_for_labels(self) -> None:
        """Says that all of all labels is looked at, besides what is asked for here."""
        self.lacked |= self._hidden_labels or bool(self._wrong_labels)

    @property
    def label_names(self) -> list[str]:
        """The names of all declared labels, in order, whatever is wrong with the labels."""
        self.lacked |= self._hidden_labels
        return list(self._declared)

    @property
    def descriptions(self) -> dict[str, str | None]:
        """The sound descriptions of labels, in order, whatever else is wrong with these; None: there is none."""
        found = {}
        for name, label in self._declared.items():
            wrong = self._wrong_labels.get(name, ())
            if any(within is None or within == "description" for within in wrong) or not isinstance(label, Mapping):
                continue
            found[name] = label.get("description")
        self.lacked |= self._hidden_labels or len(found) < len(self._declared)
        return found

    @cached_property
    def _declared(self) -> Mapping[str, Any]:
        depth, declared = self._walk(_LABELS)
        sound = not self._hidden_labels and depth == len(_LABELS) and isinstance(declared, Mapping)
        return declared if sound else {}

    @cached_property
    def _hidden_labels(self) -> bool:
        """Whether an error keeps from being judged which labels are declared."""
        depth, _ = self._walk(_LABELS)
        stated = depth == len(_LABELS)
        return not self._is_known or any(
            _refuses(error, _LABELS) or error.pointer == _LABELS if stated else _hides(error, _LABELS, depth)
            for error in self._errors
        )

    @cached_property
    def _wrong_labels(self) -> dict[str, set[str | None]]:
        """By the name of each label with errors the keys that these are at or in; None: the label, or any key of it."""
        found: dict[str, set[str | None]] = {}
        for error in self._errors:
            if error.code != "ST402" and error.pointer[:-1][: len(_LABELS)] == _LABELS:
                inside = error.pointer[len(_LABELS) + 1 :]
                whole = not inside or (error.code == "ST101" and len(inside) == 1)
                found.setdefault(str(error.pointer[len(_LABELS)]), set()).add(None if whole else str(inside[0]))
        return found

    def _walk(self, path: tuple[str, ...]) -> tuple[int, Any]:
        """How many of the keys of `path` are stated one inside the other, and what stands at the last of them."""
        known = self._known.get(path)
        if known is None:
            value: Any = self.document.value
            depth = 0
            while depth < len(path) and isinstance(value, dict) and path[depth] in value:
                value = value[path[depth]]
                depth += 1
            known = self._known[path] = depth, value
        return known


def settled_config(document: Document) -> Settled:
    """The config of a document that is looked at by itself, outside a lint."""
    from .schema_check import schema_diagnostics

    return Settled(document, (*document.diagnostics, *schema_diagnostics(document, "agent")))


def _touches(error: Diagnostic, path: Pointer) -> bool:
    """Whether the error concerns the value stated at `path`: in it, or around it what reading refused."""
    return error.pointer[: len(path)] == path or _refuses(error, path)


def _refuses(error: Diagnostic, path: Pointer) -> bool:
    """Whether reading refused what stands at `path`, or what it is in: a key is given twice, or is no text.

    What is in there no schema has judged.
    """
    refused = bool(error.pointer) and error.code.startswith("ST0")
    return refused and path[: len(error.pointer)] == error.pointer


def _hides(error: Diagnostic, path: Pointer, depth: int) -> bool:
    """Whether the error may be why of `path` only the first `depth` keys are stated.

    The object around is wrong, a key is misspelt beside where the next should stand, or stands at the wrong place.
    """
    if error.code == "ST101":
        return error.pointer[:-1] == path[:depth] or error.pointer[-1] in path[depth:]
    return path[: len(error.pointer)] == error.pointer


@cache
def _default(path: tuple[str, ...]) -> Any:
    return _schema(path).get("default")


def _schema(path: tuple[str, ...]) -> Any:
    schema: Any = load("agent")
    for key in path:
        schema = schema["properties"][key]
    return schema
