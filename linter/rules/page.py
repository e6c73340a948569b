"""The page of a rule, as text for a terminal and as Markdown. Knows no rule in particular."""

from __future__ import annotations

from seatrial.schemas.wording import printable

from .rule import Example, Rule


def as_text(rule: Rule) -> str:
    """What the rule finds, why, the clauses that it guards, and its examples, indented."""
    return (
        f"Finds {rule.checks}.\n\nWhy: {rule.why}\n\n{_clauses(rule)}"
        f"Bad:\n\n{_indented(rule.bad)}\nGood:\n\n{_indented(rule.good)}"
    )


def as_markdown(rule: Rule, told: str = "") -> str:
    """The same as Markdown; `told` is what the bad example is answered with."""
    answer = f"`seatrial lint` says\n\n{_fence(told, 'text')}\n" if told else ""
    return (
        f"Finds {rule.checks}.\n\n{rule.why}\n\n{_clauses(rule)}"
        f"**Bad**\n\n{_fenced(rule.bad)}\n{answer}**Good**\n\n{_fenced(rule.good)}"
    )


def _clauses(rule: Rule) -> str:
    return f"Clauses: {', '.join(rule.clauses)}.\n\n" if rule.clauses else ""


def _fence(block: str, language: str) -> str:
    """A fence that no backticks in the block can end."""
    fence = "```"
    while fence in block:
        fence += "`"
    return f"{fence}{language}\n{_lines(block)}\n{fence}\n"


def _indented(examples: tuple[Example, ...]) -> str:
    blocks = []
    for example in examples:
        lines = [f"    {line}".rstrip() for line in (f"# {example.name}", *_lines(example.text).split("\n"))]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _fenced(examples: tuple[Example, ...]) -> str:
    return "\n".join(
        f"`{example.name}`\n\n{_fence(example.text, example.name.rpartition('.')[2])}" for example in examples
    )


def _lines(block: str) -> str:
    return "\n".join(printable(line) for line in block.splitlines())
