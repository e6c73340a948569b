"""Configs that say the same as one in which nothing was found: many agents are made from one template."""

from __future__ import annotations

import marshal
from typing import Any

from seatrial.schemas.quick import surely_valid

_MOST = 1000  # a few hundred bytes each
# No rule that looks at one config asks for these, and the schema asks nothing else by them.
_NAMES = ("agent", "version")


class Sound:
    """The values of sound configs, names and numbers of versions apart."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()

    def add(self, value: dict[str, Any]) -> None:
        """Takes a config into account in which neither reading nor the schema nor a rule found anything."""
        if len(self._known) < _MOST:
            self._known.add(_rest(value))

    def surely(self, value: dict[str, Any]) -> bool:
        """Whether nothing would be found in a config that reading found nothing in. False says nothing."""
        if not self._known or _rest(value) not in self._known:
            return False
        return surely_valid("agent", {"harness": {}, **{key: value[key] for key in _NAMES if key in value}})


def _rest(value: dict[str, Any]) -> bytes:
    # Version 2 of the format, which equal values have the same bytes in: a later one tells shared objects apart.
    return marshal.dumps({key: inner for key, inner in value.items() if key not in _NAMES}, 2)
