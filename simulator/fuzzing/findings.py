"""What a search found, as a file: written where scenarios are read, and tried from there before it is promised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..load import Loader
from .files import save
from .hunt import Found
from .search import Outcome
from .trial import judged, second


@dataclass(frozen=True, slots=True)
class Saved:
    """The file of a failing scenario. `fails_alike`: read from there it fails in the same way."""

    path: Path
    fails_alike: bool


def saved(outcome: Outcome, folder: Path) -> Saved | None:
    """The file in `folder` for what the search found, perhaps one that is there; None if it found nothing."""
    found = outcome.found
    if found is None:
        return None
    problem = found.problem
    document = {**found.document, "scenario": f"found by fuzzing: {problem.name}"}
    path = save(document, problem.name, tuple(_comment(outcome, found)), folder)
    script = Loader().load(path).script
    return Saved(path, judged(script, second(problem.second)).like(problem) is not None)


def _comment(outcome: Outcome, found: Found) -> Iterator[str]:
    yield from found.problem.lines
    if found.others:
        yield f"Also wrong: {', '.join(dict.fromkeys(each.name for each in found.others))}."
    where = "in what an earlier search kept" if found.kept else f"with the seed {outcome.seed}"
    yield f"Found by `seatrial fuzz` {where}."
