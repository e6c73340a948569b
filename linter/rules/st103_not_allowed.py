"""ST103: the agent schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST103",
    name="not-allowed",
    severity="error",
    checks="a value out of range, or not among those allowed, with the nearest of them",
    why="The agent would run with a setting that nobody chose, or not start at all.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    search: {mode: hybird, min_score: 0.35}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    search: {mode: hybrid, min_score: 0.35}
""",
        ),
    ),
)
