"""jsonschema's errors in plain words: one problem each, the branch that was meant out of several, the nearest key.

Nothing here decides whether a value is valid, and nothing here knows a schema in particular: rule codes come from
`x-rule` beside the constraint, special wording from `errorMessage` and `patternErrorMessage`, which editors show too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from .equality import repetitions
from .problem import Fix, Pointer, Problem
from .vocabulary import Vocabulary, holds, matches, shown
from .wording import alternatives, article, kind_of, nearest, only_misspelt, printable, quote


class Error(Protocol):
    """What is read of a jsonschema ValidationError: one constraint that a value breaks."""

    validator: str
    validator_value: Any
    instance: Any
    schema: Any
    schema_path: Sequence[str | int]
    relative_schema_path: Iterable[str | int]
    absolute_schema_path: Iterable[str | int]
    absolute_path: Sequence[str | int]
    context: Sequence[Error]


_MOST = 16  # keys that a message lists
_LONGEST = 80  # characters of an example
_ONE_OF_TWO = "remove one of the two"
_UNNAMED = ("$schema", "$comment")  # allowed on objects, never what someone meant


def explained(error: Error, vocabulary: Vocabulary, whole: Any) -> Iterator[Problem]:
    """The problems that `error` stands for; `vocabulary` is that of the whole schema, `whole` the value it judges."""
    keyword = error.validator
    if keyword in ("anyOf", "oneOf"):
        yield from _choice(error, vocabulary, whole)
    elif keyword == "additionalProperties" and error.validator_value is False:
        yield from _unknown_keys(error, vocabulary, whole)
    elif keyword == "required":
        yield from _missing(error)
    elif keyword == "uniqueItems":
        yield from _repeated(error)
    elif "propertyNames" in error.relative_schema_path:
        pointer = (*error.absolute_path, error.instance)
        yield _problem(error, f"{quote(error.instance)}: {_expected(error)}", pointer=pointer, at="key")
    elif keyword == "type":
        yield _mistyped(error, _listed(error.validator_value))
    elif keyword in ("const", "enum"):
        values = [error.validator_value] if keyword == "const" else error.validator_value
        yield _not_among(error, values)
    else:
        yield _problem(error, f"{_subject(error.instance)}{_expected(error)}")


def _problem(error: Error, message: str, **more: Any) -> Problem:
    pointer: Pointer = more.pop("pointer", tuple(error.absolute_path))
    keyword = str(more.pop("keyword", error.validator))
    conditional = any(step in ("then", "else") for step in error.absolute_schema_path)
    rule = more.pop("rule", None) or _rule(error, error.validator)
    at = more.pop("at", "value")
    return Problem(pointer, at, rule, message, keyword, conditional=conditional, **more)


def _rule(error: Error, keyword: str) -> str:
    schema = error.schema
    named = schema.get("x-rule", {}) if isinstance(schema, Mapping) else {}
    code = named if isinstance(named, str) else named.get(keyword)
    assert isinstance(code, str), f"the schema gives {keyword} no x-rule at {list(error.absolute_schema_path)}"
    return code


def _subject(value: Any) -> str:
    """The value, to begin a message with; nothing for what takes more than a few words to show."""
    return f"{quote(value)}: " if not isinstance(value, dict | list) else ""


def _special(error: Error) -> str | None:
    schema = error.schema
    if not isinstance(schema, Mapping):
        return None
    if error.validator == "pattern" and "patternErrorMessage" in schema:
        return str(schema["patternErrorMessage"])
    return str(schema["errorMessage"]) if "errorMessage" in schema else None


_BOUNDS = {
    "minimum": "the least allowed is {}",
    "maximum": "the most allowed is {}",
    "exclusiveMinimum": "more than {} is expected",
    "exclusiveMaximum": "less than {} is expected",
    "multipleOf": "a multiple of {} is expected",
    "minLength": "at least {} characters are expected",
    "maxLength": "at most {} characters are allowed",
    "minItems": "at least {} items are expected",
    "maxItems": "at most {} items are allowed",
    "minProperties": "at least {} keys are expected",
    "maxProperties": "at most {} keys are allowed",
    "pattern": "it does not match {}",
}


_ONE = re.compile(r"\b1 (character|item|key)s are\b")


def _expected(error: Error) -> str:
    special = _special(error)
    if special is not None:
        return special
    keyword = error.validator
    if keyword in _BOUNDS:
        limit = error.validator_value
        said = _BOUNDS[keyword].format(quote(limit))
        return _ONE.sub(r"1 \1 is", said) if limit == 1 else said
    return f"not allowed here by {keyword}"


def _mistyped(error: Error, types: list[str], constants: Iterable[Any] = ()) -> Problem:
    value = error.instance
    wanted = alternatives([*(quote(item) for item in constants), *(article(kind) for kind in types)])
    fix = _as_type(value, types)
    if fix is not None and not _within(json.loads(fix.text), error.schema):
        fix = fix._replace(safe=False)
    message = f"expected {wanted}, found {kind_of(value)}"
    if fix is not None:
        message += f"; write {printable(fix.text)}"
    elif "object" in types and (example := _example(error.schema)) is not None:
        message += f"; an object is written like {example}"
    return _problem(error, message, fix=fix, keyword="type")


def _within(value: Any, schema: Any) -> bool:
    """Whether a number is one that the schema's bounds allow."""
    if not isinstance(schema, Mapping) or isinstance(value, bool) or not isinstance(value, int | float):
        return True
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))


def _example(schema: Any) -> str | None:
    """The first object among the examples of a schema, if it is short."""
    examples = schema.get("examples", []) if isinstance(schema, Mapping) else []
    texts = [json.dumps(each, ensure_ascii=False) for each in examples if isinstance(each, Mapping)]
    return next((text for text in texts if len(text) <= _LONGEST), None)


_WORDS = {"true": "true", "yes": "true", "on": "true", "y": "true"} | dict.fromkeys(
    ("false", "no", "off", "n"), "false"
)


def _as_type(value: Any, types: list[str]) -> Fix | None:
    """What was meant by a value of the wrong type. A text that reads as what is expected is that, and no octal."""
    if isinstance(value, str):
        if "boolean" in types and value.strip().lower() in _WORDS:
            return Fix("write", _WORDS[value.strip().lower()], safe=True)
        number = value.strip().replace("_", "")
        digits = number.removeprefix("-")
        if ("integer" in types or "number" in types) and digits.isascii() and digits.isdigit() and len(digits) < 20:
            return Fix("write", str(int(number)), safe=digits == digits.lstrip("0") or digits == "0")
        whole, point, part = digits.partition(".")
        if "number" in types and point and (whole + part).isascii() and (whole + part).isdigit() and len(digits) < 20:
            return Fix("write", json.dumps(float(number)), safe=True)
    elif isinstance(value, bool | int | float) and "string" in types:
        return Fix("write", json.dumps(json.dumps(value)))
    if "array" in types and isinstance(value, str) and len(value) < 40:
        return Fix("write", json.dumps([value], ensure_ascii=False))
    return None


def _not_among(error: Error, values: list[Any]) -> Problem:
    value = error.instance
    special = _special(error)
    if special is not None:
        fix = Fix("write", json.dumps(values[0], ensure_ascii=False)) if len(values) == 1 else None
        return _problem(error, _subject(value) + special, fix=fix)
    texts = [item for item in values if isinstance(item, str)]
    near = nearest(value, texts)
    one_of = "" if len(values) == 1 else "one of "
    message = f"expected {one_of}{alternatives([quote(item) for item in values])}, found {kind_of(value)}"
    if near is not None and len(values) > 1:
        message += f"; did you mean {quote(near)}?"
    if near is None:
        return _problem(error, message)
    fix = Fix("write", json.dumps(near, ensure_ascii=False), safe=only_misspelt(value, near, texts))
    return _problem(error, message, fix=fix)


def _missing(error: Error) -> Iterator[Problem]:
    pointer = tuple(error.absolute_path)
    inside = f" in {quote(pointer[-1])}" if pointer and isinstance(pointer[-1], str) else ""
    # jsonschema yields one error a key; each is turned into the whole list, and repetitions are dropped at the end.
    for key in error.validator_value:
        if key not in error.instance:
            message = _special(error) or f"{quote(key)} is missing{inside}"
            yield _problem(error, message, at="key", meant=((*pointer, key),), about=(key,))


def _repeated(error: Error) -> Iterator[Problem]:
    for first, again in repetitions(error.instance):
        message = f"{quote(error.instance[again])} is in this list already, at place {first + 1}"
        yield _problem(error, message, pointer=(*error.absolute_path, again), fix=Fix("remove", safe=True))


def _unknown_keys(error: Error, vocabulary: Vocabulary, whole: Any) -> Iterator[Problem]:
    known = [key for key in error.schema.get("properties", {}) if key not in _UNNAMED]
    here = tuple(error.absolute_path)
    meanings: Counter[str | None] = Counter()
    for key in error.instance:
        if key in error.schema.get("properties", {}):
            continue
        said = partial(_problem, error, pointer=(*here, key), at="key")
        near = nearest(key, known)
        places = [place for place in vocabulary.places(key, here) if not matches(place, here)]
        if places and (near is None or near.casefold() != key.casefold()):
            where = alternatives([shown(place) for place in places[:2]])
            if len(places) == 1 and holds(whole, places[0], key):
                where += f", where it is already: {_ONE_OF_TWO}"
            yield said(f"{quote(key)} does not belong here: it belongs {where}", meant=((*places[0], key),))
        elif near in error.instance:
            yield said(
                f"unknown key {quote(key)}; {quote(near)}, which was probably meant, is here already: {_ONE_OF_TWO}"
            )
        elif near is not None:
            if not meanings:
                meanings.update(nearest(other, known) for other in error.instance)
            sole = meanings[near] == 1  # it is not there, nor meant twice
            yield said(
                f"unknown key {quote(key)}; did you mean {quote(near)}?",
                fix=Fix("rename", json.dumps(near), safe=sole and only_misspelt(key, near, known)),
                meant=((*here, near),),
            )
        else:
            choice = f"; known here: {', '.join(known)}" if 0 < len(known) <= _MOST else ""
            yield said(f"unknown key {quote(key)}{choice}")


def _choice(error: Error, vocabulary: Vocabulary, whole: Any) -> Iterator[Problem]:
    """Of several alternatives the one that was meant, by its type and by how little is wrong with it."""
    if not error.context:
        yield _several(error)
        return
    depth = len(error.absolute_path)
    branches: dict[int, list[Error]] = {}
    for inner in error.context:
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)
    plausible = [inner for inner in branches.values() if not any(_is_other_type(each, depth) for each in inner)]
    if not plausible:
        yield _no_alternative(error, branches.values(), depth)
        return
    values = [_values(inner, depth) for inner in plausible]
    if all(values):
        yield _not_among(plausible[0][0], [item for each in values for item in each])
        return
    wanted = [_keys(inner, depth) for inner in plausible]
    if len(plausible) > 1 and all(wanted):
        keys = list(dict.fromkeys(key for inner in wanted for key in inner))
        message = _special(error) or f"one of {alternatives([quote(key) for key in keys])} is expected"
        meant = tuple((*error.absolute_path, key) for key in keys)
        yield _problem(error, message, at="key", meant=meant, about=tuple(keys))
        return
    for each in min(plausible, key=lambda inner: (sum(each.validator == "required" for each in inner), len(inner))):
        yield from explained(each, vocabulary, whole)


def _several(error: Error) -> Problem:
    """Of alternatives that exclude each other more than one holds."""
    keys = [key for branch in error.validator_value for key in branch.get("required", ()) if key in error.instance]
    said = alternatives([quote(key) for key in dict.fromkeys(keys)]) or "the alternatives"
    return _problem(error, _special(error) or f"only one of {said} may be given")


def _no_alternative(error: Error, branches: Iterable[list[Error]], depth: int) -> Problem:
    """The value is of a type that no alternative takes."""
    types: list[str] = []
    constants: list[Any] = []
    for inner in branches:
        values = [item for each in inner for item in _values([each], depth)]
        constants += values
        types += [
            kind for each in inner if each.validator == "type" and not values for kind in _listed(each.validator_value)
        ]
    return _mistyped(error, list(dict.fromkeys(types)), constants)


def _is_other_type(error: Error, depth: int) -> bool:
    if len(error.absolute_path) != depth:
        return False
    values = _values([error], depth)
    return error.validator == "type" or bool(values and _type(error.instance) not in {_type(item) for item in values})


def _values(errors: list[Error], depth: int) -> list[Any]:
    """The values that an alternative allows, if that is all that is wrong with it."""
    found: list[Any] = []
    for error in errors:
        if error.validator not in ("const", "enum") or len(error.absolute_path) != depth:
            return []
        found += [error.validator_value] if error.validator == "const" else error.validator_value
    return found


def _keys(errors: list[Error], depth: int) -> list[str]:
    """The keys that an alternative misses, if that is all that is wrong with it."""
    if any(error.validator != "required" or len(error.absolute_path) != depth for error in errors):
        return []
    return [key for error in errors for key in error.validator_value if key not in error.instance]


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else list(types)


def _type(value: Any) -> str:
    if isinstance(value, bool | None):
        return "null" if value is None else "boolean"
    return next((name for kind, name in _TYPES.items() if isinstance(value, kind)), "")


_TYPES: dict[type, str] = {str: "string", int: "number", float: "number", list: "array", dict: "object"}
