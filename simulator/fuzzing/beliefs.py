"""What the writer of a random script believes of it so far: names, open turns, versions. It may be wrong, and harmless.

A belief decides what is worth writing next. Whether a memory system agrees is for expectations and invariants.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .cast import Config, Role, calls, kinds, labels, offered
from .intents import Pick, Plane

Seat: TypeAlias = tuple[str, str | None]  # agent and session


@dataclass(slots=True)
class Named:
    """A record or a result that the script has a name for."""

    alias: str
    what: Literal["record", "result"]
    seat: Seat
    plane: Plane
    scope: str | None
    text: str
    state: Literal["open", "kept", "undone", "ended"] = "open"


@dataclass(slots=True)
class Playing:
    """A turn that goes on. `sure`: nothing the writer knows of can refuse it or end it early."""

    id: str | None
    seat: Seat
    plane: Plane
    config: Config
    sure: bool
    mark: str | None  # the canary of its user's message
    acts: int = 0
    made: list[Named] = field(default_factory=list)
    ends: list[Named] = field(default_factory=list)

    def surely(self) -> bool:
        """Whether it surely goes on after one act more, with what summaries and its review may cost."""
        return self.sure and 2 * (self.acts + 1) + 2 <= calls(self.config)


@dataclass(frozen=True, slots=True)
class Subject:
    """What the first text of a likeness is about, the record that states it, and whether that is sure to be there."""

    mark: str
    named: Named
    turn: Playing
    sure: bool


@dataclass(slots=True)
class Believed:
    """An agent: the versions that its turns run, what it has declared, and whether all of that is sure."""

    role: Role
    live: Config
    preview: Config
    given: int = 1  # how many of the given versions were deployed
    steady: bool = True
    labels: dict[str, int] = field(default_factory=dict)
    tools: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)  # kinds, of records whose kind matters

    @classmethod
    def of(cls, role: Role) -> Believed:
        first = role.versions[0].config
        found = cls(role, first, first)
        found.deploy(first, "live")
        return found

    def running(self, plane: Plane) -> Config:
        return self.live if plane == "live" else self.preview

    def deploy(self, config: Config, plane: Plane) -> None:
        """Takes over the config, unless the chain of labels forbids it (VER-2)."""
        self.tools |= offered(config)
        stated = {name: label["number"] for name, label in labels(config).items()}
        owners = {number: name for name, number in self.labels.items()}
        kept = self.labels.items() <= stated.items()
        if not kept or any(owners.get(number, name) != name for name, number in stated.items()):
            return
        self.labels = stated
        self.preview = config
        if plane == "live":
            self.live = config

    @property
    def unused(self) -> str | None:
        """A kind that is declared and was never written."""
        declared = kinds(self.role.versions[0].config)
        return declared[-1] if len(declared) > 1 and declared[-1] not in self.written else None

    @property
    def plain(self) -> bool:
        """Whether no conversation is summed up in a script of this size."""
        return bool(self.live["harness"].get("context", {}).get("summarize_at", 60_000) > 20_000)


class Names:
    """The names that the script has given."""

    def __init__(self) -> None:
        self.all: list[Named] = []

    def add(self, named: Named) -> None:
        self.all.append(named)

    def next(self, what: Literal["record", "result"]) -> str:
        count = sum(named.what == what for named in self.all) + 1
        return f"{what[:3]}{count}"

    def found(self, pick: Pick, seat: Seat, what: Literal["record", "result"]) -> Named | None:
        """The one picked, else any; None where there is none at all."""
        every = [named for named in self.all if named.what == what]
        fitting = [named for named in every if _fits(named, pick, seat)] or every
        return fitting[-1 - pick.back % len(fitting)] if fitting else None


def _fits(named: Named, pick: Pick, seat: Seat) -> bool:
    if pick.whose in ("undone", "ended"):
        return named.state == pick.whose
    if pick.whose == "any":
        return True
    if pick.whose == "other agent":
        return named.seat[0] != seat[0]
    if named.state in ("undone", "ended") or named.seat[0] != seat[0]:
        return False
    if pick.whose == "shared":
        return named.scope == "agent"
    own = named.seat == seat and (pick.whose != "live" or named.plane == "live")
    return own == (pick.whose != "foreign")


def settle(turn: Playing, *, kept: bool) -> None:
    """The turn has ended."""
    for named in turn.made:
        if named.state == "open":
            named.state = "kept" if kept else "undone"
    if kept:
        _end(named for named in turn.ends if named.plane == turn.plane)  # PRE-2: a preview ends nothing live


def _end(ends: Iterable[Named]) -> None:
    for named in ends:
        named.state = "ended"
