"""`seatrial lint`: find the configs, read them, say what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from seatrial.schemas.wording import printable, reason

from .exits import Exit
from .terminal import color

if TYPE_CHECKING:
    from seatrial.linter import Diagnostic, Document, Severity
    from seatrial.linter.chain import Past
    from seatrial.linter.report import Format
    from seatrial.linter.run import Run
    from seatrial.linter.settings import Nearest

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
cannot be read; 3 a fault of seatrial.
"""


@click.command("lint", epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
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
@click.option("--config", "config", metavar="FILE", help="Use the settings of this file for all configs.")
@click.option("--no-config", is_flag=True, help="Use no settings: no seatrial.toml and no pyproject.toml.")
@click.option("--force-exclude", is_flag=True, help="`exclude` of the settings holds for what PATH names, too.")
@click.option("--baseline", metavar="FILE", help="Report only what is new since this file was written.")
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
    from seatrial.linter.discover import discover
    from seatrial.linter.relative import STDIN, repository
    from seatrial.linter.report import Report, render, summary
    from seatrial.linter.run import Run
    from seatrial.linter.selection import Choice, asked_for
    from seatrial.linter.settings import UnusableError
    from seatrial.linter.settings.stages import Rulebook

    if write_baseline and baseline is None:
        raise click.UsageError("--write-baseline needs the file: --baseline FILE --write-baseline")
    command_line = Choice(_codes("--select", select), _codes("--ignore", ignore))
    try:
        settings = _settings(config, none=no_config)
        found = discover(paths or (".",), settings, force_exclude=force_exclude)
        problems = list(found.problems)
        scenarios: list[str] = []
        book = Rulebook(command_line, settings)
        layers = dict.fromkeys(map(book.layers, found.files))  # wrong settings are told before anything is read
        past = None if against is None else _past(against, paths or (".",), found.files, settings)
        documents: Iterable[Document] = _read(found.files, problems, scenarios)
        fixed = None
        if fix or diff:
            from .fixing import corrected

            documents, fixed = corrected(
                documents,
                new_run=lambda: Run(book, past),
                opt_in=asked_for(layers),
                accepted=baseline,
                keep=scenarios,
                problems=problems,
                diff=diff,
            )
        run = Run(book, past)
        diagnostics = run.findings(documents, asked_for(layers))
        if baseline is not None:
            diagnostics = _by_baseline(diagnostics, run, baseline, write=write_baseline)
    except UnusableError as wrong:
        if form in MACHINES:
            click.echo(render(Report((), (), problems=wrong.problems), form, color=False), nl=False)
        for problem in wrong.problems:
            click.echo(f"seatrial: {problem}", err=True)
        context.exit(Exit.MISUSE)
    documents = list(run.documents.values())
    piped = fix and STDIN in run.documents  # then the text is what standard output is for
    earlier = past.documents if past else {}
    if past is not None:
        problems += _told_of(past, run)
    failing: tuple[Severity, ...] = ("error", "warning") if strict else ("error",)
    root = repository(".") if form in ("sarif", "github", "junit") else "."
    others = [*settings.documents, *earlier.values()]
    report = Report(documents, diagnostics, others, problems, failing, root, earlier, baseline is not None, fixed)
    if documents or form in MACHINES:
        click.echo(render(report, form, color=color() and not piped), nl=False, color=True, err=piped)
    if documents and form in ("concise", "github"):
        click.echo(summary(report), err=True)
    _say(scenarios, problems)
    if problems:
        context.exit(Exit.MISUSE)
    context.exit(Exit.FOUND if any(each.severity in failing for each in report.diagnostics) else Exit.CLEAN)


def _say(scenarios: Iterable[str], problems: Iterable[str]) -> None:
    for path in scenarios:
        click.echo(f"seatrial: {printable(path)} is a scenario: `seatrial run` checks it", err=True)
    for problem in problems:
        click.echo(f"seatrial: {printable(problem)}", err=True)


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


def _past(revision: str, paths: tuple[str, ...], files: list[str], settings: Nearest) -> Past:
    """What the git revision holds of the configs. Raises UnusableError."""
    from seatrial.linter.revision import past

    return past(revision, paths, files, settings)


def _told_of(past: Past, run: Run) -> list[str]:
    """Says on standard error what was compared with the past. Returns, a line each, what could not be."""
    from seatrial.linter.relative import STDIN
    from seatrial.linter.report import counted

    followers = run.followers
    for path in past.unusable:
        click.echo(f"seatrial: {printable(path)}: cannot be read as a config, and is compared with nothing", err=True)
    configs = counted(len(run.documents), "config")
    click.echo(f"seatrial: {len(followers)} of {configs} compared with {printable(past.revision)}", err=True)
    piped = run.documents.get(STDIN)
    if piped is None or piped.value is None or STDIN in followers or "agent" in piped.value:
        return []
    return [f"{STDIN}: cannot be compared with {past.revision}: it has no name and states no `agent`"]


def _by_baseline(found: list[Diagnostic], run: Run, path: str, *, write: bool) -> list[Diagnostic]:
    """The findings that the baseline at `path` does not hold; what else there is to say of it goes to standard error.

    With `write` it is made, or brought up to date: what this run found is accepted, what it did not look at is kept.
    What kept a file from being read is never accepted. Raises UnusableError.
    """
    from seatrial.linter import baseline
    from seatrial.linter.relative import relative

    name = printable(path)
    root = baseline.folder(path)
    known = baseline.read(path, new=write)
    unreadable = [each for each in found if each.path in run.unreadable]
    paths = {relative(each, root): each for each in run.documents}

    def looked_at(entry: baseline.Entry) -> bool:
        if entry.path not in paths:
            return not baseline.is_there(entry, root)
        return paths[entry.path] not in run.unreadable and run.would_find(paths[entry.path], entry.code)

    judged = [each for each in found if each.path not in run.unreadable]
    against = baseline.compared(judged, known, root, looked_at)
    if write:
        accepted = [*baseline.entries(judged, root), *against.unseen]
        baseline.write(path, accepted)
        click.echo(
            f"seatrial: {name}: {len(accepted)} accepted, {len(against.new)} of them new, {len(against.gone)} gone",
            err=True,
        )
        return unreadable
    for entry in against.gone:
        place = f"{entry.path}: {entry.code} at {entry.pointer or 'the top'}"
        click.echo(f"seatrial: {name}: gone: {printable(place)}", err=True)
    if against.gone:
        click.echo(f"seatrial: {name}: --write-baseline takes out what is gone", err=True)
    if against.accepted:
        click.echo(f"seatrial: {name}: {len(against.accepted)} found before, not shown", err=True)
    return sorted([*unreadable, *against.new], key=lambda each: each.order)


def _read(files: list[str], problems: list[str], scenarios: list[str]) -> Iterator[Document]:
    """The files as documents; one that cannot be opened is a problem, and the others are linted all the same.

    Scenarios among them are named in `scenarios`.
    """
    from seatrial.linter import read_path, read_stdin
    from seatrial.linter.discover import STDIN

    for path in files:
        try:
            document = read_stdin() if path == STDIN else read_path(path)
        except (OSError, ValueError) as error:  # ValueError: a path that holds a null character
            problems.append(f"{path}: cannot be read: {reason(error)}")
        else:
            if _is_scenario(document):
                scenarios.append(path)
            yield document


def _is_scenario(document: Document) -> bool:
    """Whether the document is a script of turns that was taken for a config."""
    return isinstance(document.value, dict) and {"scenario", "steps"} <= document.value.keys()
