"""`seatrial rules`: the list of the rules, the linter's and those for scenarios, or the page of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from seatrial.linter.rules import Example, Rule

EPILOG = """\b
Examples:
  seatrial rules
  seatrial rules ST502
"""


@click.command("rules", epilog=EPILOG)
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """List the rules, or explain one: what it finds, why it matters, a bad and a good example.

    CODE is a rule's code or its name. ST rules are the linter's, for configs; SC rules are for scenarios.
    """
    from seatrial.linter import rules as configs
    from seatrial.schemas.wording import nearest, quote
    from seatrial.simulator import rules as scenarios

    all_rules = {**configs.RULES, **scenarios.RULES}
    if code is None:
        width = max(len(rule.name) for rule in all_rules.values())
        for rule in all_rules.values():
            click.echo(f"{rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {_brief(rule)}")
        return
    named = {rule.name: rule for rule in all_rules.values()}
    found = all_rules.get(code.upper()) or named.get(code.lower())
    if found is None:
        near = nearest(code.upper(), list(all_rules)) or nearest(code, list(named))
        hint = f"; did you mean {near}?" if near else "; `seatrial rules` lists them"
        raise click.UsageError(f"there is no rule {quote(code)}{hint}")
    click.echo(page(found), nl=False)


def _brief(rule: Rule) -> str:
    """The first part of what it finds, for a list."""
    return rule.checks.split(";")[0]


def page(rule: Rule) -> str:
    """The rule's page as text."""
    return (
        f"{rule.code} {rule.name} ({rule.severity})\n\n"
        f"Finds {rule.checks}.\n\n"
        f"Why: {rule.why}\n\n"
        f"Bad:\n\n{_files(rule.bad)}\n"
        f"Good:\n\n{_files(rule.good)}"
    )


def _files(examples: tuple[Example, ...]) -> str:
    from seatrial.schemas.wording import printable

    blocks = []
    for example in examples:
        lines = [f"    {printable(line)}".rstrip() for line in (f"# {example.name}\n{example.text}").splitlines()]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)
