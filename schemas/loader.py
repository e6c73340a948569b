"""Hands out the schemas as they are shipped. Knows what is in none of them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from io import FileIO
from typing import Any

_FOLDER = os.path.dirname(__file__)
_SUFFIX = ".schema.json"
URN = "urn:seatrial:schema:"  # what their `$id` begin with


@cache
def names() -> tuple[str, ...]:
    """The names of the shipped schemas, sorted."""
    found = os.listdir(_FOLDER)
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


@cache
def text(name: str) -> str:
    """The schema `name` as it is shipped. Raises KeyError for a name that `names` does not list."""
    if name not in names():
        raise KeyError(name)
    with FileIO(f"{_FOLDER}/{name}{_SUFFIX}") as file:
        return file.readall().decode()


@cache
def load(name: str) -> dict[str, Any]:
    """The schema `name`, parsed once and shared: do not change it. Raises KeyError for an unknown name."""
    schema: dict[str, Any] = json.loads(text(name))
    return schema


def resolved(reference: str, root: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
    """What a `$ref` in the schema `root` names, in it or in another of ours; and the schema that that stands in."""
    address, _, fragment = reference.partition("#")
    base = load(address.removeprefix(URN)) if address.startswith(URN) else root
    target: Any = base
    for step in fragment.split("/")[1:]:
        target = target[step.replace("~1", "/").replace("~0", "~")]
    return target, base
