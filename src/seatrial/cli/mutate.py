"""`seatrial mutate`: which faults of a memory system does a suite catch, and which would it let through?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from .crews import crew, options
from .exits import Exit, Refused
from .formats import text_or_json
from .places import Place
from .progress import Progress
from .starting import start_option, starts, told_unused

if TYPE_CHECKING:
    from seatrial.simulator.crew import Crew
    from seatrial.simulator.faults import Fault
    from seatrial.simulator.mutate import Fate, Sound
    from seatrial.simulator.start import Start

_EXPLAINED = 10  # faults that did not land; of more only the names are told: the suite is meant for other clauses

EPILOG = """\b
Examples:
  seatrial mutate scenarios
  seatrial mutate scenarios --invariants-only   without what the scenarios expect
  seatrial mutate scenarios -k view -k TXN      faults whose name or clause holds `view` or `TXN`
  seatrial mutate --list                        the catalogue

\b
Exit codes: 0 every fault is caught; 1 a fault survived, or did not take effect in any scenario;
2 wrong use, or a scenario that is invalid or fails without a fault; 3 a fault of seatrial;
141 the reader of the output went away.
"""


@click.command("mutate", epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=Place(path_type=Path))
@click.option(
    "-k",
    "words",
    multiple=True,
    metavar="TEXT",
    help="Only faults whose name or clause holds TEXT; given twice: either.",
)
@click.option(
    "--invariants-only", is_flag=True, help="Leave out every `sees` and `gets`: what do invariants catch alone?"
)
@click.option("--first", is_flag=True, help="Stop at the first scenario that catches a fault: faster, same verdict.")
@start_option
@options
@click.option("--list", "listing", is_flag=True, help="List the faults, and run nothing.")
@text_or_json("mutation")
@click.pass_context
def command(
    context: click.Context,
    *,
    paths: tuple[Path, ...],
    words: tuple[str, ...],
    invariants_only: bool,
    first: bool,
    configs: Sequence[str],
    jobs: int,
    executor: str | None,
    listing: bool,
    form: str,
) -> None:
    """Run the scenarios below PATH against each fault of a catalogue, and say what catches it.

    Each fault is a small deviation of the memory system from one clause: a view that forgets the session, a rollback
    that keeps events. A fault that changes nothing in any scenario has not landed, and counts as not caught.
    """
    from seatrial.simulator.faults import FAULTS

    faults = [each for each in FAULTS.values() if not words or any(_holds(each, word) for word in words)]
    for word in words:
        if not any(_holds(each, word) for each in faults):
            raise click.UsageError(f"no fault has {word!r} in its name or clause; `seatrial mutate --list` lists them")
    if listing:
        click.echo("\n".join(f"{each.name:<32} {each.clause:<7} {each.deviation}" for each in faults))
        return
    files = _files(paths or (Path(),))
    given = starts(configs)
    with crew(jobs, executor, max(len(files), len(faults))) as hired:
        from seatrial.simulator.mutate import fates

        suite = _suite(files, hired, given)
        with Progress(len(faults), "faults") as bar:
            found = list(fates(hired, faults, suite, invariants_only=invariants_only, first_only=first, done=bar.step))
    if form == "json":
        from seatrial.simulator.report.json import mutation

        click.echo(json.dumps(mutation(suite, found, invariants_only=invariants_only), indent=2))
    else:
        click.echo("\n".join(_lines(found, len(suite))))
    lost = [each.fault.name for each in found if each.state == "lost"]
    for name in lost:
        click.echo(f"seatrial: internal fault: what tried {name} died, twice: this fault has no verdict", err=True)
    caught = all(each.state in ("caught", "excused") for each in found)
    context.exit(Exit.FAULT if lost else Exit.CLEAN if caught else Exit.FOUND)


def _holds(fault: Fault, word: str) -> bool:
    return word.casefold() in f"{fault.name} {fault.clause}".casefold()


def _files(paths: Sequence[Path]) -> list[Path]:
    from seatrial.schemas.wording import printable
    from seatrial.simulator.discover import NoScenario, discover

    try:
        return discover(paths)
    except NoScenario as none:
        raise click.UsageError(printable(str(none))) from none


def _suite(files: Sequence[Path], crew: Crew, given: Mapping[str, Start]) -> list[Sound]:
    """The scenarios, all of which must pass as they are."""
    from seatrial.schemas.wording import printable, shell
    from seatrial.simulator.load import InvalidScript, Loaded, Loader
    from seatrial.simulator.mutate import UnsoundError, sound_suite
    from seatrial.simulator.start import agents_of
    from seatrial.simulator.suite import read

    loader = Loader(given)

    def valid() -> Iterator[Loaded]:
        for path in files:
            scenario = read(path, loader)
            if isinstance(scenario, InvalidScript):
                why = shell("seatrial", "run", path)
                raise Refused(f"{printable(str(path))} is no valid scenario: `{why}` says why")
            yield scenario

    try:
        suite = sound_suite(crew, valid())
    except UnsoundError as failing:
        options = (word for start in given.values() for word in ("--config", start.written))
        why = shell("seatrial", "run", failing.path, *options)
        raise Refused(f"{printable(str(failing.path))} fails without a fault: `{why}` says why") from failing
    if told_unused(given, (agent for sound in suite for agent in agents_of(sound.script))):
        raise click.UsageError("nothing would be tried with it")
    return suite


def _lines(fates: Sequence[Fate], scenarios: int) -> Iterator[str]:
    """A table of the faults that took effect, what to know of them, and those that did not."""
    from seatrial.linter.report import counted

    landed = [fate for fate in fates if fate.state != "not landed"]
    if landed:
        yield f"{'fault':<32} {'clause':<7} {'landed':>6} {'caught':>6}  by"
    for fate in landed:
        what = ", ".join(fate.by) if fate.kills else fate.state if fate.state == "excused" else fate.state.upper()
        yield f"{fate.fault.name:<32} {fate.fault.clause:<7} {len(fate.landed):>6} {len(fate.kills):>6}  {what}"
    if landed:
        yield ""
    for fate in landed:
        if fate.state == "survived":
            yield f"survived: {fate.fault.name}: nothing objects to a memory system in which {fate.fault.deviation}"
        elif fate.state == "excused":
            yield f"excused: {fate.fault.name}: {fate.fault.unseen}"
        elif fate.state == "lost":
            yield f"lost: {fate.fault.name}: what tried it died, twice: it has no verdict"
    yield from _not_landed([fate.fault for fate in fates if fate.state == "not landed"])
    states = [fate.state for fate in fates]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(sorted(states)))
    yield f"{counted(len(fates), 'fault')} in {counted(scenarios, 'scenario')}: {counts}"


def _not_landed(faults: Sequence[Fault]) -> Iterator[str]:
    if len(faults) <= _EXPLAINED:
        for fault in faults:
            yield f"not landed: {fault.name}: no scenario shows whether {fault.deviation}"
        return
    yield f"not landed, as no scenario goes where they are ({len(faults)}; --list says what each is):"
    names = ", ".join(fault.name for fault in faults)
    yield from wrap(names, 100, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
