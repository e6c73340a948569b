"""Scenarios for the rules' pages, with the head that most of them share."""

from __future__ import annotations

from textwrap import dedent

from seatrial.linter.rules import Example

NAME = "example.scenario.yaml"
_HEAD = """\
scenario: an example
config: {harness: {memory: {enabled: true, tools: [add_memory, read_memory]}}}
"""
_TWO_AGENTS = """\
scenario: an example
agents: {auditor: {harness: {}}, reconciler: {harness: {}}}
"""


def scenario(text: str) -> tuple[Example, ...]:
    """A scenario; its head is the usual one unless it brings its own."""
    text = dedent(text).lstrip("\n")
    return (Example(NAME, text if text.startswith("scenario:") else _HEAD + text),)


def scenario_of_two(text: str) -> tuple[Example, ...]:
    """A scenario with two agents."""
    return (Example(NAME, _TWO_AGENTS + dedent(text).lstrip("\n")),)
