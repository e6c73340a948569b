"""Hands out the schemas as they are shipped. Knows what is in none of them."""

from __future__ import annotations

import json
import os
from functools import cache
from io import FileIO
from typing import Any

_FOLDER = os.path.dirname(__file__)
_SUFFIX = ".schema.json"


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
