"""Where the keys that a schema knows may stand: to tell a key at the wrong place its right one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from .loader import resolved
from .problem import Pointer

Path: TypeAlias = tuple[str, ...]
ANY_KEY = "<name>"
ANY_ITEM = "[]"


class Vocabulary:
    """The keys of one schema and the objects they may stand in, gathered when first asked for."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root

    def places(self, key: str, near: Pointer) -> list[Path]:
        """The objects in which the schema knows `key`, as paths to them, the ones closest to `near` first."""
        return sorted(self._places.get(key, ()), key=lambda path: (-_shared(path, near), len(path), path))

    @cached_property
    def _places(self) -> dict[str, dict[Path, None]]:
        found: dict[str, dict[Path, None]] = {}
        for path, keys in _objects(self._root, self._root, (), ()):
            for key in keys:
                found.setdefault(key, {})[path] = None
        return found


def matches(path: Path, pointer: Pointer) -> bool:
    """Whether the object at `pointer` is one that `path` speaks of."""
    return len(path) == len(pointer) and _shared(path, pointer) == len(path)


def holds(value: Any, path: Path, key: str) -> bool:
    """Whether the object at `path` inside `value`, one object alone, has the key."""
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return isinstance(value, Mapping) and key in value


def shown(path: Path) -> str:
    """The path in words, after "it belongs"."""
    return "in " + ".".join(path).replace(f".{ANY_ITEM}", ANY_ITEM) if path else "at the top"


def _shared(path: Path, pointer: Pointer) -> int:
    shared = 0
    for step, part in zip(path, pointer, strict=False):
        if step != part and step != (ANY_ITEM if isinstance(part, int) else ANY_KEY):
            break
        shared += 1
    return shared


def _objects(
    schema: Any, root: Mapping[str, Any], path: Path, seen: tuple[str, ...]
) -> Iterator[tuple[Path, list[str]]]:
    """Every object that the schema describes: its path and its keys. A schema inside itself is entered once."""
    if not isinstance(schema, Mapping):
        return
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in seen:
        target, base = resolved(reference, root)
        yield from _objects(target, base, path, (*seen, reference))
    properties = schema.get("properties", {})
    if properties:
        yield path, list(properties)
    for key, inner in properties.items():
        yield from _objects(inner, root, (*path, key), seen)
    yield from _objects(schema.get("additionalProperties"), root, (*path, ANY_KEY), seen)
    yield from _objects(schema.get("items"), root, (*path, ANY_ITEM), seen)
    for keyword in ("allOf", "anyOf", "oneOf"):
        for inner in schema.get(keyword, ()):
            yield from _objects(inner, root, path, seen)
