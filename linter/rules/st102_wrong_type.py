"""ST102: the agent schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST102",
    name="wrong-type",
    severity="error",
    checks='a value of the wrong type; "true" for true and "5" for 5 are told as such',
    why="A text that looks like a number or like true is neither, and readers differ in what they make of it.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: "true"
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
""",
        ),
    ),
)
