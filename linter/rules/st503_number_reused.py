"""ST503: the successor schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST503",
    name="number-reused",
    severity="error",
    checks="a number that another label had in an earlier version, which is also what a renamed label looks like",
    why="Values written under the old label would be read under the new one.",
    bad=(
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
        Example(
            "v2.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      client_id: {number: 5, description: The client the memory is about.}
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
        Example(
            "v2.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
      client_id: {number: 6, description: The client the memory is about.}
""",
        ),
    ),
    clauses=("VER-2",),
)
