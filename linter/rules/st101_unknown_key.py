"""ST101: the agent schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST101",
    name="unknown-key",
    severity="error",
    checks=(
        "a key that the schema does not know, with the nearest one it knows; a known key at the wrong place, "
        "with the right place"
    ),
    why="A key that nobody reads sets nothing: the default holds, and nobody notices.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    max_results: 8
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
    search: {max_results: 8}
""",
        ),
    ),
)
