"""SC4xx: what a scenario is tagged for."""

from __future__ import annotations

from seatrial.linter.rules import Rule

from .examples import scenario

RULES: tuple[Rule, ...] = (
    Rule(
        code="SC401",
        name="nearly-an-invariant",
        severity="warning",
        checks="a tag that nearly is the name of an invariant",
        why=("A scenario tagged for an invariant must give it something to check; misspelt, the tag asks for nothing."),
        bad=scenario(
            """
            scenario: an example
            config: {harness: {}}
            tags: [session-isolatoin]
            steps:
              - turn: a
            """
        ),
        good=scenario(
            """
            scenario: an example
            config: {harness: {}}
            tags: [session-isolation]
            steps:
              - turn: a
            """
        ),
    ),
)
