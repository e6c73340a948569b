"""What the writer of a random script says of a record: its text, its kind, its labels, its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from . import intents
from .beliefs import Believed, Named, Names, Playing
from .cast import kinds, labels, writes
from .spellings import SPELLINGS
from .words import canary

Document: TypeAlias = dict[str, Any]

VALUES: tuple[str | int | bool, ...] = ("c-17", 1, True, "1", "C-17", 0, False, -5)

_UNDECLARED = 31


class Wording:
    """Words records, and keeps the names and the canaries that were given."""

    def __init__(self, agents: Mapping[str, Believed]) -> None:
        self.agents = agents
        self.names = Names()
        self.canaries = 0

    def record(self, turn: Playing, record: intents.Record) -> Document:
        written: Document = {"summary": self.text(turn, record.text), "kind": self.kind(turn, record.kind)}
        if record.content is not None:
            written["content"] = record.content.said(self.canary())
        if record.labels:
            written["labels"] = self.labelled(turn, record.labels)
        if record.scope is not None:
            written["scope"] = record.scope
        if record.pinned is not None:
            written["pinned"] = record.pinned
        return written

    def text(self, turn: Playing, text: intents.Text) -> str:
        if text.spelling is not None:
            return f"{self.canary()} is all that the customer wrote to us about it: {SPELLINGS[text.spelling][0]}"
        named = None if text.again is None else self.names.found(text.again, turn.seat, "record")
        said = text.words.said(self.canary(), line=True) if named is None else named.text
        return f"{said.upper()}." if text.loud else said

    def kind(self, turn: Playing, number: int) -> str:
        """A declared kind, but not the one that is never written; or, for number 9, one that is not declared."""
        unused = self.agents[turn.seat[0]].unused
        declared = [kind for kind in kinds(turn.config) if kind != unused]
        return "hearsay" if number == 9 or not declared else declared[number % len(declared)]

    def labelled(self, turn: Playing, numbers: Iterable[int]) -> Document:
        """The last number is of a label that is not declared."""
        names = list(labels(turn.config))
        found: Document = {}
        for number in numbers:
            name = names[number % len(names)] if names and number < _UNDECLARED else "colour"
            found[name] = VALUES[number // 4 % len(VALUES)]
        return found

    def scope_to_state(self, turn: Playing, targets: Sequence[Named]) -> Literal["agent"] | None:
        """SCO-2: to change an AGENT record is to say so, where both scopes may be written."""
        both = len(writes(turn.config)) > 1
        return "agent" if both and any(named.scope == "agent" for named in targets) else None

    def name(
        self, turn: Playing, what: Literal["record", "result"], stated: str | None, text: str, *, refused: bool = False
    ) -> str:
        """A new name, and whose it is."""
        scope = (stated or ("session" if "session" in writes(turn.config) else "agent")) if what == "record" else None
        named = Named(self.names.next(what), what, turn.seat, turn.plane, scope, text, "undone" if refused else "open")
        self.names.add(named)
        turn.made.append(named)
        return named.alias

    def canary(self) -> str:
        self.canaries += 1
        return canary(self.canaries)
