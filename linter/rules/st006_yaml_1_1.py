"""ST006: the reader decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST006",
    name="yaml-1-1",
    severity="warning",
    checks="an unquoted YAML value that YAML 1.1 reads otherwise than YAML 1.2: no, y, on, 017, 1_000, 12:30, 1e3",
    why=(
        "This reader follows YAML 1.2; many others still follow 1.1. To them a label named y is true, and 017 is 15. "
        "Quotes, or plain decimal digits, mean the same to both."
    ),
    bad=(
        Example(
            "v1.yaml",
            "harness:\n  memory:\n    enabled: true\n    labels:\n      y: {number: 1, description: The year.}\n",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            'harness:\n  memory:\n    enabled: true\n    labels:\n      "y": {number: 1, description: The year.}\n',
        ),
    ),
)
