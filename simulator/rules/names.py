"""SC1xx: the names that a script gives to records and to results."""

from __future__ import annotations

from seatrial.linter.rules import Rule

from .examples import scenario

RULES: tuple[Rule, ...] = (
    Rule(
        code="SC101",
        name="unknown-name",
        severity="error",
        checks="a name of a record or a result that no `as` before it gives",
        why=(
            "A misspelt name would silently stand for something that never existed. Where that is meant, "
            "say what the action gets: an error, or records."
        ),
        bad=scenario(
            """
            steps:
              - turn: a
                do:
                  - add_memory: {summary: Wire 4471 is approved, kind: fact, as: ruling}
                  - read_memory: {id: rulling}
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                do:
                  - add_memory: {summary: Wire 4471 is approved, kind: fact, as: ruling}
                  - read_memory: {id: ruling}
                  - read_memory: {id: mem_0}
                    gets: {error: not_found}
            """
        ),
    ),
    Rule(
        code="SC102",
        name="name-taken",
        severity="error",
        checks="two records or results that one script calls by one name",
        why="Later steps could mean either.",
        bad=scenario(
            """
            steps:
              - turn: a
                do:
                  - add_memory: {summary: One, kind: fact, as: it}
                  - add_memory: {summary: Two, kind: fact, as: it}
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                do:
                  - add_memory: {summary: One, kind: fact, as: one}
                  - add_memory: {summary: Two, kind: fact, as: two}
            """
        ),
    ),
    Rule(
        code="SC103",
        name="nearly-a-name",
        severity="warning",
        checks="an id that is meant to name nothing and differs by a letter from a name of the script",
        why="It may be a misspelt name: the refusal would then show nothing.",
        bad=scenario(
            """
            steps:
              - turn: a
                do:
                  - add_memory: {summary: Wire 4471 is approved, kind: fact, as: ruling}
                  - read_memory: {id: rulling}
                    gets: {error: not_found}
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                do:
                  - add_memory: {summary: Wire 4471 is approved, kind: fact, as: ruling}
                  - read_memory: {id: mem_0}
                    gets: {error: not_found}
            """
        ),
    ),
)
