"""ST509: the versions of an agent decide."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.schemas.wording import printable, quote

from ..chain import Chain, Step, is_stated, stated_by_name
from ..diagnostic import Diagnostic, Pointer, Related
from .rule import Example, Rule


def _compare(chain: Chain) -> Iterator[Diagnostic]:
    first = {step.version: step for step in chain.steps if step.revision is None}
    for rival in chain.rivals:
        message = f"{quote(chain.agent)} has another version {rival.version} already"
        yield _finding(rival, message, first[rival.version], f"version {rival.version} is this one")
    yield from _against_their_names(chain)
    yield from _against_the_past(chain)


def _against_the_past(chain: Chain) -> Iterator[Diagnostic]:
    """Versions that a git revision has with another content, or that are new and older than what it has.

    Only of those that state their number: the others get one when they are deployed.
    """
    before = {step.version: step for step in chain.before}
    for step in chain.steps:
        if step.revision is not None or not before or not is_stated(step.document):
            continue
        latest, higher = chain.before[-1], max(each.version for each in (*chain.steps, *chain.before)) + 1
        if step.version in before:
            old = before[step.version]
            if old.document.value != step.document.value:
                message = f"{step.name} is not what it is at {printable(old.revision or '')}: a version never changes; "
                message += f"make this one version {higher}"
                yield _finding(step, message, old, f"{step.name} is this one there")
        elif step.version < latest.version:
            message = f"{step.name} is new and would follow {latest.name}: make it version {higher}"
            yield _finding(step, message, latest, f"version {latest.version} is this one")


def _against_their_names(chain: Chain) -> Iterator[Diagnostic]:
    """Versions that are in another order than their files' names say."""
    named = [(stated, step) for step in chain.steps
             if step.revision is None and (stated := stated_by_name(step.document.path)) is not None]  # fmt: skip
    before: Step | None = None
    for _, step in sorted(named, key=lambda each: (each[0], each[1].version)):
        if before is not None and step.version < before.version:
            follows = printable(before.document.path)
            message = f"version {step.version} by its name follows {follows}, which is version {before.version}"
            yield _finding(step, message, before, f"version {before.version} is this one")
        else:
            before = step


def _finding(step: Step, message: str, other: Step, said: str) -> Diagnostic:
    pointer, there = _version(step), _version(other)
    related = Related(other.document.path, other.document.span(there), there, said)
    return RULE.finding(step.document, pointer, message, related=(related,))


def _version(step: Step) -> Pointer:
    return ("version",) if "version" in step.document.value else ()


RULE = Rule(
    code="ST509",
    name="version-clash",
    severity="error",
    checks=(
        "two different documents that claim the same agent and version; a version older than one that it follows, by "
        "the names of the files or since a git revision"
    ),
    why=(
        "A version never changes once it is deployed, so of two that claim its number only one can be it. Versions are "
        "deployed in order of their numbers: one with an older number than what runs is refused."
    ),
    bad=(
        Example(
            "reconciler.v1.yaml",
            """\
harness:
  memory:
    enabled: true
""",
        ),
        Example(
            "reconciler.agent.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
""",
        ),
    ),
    good=(
        Example(
            "reconciler.v1.yaml",
            """\
harness:
  memory:
    enabled: true
""",
        ),
        Example(
            "reconciler.v2.yaml",
            """\
harness:
  memory:
    enabled: true
    labels:
      customer_id: {number: 5, description: The customer the memory is about.}
""",
        ),
    ),
    compare=_compare,
    clauses=("VER-3",),
)
