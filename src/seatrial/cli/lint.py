"""`seatrial lint`: find the configs, read them, say what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from seatrial.schemas.wording import printable

from .exits import Exit
from .places import Place
from .terminal import color

if TYPE_CHECKING:
    from seatrial.linter.report import Format
    from seatrial.linter.settings import Nearest, UnusableError

    from .linting import Linted

MACHINES = ("json", "sarif", "github", "junit")  # formats that tell also what could not be read

EPILOG = """\b
Examples:
  seatrial lint                                  every config below this folder
  seatrial lint configs/v1.json configs/v2.json  two versions, compared as one chain
  seatrial lint --format concise - < v1.yaml     standard input, one line a finding
  seatrial lint --select ST5,ST4 --strict        only some rules; warnings fail
  seatrial lint --baseline known.json            only what is new since it was written
  seatrial lint --against origin/main            versions against what is on main, too
  seatrial lint --fix                            correct what is plain, report the rest

\b
Exit codes: 0 no errors; 1 errors found; 2 wrong use, wrong settings, or a file that
cannot be read; 3 a fault of seatrial; 141 the reader of the output went away.
"""


@click.command("lint", epilog=EPILOG)
@click.argument("paths", nargs=-1, type=Place(piped=True), metavar="[PATH]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "concise", "json", "sarif", "github", "junit"]),
    default="text",
    show_default=True,
    help="text shows the source; concise is one line a finding; the others are for machines: json (`seatrial schema "
    "report`), sarif, github (annotations of a workflow) and junit.",
)
@click.option(
    "--select",
    metavar="CODE",
    multiple=True,
    help="Only these rules: codes, their beginnings (ST5) or names; a list with commas, or given several times.",
)
@click.option("--ignore", metavar="CODE", multiple=True, help="Not these rules; the longer beginning decides.")
@click.option("--strict", is_flag=True, help="Warnings fail, too.")
@click.option("--config", "config", type=Place(), metavar="FILE", help="Use the settings of this file for all configs.")
@click.option("--no-config", is_flag=True, help="Use no settings: no seatrial.toml and no pyproject.toml.")
@click.option("--force-exclude", is_flag=True, help="`exclude` of the settings holds for what PATH names, too.")
@click.option("--baseline", type=Place(), metavar="FILE", help="Report only what is new since this file was written.")
@click.option("--against", metavar="REF", help="Compare with the configs of a git revision, too: what is deployed.")
@click.option("--write-baseline", is_flag=True, help="Write that file: all that is found now is accepted.")
@click.option(
    "--fix",
    is_flag=True,
    help="Correct in the files what is plain, and report the rest. For -, print the corrected text.",
)
@click.option(
    "--diff", is_flag=True, help="Show what --fix would write, and write nothing; exit 1 if that is anything."
)
@click.pass_context
def command(
    context: click.Context,
    *,
    paths: tuple[str, ...],
    form: Format,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool,
    config: str | None,
    no_config: bool,
    force_exclude: bool,
    baseline: str | None,
    write_baseline: bool,
    against: str | None,
    fix: bool,
    diff: bool,
) -> None:
    """Check memory configs, with exact positions.

    PATH is a file, a folder (searched for *.agent.json, v<n>.json, *.v<n>.json, and the same in .yaml or .yml) or - for
    standard input; the current folder if none is given. All versions of one agent among them are compared as one
    chain. Settings are read from the nearest seatrial.toml, or pyproject.toml with a table [tool.seatrial].
    """
    from seatrial.linter.selection import Choice
    from seatrial.linter.settings import UnusableError

    from .linting import Wanted, linted

    if fix and diff:
        raise click.UsageError("--fix and --diff exclude each other: --diff shows what --fix would write")
    if write_baseline and baseline is None:
        raise click.UsageError("--write-baseline needs the file: --baseline FILE --write-baseline")
    command_line = Choice(_codes("--select", select), _codes("--ignore", ignore))
    try:
        done = linted(
            Wanted(
                paths or (".",),
                command_line,
                _settings(config, none=no_config),
                force_exclude=force_exclude,
                strict=strict,
                in_repository=form in ("sarif", "github", "junit"),
                baseline=baseline,
                write_baseline=write_baseline,
                against=against,
                change="write" if fix else "show" if diff else None,
            )
        )
    except UnusableError as wrong:
        _say_unusable(wrong, form)
        context.exit(Exit.MISUSE)
    _say(done, form)
    context.exit(done.code)


def _say(done: Linted, form: Format) -> None:
    """The report on standard output, unless a corrected text is what is on it; the rest on standard error."""
    from seatrial.linter.report import fixable, render, summary

    documents = done.report.documents
    if documents or form in MACHINES:
        text = render(done.report, form, color=color() and not done.piped)
        click.echo(text, nl=False, color=True, err=done.piped)
    if documents and form in ("concise", "github"):
        click.echo(summary(done.report, fixable(done.report)), err=True)
    for path in done.scenarios:
        click.echo(f"seatrial: {printable(path)} is a scenario: `seatrial run` checks it", err=True)
    for problem in done.report.problems:
        click.echo(f"seatrial: {printable(problem)}", err=True)
    if not documents and not done.report.problems:
        click.echo("seatrial: nothing is linted: `exclude` of the settings leaves out all that is named", err=True)


def _say_unusable(wrong: UnusableError, form: Format) -> None:
    from seatrial.linter.report import Report, render

    if form in MACHINES:
        click.echo(render(Report((), (), problems=wrong.problems), form, color=False), nl=False)
    for problem in wrong.problems:
        click.echo(f"seatrial: {problem}", err=True)


def _codes(option: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """The codes and beginnings of codes that an option names."""
    from seatrial.linter.selection import code_of, unknown_code

    words = [word.strip() for each in given for word in each.split(",")]
    codes = [(word, code_of(word)) for word in words]
    for word, code in codes:
        if code is None:
            raise click.UsageError(f"{option}: {unknown_code(word)}")
    return tuple(code for _, code in codes if code is not None)


def _settings(config: str | None, *, none: bool) -> Nearest:
    """Where settings come from: the file named, nowhere, or the nearest file of each config."""
    from seatrial.linter.settings import NONE, Nearest

    if config is None:
        return Nearest(NONE if none else None)
    if none:
        raise click.UsageError("--config and --no-config exclude each other")
    from seatrial.linter.settings.load import load

    return Nearest(load(config, demanded=True))
