"""ST103: the agent schema decides, but for the version that a file's name gives."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas import load

from ..chain import stated_by_name
from ..diagnostic import Diagnostic
from ..settled import Settled
from .rule import Example, Rule


def _check(config: Settled) -> Iterator[Diagnostic]:
    """The name of v0.yaml gives a version that no config may state."""
    if config.stated("version"):
        return
    version = stated_by_name(config.document.path)
    allowed = load("agent")["properties"]["version"]
    if version is not None and not allowed["minimum"] <= version <= allowed["maximum"]:
        message = (
            f"the file's name gives version {version}, and versions go from {allowed['minimum']} to "
            f"{allowed['maximum']}: rename the file, or state `version`"
        )
        yield RULE.finding(config.document, (), message)


RULE = Rule(
    code="ST103",
    name="not-allowed",
    severity="error",
    checks="a value out of range, or not among those allowed, with the nearest of them",
    why="The agent would run with a setting that nobody chose, or not start at all.",
    bad=(
        Example(
            "v1.yaml",
            """\
harness:
  memory:
    enabled: true
    search: {mode: hybird, min_score: 0.35}
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
    search: {mode: hybrid, min_score: 0.35}
""",
        ),
    ),
    check=_check,
)
