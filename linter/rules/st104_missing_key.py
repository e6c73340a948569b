"""ST104: the agent schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST104",
    name="missing-key",
    severity="error",
    checks="a required key that is missing",
    why="Only what has no sensible default is required: without it the setting means nothing.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {description: The customer the memory is about.}
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
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
""",
        ),
    ),
)
