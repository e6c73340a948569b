"""SC4xx: what a scenario is tagged for, and what it says it shows."""

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
    Rule(
        code="SC402",
        name="no-such-clause",
        severity="warning",
        checks="a clause that does not exist",
        why=(
            "`seatrial spec --suite` says which clauses of the memory system a suite shows. A misspelt one counts for "
            "none."
        ),
        bad=scenario(
            """
            scenario: an example
            config: {harness: {}}
            clauses: [VIEW-20]
            steps:
              - turn: a
            """
        ),
        good=scenario(
            """
            scenario: an example
            config: {harness: {}}
            clauses: [VIEW-2]
            steps:
              - turn: a
            """
        ),
    ),
)
