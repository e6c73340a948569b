"""`seatrial spec`: the clauses of the memory system, and what covers each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .exits import Exit, Refused
from .formats import text_or_json
from .places import Place

if TYPE_CHECKING:
    from seatrial.simulator.spec.cover import Cover, Survey

EPILOG = """\b
Examples:
  seatrial spec                          every clause, with how much covers it
  seatrial spec VIEW-2                   one clause, with the names of all that covers it
  seatrial spec VIEW TXN                 the clauses of two groups
  seatrial spec --suite my-scenarios --missing   what a suite of your own never shows

\b
Exit codes: 0 shown; 1 with --missing, a clause lacks cover or one is cited that does not exist;
2 wrong use, an invalid scenario, or tests that cannot be read; 3 a fault of seatrial;
141 the reader of the output went away.
"""


@click.command("spec", epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[CLAUSE]...")
@click.option(
    "--missing", "only_missing", is_flag=True, help="List the clauses that lack cover; exit 1 if there are any."
)
@click.option(
    "--suite",
    type=Place(path_type=Path),
    metavar="DIR",
    help="Count the scenarios below DIR in place of the shipped ones; a clause then lacks cover where none cites it.",
)
@click.option(
    "--tests",
    type=Place(path_type=Path),
    metavar="DIR",
    help="Count the tests below DIR. By default those of the checkout that runs; outside of one none are looked at.",
)
@text_or_json("spec")
@click.pass_context
def command(
    context: click.Context,
    *,
    names: tuple[str, ...],
    only_missing: bool,
    suite: Path | None,
    tests: Path | None,
    form: str,
) -> None:
    """List the clauses of the memory system with the rules, invariants, faults, scenarios and tests that cover them.

    CLAUSE is a clause's id, such as VIEW-2, or the beginning that a group of them shares, such as VIEW. docs/spec.md
    says what counts as cover.
    """
    from seatrial.simulator.spec import CLAUSES, report

    chosen = _chosen(names)
    found, counted = _survey(suite, tests)
    covers = [cover for cover in found.covers if cover.clause.id in chosen]
    if only_missing:
        covers = [cover for cover in covers if cover.lacks] if form == "json" else covers
    pages = bool(names) and all(name.upper() in CLAUSES for name in names) and not only_missing
    if form == "json":
        shown = None if suite is None else str(suite)
        told = report.data(covers, found.unknown, tests=counted, suite=shown)
        click.echo(json.dumps(told, indent=2))
    else:
        looked_at = counted is not None
        if only_missing:
            lines: Iterable[str] = report.missing(covers)
        elif pages:
            lines = _pages(covers, tests=looked_at)
        else:
            lines = report.table(covers, tests=looked_at)
        click.echo("\n".join(lines))
        if not looked_at:
            click.echo("Tests were not looked at: they come with a checkout only. --tests DIR counts those below DIR.")
        for line in report.unknown(found.unknown):
            click.echo(line, err=True)
    lacking = any(cover.lacks for cover in covers) or bool(found.unknown)
    context.exit(Exit.FOUND if only_missing and lacking else Exit.CLEAN)


def _pages(covers: Iterable[Cover], *, tests: bool) -> Iterator[str]:
    from seatrial.simulator.spec import report

    for number, cover in enumerate(covers):
        if number:
            yield ""
        yield from report.page(cover, tests=tests)


def _chosen(names: tuple[str, ...]) -> set[str]:
    """The ids of the clauses that `names` ask for: all, without a name."""
    from seatrial.schemas.wording import quote
    from seatrial.simulator.spec import CLAUSES, GROUPS

    chosen = set[str]()
    for name in names:
        asked = {each.id for each in CLAUSES.values() if name.upper() in (each.id, each.group)}
        if not asked:
            from difflib import get_close_matches

            near = get_close_matches(name.upper(), [*CLAUSES, *GROUPS], n=3, cutoff=0.5)
            hint = f"the nearest are {', '.join(near)}" if near else f"the groups are {', '.join(GROUPS)}"
            raise click.UsageError(f"there is no clause {quote(name)}; {hint}")
        chosen |= asked
    return chosen or set(CLAUSES)


def _survey(suite: Path | None, tests: Path | None) -> tuple[Survey, str | None]:
    """What there is, and the folder of tests that was counted, as it is shown; None if none was."""
    from seatrial.schemas.wording import printable
    from seatrial.simulator.spec.cover import survey
    from seatrial.simulator.spec.in_tests import UnreadableTest, checkout, cited_below, files_below

    folder, shown = (checkout(), "tests") if tests is None else (tests, tests.as_posix())
    if folder is None:
        return survey(_scenarios(suite), None, of_a_suite=suite is not None), None
    if not files_below(folder):
        raise click.UsageError(f"no tests in {printable(str(folder))}: they are in files named test_*.py")
    try:
        cited = list(cited_below(folder, shown))
    except UnreadableTest as unreadable:
        raise click.UsageError(printable(f"{unreadable.path}: cannot be read: {unreadable.reason}")) from unreadable
    return survey(_scenarios(suite), cited, of_a_suite=suite is not None), shown


def _scenarios(suite: Path | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each scenario's path and the clauses it cites: of the suite, or the shipped ones, named from their folder."""
    import seatrial.scenarios
    from seatrial.schemas.wording import printable, shell
    from seatrial.simulator.discover import NoScenario, discover
    from seatrial.simulator.load import InvalidScript, Loader
    from seatrial.simulator.suite import read

    shipped = Path(seatrial.scenarios.__file__).parent
    try:
        files = discover([suite or shipped])
    except NoScenario as none:
        raise click.UsageError(printable(str(none))) from none
    loader = Loader()
    for path in files:
        scenario = read(path, loader)
        name = path.as_posix() if suite else f"scenarios/{path.relative_to(shipped).as_posix()}"
        if isinstance(scenario, InvalidScript):
            why = shell("seatrial", "run", path)
            raise Refused(f"{printable(name)} is no valid scenario: `{why}` says why")
        yield name, scenario.script.clauses
