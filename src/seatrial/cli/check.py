"""`seatrial check`: the verdicts on a trace, from this memory system or any other."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .exits import Exit
from .formats import text_or_json
from .places import Place

if TYPE_CHECKING:
    from seatrial.simulator.suite import Judgement

EPILOG = """\b
Examples:
  seatrial check platform.trace.jsonl
  seatrial check platform.trace.jsonl --require session-isolation
  my-platform export | seatrial check -

\b
Exit codes: 0 nothing is violated; 1 something is, or what is required is unknown; 2 wrong use,
or a file that is no trace; 3 a fault of seatrial; 141 the reader of the output went away.
docs/traces.md says what a trace is.
"""


@click.command("check", epilog=EPILOG)
@click.argument("paths", nargs=-1, type=Place(piped=True), metavar="TRACE...", required=True)
@click.option(
    "--require",
    multiple=True,
    metavar="INVARIANT",
    help="Fail where this invariant had nothing to check. May be given several times.",
)
@click.option("-v", "--verbose", is_flag=True, help="List also the invariants that had nothing to check.")
@text_or_json("run")
@click.pass_context
def command(
    context: click.Context, *, paths: tuple[str, ...], require: tuple[str, ...], verbose: bool, form: str
) -> None:
    """Judge traces by every invariant that needs no second run.

    TRACE is a file of JSON Lines, a folder with files named *.trace.jsonl, or - for standard input. It may come from
    any memory system: `seatrial run --trace` writes one, and docs/traces.md says how to write one from your own
    platform.
    """
    from seatrial.schemas.wording import nearest, printable
    from seatrial.simulator.invariants import INVARIANTS

    names = [each.name for each in INVARIANTS]
    for name in require:
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean {near}?" if near else "`seatrial rules NAME` explains one"
            raise click.UsageError(f"there is no invariant {printable(name)}; {hint}")
    judged = [_judged(path, require) for path in _traces(paths)]
    if form == "json":
        from seatrial.simulator.report.json import report

        click.echo(json.dumps(report(judged), indent=2))
    else:
        from seatrial.simulator.report import text

        for judgement in judged:
            click.echo("\n".join(text.scenario(judgement)))
        click.echo("\n".join(text.summary(judged, verbose=verbose)))
    context.exit(Exit.CLEAN if all(each.state == "ok" for each in judged) else Exit.FOUND)


def _traces(paths: Sequence[str]) -> Iterator[str]:
    """The files that `paths` name; those of a folder in the order of their paths."""
    from seatrial.schemas.wording import printable

    for path in paths:
        if path == "-" or not Path(path).is_dir():
            yield path
            continue
        below = sorted(Path(path).rglob("*.trace.jsonl"))
        if not below:
            raise click.UsageError(f"{printable(path)}: no trace in this folder: one is named *.trace.jsonl")
        yield from map(str, below)


def _judged(path: str, require: tuple[str, ...]) -> Judgement:
    from seatrial.schemas.wording import printable, reason
    from seatrial.simulator.invariants import History, TraceError
    from seatrial.simulator.suite import judge_trace

    named = "<stdin>" if path == "-" else path
    try:
        history = History.parse(_lines(path))
    except TraceError as wrong:
        raise click.UsageError(f"{printable(f'{named}:{wrong.line}')}: {printable(wrong.reason)}") from wrong
    except (OSError, UnicodeDecodeError, ValueError) as failed:
        raise click.UsageError(f"{printable(named)}: cannot be read: {printable(reason(failed))}") from failed
    return judge_trace(Path(named), history, require)


def _lines(path: str) -> Iterator[str]:
    if path == "-":
        yield from sys.stdin.buffer.read().decode("utf-8").split("\n")
        return
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        yield from file
