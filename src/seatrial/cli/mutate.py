"""`seatrial mutate`: which faults of a memory system does a suite catch, and which would it let through?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .exits import Exit

if TYPE_CHECKING:
    from seatrial.simulator.faults import Fault
    from seatrial.simulator.mutate import Fate, Sound

EPILOG = """\b
Examples:
  seatrial mutate scenarios
  seatrial mutate scenarios --invariants-only   without what the scenarios expect
  seatrial mutate scenarios -k view             faults whose name or clause holds `view`
  seatrial mutate --list                        the catalogue

\b
Exit codes: 0 every fault is caught; 1 a fault survived, or did not take effect in any scenario;
2 wrong use, or a scenario that is invalid or fails without a fault; 3 a fault of seatrial.
"""


@click.command("mutate", epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(path_type=Path))
@click.option("-k", "words", default="", metavar="TEXT", help="Only faults whose name or clause holds TEXT.")
@click.option(
    "--invariants-only", is_flag=True, help="Leave out every `sees` and `gets`: what do invariants catch alone?"
)
@click.option("--first", is_flag=True, help="Stop at the first scenario that catches a fault: faster, same verdict.")
@click.option("--list", "listing", is_flag=True, help="List the faults, and run nothing.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="json is for machines: `seatrial schema mutation` describes it.",
)
@click.pass_context
def command(  # noqa: PLR0917 - click gives them by name
    context: click.Context,
    paths: tuple[Path, ...],
    words: str,
    invariants_only: bool,
    first: bool,
    listing: bool,
    form: str,
) -> None:
    """Run the scenarios below PATH against each fault of a catalogue, and say what catches it.

    Each fault is a small deviation of the memory system from one clause: a view that forgets the session, a rollback
    that keeps events. A fault that changes nothing in any scenario has not landed, and counts as not caught.
    """
    from seatrial.simulator.faults import FAULTS

    faults = [each for each in FAULTS.values() if words.casefold() in f"{each.name} {each.clause}".casefold()]
    if not faults:
        raise click.UsageError(f"no fault has {words!r} in its name or clause; `seatrial mutate --list` lists them")
    if listing:
        click.echo("\n".join(f"{each.name:<32} {each.clause:<7} {each.deviation}" for each in faults))
        return
    suite = _suite(paths or (Path(),))
    fates = _run(suite, faults, invariants_only=invariants_only, first=first)
    if form == "json":
        from seatrial.simulator.report.json import mutation

        click.echo(json.dumps(mutation(suite, fates, invariants_only=invariants_only), indent=2))
    else:
        click.echo("\n".join(_lines(fates, len(suite))))
    caught = all(each.state in ("caught", "excused") for each in fates)
    context.exit(Exit.CLEAN if caught else Exit.FOUND)


def _suite(paths: Sequence[Path]) -> list[Sound]:
    """The scenarios, all of which must pass as they are."""
    from seatrial.schemas.wording import printable
    from seatrial.simulator.load import InvalidScript, Loader
    from seatrial.simulator.mutate import Sound, UnsoundError
    from seatrial.simulator.suite import discover, read

    try:
        files = discover(paths)
    except FileNotFoundError as missing:
        raise click.UsageError(f"{printable(str(missing.args[0]))}: no such file or folder") from missing
    if not files:
        raise click.UsageError("there is no scenario: one is named *.scenario.yaml, .yml or .json")
    loader = Loader()
    found: list[Sound] = []
    for path in files:
        scenario = read(path, loader)
        if isinstance(scenario, InvalidScript):
            raise click.UsageError(f"{printable(str(path))} is no valid scenario: `seatrial run` says why")
        try:
            found.append(Sound.of(scenario))
        except UnsoundError as failing:
            raise click.UsageError(
                f"{printable(str(path))} fails without a fault; `seatrial run` says why"
            ) from failing
    return found


def _run(suite: list[Sound], faults: list[Fault], *, invariants_only: bool, first: bool) -> list[Fate]:
    from seatrial.simulator.mutate import fate_of

    if not sys.stderr.isatty():
        return [fate_of(fault, suite, invariants_only=invariants_only, first_only=first) for fault in faults]
    with click.progressbar(length=len(suite) * len(faults), label="faults", file=sys.stderr) as bar:
        return [
            fate_of(fault, suite, invariants_only=invariants_only, first_only=first, progress=lambda: bar.update(1))
            for fault in faults
        ]


def _lines(fates: Sequence[Fate], scenarios: int) -> Iterator[str]:
    yield f"{'fault':<32} {'clause':<7} {'landed':>6} {'caught':>6}  by"
    for fate in fates:
        what = ", ".join(fate.by) if fate.kills else fate.state.upper() if fate.state != "excused" else "excused"
        yield f"{fate.fault.name:<32} {fate.fault.clause:<7} {len(fate.landed):>6} {len(fate.kills):>6}  {what}"
    yield ""
    for fate in fates:
        if fate.state == "survived":
            yield f"survived: {fate.fault.name}: nothing objects to a memory system in which {fate.fault.deviation}"
        elif fate.state == "not landed":
            yield f"not landed: {fate.fault.name}: no scenario shows whether {fate.fault.deviation}"
        elif fate.state == "excused":
            yield f"excused: {fate.fault.name}: {fate.fault.unseen}"
    states = [fate.state for fate in fates]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(sorted(states)))
    yield f"{_counted(len(fates), 'fault')} in {_counted(scenarios, 'scenario')}: {counts}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
