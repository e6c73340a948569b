"""The JSON Schemas and the loader that hands them out. Knows no document and no engine."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

__all__ = ["load", "names", "text"]


def names() -> list[str]:
    """The names of the shipped schemas, sorted."""
    suffix = ".schema.json"
    found = (entry.name for entry in resources.files(__name__).iterdir())
    return sorted(name.removesuffix(suffix) for name in found if name.endswith(suffix))


@cache
def text(name: str) -> str:
    """The schema `name` as it is shipped. Raises KeyError for a name that `names` does not list."""
    if name not in names():
        raise KeyError(name)
    return (resources.files(__name__) / f"{name}.schema.json").read_text(encoding="utf-8")


@cache
def load(name: str) -> dict[str, Any]:
    """The schema `name`, parsed once and shared: do not change it. Raises KeyError for an unknown name."""
    schema: dict[str, Any] = json.loads(text(name))
    return schema
