"""What a plain YAML scalar means: the YAML 1.2 core schema, and where YAML 1.1 would read it otherwise."""

from __future__ import annotations

import json
import re
from typing import TypeAlias

Scalar: TypeAlias = bool | int | float | str | None

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_MAYBE = frozenset("~nNtTfF0123456789+-.")  # what a scalar that is no text begins with

_BOOL_11 = re.compile(r"y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF")
_INT_11 = re.compile(
    r"[-+]?(0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(:[0-5]?[0-9])+)",
)
_FLOAT_11 = re.compile(r"[-+]?(([0-9][0-9_]*)?\.[0-9_]*([eE][-+][0-9]+)?|[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*)")
_DATE_11 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?"
    r"([ \t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?"
)
_MAYBE_11 = frozenset("yYnNoO0123456789+-.")


_LONG = 100
_LONGEST_WORD = len("false")  # of those that are no text


class NotFiniteError(ValueError):
    """The scalar means infinity, or no number at all; JSON has neither."""


class TooManyDigitsError(ValueError):
    """A whole number with more digits than Python converts."""


def surely_text(text: str) -> bool:
    """Whether a scalar is plainly a text, to YAML 1.1 and 1.2 alike, quoted or not. False says nothing."""
    return text[:1].isalpha() and (len(text) > _LONGEST_WORD or (text[0] not in _MAYBE and text[0] not in _MAYBE_11))


def resolve(text: str) -> Scalar:
    """The value of a plain scalar. Raises NotFiniteError or TooManyDigitsError; whole numbers are exact."""
    if text and text[0] not in _MAYBE:
        return text
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INT.fullmatch(text):
        return whole(text)
    if _FLOAT.fullmatch(text):
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise NotFiniteError(text)
        return value
    if _NOT_FINITE.fullmatch(text):
        raise NotFiniteError(text)
    return text


def whole(text: str) -> int:
    """The whole number that `text` writes in decimal, 0o or 0x digits."""
    try:
        value = int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
        if len(text) > _LONG:
            str(value)  # digits of base 8 and 16 are read in any number, but nothing could print the value
    except ValueError:
        raise TooManyDigitsError(text) from None
    return value


def plain_to_all(value: Scalar) -> str:
    """`value` as JSON, so that YAML 1.1 and 1.2 read the same: 1.1 wants a point in every float."""
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, float) and "." not in text:
        text = text.replace("e", ".0e")
    return text


def is_date(text: str) -> bool:
    """Whether YAML 1.1 reads the plain scalar as a date or a time."""
    return text[:1].isdigit() and _DATE_11.fullmatch(text) is not None


def read_as_in_11(text: str) -> str | None:
    """What YAML 1.1 reads a plain scalar as, in words, where YAML 1.2 reads it otherwise; None where both agree.

    Dates are left to `is_date`.
    """
    if text[:1] not in _MAYBE_11:
        return None
    if _BOOL_11.fullmatch(text):
        return "true" if text[0] in "yY" or text.lower() == "on" else "false"
    if _INT_11.fullmatch(text):
        return _whole_in_11(text)
    if _FLOAT_11.fullmatch(text):
        # Only an underscore or sixty-based digits differ: the rest of 1.1's floats are floats in 1.2 as well.
        return "a number" if "_" in text or ":" in text else None
    # 1.1 wants a point in every float and a sign in every exponent, and knows no 0o.
    return f'the text "{text}"' if _INT.fullmatch(text) or _FLOAT.fullmatch(text) else None


def _whole_in_11(text: str) -> str | None:
    if "_" in text or ":" in text or "0b" in text or text[:3] in ("-0x", "+0x"):
        return "a number"
    digits = text.lstrip("+-")
    if len(digits) > 1 and digits[0] == "0" and digits[1] != "x" and int(digits, 8) != int(digits):
        return str(int(text, 8))
    return None
