"""Hands out the schemas as they are shipped. Knows what is in none of them."""

from __future__ import annotations

import json
import os
import re
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


def standalone(name: str) -> str:
    """The schema `name` for a validator that knows no other of ours: those that it refers to are embedded in `$defs`.

    As it is shipped where it refers to none. Raises KeyError for an unknown name.
    """
    needed: dict[str, None] = {}
    asked = [name]
    while asked:
        for other in re.findall(f'"\\$ref": *"{URN}([a-z]+)', text(asked.pop())):
            if other != name and other not in needed:
                needed[other] = None
                asked.append(other)
    if not needed:
        return text(name)
    schema = load(name)
    embedded = {f"{URN}{other}": load(other) for other in sorted(needed)}
    whole = {**schema, "$defs": {**schema.get("$defs", {}), **embedded}}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
