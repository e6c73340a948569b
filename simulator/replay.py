"""The scenarios of a suite, judged by a crew: the same judgements in the same order whoever is in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from seatrial.linter import Diagnostic
from seatrial.schemas.wording import printable

from .crew import Crew, Lost
from .load import Loaded, Loader
from .script import Script
from .start import Start
from .suite import Judgement, Scenario, judge, judge_script, read


class _Parcel(NamedTuple):
    """What of a scenario a worker takes that may not have its file. Its document stays here, with all places."""

    path: Path
    script: Script
    warnings: tuple[Diagnostic, ...]


_Sent: TypeAlias = Path | Scenario | _Parcel


def judged(
    crew: Crew,
    scenarios: Iterable[Path | Scenario],
    *,
    traces: bool = False,
    store: Path | None = None,
    done: Callable[[], None] = lambda: None,
    starts: Mapping[str, Start] | None = None,
) -> Iterator[Judgement]:
    """The judgement of each scenario, with its trace if `traces` are wanted; of a path, what stands in the file.

    One whose worker died each time is `lost`. What stands in a file starts with `starts`, as the scenarios that are
    loaded already do; whoever has to play it is then sent the script, which has their configs in it. `store` is for
    one scenario and a crew of this process.
    """
    loader = Loader(starts)
    read_here = crew.far or bool(starts)
    kept: deque[Path | Scenario] = deque()

    def sent() -> Iterator[_Sent]:
        for scenario in scenarios:
            known = read(scenario, loader) if isinstance(scenario, Path) and read_here else scenario
            kept.append(known)
            yield _Parcel(known.path, known.script, known.warnings) if isinstance(known, Loaded) else known

    def here(scenario: _Sent) -> Judgement:
        return _judged(scenario, loader, store)

    for result in crew.results(here if crew.here else partial(_there, traces=traces), sent(), done):
        scenario = kept.popleft()
        if isinstance(result, Lost):
            yield _lost(scenario)
        else:
            yield result.placed(scenario) if isinstance(scenario, Loaded) else result


def _lost(scenario: Path | Scenario) -> Judgement:
    """What is known without reading the file: it may be reading it that ends whoever does."""
    if isinstance(scenario, Path):
        return Judgement(scenario, "", "lost")
    return Judgement(scenario.path, scenario.scenario, "lost")


def _judged(sent: _Sent, loader: Loader, store: Path | None = None) -> Judgement:
    try:
        if isinstance(sent, _Parcel):
            return judge_script(sent.script, sent.path, sent.warnings, store=store)
        return judge(read(sent, loader) if isinstance(sent, Path) else sent, store=store)
    except Exception as fault:  # a memory system that breaks down is judged: this is ours
        fault.add_note(printable(f"while {sent if isinstance(sent, Path) else sent.path} was judged"))
        raise


def _there(sent: _Sent, *, traces: bool) -> Judgement:
    """In a worker. A trace that nobody wants is not sent back."""
    judgement = _judged(sent, _loader())
    return judgement if traces else replace(judgement, trace=None)


@cache
def _loader() -> Loader:
    """One for all that a worker reads."""
    return Loader()
