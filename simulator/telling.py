"""What a run tells: events, among them each expectation that does not hold, and what it has learned of names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from .events import Consumer, Event, Missed
from .expect import Failure, Names, Reply, check_gets, check_sees, never_added
from .naming import named_in, never_an_id
from .script import Action, Pointer, Script, Step, every_action

Plain: TypeAlias = Mapping[str, Any]


class Lines(dict[str, Any]):
    """What lines of JSON say, each read once: contexts show the same messages again and again, and share them."""

    def __missing__(self, line: str) -> Any:
        value = self[line] = json.loads(line)
        return value


class Telling:
    """Hands events to `consumers`. Compares what the script expects, unless `expectations` are left out.

    `lines` is what contexts are told with.
    """

    def __init__(self, script: Script, consumers: Sequence[Consumer], expectations: bool) -> None:
        self.names = Names()
        self.lines = Lines()
        self._promised: set[str] = set()
        self._consumers = consumers
        self._expectations = expectations
        self.read(script.steps)

    def read(self, steps: Iterable[Step]) -> None:
        """Takes notice of the names that these steps of the script give."""
        for name, refused in named_in(steps):
            self._promised.add(name)
            self.names.awaited.update([] if refused else [name])

    def emit(self, event: Event) -> None:
        for consumer in self._consumers:
            consumer(event)

    def miss(self, failures: Iterable[Failure]) -> None:
        for failure in failures:
            self.emit(Missed(failure))

    def unmet(self, expected: str, seen: str, at: Pointer) -> None:
        """An expectation that nothing of what happened can be compared with."""
        if self._expectations:
            self.miss([Failure(at, expected, seen)])

    def check_sees(self, action: Action, context: Plain) -> None:
        if self._expectations and action.sees is not None:
            self.miss(check_sees(action.sees, context, self.names, (*action.pointer, "sees")))

    def check_gets(self, gets: Plain | None, reply: Reply, pointer: Pointer, named: Iterable[str] = ()) -> None:
        """`named` is what was asked about: of what was never added no answer shows anything."""
        if not self._expectations or gets is None:
            return
        at = (*pointer, "gets")
        never = self.names.missing(named)
        self.miss([never_added(never, at)] if never else check_gets(gets, reply, self.names, at))

    def unreached(self, do: Sequence[Action], why: str) -> None:
        """Expectations of actions that never happened: silence is not a pass."""
        if not self._expectations:
            return
        for action, _ in every_action(do):
            for key in ("sees", "gets"):
                if getattr(action, key) is not None:
                    self.miss([Failure((*action.pointer, key), f"`{action.kind}` to happen", f"{why} before it")])

    def id_of(self, name: str) -> str:
        """The id that `name` stands for; what is no name of the script is an id as it is written."""
        learned = self.names.ids.get(name)
        if learned is not None:
            return learned
        return never_an_id(name) if name in self._promised else name
