"""jsonschema with a closed registry: nothing is ever fetched, and a number is a finite one. Loads jsonschema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import isfinite
from typing import Any

import jsonschema
import referencing
from jsonschema.protocols import Validator
from referencing.exceptions import NoSuchResource
from referencing.jsonschema import DRAFT202012, Schema

from .equality import repetitions
from .loader import URN, load, names


def _retrieve(uri: str) -> referencing.Resource[Schema]:
    name = uri.removeprefix(URN)
    if uri.startswith(URN) and name in names():
        return DRAFT202012.create_resource(load(name))
    raise NoSuchResource(uri)


def _is_number(_: Any, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, int) or isfinite(value)  # else NaN would satisfy every range


def _unique(validator: Validator, unique: bool, value: Any, schema: Any) -> Iterator[jsonschema.ValidationError]:
    """jsonschema's own compares every item with every other: a large file would keep it busy for hours."""
    if unique and validator.is_type(value, "array") and any(repetitions(value)):
        yield jsonschema.ValidationError("has non-unique elements")


_REGISTRY: referencing.Registry[Schema] = referencing.Registry(retrieve=_retrieve)  # type: ignore[call-arg]  # attrs
_DRAFT = jsonschema.Draft202012Validator
_TYPES = _DRAFT.TYPE_CHECKER.redefine("number", _is_number)
_Validator: Any = jsonschema.validators.extend(_DRAFT, {"uniqueItems": _unique}, type_checker=_TYPES)  # type: ignore[no-untyped-call]  # stubs


def validator(schema: Mapping[str, Any]) -> Validator:
    """A validator of JSON Schema 2020-12 for `schema`, which may refer to ours by their `$id` and to nothing else."""
    made: Validator = _Validator(schema, registry=_REGISTRY)
    return made


@cache
def named(name: str) -> Validator:
    """The validator of the shipped schema `name`, made once."""
    return validator(load(name))
