"""ST502: the successor schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST502",
    name="number-changed",
    severity="error",
    checks=("a label whose number an earlier version gave otherwise; labels that traded their numbers are one finding"),
    why=(
        "Records store labels by number. Under a new number every value written so far reads as missing, or "
        "as another label's."
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
""",
        ),
        Example(
            "v2.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 6, description: The customer the memory is about.}
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
