"""ST105: the agent schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST105",
    name="repeated-item",
    severity="error",
    checks="the same item twice in a list that is a set",
    why="One of the two was probably meant to be something else.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    scope: {read: [session, session]}
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
    scope: {read: [session, agent]}
""",
        ),
    ),
)
