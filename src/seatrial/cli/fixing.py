"""`seatrial lint --fix` and `--diff`: what becomes of the files when what is plainly meant is written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable

import click

from seatrial.linter import Diagnostic, Document, baseline
from seatrial.linter.fixes import Repair, repaired
from seatrial.linter.relative import STDIN
from seatrial.linter.report import counted
from seatrial.linter.run import Run
from seatrial.schemas.wording import printable

from .exits import Exit
from .patch import patch
from .rewrite import rewrite


def corrected(
    documents: Iterable[Document],
    *,
    new_run: Callable[[], Run],
    opt_in: Collection[str],
    accepted: str | None,
    problems: list[str],
    diff: bool,
) -> tuple[list[Document], int]:
    """Fixes what `new_run` finds in the documents, but for what comments, settings and a baseline hold back.

    `accepted` is the baseline's path. Returns the documents as they are then, and how many findings were fixed; with
    `diff` shows what would be written, and exits. Raises UnusableError.
    """
    known = baseline.Known() if accepted is None else baseline.read(accepted, new=True)

    def look(taken: Iterable[Document]) -> tuple[dict[str, Document], list[Diagnostic]]:
        run = new_run()
        found = run.findings(taken, opt_in)
        if accepted is not None:
            root = baseline.folder(accepted)
            found = baseline.compared(found, known, root, run.everything, lambda entry: False).new
        return run.documents, found

    mended = repaired(documents, look)
    if diff:
        raise click.exceptions.Exit(_shown(mended, problems))
    return _written(mended, problems)


def _written(mended: Repair, problems: list[str]) -> tuple[list[Document], int]:
    """Writes what was fixed, and the text of standard input to standard output.

    Returns the documents as they are now, and how many findings were fixed in them. What cannot be written stays as it
    was and is one of the `problems`.
    """
    now = dict(mended.after)
    count = 0
    for path, fixed in mended.fixed.items():
        if path != STDIN:
            try:
                rewrite(path, mended.before[path].data, mended.after[path].data)
            except OSError as error:
                problems.append(f"{path}: cannot be corrected: {error.strerror or error}")
                now[path] = mended.before[path]
                continue
        count += len(fixed)
        click.echo(f"seatrial: {printable(path)}: {len(fixed)} fixed", err=True)
    if STDIN in now and now[STDIN].value is not None:
        click.echo(now[STDIN].data, nl=False)
    return list(now.values()), count


def _shown(mended: Repair, problems: list[str]) -> Exit:
    """Prints what --fix would change, as a unified diff; problems go to standard error."""
    for path in mended.fixed:
        difference = patch(path, mended.before[path].data, mended.after[path].data)
        if sys.stdout.isatty():
            for line in difference.decode(errors="surrogateescape").split("\n")[:-1]:
                click.echo(printable(line.removesuffix("\r")))
        else:  # byte for byte, so that it can be applied
            click.echo(difference, nl=False)
    count = sum(map(len, mended.fixed.values()))
    click.echo(f"seatrial: --fix would correct {counted(count, 'finding')}", err=True)
    for problem in problems:
        click.echo(f"seatrial: {printable(problem)}", err=True)
    if problems:
        return Exit.MISUSE
    return Exit.FOUND if mended.fixed else Exit.CLEAN
