"""SC0xx: what a step, an action and an expectation may say."""

from __future__ import annotations

from seatrial.linter.rules import Rule

from .examples import scenario

RULES: tuple[Rule, ...] = (
    Rule(
        code="SC001",
        name="one-of",
        severity="error",
        checks=(
            "a step, an item of `do`, a review, a tool's result or the agents' configs that is none or two of its kinds"
        ),
        why="Each says one thing; with two the order between them would be a guess.",
        bad=scenario(
            """
            steps:
              - turn: a
                do:
                  - reply: Hello.
                    fail: the sum is off
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                do:
                  - reply: Hello.
                  - fail: the sum is off
            """
        ),
    ),
    Rule(
        code="SC002",
        name="misplaced-key",
        severity="error",
        checks="a key beside a step that it does not belong to",
        why="It would be ignored, and the scenario would not show what it says.",
        bad=scenario(
            """
            steps:
              - restart: true
                outcome: crash
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                outcome: crash
              - restart: true
            """
        ),
    ),
    Rule(
        code="SC003",
        name="nothing-seen",
        severity="error",
        checks="`sees` on what a helper does, or of pins or recalled records where no version of the agent shows any",
        why="Contexts are assembled for the agent's own model calls, one before each item of the turn's `do`.",
        bad=scenario(
            """
            steps:
              - turn: a
                do:
                  - subagent:
                      do:
                        - search_memory: {query: wire}
                          sees: {recalled: []}
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                do:
                  - subagent:
                      do:
                        - search_memory: {query: wire}
                    sees: {recalled: []}
            """
        ),
    ),
    Rule(
        code="SC004",
        name="never-answered",
        severity="error",
        checks="`gets` that states what its action or step is never answered",
        why="No answer could meet it.",
        bad=scenario(
            """
            steps:
              - turn: a
                do:
                  - reply: Hello.
                    gets: {text: Hello.}
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                do:
                  - search_memory: {query: hello}
                    gets: {records: []}
            """
        ),
    ),
    Rule(
        code="SC005",
        name="empty-bounds",
        severity="error",
        checks="bounds whose `min` is above their `max`",
        why="No number lies between them.",
        bad=scenario(
            """
            steps:
              - turn: a
                do:
                  - reply: Hello.
                    sees: {tokens: {min: 9, max: 3}}
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                do:
                  - reply: Hello.
                    sees: {tokens: {min: 3}}
            """
        ),
    ),
    Rule(
        code="SC006",
        name="not-a-helpers",
        severity="error",
        checks="an action of the agent itself in the `do` of a subagent or program",
        why=(
            "A helper calls the harness's tools and nothing else: replies, states and other helpers are its parent's."
        ),
        bad=scenario(
            """
            steps:
              - turn: a
                do:
                  - subagent:
                      do:
                        - reply: Hello.
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                do:
                  - subagent:
                      do:
                        - search_memory: {query: wire}
                  - reply: Hello.
            """
        ),
    ),
)
