"""Says of most valid values that they are surely valid, without loading jsonschema. It never finds anything wrong.

What a lint of a sound config costs is mostly the loading of jsonschema; so this looks first. A schema is turned once
into nested functions, one a keyword. Where it meets a keyword that it does not know, or a value that is no JSON, it is
not sure, and jsonschema decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sized
from functools import cache
from math import isfinite
from typing import Any, TypeAlias

from .equality import comparable, repetitions
from .loader import load, resolved

Schema: TypeAlias = "Mapping[str, Any] | bool"
Check: TypeAlias = Callable[[Any], bool]


class _UnsureError(Exception):
    """A keyword or a value that is not known here."""


def surely_valid(schema: str | Mapping[str, Any], value: Any) -> bool:
    """Whether `value` is surely valid by `schema`, or by the shipped schema of that name.

    False says nothing: it may still be valid.
    """
    try:
        check = _named(schema) if isinstance(schema, str) else _Maker(schema).check(schema)
        return check(value)
    except (_UnsureError, RecursionError):
        return False


@cache
def _named(name: str) -> Check:
    schema = load(name)
    return _Maker(schema).check(schema)


class _Maker:
    """Makes the checks of the schemas inside `root`: each says whether a value is valid, exactly, or is unsure."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._referred: dict[str, Check] = {}

    def check(self, schema: Schema) -> Check:
        """The check of one schema; of keywords that say nothing there is none."""
        if isinstance(schema, bool):
            return lambda _: schema
        checks = [
            _MAKERS.get(keyword, _unknown)(argument, schema, self)
            for keyword, argument in schema.items()
            if keyword not in _SAYS_NOTHING and not (keyword == "properties" and "additionalProperties" in schema)
        ]
        check = checks[0] if len(checks) == 1 else _all(checks)
        return _whole(schema, check) if schema.get("type") == "integer" else check

    def checks(self, schemas: Iterable[Schema]) -> list[Check]:
        return [self.check(schema) for schema in schemas]

    def referred(self, reference: str) -> Check:
        """The check of what a `$ref` names, made when it is first needed: a schema may stand inside itself."""
        made: Check | None = None

        def check(value: Any) -> bool:
            nonlocal made
            if made is None:
                if reference not in self._referred:
                    target, base = resolved(reference, self._root)
                    self._referred[reference] = (self if base is self._root else _Maker(base)).check(target)
                made = self._referred[reference]
            return made(value)

        return check


_SAYS_NOTHING = {
    "$comment", "$defs", "$id", "$schema", "default", "description", "else", "errorMessage", "examples",
    "patternErrorMessage", "then", "title", "x-origin", "x-rule",
}  # fmt: skip


def _all(checks: list[Check]) -> Check:
    def check(value: Any) -> bool:
        for each in checks:  # noqa: SIM110  # a generator takes twice the time
            if not each(value):
                return False
        return True

    return check


def _whole(schema: Mapping[str, Any], check: Check) -> Check:
    """`check` of a whole number's schema, in one comparison where the range is all that it says."""
    if not schema.keys() - _SAYS_NOTHING <= {"type", "minimum", "maximum"}:
        return check
    least, most = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
    return lambda value: least <= value <= most if type(value) is int else check(value)


def _unknown(argument: Any, schema: Any, maker: _Maker) -> Check:
    def check(value: Any) -> bool:
        raise _UnsureError

    return check


_TYPES: dict[type, str] = {
    str: "string", dict: "object", list: "array", int: "integer", bool: "boolean", type(None): "null",
}  # fmt: skip


def _known(value: Any) -> Any:
    """The value, if it is one that JSON has; NaN and the infinities are of no type."""
    if type(value) not in _TYPES and type(value) is not float:
        raise _UnsureError(type(value))
    return value


def _is_number(value: Any) -> bool:
    return type(value) is int or (type(_known(value)) is float and isfinite(value))


def _type(argument: Any, schema: Any, maker: _Maker) -> Check:
    wanted = [argument] if isinstance(argument, str) else argument
    plain = frozenset(kind for kind, name in _TYPES.items() if name in wanted or (kind is int and "number" in wanted))
    number, integer = "number" in wanted, "integer" in wanted

    def check(value: Any) -> bool:
        if type(value) in plain:
            return True
        return type(_known(value)) is float and isfinite(value) and (number or (integer and value.is_integer()))

    return check


def _enum(argument: Any, schema: Any, maker: _Maker) -> Check:
    texts = frozenset(each for each in argument if isinstance(each, str))
    others = frozenset(comparable(each) for each in argument if not isinstance(each, str))
    return lambda value: value in texts if isinstance(value, str) else comparable(value) in others


def _unique(argument: Any, schema: Any, maker: _Maker) -> Check:
    def check(value: Any) -> bool:
        if not argument or not isinstance(value, list):
            return True
        if all(isinstance(each, str) for each in value):
            return len(set(value)) == len(value)
        return not any(repetitions(value))

    return check


def _entries(argument: Any, schema: Any, maker: _Maker) -> Check:
    """`properties` and `additionalProperties`, in one pass over an object's entries."""
    known = {key: maker.check(inner) for key, inner in schema.get("properties", {}).items()}
    other = maker.check(schema.get("additionalProperties", True))

    def check(value: Any) -> bool:
        if isinstance(value, dict):
            for key, inner in value.items():
                if not known.get(key, other)(inner):
                    return False
        return True

    return check


def _names(argument: Any, schema: Any, maker: _Maker) -> Check:
    inner = maker.check(argument)
    return lambda value: not isinstance(value, dict) or all(map(inner, value))


def _items(argument: Any, schema: Any, maker: _Maker) -> Check:
    inner = maker.check(argument)
    return lambda value: not isinstance(value, list) or all(map(inner, value))


def _required(argument: Any, schema: Any, maker: _Maker) -> Check:
    keys = frozenset(argument)
    return lambda value: not isinstance(value, dict) or keys <= value.keys()


def _condition(argument: Any, schema: Any, maker: _Maker) -> Check:
    condition = maker.check(argument)
    then, otherwise = maker.check(schema.get("then", True)), maker.check(schema.get("else", True))
    return lambda value: (then if condition(value) else otherwise)(value)


def _any(argument: Any, schema: Any, maker: _Maker) -> Check:
    inner = maker.checks(argument)
    return lambda value: any(each(value) for each in inner)


def _one(argument: Any, schema: Any, maker: _Maker) -> Check:
    inner = maker.checks(argument)
    return lambda value: sum(each(value) for each in inner) == 1


def _not(argument: Any, schema: Any, maker: _Maker) -> Check:
    inner = maker.check(argument)
    return lambda value: not inner(value)


def _pattern(argument: Any, schema: Any, maker: _Maker) -> Check:
    compiled: re.Pattern[str] | None = None  # when it is first needed: most patterns never are

    def check(value: Any) -> bool:
        nonlocal compiled
        if not isinstance(value, str):
            return True
        if compiled is None:
            compiled = re.compile(argument)
        return compiled.search(value) is not None

    return check


def _least(kind: type[Sized]) -> Callable[[Any, Any, _Maker], Check]:
    return lambda least, schema, maker: lambda value: not isinstance(value, kind) or len(value) >= least


_MAKERS: dict[str, Callable[[Any, Any, _Maker], Check]] = {
    "$ref": lambda reference, schema, maker: maker.referred(reference),
    "additionalProperties": _entries,
    "allOf": lambda argument, schema, maker: _all(maker.checks(argument)),
    "anyOf": _any,
    "const": lambda argument, schema, maker: _enum([argument], schema, maker),
    "enum": _enum,
    "if": _condition,
    "items": _items,
    "maximum": lambda most, schema, maker: lambda value: not _is_number(value) or value <= most,
    "minItems": _least(list),
    "minLength": _least(str),
    "minProperties": _least(dict),
    "minimum": lambda least, schema, maker: lambda value: not _is_number(value) or value >= least,
    "not": _not,
    "oneOf": _one,
    "pattern": _pattern,
    "properties": _entries,
    "propertyNames": _names,
    "required": _required,
    "type": _type,
    "uniqueItems": _unique,
}
