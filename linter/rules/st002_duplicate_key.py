"""ST002: the reader decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST002",
    name="duplicate-key",
    severity="error",
    checks='the same key twice in one object; keys compare decoded, so "a" and "\\u0061" are the same',
    why=(
        "Parsers keep one of the two and drop the other in silence, and not all keep the same one. A key that "
        "overrides one merged by << is no duplicate."
    ),
    bad=(
        Example(
            "v1.yaml",
            "harness:\n  memory:\n    enabled: true\n    pinned: {max_tokens: 2000}\n    enabled: false\n",
        ),
    ),
    good=(Example("v1.yaml", "harness:\n  memory:\n    enabled: true\n    pinned: {max_tokens: 2000}\n"),),
)
