"""What changes from one version of an agent to the next, for the rules that compare settings. Knows no rule.

Defaults count as if they were stated: to leave `scope` out is to say ["session"].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Literal, NamedTuple, TypeVar

from .chain import Chain, Step
from .diagnostic import Pointer, Related
from .settled import Settled, Unsound

Value = TypeVar("Value")


class Change(NamedTuple, Generic[Value]):
    """A setting that differs from what it was in the version before."""

    before: Step
    old: Value
    after: Step
    new: Value

    def place(self, *path: str) -> tuple[Pointer, Literal["key", "value"]]:
        """Where the new version states the setting at `path`; where it does not, the key that it is missing in."""
        return _place(self.after.config, path)

    def earlier(self, message: str, *path: str) -> Related:
        """Where the version before states the setting."""
        pointer, at = _place(self.before.config, path)
        document = self.before.document
        return Related(document.path, document.span(pointer, at), pointer, message)


def changes(chain: Chain, read: Callable[[Settled], Value | None]) -> Iterator[Change[Value]]:
    """Where what `read` says of a version is not what it said of the version before that has an answer.

    A version has none where `read` gives None, or asks for what has an error. What a git revision holds is compared
    with, never told of. Each version is read once.
    """
    before: tuple[Step, Value] | None = None
    for step in chain.steps:
        try:
            value = read(step.config)
        except Unsound:
            continue
        if value is None:
            continue
        if before is not None and step.revision is None and value != before[1]:
            yield Change(*before, step, value)
        before = (step, value)


def _place(config: Settled, path: tuple[str, ...]) -> tuple[Pointer, Literal["key", "value"]]:
    for length in range(len(path), 0, -1):
        if config.stated(*path[:length]):
            return path[:length], "value" if length == len(path) else "key"
    return (), "value"
