"""`seatrial run`: replay scenarios and judge them."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .crews import crew, options
from .exits import Exit
from .places import Place
from .progress import Progress
from .starting import start_option, starts, told_unused

if TYPE_CHECKING:
    from seatrial.simulator.report.text import Style
    from seatrial.simulator.start import Start
    from seatrial.simulator.suite import Judgement, Scenario
    from seatrial.simulator.trace import Trace

_COLOURS = {"good": "green", "bad": "red", "dim": "bright_black"}


EPILOG = """\b
Examples:
  seatrial run                          every scenario below this folder
  seatrial run scenarios -k account -x  those that say "account", up to the first that is not ok
  seatrial run a.scenario.yaml --trace a.jsonl --store a.sqlite
  seatrial run scenarios --config configs/reconciler.v2.yaml

\b
Exit codes: 0 all is well; 1 an expectation or an invariant does not hold, or a
scenario is vacuous; 2 a scenario is invalid, or there is none; 3 a fault of seatrial; 141 the reader
of the output went away.
"""


@click.command("run", epilog=EPILOG)
@click.argument("paths", nargs=-1, type=Place(path_type=Path), metavar="[PATH]...")
@click.option("-k", "words", metavar="TEXT", default="", help="Only scenarios whose name or path holds TEXT.")
@click.option(
    "--tag",
    "tags",
    metavar="TAG",
    multiple=True,
    help="Only scenarios with this tag, and invalid ones; given twice: either.",
)
@click.option("-x", "stop", is_flag=True, help="Stop after the first scenario that is not ok.")
@click.option("-v", "--verbose", is_flag=True, help="List also the invariants that had nothing to check.")
@start_option
@options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "github", "html"]),
    default="text",
    show_default=True,
    help="json is for machines: `seatrial schema run` describes it; junit and github are for CI; html is one page.",
)
@click.option(
    "--trace",
    type=Place(path_type=Path),
    metavar="PATH",
    help="Keep the trace: of one scenario in this file, of several in files below this folder. "
    "`seatrial schema trace` describes it.",
)
@click.option(
    "--store",
    type=Place(path_type=Path),
    metavar="FILE",
    help="Keep the store of the one scenario that is run, in a new file.",
)
@click.pass_context
def command(
    context: click.Context,
    *,
    paths: Sequence[Path],
    words: str,
    tags: Sequence[str],
    stop: bool,
    verbose: bool,
    configs: Sequence[str],
    jobs: int,
    executor: str | None,
    form: str,
    trace: Path | None,
    store: Path | None,
) -> None:
    """Replay scenarios against the memory system and judge each by every invariant.

    PATH is a scenario file, or a folder with files named *.scenario.yaml, *.scenario.yml or *.scenario.json; without
    one, the folder you are in.
    """
    from seatrial.schemas.wording import printable
    from seatrial.simulator.discover import NoScenario, discover

    try:
        files = discover(paths or [Path()])
    except NoScenario as none:
        raise click.UsageError(printable(str(none))) from none
    if store is not None and executor is not None:
        raise click.UsageError("--store keeps a file of this machine: leave out --executor")
    given = starts(configs)
    with crew(jobs, executor, len(files)) as hired:
        # Whoever is hired loads meanwhile; so what is heavy is loaded here no earlier.
        from seatrial.engine import StoreError
        from seatrial.simulator.replay import judged

        chosen = _chosen(files, words, tags, given)
        if store is not None and len(chosen) > 1:
            raise click.UsageError(f"--store keeps the store of one scenario; {len(chosen)} are selected")
        if store is not None and store.exists():
            raise click.UsageError(f"--store makes a new file; {store} exists")
        keep = _traces(trace, [each if isinstance(each, Path) else each.path for each in chosen])
        _check_apart(keep.values(), files if store is None else [*files, store])
        say = _Text(verbose) if form == "text" else _Whole(form)
        judgements: list[Judgement] = []
        unkept: str | None = None
        with Progress(len(chosen), "scenarios") as progress:
            results = judged(hired, chosen, traces=bool(keep), store=store, done=progress.step, starts=given)
            try:
                for result in results:
                    judgements.append(result)
                    if result.trace is not None and result.path in keep and unkept is None:
                        unkept = _unwritten(result.trace, keep[result.path])
                    progress.hide()
                    say.scenario(result)
                    if stop and result.state != "ok":
                        break
            except StoreError as closed:
                raise click.ClickException(str(closed)) from closed
    say.end(judgements)
    for each in judgements:
        if each.state == "lost":
            named = printable(str(each.path))
            click.echo(
                f"seatrial: internal fault: what ran {named} died, twice: this scenario has no verdict", err=True
            )
    if unkept is not None:
        click.echo(printable(f"seatrial: --trace: {unkept}; no trace was kept from there on"), err=True)
    judged_all = len(judgements) == len(chosen) and all(each.state not in ("invalid", "lost") for each in judgements)
    misused = judged_all and told_unused(given, (agent for each in judgements for agent in each.agents))
    code = _code(judgements)
    context.exit(Exit.MISUSE if misused or (unkept is not None and code == Exit.CLEAN) else code)


def _chosen(
    files: Sequence[Path], words: str, tags: Sequence[str], given: Mapping[str, Start]
) -> Sequence[Path | Scenario]:
    """What is to be run: files, which are read only where what stands in them matters already."""
    if not words and not tags:
        return files
    from seatrial.schemas.wording import printable
    from seatrial.simulator.load import Loader
    from seatrial.simulator.suite import read, selected, unknown_tags

    loader = Loader(given)
    found = [read(file, loader) for file in files]
    chosen = [each for each in found if selected(each, words, tags)]
    if not chosen:
        raise click.UsageError(_nothing(found))
    for tag in unknown_tags(found, tags):
        click.echo(f"seatrial: warning: --tag: no scenario has {printable(tag)}; {_tags(found)}", err=True)
    return chosen


def _nothing(found: Sequence[Scenario]) -> str:
    """Why nothing can be run, with what there is to choose from."""
    return f"none of {len(found)} scenarios is what -k or --tag asked for; {_tags(found)}"


def _tags(found: Sequence[Scenario]) -> str:
    return f"their tags: {', '.join(sorted({tag for scenario in found for tag in scenario.tags})) or 'none'}"


def _code(judgements: Sequence[Judgement]) -> Exit:
    states = {judgement.state for judgement in judgements}
    if "lost" in states:
        return Exit.FAULT
    if "invalid" in states:
        return Exit.MISUSE
    return Exit.CLEAN if states == {"ok"} else Exit.FOUND


class _Text:
    """Each scenario as it is judged, then the summary."""

    def __init__(self, verbose: bool) -> None:
        self.verbose = verbose

    def scenario(self, judgement: Judgement) -> None:
        from seatrial.simulator.report import text

        for line in text.scenario(judgement, paint):
            click.echo(line)

    def end(self, judgements: Sequence[Judgement]) -> None:
        from seatrial.simulator.report import text

        for line in text.summary(judgements, paint, verbose=self.verbose):
            click.echo(line)


class _Whole:
    """One document, at the end."""

    def __init__(self, form: str) -> None:
        self.form = form

    def scenario(self, judgement: Judgement) -> None:
        """Nothing yet."""

    def end(self, judgements: Sequence[Judgement]) -> None:
        from seatrial.linter.relative import repository
        from seatrial.simulator.report import github, html, junit
        from seatrial.simulator.report.json import report

        if self.form == "json":
            said = json.dumps(report(judgements), indent=2) + "\n"
        elif self.form == "html":
            said = html.render(judgements)
        elif self.form == "junit":
            said = junit.render(judgements, repository("."))
        else:
            said = github.render(judgements, repository("."))
        click.echo(said, nl=False)


def paint(text: str, style: Style) -> str:
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=_COLOURS[style])


def _traces(where: Path | None, paths: Sequence[Path]) -> dict[Path, Path]:
    """The file for each scenario's trace: `where` itself for one scenario, else below it, by the scenario's path."""
    if where is None:
        return {}
    if len(paths) == 1 and not where.is_dir():
        return {paths[0]: where}
    if where.exists() and not where.is_dir():
        raise click.UsageError(f"--trace needs a folder for {len(paths)} scenarios; {where} is a file")
    top = Path(os.path.commonpath([path.absolute().parent for path in paths]))
    below = [path.absolute().relative_to(top) for path in paths]
    short = Counter(map(_named, below))
    return {
        path: where / (_named(name) if short[_named(name)] == 1 else name.with_name(f"{name.name}.trace.jsonl"))
        for path, name in zip(paths, below, strict=True)
    }


def _check_apart(written: Iterable[Path], others: Iterable[Path]) -> None:
    """Refuse to write traces over scenarios or the store."""
    taken = {path.resolve() for path in others}
    for path in written:
        if path.resolve() in taken:
            raise click.UsageError(f"--trace would write over {path}")


def _named(path: Path) -> Path:
    """What a trace is called, where no other scenario beside has the same beginning."""
    return path.with_name(path.name.split(".scenario.")[0] + ".trace.jsonl")


def _unwritten(trace: Trace, path: Path) -> str | None:
    """Writes it, or says why that cannot be: what was judged is to be told all the same."""
    from seatrial.schemas.wording import reason

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        trace.write(path)
    except OSError as failed:
        return f"{path}: {reason(failed)}"
    return None
