"""ST004: the reader decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST004",
    name="not-json",
    severity="error",
    checks=(
        "YAML that cannot mean JSON: tags outside the core schema, keys that are no text, NaN and infinity, "
        "unquoted dates"
    ),
    why=(
        "A config is a JSON document, however it is written down. What JSON cannot hold means one thing to this reader "
        "and another to the next."
    ),
    bad=(
        Example(
            "v1.yaml",
            "harness:\n  memory:\n    enabled: true\n    labels:\n"
            "      cut_off: {number: 1, description: 2026-01-31}\n",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            "harness:\n  memory:\n    enabled: true\n    labels:\n"
            '      cut_off: {number: 1, description: "2026-01-31"}\n',
        ),
    ),
)
