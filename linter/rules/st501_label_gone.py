"""ST501: the successor schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST501",
    name="label-gone",
    severity="error",
    checks="a label that an earlier version declared and this one does not",
    why=(
        "Records written under it keep it. Without its declaration nobody can read or search it any more, and "
        "its number looks free."
    ),
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
      currency: {number: 6, description: The currency of the amount.}
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
      currency: {number: 6, description: The currency of the amount.}
""",
        ),
    ),
    clauses=("VER-2",),
)
