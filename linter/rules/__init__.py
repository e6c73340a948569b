"""The rules, one small unit each, in one literal table."""

from __future__ import annotations

from ..diagnostic import Severity
from . import (
    st001_not_parseable,
    st002_duplicate_key,
    st003_not_one_object,
    st004_not_json,
    st005_too_large,
    st006_yaml_1_1,
)
from .rule import Example, Rule

__all__ = ["RULES", "Example", "Rule", "severity"]

RULES: dict[str, Rule] = {
    "ST001": st001_not_parseable.RULE,
    "ST002": st002_duplicate_key.RULE,
    "ST003": st003_not_one_object.RULE,
    "ST004": st004_not_json.RULE,
    "ST005": st005_too_large.RULE,
    "ST006": st006_yaml_1_1.RULE,
}


def severity(code: str) -> Severity:
    """The severity of a rule's findings, where a finding does not state its own."""
    return RULES[code].severity
