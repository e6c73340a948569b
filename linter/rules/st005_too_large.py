"""ST005: the reader decides."""

from .rule import Example, Rule

_BOMB = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9) if n else ', '.join(['x'] * 9)}]" for n in range(6))

RULE = Rule(
    code="ST005",
    name="too-large",
    severity="error",
    checks=(
        "a file over 1 MiB, nesting deeper than 64, aliases that expand to more than 10,000 nodes or without end, a "
        "number with more digits than can be read, more than 1,000 findings"
    ),
    why="A few lines of aliases can stand for billions of nodes, and deep nesting ends parsers with a crash.",
    bad=(Example("v1.yaml", f"harness: {{}}\n{_BOMB}\n"),),
    good=(Example("v1.yaml", "harness: {memory: {enabled: true, scope: {read: &s [session], write: *s}}}\n"),),
)
