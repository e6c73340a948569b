"""`seatrial fuzz`: random scenarios about some configs, until one fails."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from .crews import crew, options
from .exits import Exit, Refused
from .formats import text_or_json
from .places import Place, try_writing
from .progress import Progress
from .run import paint

if TYPE_CHECKING:
    from seatrial.linter.settings import Nearest
    from seatrial.simulator.fuzzing.cast import Role
    from seatrial.simulator.fuzzing.reading import Overlooked

EPILOG = """\b
Examples:
  seatrial fuzz configs/desk.v1.yaml configs/desk.v2.yaml
  seatrial fuzz configs --time 60 --seed 7
  seatrial fuzz configs --max-examples 5000 -j auto
  seatrial fuzz configs --as-given --format json

\b
Exit codes: 0 nothing found; 1 a scenario fails, and stands in a file; 2 wrong use, or a config with
errors; 3 a fault of seatrial; 130 interrupted before anything was found; 141 the reader of the
output went away.
"""

INTERRUPTED = 130
_STORAGE = "HYPOTHESIS_STORAGE_DIRECTORY"


class _Seconds(click.FloatRange):
    """More than none, and not for ever. NaN is no number at all: it would be less than nothing, and over at once."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if not isfinite(seconds):
            self.fail(f"{value} is no time; without the option nothing but --max-examples ends the search", param, ctx)
        return seconds


@click.command("fuzz", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, type=Place(piped=True), metavar="CONFIG...")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another seed, other scenarios.")
@click.option("--max-examples", type=click.IntRange(min=1), default=500, show_default=True, help="How many to try.")
@click.option("--time", "seconds", type=_Seconds(min=0, min_open=True), metavar="SECONDS",
              help="Stop the search after this time. What is found by then is still shrunk.")  # fmt: skip
@click.option("--out", type=Place(path_type=Path, file_okay=False), default=Path("fuzz-failures"),
              show_default=True, metavar="DIR", help="Where a failing scenario is written.")  # fmt: skip
@click.option("--as-given", is_flag=True, help="Deploy the given versions only, none that is derived from them.")
@click.option("--database", type=Place(path_type=Path, file_okay=False), default=Path(".seatrial/fuzz"),
              show_default=True, metavar="DIR",
              help="Keeps what failed, to be tried first the next time.")  # fmt: skip
@click.option("--no-database", is_flag=True, help="Keep nothing, and try nothing that failed before.")
@options
@text_or_json("fuzz")
@click.pass_context
def command(
    context: click.Context,
    *,
    paths: tuple[str, ...],
    seed: int,
    max_examples: int,
    seconds: float | None,
    out: Path,
    as_given: bool,
    database: Path,
    no_database: bool,
    jobs: int,
    executor: str | None,
    form: str,
) -> None:
    """Play random scenarios about CONFIG and judge each by every invariant, until one fails.

    CONFIG is a config file, whatever its name, or a folder with some that are named as `seatrial lint` has it; those
    of one agent are its versions. A failure is shrunk and
    written as a scenario file that fails in the same way under `seatrial run`. Needs Hypothesis:
    `pip install '.[fuzz]'` in a checkout of seatrial.
    """
    if find_spec("hypothesis") is None:
        raise click.UsageError("fuzz needs Hypothesis: pip install '.[fuzz]' in a checkout of seatrial")
    from time import monotonic

    from seatrial.linter.settings import Nearest, UnusableError
    from seatrial.schemas.wording import printable
    from seatrial.simulator.fuzzing.findings import saved
    from seatrial.simulator.fuzzing.hunt import SHARD
    from seatrial.simulator.fuzzing.reading import overlooked
    from seatrial.simulator.fuzzing.search import Budget, search
    from seatrial.simulator.report.fuzz import lines, report

    settings = Nearest()
    try:
        aside = list(overlooked(paths, settings))
        roles = _roles(paths, settings, aside, out)
    except UnusableError as wrong:
        raise Refused(str(wrong)) from wrong
    _try_out(out)
    named = context.get_parameter_source("database") is not ParameterSource.DEFAULT
    kept = None if no_database else _usable(database, named=named)
    with (
        _storage(),
        crew(jobs, executor, -(-max_examples // SHARD), ["seatrial.simulator.fuzzing.search"]) as hired,
        Progress(max_examples, "examples") as bar,
    ):
        outcome = search(
            roles,
            seed,
            Budget(max_examples, seconds, monotonic),
            derived=not as_given,
            database=kept,
            crew=hired,
            progress=bar.reach,
            shrinking=lambda: bar.say("a scenario fails; it is made shorter, which Ctrl-C ends"),
        )
        file = saved(outcome, roles, out)
    try:
        if form == "json":
            click.echo(json.dumps(report(outcome, file, roles, aside), indent=2))
        else:
            click.echo("\n".join(lines(outcome, file, roles, aside, paint)))
    except OSError:
        if file is not None:  # it took a search to come to it
            click.echo(printable(f"seatrial: a scenario fails: {file.path}"), err=True)
        raise
    if outcome.lost:
        context.exit(Exit.FAULT)
    if outcome.found is not None:
        context.exit(Exit.FOUND)
    if outcome.stopped == "interrupt":
        context.exit(INTERRUPTED)
    if not outcome.examples:
        raise Refused("the time was over before anything was tried, so nothing is known: give it more --time")
    context.exit(Exit.CLEAN)


def _try_out(out: Path) -> None:
    """Refuses a folder that could not take what is found, before anything is searched."""
    from seatrial.schemas.wording import printable, reason

    try:
        try_writing(out)
    except OSError as failed:
        raise Refused(printable(f"--out: nothing can be written into {out}: {reason(failed)}")) from failed


def _usable(database: Path, *, named: bool) -> Path | None:
    """The folder for what failed, made where it is not there, and then git is to ignore it.

    One that cannot be used is refused if it was `named`; that of the default is told, and nothing is kept then.
    """
    from seatrial.schemas.wording import printable, reason

    try:
        try_writing(database)
        if not database.exists():
            database.mkdir(parents=True, exist_ok=True)  # another search may have made it meanwhile
            (database / ".gitignore").write_text("# What seatrial fuzz keeps for its next search.\n*\n", "utf-8")
    except OSError as failed:
        told = printable(f"nothing can be kept in {database}: {reason(failed)}")
        if named:
            raise Refused(f"--database: {told}") from failed
        click.echo(f"seatrial: {told}; --database names another folder", err=True)
        return None
    return database


def _roles(paths: Sequence[str], settings: Nearest, aside: Sequence[Overlooked], out: Path) -> tuple[Role, ...]:
    """The agents of the configs, but for those `aside`. What cannot be fuzzed is wrong use."""
    from seatrial.linter.discover import STDIN, discover
    from seatrial.linter.report import Report, render
    from seatrial.schemas.wording import printable, reason
    from seatrial.simulator.fuzzing.reading import UnsoundConfigs, read_roles

    if STDIN in paths:
        raise click.UsageError("- is no config that can be fuzzed: the scenarios that are written name its file")
    found = discover(paths, settings)
    if found.problems:
        told = [*found.problems, *(f"{each.path} looks like one: {each.reason}" for each in aside)]
        raise click.UsageError("\n".join(map(printable, told)))
    try:
        return read_roles([Path(file) for file in found.files], out)
    except UnsoundConfigs as unsound:
        click.echo(
            render(Report(list(unsound.documents), list(unsound.errors), fixed=0), "text", color=False),
            err=True,
            nl=False,
        )
        files = ", ".join(dict.fromkeys(printable(error.path) for error in unsound.errors))
        raise Refused(f"what has errors cannot be deployed: {files}") from unsound
    except (OSError, ValueError) as unreadable:
        path = printable(str(getattr(unreadable, "filename", "")))
        raise Refused(f"{path}: {reason(unreadable)}") from unreadable


@contextmanager
def _storage() -> Iterator[None]:
    """Where Hypothesis keeps what it knows of modules: nowhere for long, unless somebody has said where."""
    if _STORAGE in os.environ:
        yield
        return
    with TemporaryDirectory(prefix="seatrial-", ignore_cleanup_errors=True) as gone:
        os.environ[_STORAGE] = gone
        try:
            yield
        finally:
            del os.environ[_STORAGE]
