"""`seatrial lint`: find the configs, read them, say what is wrong with them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from seatrial.schemas.wording import printable

from .exits import Exit

if TYPE_CHECKING:
    from seatrial.linter import Document
    from seatrial.linter.report import Format

EPILOG = """\b
Examples:
  seatrial lint                                  every config below this folder
  seatrial lint configs/v1.json configs/v2.json  two versions, compared as one chain
  seatrial lint --format concise - < v1.yaml     standard input, one line a finding

\b
Exit codes: 0 no errors; 1 errors found; 2 wrong use, or a file that cannot be read;
3 a fault of seatrial.
"""


@click.command("lint", epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "concise", "json"]),
    default="text",
    show_default=True,
    help="text shows the source; concise is one line a finding; json is for machines (`seatrial schema report`).",
)
@click.pass_context
def command(context: click.Context, paths: tuple[str, ...], form: Format) -> None:
    """Check memory configs, with exact positions.

    PATH is a file, a folder (searched for *.agent.json, v<n>.json, *.v<n>.json, and the same in .yaml or .yml) or - for
    standard input; the current folder if none is given. All versions of one agent among them are compared as one
    chain.
    """
    from seatrial.linter import lint
    from seatrial.linter.discover import discover
    from seatrial.linter.report import Report, render, summary

    found = discover(paths or (".",))
    problems = list(found.problems)
    documents: list[Document] = []
    report = Report(documents, lint(_read(found.files, documents, problems)))
    if documents or form == "json":
        click.echo(render(report, form, color=_color()), nl=False, color=True)
    if documents and form == "concise":
        click.echo(summary(report), err=True)
    failed = {each.path for each in report.diagnostics}  # a script of turns is no sound config
    for document in documents:
        if document.path in failed and _is_scenario(document):
            click.echo(f"seatrial: {printable(document.path)} is a scenario: `seatrial run` checks it", err=True)
    for problem in problems:
        click.echo(f"seatrial: {printable(problem)}", err=True)
    if problems:
        context.exit(Exit.MISUSE)
    context.exit(Exit.FOUND if any(each.severity == "error" for each in report.diagnostics) else Exit.CLEAN)


def _read(files: list[str], documents: list[Document], problems: list[str]) -> Iterator[Document]:
    """The files as documents, one by one; they are also put into `documents`.

    One that cannot be opened is a problem, and the others are linted all the same.
    """
    from seatrial.linter import read_path, read_stdin
    from seatrial.linter.discover import STDIN

    for path in files:
        try:
            document = read_stdin() if path == STDIN else read_path(path)
        except (OSError, ValueError) as error:  # ValueError: a path that holds a null character
            problems.append(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}")
        else:
            documents.append(document)
            yield document


def _is_scenario(document: Document) -> bool:
    """Whether the document is a script of turns that was taken for a config."""
    return isinstance(document.value, dict) and {"scenario", "steps"} <= document.value.keys()


def _color() -> bool:
    """Colour only on a terminal that shows it, and never with NO_COLOR."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
