"""What a random script means to do, step by step, before it is written down.

An intent names nothing: it says "the latest record of another session", and the writer finds one, or leaves it out. So
any list of intents makes a valid script, and taking one away, which is how failures shrink, leaves a valid script.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from .likeness import Likeness
from .words import FACT, Words

Plane: TypeAlias = Literal["live", "preview"]
Ending: TypeAlias = Literal["commit", "rollback", "crash", "fail", "open"]


@dataclass(frozen=True, slots=True)
class Pick:
    """A record or a result of the script so far: whose it is, and how many of those before the latest.

    `own` and `foreign` are of the session, and of others of its agent; `live` is own and not of a preview; `shared` may
    be AGENT scope; `undone` is of a turn that did not commit, or never came to be; `ended` was replaced or deleted.
    """

    whose: Literal["own", "live", "foreign", "shared", "other agent", "undone", "ended", "any"] = "own"
    back: int = 0


@dataclass(frozen=True, slots=True)
class Text:
    """What a record says: words, or, with `again`, what another record says, word for word or but for case.

    With `spelling` it is what the table of spellings has in that place.
    """

    words: Words = FACT
    again: Pick | None = None
    loud: bool = False
    spelling: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """What is to be remembered. Kinds and labels are chosen by number among those declared, and some that are not."""

    text: Text = Text()
    kind: int = 0
    labels: tuple[int, ...] = ()
    scope: str | None = None
    pinned: bool | None = None
    content: Words | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    words: Words = FACT


@dataclass(frozen=True, slots=True)
class Told:
    """An outside tool's result. `rows` more lines make it large."""

    words: Words = FACT
    rows: int = 0


@dataclass(frozen=True, slots=True)
class SetState:
    words: Words = FACT


@dataclass(frozen=True, slots=True)
class Add:
    record: Record = Record()
    replaces: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    pick: Pick = Pick()


@dataclass(frozen=True, slots=True)
class Delete:
    pick: Pick = Pick()
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """A search by words, by a filter, or by both. `nothing` filters by a kind that no record has.

    With `spelling` it asks what the table of spellings has in that place, of the latest record of the turn.
    """

    words: Words | None = FACT
    by: Literal["nothing", "kind", "label", "ids"] | None = None
    number: int = 0
    picks: tuple[Pick, ...] = ()
    limit: int | None = None
    spelling: int | None = None


@dataclass(frozen=True, slots=True)
class History:
    words: Words = FACT


@dataclass(frozen=True, slots=True)
class Result:
    """Reads a tool's result again, whole or from `offset`."""

    pick: Pick = Pick()
    offset: int | None = None


Call: TypeAlias = Add | Read | Delete | Search | History


@dataclass(frozen=True, slots=True)
class Helper:
    kind: Literal["subagent", "program"] = "subagent"
    calls: tuple[Call, ...] = ()


Act: TypeAlias = Reply | Told | SetState | Call | Result | Helper


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a review finds: a record; or, with `likeness`, the first or the second of its two texts, of one subject."""

    record: Record = Record()
    decision: Literal["add", "skip", "replace", "delete"] | None = None
    pick: Pick = Pick()
    likeness: Likeness | None = None
    half: Literal[0, 1] = 0


@dataclass(frozen=True, slots=True)
class Many:
    """A review finds so many things that a partition becomes large; `wide` ones, of many words each."""

    count: int = 1
    wide: bool = False
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Do:
    """A part of a turn: what is done, how it ends, what its review finds."""

    acts: tuple[Act, ...] = ()
    ending: Ending = "commit"
    extract: tuple[Candidate | Many, ...] | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """`agent` and `session` by number. `later`: minutes more than usual since the step before."""

    agent: int = 0
    session: int = 0
    plane: Plane = "live"
    user: Words = FACT
    do: Do = Do()
    later: int = 0


@dataclass(frozen=True, slots=True)
class GoOn:
    """Goes on with an open turn, the latest or one before."""

    back: int = 0
    do: Do = Do()


@dataclass(frozen=True, slots=True)
class Deploy:
    """The agent's next version: the next of those given, or, with `changes`, one derived from the latest.

    With `again` it is what the agent began with, once more.
    """

    agent: int = 0
    plane: Plane = "live"
    changes: tuple[str, ...] = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    action: Literal["list", "read", "delete"] = "list"
    pick: Pick = Pick("any")
    grants: tuple[str, ...] | None = None
    agent: int = 0


@dataclass(frozen=True, slots=True)
class Restart:
    pass


Step: TypeAlias = Turn | GoOn | Deploy | Review | Restart
