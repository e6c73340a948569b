"""Whether a tool's arguments have the shape that `schemas/tools.schema.json` gives them. Knows no view and no record.

The schema says what the parameters are; this reads the few keywords it uses, because a full validator would cost more
than the whole call.
"""

from __future__ import annotations

from typing import Any

from seatrial.schemas import load

from .names import nearest
from .plain import all_text, readable
from .values import EngineError, Json

# A malformed id is answered like an unknown one (VIEW-6), so it is not looked at here.
_IDS = frozenset({"id", "ids", "replaces", "ref"})
_TYPES: dict[str, type] = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list}
_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
}


def definitions() -> dict[str, dict[str, Any]]:
    """The definition of each tool, by name."""
    found: dict[str, dict[str, Any]] = load("tools")["$defs"]
    return found


def check_arguments(tool: str, arguments: dict[str, Json]) -> None:
    """Raise `invalid_value` where `arguments` are not what `tool` takes, naming the nearest parameter or the type."""
    schema = definitions()[tool]
    properties = schema["properties"]
    for name in arguments:
        if name not in properties:
            close = nearest(name, properties)
            raise EngineError(
                "invalid_value",
                f"{tool} has no parameter `{readable(name)}`",
                f"Its parameters are {', '.join(properties)}." + (f" The nearest is {close}." if close else ""),
            )
    for name in schema.get("required", ()):
        if name not in arguments:
            raise EngineError("invalid_value", f"{tool} needs `{name}`", properties[name]["description"])
    for name, value in arguments.items():
        _check(f"`{name}`", value, properties[name])
        if name not in _IDS and not all_text(value):
            raise EngineError("invalid_value", f"`{name}` holds half a character, which UTF-8 cannot hold")


def _check(what: str, value: Json, schema: dict[str, Any]) -> None:
    allowed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is(value, name) for name in allowed):
        raise EngineError("invalid_value", f"{what} must be {' or '.join(_NAMES[name] for name in allowed)}")
    if isinstance(value, list):
        for item in value:
            _check(f"each item of {what}", item, schema["items"])
    elif isinstance(value, dict):
        for name, item in value.items():
            _check(f"`{readable(name)}` of {what}", item, schema["additionalProperties"])
    elif isinstance(value, int) and value < schema.get("minimum", value):
        raise EngineError("invalid_value", f"{what} must be at least {schema['minimum']}")
    elif isinstance(value, int) and value > schema.get("maximum", value):
        raise EngineError("invalid_value", f"{what} may be {schema['maximum']} at most")


def _is(value: Json, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])
