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
    tools: [add_memory, add_memory]
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
    tools: [add_memory, read_memory]
""",
        ),
    ),
)
