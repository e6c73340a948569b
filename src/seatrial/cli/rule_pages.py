"""The pages of all rules as Markdown files, for a browser: `python -m seatrial.cli.rule_pages FOLDER`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from seatrial.linter import lint, read_text
from seatrial.linter import rules as configs
from seatrial.linter.report import Report, render
from seatrial.linter.rules import Rule
from seatrial.linter.rules.page import as_markdown
from seatrial.linter.suppressions import suppressed, suppressions
from seatrial.simulator import rules as scenarios

INDEX = "README.md"
GROUPS = {
    "ST0": "Reading a config",
    "ST1": "What the schema knows",
    "ST2": "Scopes and tools",
    "ST3": "Sizes, searches and history",
    "ST4": "Labels, kinds and prompts",
    "ST5": "From one version to the next",
    "ST6": "What can flow to other sessions",
    "ST9": "Suppressions",
    "SC0": "Scenarios: form",
    "SC1": "Scenarios: names",
    "SC2": "Scenarios: agents and configs",
    "SC3": "Scenarios: turns and times",
    "SC4": "Scenarios: tags",
}
_MADE = "<!-- Made from the rules by `make rule-pages`: change the rule, not this page. -->\n\n"


def pages() -> dict[str, str]:
    """The text of every page by the name of its file: the index, then a rule each."""
    rules = [*configs.RULES.values(), *scenarios.RULES.values()]
    return {INDEX: _index(rules)} | {f"{rule.code}.md": _page(rule) for rule in rules}


def write(folder: Path) -> None:
    """Writes the pages into the folder, and takes away those of rules that are gone."""
    made = pages()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, page in made.items():
        (folder / name).write_text(page, encoding="utf-8", newline="\n")


def _index(rules: list[Rule]) -> str:
    return (
        f"{_MADE}# Rules\n\n"
        "What `seatrial lint` finds in configs (`ST…`), and what `seatrial run` finds in scenarios before it runs them "
        "(`SC…`). `seatrial rules CODE` prints a page in the terminal; [lint-settings.md](../lint-settings.md) says "
        "how rules are selected and findings suppressed.\n" + "".join(_tables(rules))
    )


def _tables(rules: list[Rule]) -> Iterator[str]:
    for group, members in groupby(rules, key=lambda rule: rule.code[:3]):
        yield f"\n## {GROUPS[group]}\n\n| code | name | severity | finds |\n| --- | --- | --- | --- |\n"
        for rule in members:
            finds = rule.checks.replace("|", "\\|")
            yield f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity} | {finds} |\n"


def _page(rule: Rule) -> str:
    head = f"{_MADE}# {rule.code} {rule.name}\n\nSeverity: {rule.severity}. [All rules]({INDEX}).\n\n"
    return head + as_markdown(rule, told=_told(rule))


def _told(rule: Rule) -> str:
    """What `seatrial lint` prints for the bad example, less the summary; nothing for a rule of another command."""
    if rule.code not in configs.RULES:
        return ""
    documents = {example.name: read_text(example.text, path=example.name) for example in rule.bad}
    comments = [each for document in documents.values() for each in suppressions(document)]
    found = suppressed(lint(documents.values(), [rule.code] if rule.opt_in else ()), comments, documents)
    return render(Report([*documents.values()], found), "text", color=False).rpartition("\n\n")[0]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
