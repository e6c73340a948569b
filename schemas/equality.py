"""When two values are equal to JSON Schema, in time linear in their size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def repetitions(items: list[Any]) -> Iterator[tuple[int, int]]:
    """For each item that an earlier one equals, the index of the first such and its own."""
    first: dict[str, int] = {}
    for index, item in enumerate(items):
        earlier = first.setdefault(comparable(item), index)
        if earlier != index:
            yield earlier, index


def comparable(value: Any) -> str:
    """A text that is the same for exactly those values that JSON Schema holds equal: 1 and 1.0, not 1 and true."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, list):
        return f"[{','.join(map(comparable, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{json.dumps(key)}:{comparable(value[key])}' for key in sorted(value, key=str))}}}"
    return json.dumps(value, default=repr)
