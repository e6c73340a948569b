"""ST001: the reader decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST001",
    name="not-parseable",
    severity="error",
    checks="a file that is not JSON or not YAML, with the parser's reason; NaN, Infinity and 1e400 in JSON",
    why=(
        "Nothing else can be said about a file that cannot be read. Some parsers let NaN and infinity pass, and these "
        "then satisfy every range."
    ),
    bad=(Example("v1.json", '{"harness": {"memory": {"enabled": true,}}\n'),),
    good=(Example("v1.json", '{"harness": {"memory": {"enabled": true}}}\n'),),
)
