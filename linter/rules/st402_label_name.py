"""ST402: the agent schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST402",
    name="label-name",
    severity="error",
    checks="a label's name that is not `[a-z][a-z0-9_]*`, or that is a filter's name: `kind`, `id`, `query`",
    why=("The agent writes the name in its filters and tool calls: it must be easy to spell, and mean one thing."),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      Customer-ID: {number: 5, description: The customer the memory is about.}
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
