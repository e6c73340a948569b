"""What the loader finds in a scenario beyond its schema: one literal table, each rule with its reason and examples.

The tests run the examples; where there are several files the first is the scenario.
"""

from __future__ import annotations

from seatrial.linter.rules import Rule

from . import agents, form, names, tags, turns

__all__ = ["RULES"]

RULES: dict[str, Rule] = {
    rule.code: rule for rule in (*form.RULES, *names.RULES, *agents.RULES, *turns.RULES, *tags.RULES)
}
