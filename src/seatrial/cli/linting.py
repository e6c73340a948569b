"""One run of `seatrial lint`: what is read, compared, corrected and found. The command words it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import click

from seatrial.linter import Diagnostic, Document
from seatrial.linter.chain import Past
from seatrial.linter.discover import discover
from seatrial.linter.limit import limited
from seatrial.linter.relative import STDIN, repository
from seatrial.linter.report import Report, counted
from seatrial.linter.run import Run
from seatrial.linter.selection import Choice, asked_for
from seatrial.linter.settings import Nearest, Settings, UnusableError
from seatrial.linter.settings.stages import Rulebook
from seatrial.schemas.wording import printable, reason

from .exits import Exit


class Wanted(NamedTuple):
    """What the command line asks for. `baseline` is a path, `against` a git revision; None where not asked for.

    `change`: whether what is plain is corrected, or only shown. `in_repository`: paths are told from its root.
    """

    paths: Sequence[str]
    command_line: Choice
    settings: Nearest
    force_exclude: bool = False
    strict: bool = False
    in_repository: bool = False
    baseline: str | None = None
    write_baseline: bool = False
    against: str | None = None
    change: Literal["write", "show"] | None = None


class Linted(NamedTuple):
    """What came of it. `piped`: standard output holds a corrected text; `scenarios` are no configs."""

    report: Report
    scenarios: Sequence[str]
    piped: bool

    @property
    def code(self) -> Exit:
        if self.report.problems:
            return Exit.MISUSE
        failing = any(each.severity in self.report.failing for each in self.report.diagnostics)
        return Exit.FOUND if failing else Exit.CLEAN


def linted(wanted: Wanted) -> Linted:
    """Lints. What is compared, corrected and accepted is told on standard error. Raises UnusableError."""
    settings = wanted.settings
    found = discover(wanted.paths, settings, force_exclude=wanted.force_exclude)
    problems = list(found.problems)
    scenarios: list[str] = []
    book = Rulebook(wanted.command_line, settings)
    layers = dict.fromkeys(map(book.layers, found.files))  # wrong settings are told before anything is read
    past = _past(wanted, found.files)
    documents: Iterable[Document] = _read(found.files, problems, scenarios)
    fixed = None
    if wanted.change is not None:
        from .fixing import corrected

        documents, fixed = corrected(
            documents,
            new_run=lambda: Run(book, past),
            opt_in=asked_for(layers),
            accepted=wanted.baseline,
            problems=problems,
            diff=wanted.change == "show",
        )
    run = Run(book, past)
    diagnostics = run.findings(documents, asked_for(layers))
    _tell_idle(wanted, run, diagnostics)
    if wanted.baseline is not None:
        diagnostics = _by_baseline(diagnostics, run, wanted.baseline, write=wanted.write_baseline)
    if past is not None:
        problems += _told_of(past, run)
    earlier = past.documents if past else {}
    report = Report(
        list(run.documents.values()),
        limited(diagnostics),
        [*settings.documents, *earlier.values()],
        problems,
        failing=("error", "warning") if wanted.strict else ("error",),
        root=repository(".") if wanted.in_repository else ".",
        past=earlier,
        new_only=wanted.baseline is not None,
        fixed=fixed,
    )
    return Linted(report, scenarios, piped=wanted.change == "write" and STDIN in run.documents)


def _tell_idle(wanted: Wanted, run: Run, found: list[Diagnostic]) -> None:
    """Says on standard error what of the settings has no effect, without being a finding."""
    by_settings: dict[int, tuple[Settings, list[str]]] = {}
    for path in run.documents:
        settings = wanted.settings.of(path)
        if settings.exemptions or settings.severity:
            by_settings.setdefault(id(settings), (settings, []))[1].append(path)
    if not by_settings:
        return
    from pathlib import Path

    from seatrial.linter.settings.idle import idle_patterns, idle_severities

    searched = [path for path in wanted.paths if Path(path).is_dir()]
    for settings, paths in by_settings.values():
        of_these = set(paths)
        own = [each for each in found if each.path in of_these]
        lines = [*idle_patterns(settings, searched, paths), *idle_severities(settings, own, run.unreadable)]
        for line in lines:
            click.echo(f"seatrial: {line}", err=True)


def _past(wanted: Wanted, files: list[str]) -> Past | None:
    """What the git revision holds of the configs, if one is named."""
    if wanted.against is None:
        return None
    from seatrial.linter.revision import past

    return past(wanted.against, wanted.paths, files, wanted.settings)


def _told_of(past: Past, run: Run) -> list[str]:
    """Says on standard error what was compared with the past. Returns, a line each, what could not be."""
    followers = run.followers
    for line in past.apart:
        click.echo(f"seatrial: {printable(line)}", err=True)
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
    What kept a file from being read is never accepted, nor that not all of it was looked at. Raises UnusableError.
    """
    from seatrial.linter import baseline
    from seatrial.linter.relative import relative

    name = printable(path)
    root = baseline.folder(path)
    known = baseline.read(path, new=write)
    unread = [each for each in found if each.cut or each.path in run.unreadable]
    paths = {relative(each, root): each for each in run.documents}

    def looked_at(entry: baseline.Entry) -> bool:
        if entry.path not in paths:
            return not baseline.is_there(entry, root)
        return paths[entry.path] not in run.unreadable and run.would_find(paths[entry.path], entry.code)

    judged = [each for each in found if not each.cut and each.path not in run.unreadable]
    against = baseline.compared(judged, known, root, run.everything, looked_at)
    if write:
        if known.is_old and against.unseen:
            left = counted(len(against.unseen), "finding")
            raise UnusableError(
                [f"{name}: of an earlier format, and {left} of it not looked at: --write-baseline brings it up to date "
                 "in a run over all files and rules"]
            )  # fmt: skip
        accepted = [*baseline.entries(judged, root, run.everything), *against.unseen]
        baseline.write(path, accepted)
        click.echo(
            f"seatrial: {name}: {len(accepted)} accepted, {len(against.new)} of them new, {len(against.gone)} gone",
            err=True,
        )
        return unread
    if known.is_old:
        click.echo(
            f"seatrial: {name}: of an earlier format, by which another finding of a rule at the same place is not new: "
            "--write-baseline brings it up to date",
            err=True,
        )
    for entry in against.gone:
        place = f"{entry.path}: {entry.code} at {entry.pointer or 'the top'}"
        click.echo(f"seatrial: {name}: gone: {printable(place)}", err=True)
    if against.gone:
        click.echo(f"seatrial: {name}: --write-baseline takes out what is gone", err=True)
    if against.accepted:
        click.echo(f"seatrial: {name}: {len(against.accepted)} found before, not shown", err=True)
    return sorted([*unread, *against.new], key=lambda each: each.order)


def _read(files: list[str], problems: list[str], scenarios: list[str]) -> Iterator[Document]:
    """The files as documents; one that cannot be opened is a problem, and the others are linted all the same.

    Scenarios among them are named in `scenarios`.
    """
    from seatrial.linter import read_path, read_stdin
    from seatrial.linter.discover import STDIN as PIPED
    from seatrial.linter.document import is_scenario

    for path in files:
        try:
            document = read_stdin() if path == PIPED else read_path(path)
        except (OSError, ValueError) as error:  # ValueError: a path that holds a null character
            problems.append(f"{path}: cannot be read: {reason(error)}")
        else:
            if is_scenario(document):
                scenarios.append(path)
            yield document
