"""ST901: linter/suppressions.py decides, after all rules, and linter/settings/stages.py for the settings."""

from .rule import Example, Rule

_CONFIG = "agent: reconciler\nharness: {memory: {enabled: true}}\n"

RULE = Rule(
    code="ST901",
    name="useless-suppression",
    severity="warning",
    checks=(
        "a suppression that suppresses nothing, names no rule or cannot be read as one; in a config or in "
        "per-file-ignores"
    ),
    why=(
        "A suppression that outlives its reason hides the next mistake at that place, and one that is misspelt was "
        "meant to hold something back and does not. It is judged only where its rule ran."
    ),
    bad=(Example("v1.yaml", "# seatrial: ignore[ST401] -- both say who the customer is\n" + _CONFIG),),
    good=(
        Example(
            "v1.yaml",
            "agent: on  # seatrial: ignore[ST006] -- read by YAML 1.2 only\nharness: {memory: {enabled: true}}\n",
        ),
    ),
)
