"""SC3xx: turns that stay open, ends and times."""

from __future__ import annotations

from seatrial.linter.rules import Rule

from .examples import scenario

RULES: tuple[Rule, ...] = (
    Rule(
        code="SC301",
        name="not-open",
        severity="error",
        checks="a `continue` of a turn that does not exist, has ended, or died in a restart",
        why="Only a turn with `outcome: open` can go on.",
        bad=scenario(
            """
            steps:
              - turn: a
                id: slow
              - continue: slow
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                id: slow
                outcome: open
              - continue: slow
            """
        ),
    ),
    Rule(
        code="SC302",
        name="turn-name-taken",
        severity="error",
        checks="two turns with one `id`",
        why="A `continue` could mean either.",
        bad=scenario(
            """
            steps:
              - turn: a
                id: slow
              - turn: b
                id: slow
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                id: slow
              - turn: b
                id: slower
            """
        ),
    ),
    Rule(
        code="SC303",
        name="left-open",
        severity="warning",
        checks="a turn that is still open when the script ends",
        why=(
            "It ends as crashed, and nothing of it is kept. A `continue` says how it ends; a `restart` "
            "says that it dies."
        ),
        bad=scenario(
            """
            steps:
              - turn: a
                id: slow
                outcome: open
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                id: slow
                outcome: open
              - continue: slow
                outcome: rollback
            """
        ),
    ),
    Rule(
        code="SC304",
        name="after-the-end",
        severity="error",
        checks="actions after `fail`, or an `outcome` for a turn that fails",
        why="`fail` ends the turn there and rolls it back.",
        bad=scenario(
            """
            steps:
              - turn: a
                do:
                  - fail: the sum is off
                  - reply: Hello.
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
        code="SC305",
        name="no-such-time",
        severity="error",
        checks="a time that does not exist, or lies outside 1970 to 9998",
        why="Recency and the order of listings follow the times of the turns.",
        bad=scenario(
            """
            scenario: an example
            config: {harness: {}}
            start: "2026-02-30"
            steps:
              - turn: a
            """
        ),
        good=scenario(
            """
            scenario: an example
            config: {harness: {}}
            start: "2026-02-28"
            steps:
              - turn: a
            """
        ),
    ),
    Rule(
        code="SC306",
        name="never-reviewed",
        severity="error",
        checks="`extract` on a turn that stays open, fails, or belongs to an agent that keeps no memory",
        why="The review comes at the end of a turn, where a version keeps memory: these candidates are never found.",
        bad=scenario(
            """
            steps:
              - turn: a
                id: slow
                outcome: open
                extract: [{summary: Wire 4471 is approved, kind: fact}]
              - continue: slow
            """
        ),
        good=scenario(
            """
            steps:
              - turn: a
                id: slow
                outcome: open
              - continue: slow
                extract: [{summary: Wire 4471 is approved, kind: fact}]
            """
        ),
    ),
)
