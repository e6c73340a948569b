"""ST003: the reader decides."""

from .rule import Example, Rule

RULE = Rule(
    code="ST003",
    name="not-one-object",
    severity="error",
    checks=(
        "a file that is not UTF-8, empty, more than one YAML document, or not an object at the top; a JSON file that "
        "starts with a byte-order mark (a warning)"
    ),
    why="A file holds one config. Readers take no notice of a second document; an empty file passes for no config.",
    bad=(Example("v1.yaml", "harness: {history: {index: messages}}\n---\nharness: {memory: {enabled: true}}\n"),),
    good=(Example("v1.yaml", "---\nharness: {history: {index: messages}, memory: {enabled: true}}\n"),),
)
