"""Says of most valid values that they are surely valid, without loading jsonschema. It never finds anything wrong.

What a lint of a sound config costs is mostly the loading of jsonschema; so this looks first. It knows the keywords our
schemas use, and where it meets another, or a value that is no JSON, it is not sure, and jsonschema decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, TypeAlias

from .equality import comparable, repetitions
from .loader import resolved

Schema: TypeAlias = "Mapping[str, Any] | bool"


class _UnsureError(Exception):
    """A keyword or a value that is not known here."""


def surely_valid(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether `value` is surely valid by `schema`. False says nothing: it may still be valid."""
    try:
        return _holds(schema, value, schema)
    except (_UnsureError, RecursionError):
        return False


def _holds(schema: Schema, value: Any, root: Mapping[str, Any]) -> bool:
    """Whether the value is valid by the schema, exactly; raises _UnsureError where that is not known."""
    if isinstance(schema, bool):
        return schema
    for keyword, argument in schema.items():
        if keyword in _SAYS_NOTHING:
            continue
        check = _CHECKS.get(keyword)
        if check is None:
            raise _UnsureError(keyword)
        if not check(argument, value, schema, root):
            return False
    return True


_SAYS_NOTHING = {
    "$comment", "$defs", "$id", "$schema", "default", "description", "else", "errorMessage", "examples",
    "patternErrorMessage", "then", "title", "x-origin", "x-rule",
}  # fmt: skip


def _type(value: Any) -> str:
    if isinstance(value, float):
        return "float" if isfinite(value) else "no number"
    name = _TYPES.get(type(value))
    if name is None:
        raise _UnsureError(type(value))
    return name


_TYPES: dict[type, str] = {
    str: "string", dict: "object", list: "array", int: "integer", bool: "boolean", type(None): "null",
}  # fmt: skip


def _is_type(argument: Any, value: Any, schema: Any, root: Any) -> bool:
    kind = _type(value)
    wanted = [argument] if isinstance(argument, str) else argument
    if kind == "float":
        return "number" in wanted or ("integer" in wanted and value.is_integer())
    return kind in wanted or (kind == "integer" and "number" in wanted)


def _is_number(value: Any) -> bool:
    return _type(value) in ("integer", "float")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    return comparable(one) == comparable(other)


def _every_entry(argument: Any, value: Any, schema: Any, root: Any) -> bool:
    known = schema.get("properties", {})
    return not isinstance(value, dict) or all(
        _holds(argument, inner, root) for key, inner in value.items() if key not in known
    )


def _condition(argument: Any, value: Any, schema: Any, root: Any) -> bool:
    return _holds(schema.get("then" if _holds(argument, value, root) else "else", True), value, root)


def _reference(argument: Any, value: Any, schema: Any, root: Any) -> bool:
    target, base = resolved(argument, root)
    return _holds(target, value, base)


_CHECKS: dict[str, Callable[[Any, Any, Any, Any], bool]] = {
    "$ref": _reference,
    "additionalProperties": _every_entry,
    "allOf": lambda inner, value, _, root: all(_holds(each, value, root) for each in inner),
    "anyOf": lambda inner, value, _, root: any(_holds(each, value, root) for each in inner),
    "const": lambda wanted, value, *_: _same(wanted, value),
    "enum": lambda wanted, value, *_: any(_same(each, value) for each in wanted),
    "if": _condition,
    "items": lambda inner, value, _, root: (
        not isinstance(value, list) or all(_holds(inner, each, root) for each in value)
    ),
    "maximum": lambda most, value, *_: not _is_number(value) or value <= most,
    "minItems": lambda least, value, *_: not isinstance(value, list) or len(value) >= least,
    "minLength": lambda least, value, *_: not isinstance(value, str) or len(value) >= least,
    "minProperties": lambda least, value, *_: not isinstance(value, dict) or len(value) >= least,
    "minimum": lambda least, value, *_: not _is_number(value) or value >= least,
    "not": lambda inner, value, _, root: not _holds(inner, value, root),
    "oneOf": lambda inner, value, _, root: sum(_holds(each, value, root) for each in inner) == 1,
    "pattern": lambda pattern, value, *_: not isinstance(value, str) or re.search(pattern, value) is not None,
    "properties": lambda inner, value, _, root: (
        not isinstance(value, dict) or all(_holds(inner[key], value[key], root) for key in inner if key in value)
    ),
    "propertyNames": lambda inner, value, _, root: (
        not isinstance(value, dict) or all(_holds(inner, key, root) for key in value)
    ),
    "required": lambda keys, value, *_: not isinstance(value, dict) or all(key in value for key in keys),
    "type": _is_type,
    "uniqueItems": lambda wanted, value, *_: not (wanted and isinstance(value, list) and any(repetitions(value))),
}
