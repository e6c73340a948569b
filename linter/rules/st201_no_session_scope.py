"""ST201: the agent schema decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST201",
    name="no-session-scope",
    severity="error",
    checks='`sessions: false` with a scope other than `["agent"]` to `read` or `write`, also where the default says so',
    why="An agent without sessions has no session scope. What it wrote there, no turn could ever recall.",
    bad=(
        Example(
            "v1.yaml",
            """\
sessions: false
harness:
  memory:
    enabled: true
    scope: {read: [agent], write: [session]}
""",
        ),
    ),
    good=(
        Example(
            "v1.yaml",
            """\
sessions: false
harness:
  memory:
    enabled: true
    scope: {read: [agent], write: [agent]}
""",
        ),
    ),
    clauses=("SCO-1",),
)
