"""`seatrial diff`: what a new version changes for memory that is there already."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

import click

from .exits import Exit
from .formats import text_or_json
from .places import Place
from .sound import are_sound
from .terminal import color

if TYPE_CHECKING:
    from seatrial.linter import Diagnostic, Document
    from seatrial.linter.difference import Effect

EPILOG = """\b
Examples:
  seatrial diff configs/v1.json configs/v2.json
  git show main:agent.yaml | seatrial diff - agent.yaml
  seatrial diff v1.json v2.json --format json

\b
Exit codes: 0 the new one can follow the old one; 1 errors in one of them or between them;
2 wrong use, or a file that cannot be read; 3 a fault of seatrial; 141 the reader of the
output went away.
"""


@click.command("diff", epilog=EPILOG)
@click.argument("old", type=Place(piped=True), metavar="OLD")
@click.argument("new", type=Place(piped=True), metavar="NEW")
@text_or_json("diff")
@click.option("--strict", is_flag=True, help="Warnings fail, too.")
@click.pass_context
def command(context: click.Context, *, old: str, new: str, form: str, strict: bool) -> None:
    """Say in words what the config NEW changes for memory that OLD has made, and what the rules find in that.

    OLD and NEW are two versions of one agent; one of them may be - for standard input. A config that does not state
    its version is taken to be the next one. Of the findings only those between the two are shown (ST5), and comments
    suppress these. An error in one of the two ends it, suppressed or not.
    """
    from seatrial.linter import settled_config
    from seatrial.linter.difference import differences, findings
    from seatrial.linter.report import Report, render
    from seatrial.schemas.wording import quote

    if old == new == "-":
        raise click.UsageError("only one of OLD and NEW can be standard input")
    before, after = _read(old), _read(new)
    if not are_sound([before, after], together=False, aim="what changes"):
        context.exit(Exit.FOUND)
    names = [document.value.get("agent") for document in (before, after)]
    if None not in names and names[0] != names[1]:
        raise click.UsageError(
            f"{old} is of the agent {quote(names[0])} and {new} of {quote(names[1])}: memory belongs to an agent, and "
            "no version of the one follows one of the other"
        )
    _tell_of_names(before, after)
    was, now = settled_config(before), settled_config(after)
    effects, found = differences(was, now), findings(was, now)
    if form == "json":
        click.echo(json.dumps(_document(before, after, effects, found), indent=2))
    else:
        click.echo(_text(effects, before, after), nl=False)
        if found:
            click.echo("\n" + render(Report([before, after], found), "text", color=color()), nl=False, color=True)
    failing = ("error", "warning") if strict else ("error",)
    context.exit(Exit.FOUND if any(each.severity in failing for each in found) else Exit.CLEAN)


def _tell_of_names(before: Document, after: Document) -> None:
    """Says on standard error where the two would be of different agents, because of how their files are named."""
    from seatrial.linter.chain import claim
    from seatrial.linter.relative import STDIN
    from seatrial.schemas.wording import printable, quote

    claims = [claim(each) for each in (before, after) if each.path != STDIN]
    names = [each.named.agent for each in claims if each is not None and not each.by_folder]
    if len(names) == 2 and names[0] != names[1]:
        click.echo(
            f"seatrial: {printable(before.path)} is of the agent {quote(names[0])} and {printable(after.path)} of "
            f"{quote(names[1])}, by `agent` or by the file's name: they are compared as versions of one",
            err=True,
        )


def _read(path: str) -> Document:
    from seatrial.linter import read_path, read_stdin
    from seatrial.schemas.wording import reason

    try:
        return read_stdin() if path == "-" else read_path(path)
    except (OSError, ValueError) as error:  # ValueError: a path that holds a null character
        raise click.UsageError(f"{path}: cannot be read: {reason(error)}") from error


def _text(effects: list[Effect], before: Document, after: Document) -> str:
    from seatrial.schemas.wording import printable

    lines = [f"From {printable(before.path)} to {printable(after.path)}: "]
    if not effects:
        return f"{lines[0]}nothing changes for memory.\n"
    lines[0] += "what changes, and what that means for memory that is there already"
    for each in effects:
        clauses = f" ({', '.join(each.clauses)})" if each.clauses else ""
        lines += [
            "",
            f"- {each.change}",
            *textwrap.wrap(f"{each.means}{clauses}", 100, initial_indent="    ", subsequent_indent="    "),
        ]
    return "\n".join(lines) + "\n"


def _document(before: Document, after: Document, effects: list[Effect], found: list[Diagnostic]) -> dict[str, Any]:
    from seatrial.linter import pointer_text
    from seatrial.linter.report.json import diagnostic

    documents = {document.path: document for document in (before, after)}
    return {
        "format": 1,
        "old": before.path,
        "new": after.path,
        "effects": [{**each._asdict(), "pointer": pointer_text(each.pointer)} for each in effects],
        "diagnostics": [diagnostic(each, documents.get(each.path)) for each in found],
    }
