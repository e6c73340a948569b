"""`seatrial rules`: the list of the rules, the linter's and those for scenarios, or the page of one or an invariant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from seatrial.linter.rules import Rule
    from seatrial.simulator.invariants import Invariant, SecondRun

EPILOG = """\b
Examples:
  seatrial rules
  seatrial rules ST5
  seatrial rules ST502
  seatrial rules session-isolation
"""


@click.command("rules", epilog=EPILOG)
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """List the rules and invariants, or explain one: what it finds, why it matters, a bad and a good example.

    CODE is a rule's code or its name, the beginning of codes (ST5) to list those, or the name of an invariant that
    `seatrial run` judges by. ST rules are the linter's, for configs; SC rules are for scenarios.
    """
    from seatrial.linter import rules as configs
    from seatrial.schemas.wording import nearest, quote
    from seatrial.simulator import rules as scenarios

    all_rules = {**configs.RULES, **scenarios.RULES}
    if code is None:
        _overview(list(all_rules.values()))
        return
    named = {rule.name: rule for rule in all_rules.values()}
    found = all_rules.get(code.upper()) or named.get(code.lower())
    if found is None:
        if group := [rule for rule in all_rules.values() if rule.code.startswith(code.upper() or "-")]:
            _list(group)
            return
        from seatrial.simulator.invariants import INVARIANTS, RERUNS

        invariants: dict[str, Invariant | SecondRun] = {each.name: each for each in INVARIANTS}
        invariants |= {each.name: each for each in RERUNS}
        if code.lower() in invariants:
            click.echo(invariant_page(invariants[code.lower()]), nl=False)
            return
        near = nearest(code.upper(), list(all_rules)) or nearest(code, [*named, *invariants])
        hint = f"; did you mean {near}?" if near else "; `seatrial rules` lists them"
        raise click.UsageError(f"there is no rule {quote(code)}{hint}")
    click.echo(page(found), nl=False)


_GROUPS = {
    "ST0": "Reading a config",
    "ST1": "What a config may hold",
    "ST2": "Scopes and tools",
    "ST3": "Sizes, history and search",
    "ST4": "Labels, kinds and what the agent reads of them",
    "ST5": "From one version to the next",
    "ST6": "What can carry text to what",
    "ST9": "Suppressions",
    "SC": "Scenarios",
}


def _overview(rules: list[Rule]) -> None:
    """All rules under headings, and the invariants."""
    from seatrial.simulator.invariants import INVARIANTS, RERUNS

    for beginning, heading in _GROUPS.items():
        click.echo(f"{heading} ({beginning}…)\n")
        _list([rule for rule in rules if rule.code.startswith(beginning)])
        click.echo()
    click.echo("Invariants, by which `seatrial run` and `seatrial check` judge\n")
    invariants: list[Invariant | SecondRun] = [*INVARIANTS, *RERUNS]
    width = max(len(each.name) for each in invariants)
    for each in invariants:
        click.echo(f"{each.name:<{width}}  {', '.join(each.clauses)}")
    click.echo("\n`seatrial rules CODE` explains one; CODE may be a name, also that of an invariant.")


def _list(rules: list[Rule]) -> None:
    width = max(len(rule.name) for rule in rules)
    for rule in rules:
        click.echo(f"{rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {_brief(rule)}")


def _brief(rule: Rule) -> str:
    """The first part of what it finds, for a list."""
    return rule.checks.split(";")[0]


def page(rule: Rule) -> str:
    """The rule's page as text."""
    from seatrial.linter.rules.page import as_text

    return f"{rule.code} {rule.name} ({rule.severity})\n\n{as_text(rule)}"


def invariant_page(invariant: Invariant | SecondRun) -> str:
    """The invariant's page as text: when it holds, its clauses, and what its verdict counts."""
    counts = "".join(f"  {name.replace('_', ' ')}: {meaning}\n" for name, meaning in invariant.counts.items())
    return (
        f"{invariant.name} (invariant)\n\n"
        f"Holds when: {invariant.holds_when}\n\n"
        f"Clauses: {', '.join(invariant.clauses)}\n\n"
        f"Counts:\n\n{counts}"
    )
