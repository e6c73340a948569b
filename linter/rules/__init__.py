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
    st101_unknown_key,
    st102_wrong_type,
    st103_not_allowed,
    st104_missing_key,
    st105_repeated_item,
    st201_no_session_scope,
    st401_shared_number,
    st402_label_name,
    st501_label_gone,
    st502_number_changed,
    st503_number_reused,
    st504_kind_gone,
    st505_scope_widened,
    st506_read_narrowed,
    st507_pin_budget_shrank,
    st508_history_changed,
    st509_version_clash,
    st510_sessions_changed,
    st601_session_data_shared,
    st602_whole_flow,
    st901_useless_suppression,
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
    "ST101": st101_unknown_key.RULE,
    "ST102": st102_wrong_type.RULE,
    "ST103": st103_not_allowed.RULE,
    "ST104": st104_missing_key.RULE,
    "ST105": st105_repeated_item.RULE,
    "ST201": st201_no_session_scope.RULE,
    "ST401": st401_shared_number.RULE,
    "ST402": st402_label_name.RULE,
    "ST501": st501_label_gone.RULE,
    "ST502": st502_number_changed.RULE,
    "ST503": st503_number_reused.RULE,
    "ST504": st504_kind_gone.RULE,
    "ST505": st505_scope_widened.RULE,
    "ST506": st506_read_narrowed.RULE,
    "ST507": st507_pin_budget_shrank.RULE,
    "ST508": st508_history_changed.RULE,
    "ST509": st509_version_clash.RULE,
    "ST510": st510_sessions_changed.RULE,
    "ST601": st601_session_data_shared.RULE,
    "ST602": st602_whole_flow.RULE,
    "ST901": st901_useless_suppression.RULE,
}


def severity(code: str) -> Severity:
    """The severity of a rule's findings, where a finding does not state its own.

    A schema of another kind of document may name rules of its own, which are errors.
    """
    return RULES[code].severity if code in RULES else "error"
